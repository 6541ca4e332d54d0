"""The settings of one handheld, with a table or without."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, get_args

from drivers.light_sensor import LightKind
from firmware.effects.sounds import USUAL_VOLUME
from firmware.settings.table import Faults, TableTerms

Medium = Literal["bluetooth", "ir", "mqtt"]
Media = tuple[Medium, ...]
"""The media that carry frames to the other seats."""
BY_LIGHT: Final[Media] = ("ir",)
"""Infrared alone: all hear every frame, one speaks at a time, and it takes long."""
BOTH: Final = {"bluetooth": "both", "ir": "both"}
Opponents = Literal["usual", "honest", "learner", "skilled", "expert", "shark"]
"""The opponents of a lone player."""


def media_of(*names: str) -> Media:
    """Return media by their names; "both" stands for the two that need no network.

    Raises:
        ValueError: a name that there is not, or none at all.
    """
    found: list[Medium] = []
    for name in names:
        known = [each for each in get_args(Medium) if name in (each, BOTH.get(each))]
        if not known:
            choices = ", ".join((*get_args(Medium), "both"))
            raise ValueError(f"link {name!r}: write one of {choices}, or a list of them")
        found += known
    if not found:
        raise ValueError('link: write "bluetooth", "ir", "mqtt" or a list of them')
    return tuple(dict.fromkeys(found))


@dataclass(frozen=True)
class BrokerSettings:
    """How a broker is reached.

    Attributes:
        url: ``mqtts://host:8883``.
        ca: a file with its certificates (PEM); None: the system's.
        user, password: of an account there; empty: those of the table's key.
        open_wire: allows a broker on another machine without TLS.
        relay: the socket of the relay with the network; None: a direct connection.
        public: everybody may watch the handheld's matches and read their results.
    """

    url: str = ""
    ca: Path | None = None
    user: str = ""
    password: str = field(default="", repr=False)
    open_wire: bool = False
    relay: Path | None = None
    public: bool = False


@dataclass(frozen=True, kw_only=True)
class OwnSettings:
    """Settings of every handheld.

    Attributes:
        language: of the display, one of `LANGUAGES`.
        journal: the file of the journal; its folder must exist.
        bluetooth: the controller, as a bumble transport name.
        link: the media.
        broker: the broker of "mqtt"; None: none.
        volume: of sounds, 0 (silence) to 3, until the player chooses another.
        light: which light sensor is fitted.
    """

    language: str = "en"
    journal: Path = Path("/var/lib/maexchen/journal.sqlite")
    bluetooth: str = "hci-socket:0"
    link: Media = ("bluetooth",)
    broker: BrokerSettings | None = None
    volume: int = USUAL_VOLUME
    light: LightKind = "veml7700"


@dataclass(frozen=True)
class Settings(OwnSettings):
    """The settings of a handheld with a table: ``seat`` is its own, from 0."""

    table: TableTerms
    seat: int


@dataclass(frozen=True)
class Newcomer(OwnSettings):
    """The settings of a handheld without a table: it begins in the lobby.

    ``name`` None: the player chooses one. ``address`` None: the handheld makes one up, and keeps
    it. ``faults`` is as in ``TableTerms``. ``opponent`` plays the other seats of a lone player.
    """

    name: str | None = None
    address: str | None = None
    faults: Faults = "ask"
    opponent: Opponents = "usual"
