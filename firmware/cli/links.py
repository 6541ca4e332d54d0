"""The choice of links by the settings."""

import sys
from collections.abc import Callable
from functools import partial
from secrets import SystemRandom

from firmware.display.text.alerts import Alert
from firmware.journal.sqlite import JournalError
from firmware.link.bluetooth.controller import OpenController
from firmware.link.bluetooth.hci import open_hci
from firmware.link.broker.address import BrokerAddress
from firmware.link.broker.relay import RelaySession
from firmware.link.broker.session import BrokerError, Session
from firmware.link.infrared.lirc import open_port
from firmware.link.infrared.port import InfraredError, Port
from firmware.settings.model import BrokerSettings, Settings
from firmware.settings.toml import SettingsError

PROGRAM = "maexchen"


def open_media(
    settings: Settings, infrared: Callable[[], Port] = open_port
) -> tuple[OpenController | None, Port | None]:
    """Return openers of the Bluetooth controller and the infrared port, by ``settings.link``.

    None stands for an unwanted medium. One of several is enough: the reason for missing infrared
    goes to stderr. ``infrared`` opens the port.

    Raises:
        InfraredError: infrared alone is wanted, and there is none.
    """
    controller = partial(open_hci, settings.bluetooth) if "bluetooth" in settings.link else None
    port = None
    if "ir" in settings.link:
        try:
            port = infrared()
        except InfraredError as problem:
            if settings.link == ("ir",):
                raise
            tell_trouble(str(problem))
    return controller, port


def open_session(settings: Settings) -> Session | None:
    """Return the session at the broker, or at its relay; None if none is wanted.

    Raises:
        BrokerError: the broker of the settings cannot be used.
    """
    broker = settings.broker
    if "mqtt" not in settings.link:
        return None
    if broker is None:
        raise BrokerError('link = "mqtt" wants a [broker] section: write url = "mqtts://host"')
    if broker.relay is not None:
        return RelaySession(broker.relay, tell_trouble, SystemRandom().random)
    from firmware.link.broker.mqtt import MqttSession  # needs the extra broker

    return MqttSession(address_of(broker), tell_trouble, SystemRandom().random)


def address_of(broker: BrokerSettings) -> BrokerAddress:
    """Return the address of the broker in the settings. Raises BrokerError."""
    return BrokerAddress.of(
        broker.url, broker.ca, broker.user, broker.password, open_wire=broker.open_wire
    )


def why_not(problem: JournalError | SettingsError) -> Alert:
    """Return the alert for a journal with which no match can go on."""
    if isinstance(problem, SettingsError):
        return Alert.OTHER_TABLE
    return Alert.JOURNAL_DAMAGED if problem.damaged else Alert.STORE


def tell_watched(url: str, tag: str) -> None:
    """Print on stderr how to watch the table of a tag at the broker of a URL."""
    scheme, _, rest = url.partition("://")
    tell_trouble(f"anybody may watch: maexchen watch {scheme}://{rest.rpartition('@')[2]} {tag}")


def tell_trouble(line: str) -> None:
    """Print a line on stderr, after the name of the program."""
    print(f"{PROGRAM}: {line}", file=sys.stderr, flush=True)
