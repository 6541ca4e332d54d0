"""The setup of a world: its table, and the seats of people."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from secrets import randbelow
from typing import Any, Final

import msgspec

from game import SetupError, rule_set, to_plain
from hw_sim.live.world.stored_files import StoredSetup
from hw_sim.players.bot_kinds import KINDS, check_bot
from hw_sim.table import Carriage, Conditions, TablePart, TableSetup, any_chance

ANY_SEED: Final = 1_000_000_000
_AS_THEY_ARE: Final = ("players", "seed", "language", "called", "link")
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
        return {
            **to_plain(table.rules),
            **{name: getattr(table, name) for name in _AS_THEY_ARE},
            **{name: getattr(table.conditions, name) for name in _CONDITIONS},
            "controller": table.carriage.controller,
            **({} if table.part is None else table.part._asdict()),
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
        table = TableSetup(
            rules=rule_set(stored.game, stored.options),
            chance=stored.chance,
            conditions=Conditions(**{name: getattr(stored, name) for name in _CONDITIONS}),
            carriage=Carriage(controller=stored.controller),
            part=None if stored.here is None else TablePart(stored.here, stored.opens),
            **{name: getattr(stored, name) for name in _AS_THEY_ARE},
        )
        setup = cls(table, stored.people, stored.bots, stored.boot)
        return setup.with_chance() if setup.has_foreign_bots else setup
