"""What one handheld is set up with, with a table or without."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from drivers.light_sensor import LightKind
from firmware.effects.sounds import USUAL_VOLUME
from firmware.settings.table import Faults, TableTerms

Media = Literal["bluetooth", "ir", "both"]
"""What carries frames to the other seats."""


@dataclass(frozen=True)
class Settings:
    """One handheld's settings: the table, its own ``seat`` there, and what it runs with."""

    table: TableTerms
    seat: int
    language: str = "en"
    journal: Path = Path("/var/lib/maexchen/journal.sqlite")
    bluetooth: str = "hci-socket:0"
    link: Media = "bluetooth"
    volume: int = USUAL_VOLUME
    light: LightKind = "veml7700"


@dataclass(frozen=True)
class Newcomer:
    """The settings of a handheld without a table: it begins in the lobby.

    ``name`` None: the player chooses one. ``address`` None: the handheld makes one up, and keeps
    it. ``faults`` as in ``TableTerms``.
    """

    name: str | None = None
    address: str | None = None
    faults: Faults = "ask"
    language: str = "en"
    journal: Path = Settings.journal
    bluetooth: str = Settings.bluetooth
    link: Media = "bluetooth"
    volume: int = USUAL_VOLUME
    light: LightKind = "veml7700"
