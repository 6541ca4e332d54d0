"""What one handheld is set up with, with a table or without."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from drivers.light_sensor import LightKind
from firmware.effects.sounds import USUAL_VOLUME
from firmware.settings.table import Faults, TableTerms

Media = Literal["bluetooth", "ir", "both"]
"""What carries frames to the other seats."""
Opponents = Literal["usual", "honest", "learner", "skilled", "expert", "shark"]
"""Whom one practises against, alone with a handheld."""


@dataclass(frozen=True, kw_only=True)
class OwnSettings:
    """What every handheld runs with.

    Attributes:
        language: of the display, "de" or "en".
        journal: the file of the journal; its folder must exist.
        bluetooth: the controller, as a bumble transport name.
        link: what carries frames.
        volume: of sounds, 0 (silence) to 3, until the player chooses another.
        light: which light sensor is fitted.
    """

    language: str = "en"
    journal: Path = Path("/var/lib/maexchen/journal.sqlite")
    bluetooth: str = "hci-socket:0"
    link: Media = "bluetooth"
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
    it. ``faults`` as in ``TableTerms``. ``opponent`` plays the others of who practises alone.
    """

    name: str | None = None
    address: str | None = None
    faults: Faults = "ask"
    opponent: Opponents = "usual"
