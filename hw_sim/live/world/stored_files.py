"""The forms of a table's JSON files, with bounds: a file may come from somebody else.

The decoders refuse anything else with a ``msgspec.DecodeError``. They refuse endless nesting with a
RecursionError.
"""

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from drivers.light_sensor import LightKind
from firmware.display.text.language import Language, check_language
from firmware.settings import Faults, Medium
from hw_sim.air import ControllerProfile
from hw_sim.table import NAMES

FORMAT: Final = "maexchen session 1"
TABLE_VERSION: Final = 1
"""The version of a table's folder. Older ones are read; a newer one is refused."""
MOST_US: Final = 24 * 3600 * 1_000_000
"""No session lasts longer, in virtual time: what is done after that is not kept."""
NO_SEAT: Final = -1
END: Final = "end"

TimeUs = Annotated[int, Meta(ge=0, le=MOST_US)]
_Word = Annotated[str, Meta(max_length=64)]
_Name = Annotated[str, Meta(max_length=200)]
_Seat = Annotated[int, Meta(ge=0, lt=len(NAMES))]
_Place = Annotated[int, Meta(ge=0, le=len(NAMES))]
_Count = Annotated[int, Meta(ge=0, le=len(NAMES))]
_Hex = Annotated[str, Meta(pattern=r"^([0-9A-Fa-f]{2}){0,32}\Z")]
_JournalName = Annotated[str, Meta(pattern=r"^seat[0-7]\.sqlite(-wal|-count)?\Z")]
_SOME = Meta(max_length=len(NAMES))
_PLACES = Meta(max_length=len(NAMES) + 1)


class StoredSetup(Struct, frozen=True, forbid_unknown_fields=True):
    """A `hw_sim.live.world.setup.WorldSetup`; what older files leave out has a default.

    ``here`` and ``opens`` are of its `TablePart`; ``paired`` and ``key`` are in older files alone.
    """

    game: _Word
    options: Annotated[dict[_Word, bool | int | _Word], Meta(max_length=32)]
    players: Annotated[int, Meta(ge=1, le=len(NAMES))]
    seed: int
    scene: Literal["pub", "day"]
    language: Language
    faults: Faults
    controller: ControllerProfile
    people: _Count
    bots: Annotated[tuple[str, ...], _SOME]
    boot: Annotated[int, Meta(ge=0, le=1_000_000)]
    link: Annotated[tuple[Medium, ...], Meta(min_length=1, max_length=8)] = ("bluetooth",)
    light: LightKind = "veml7700"
    broker: None = None
    here: Annotated[tuple[_Place, ...], _PLACES] | None = None
    opens: _Seat = 0
    paired: bool = False
    key: _Hex = ""
    chance: _Hex = ""
    called: Annotated[tuple[_Name, ...], _SOME] = ()

    def __post_init__(self) -> None:
        check_language(self.language)
        if self.people + len(self.bots) != self.players:
            raise ValueError("each seat has one person or one bot")
        if len(self.called) not in (0, self.players):
            raise ValueError("each player has one name")
        if max(self.opens + 1, *(self.here or (0,))) > self.players:
            raise ValueError("there is no such seat")


class StoredHead(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a session: what was set up, and the journals that it began with."""

    format: Literal["maexchen session 1"]
    setup: dict[str, Any]
    journals: Annotated[dict[_JournalName, bytes], Meta(max_length=3 * len(NAMES))]


StoredLine = tuple[
    TimeUs, Annotated[int, Meta(ge=NO_SEAT, lt=len(NAMES))], _Word, Annotated[list[Any], _SOME]
]
"""Any other line: when, at which seat, what kind of command, and its values."""


class StoredMatch(Struct, frozen=True):
    """A match that was begun: the number of its folder, and how it was set up last."""

    number: Annotated[int, Meta(ge=0, le=1_000_000_000)]
    setup: dict[str, Any]


class StoredTable(StoredMatch, frozen=True):
    """``table.json``: the match that is played, and those that wait.

    ``version`` is that of the whole folder, as `TABLE_VERSION` counts; the first ones had none.
    """

    others: tuple[StoredMatch, ...] = ()
    version: Annotated[int, Meta(ge=0)] = 0


table_decoder: Final = msgspec.json.Decoder(StoredTable)
head_decoder: Final = msgspec.json.Decoder(StoredHead)
line_decoder: Final = msgspec.json.Decoder(StoredLine)
