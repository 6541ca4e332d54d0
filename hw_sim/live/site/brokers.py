"""The brokers that the builder of a site lists: its pages may speak to these alone."""

import os
import re
from collections.abc import Sequence

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' data: blob:; media-src blob:; connect-src 'self'; worker-src 'self'; "
    "manifest-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'"
)
"""The policy of the pages of a site without brokers."""
PUBLIC = (
    "wss://broker.hivemq.com:8884/mqtt",
    "wss://broker.emqx.io:8084/mqtt",
    "wss://test.mosquitto.org:8081",
)
"""Public test brokers, which a site lists if its builder names none: they promise nothing.

Their operators document these addresses: hivemq.com/mqtt/public-mqtt-broker,
emqx.com/en/mqtt/public-mqtt5-broker and test.mosquitto.org.
"""
NO_BROKERS = "none"
BROKER = re.compile(r"wss?://[\w.:*\[\]-]+(/[\w./-]*)?")


class BuildError(Exception):
    """The site cannot be built: one line that says why and what to do."""


def policy(brokers: Sequence[str]) -> str:
    """Return what a page may load if it may speak to these brokers, such as ``wss://host:8884``.

    Raises:
        BuildError: one is no address of a WebSocket.
    """
    for each in brokers:
        if not BROKER.fullmatch(each):
            raise BuildError(f"BROKERS: {each!r}: write wss://host:port, with blanks in between")
    return POLICY.replace("connect-src 'self'", " ".join(("connect-src 'self'", *brokers)))


def listed() -> list[str]:
    """Return the addresses in ``BROKERS`` of the environment; a ``*`` is any host or port.

    They are those of `PUBLIC` if it is not set; there are none if it is empty or ``none``.
    """
    named = os.environ.get("BROKERS")
    if named is None:
        return list(PUBLIC)
    return [] if named.strip() == NO_BROKERS else named.split()
