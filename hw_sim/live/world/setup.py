"""The setup of a world, and the forms of a table's JSON files, with bounds.

A file may come from somebody else. The decoders refuse anything else with a
``msgspec.DecodeError``. They refuse endless nesting with a RecursionError.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from secrets import randbelow
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from drivers.light_sensor import LightKind
from firmware.display.text.language import Language, check_language
from firmware.settings import Faults, Medium
from game import SetupError, rule_set, to_plain
from hw_sim.air import ControllerProfile
from hw_sim.players.bot_kinds import KINDS, check_bot
from hw_sim.table import NAMES, Carriage, Conditions, TablePart, TableSetup, any_chance

FORMAT: Final = "maexchen session 1"
TABLE_VERSION: Final = 1
"""The version of a table's folder, chosen. Older ones are read; a newer one is refused."""
MOST_US: Final = 24 * 3600 * 1_000_000
"""No session lasts longer, in virtual time: what is done after that is not kept; chosen."""
NO_SEAT: Final = -1
"""The seat of what is no seat's; chosen."""
END: Final = "end"

TimeUs = Annotated[int, Meta(ge=0, le=MOST_US)]
_Word = Annotated[str, Meta(max_length=64)]
_Name = Annotated[str, Meta(max_length=200)]
Seat = Annotated[int, Meta(ge=0, lt=len(NAMES))]
_Place = Annotated[int, Meta(ge=0, le=len(NAMES))]
_Count = Annotated[int, Meta(ge=0, le=len(NAMES))]
_Hex = Annotated[str, Meta(pattern=r"^([0-9A-Fa-f]{2}){0,32}\Z")]
_JournalName = Annotated[str, Meta(pattern=rf"^seat[0-{len(NAMES) - 1}]\.sqlite(-wal|-count)?\Z")]
_SOME = Meta(max_length=len(NAMES))
_PLACES = Meta(max_length=len(NAMES) + 1)


_KEYS: Final = {"player_names": "called", "local_seats": "here", "opening_seat": "opens"}
"""The keys of fields that have another name in a file."""


class StoredSetup(Struct, frozen=True, forbid_unknown_fields=True, rename=_KEYS):
    """A `hw_sim.live.world.setup.WorldSetup`; what older files leave out has a default.

    ``local_seats`` and ``opening_seat`` are of its `TablePart`. ``paired`` and ``key`` are in older
    files alone.
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
    local_seats: Annotated[tuple[_Place, ...], _PLACES] | None = None
    opening_seat: Seat = 0
    paired: bool = False
    key: _Hex = ""
    chance: _Hex = ""
    player_names: Annotated[tuple[_Name, ...], _SOME] = ()

    def __post_init__(self) -> None:
        check_language(self.language)
        if self.people + len(self.bots) != self.players:
            raise ValueError("each seat has one person or one bot")
        if len(self.player_names) not in (0, self.players):
            raise ValueError("each player has one name")
        if max(self.opening_seat + 1, *(self.local_seats or (0,))) > self.players:
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


ANY_SEED: Final = 1_000_000_000
"""Seeds that are drawn are below this; chosen."""
_AS_THEY_ARE: Final = ("players", "seed", "language", "player_names", "link")
_CONDITIONS: Final = ("scene", "light", "faults")
"""The parts of a table and of its conditions that are plain values."""


@dataclass(frozen=True)
class WorldSetup:
    """A table for the browser.

    Attributes:
        table: what is to be played; its ``person`` is not used.
        people: how many of the first seats are people's.
        bots: how each bot plays, by seat from ``people`` on, as ``personality_of`` has it.
        boot: how often the table was set up before with the same journals.

    Raises SetupError for a bot that there is not, or if people and bots do not fill the seats.
    """

    table: TableSetup
    people: int
    bots: tuple[str, ...]
    boot: int = 0

    def __post_init__(self) -> None:
        for bot in self.bots:
            check_bot(bot)
        if self.people + len(self.bots) != self.table.players:
            raise SetupError(
                f"{self.people} people and {len(self.bots)} bots do not fill "
                f"{self.table.players} seats"
            )

    def next_boot(self) -> "WorldSetup":
        """The setup of the same match when it is set up once more."""
        return replace(self, boot=self.boot + 1)

    def next_match(self) -> "WorldSetup":
        """The setup of the next match of the same people and bots: the next seed.

        If the system's chance makes the secrets, the next match has others.
        """
        chance = any_chance() if self.table.chance else ""
        table = replace(self.table, seed=self.table.seed + 1, chance=chance)
        return replace(self, table=table, boot=0)

    def with_chance(self) -> "WorldSetup":
        """The setup with secrets that the system's chance makes."""
        return replace(self, table=replace(self.table, chance=any_chance()))

    def with_any_seed(self, any_seed: Callable[[], int]) -> "WorldSetup":
        """The setup with one of these seeds, of which a person opens if there is one."""
        while True:
            table = replace(self.table, seed=any_seed())
            if table.first < max(self.people, 1):
                return replace(self, table=table)

    def drawn(self) -> "WorldSetup":
        """The setup with all its chance drawn: of a match that people begin."""
        return self.with_any_seed(lambda: randbelow(ANY_SEED)).with_chance()

    @property
    def has_foreign_bots(self) -> bool:
        """Whether foreign programs play, which can read the disk."""
        return any(bot not in KINDS for bot in self.bots)

    def to_json(self) -> dict[str, Any]:
        """As plain values for JSON, which `from_json` reads."""
        table = self.table
        part = {} if table.part is None else table.part._asdict()
        return {
            **to_plain(table.rules),
            **{_KEYS.get(name, name): getattr(table, name) for name in _AS_THEY_ARE},
            **{name: getattr(table.conditions, name) for name in _CONDITIONS},
            "controller": table.carriage.controller,
            **{_KEYS[name]: value for name, value in part.items()},
            "chance": "" if self.has_foreign_bots else table.chance,
            "people": self.people,
            "bots": list(self.bots),
            "boot": self.boot,
        }

    @classmethod
    def from_json(cls, plain: dict[str, Any]) -> "WorldSetup":
        """From what `to_json` made.

        Raises:
            ValueError: it is something else, or no table is set up like that.
        """
        try:
            stored = msgspec.convert(plain, StoredSetup)
        except (msgspec.ValidationError, RecursionError) as error:
            raise ValueError(str(error)) from None
        local = stored.local_seats
        table = TableSetup(
            rules=rule_set(stored.game, stored.options),
            chance=stored.chance,
            conditions=Conditions(**{name: getattr(stored, name) for name in _CONDITIONS}),
            carriage=Carriage(controller=stored.controller),
            part=None if local is None else TablePart(local, stored.opening_seat),
            **{name: getattr(stored, name) for name in _AS_THEY_ARE},
        )
        setup = cls(table, stored.people, stored.bots, stored.boot)
        return setup.with_chance() if setup.has_foreign_bots else setup
