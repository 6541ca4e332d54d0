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
    """Return the addresses in ``BROKERS`` of the environment; a ``*`` is any host or port."""
    return os.environ.get("BROKERS", "").split()
