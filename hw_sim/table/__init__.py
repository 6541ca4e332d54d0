"""N simulated handhelds, one air, one room, and what became of the match.

`TableSetup` is a table before its match, `MatchReport` what became of it in numbers.

May import: players, secrecy, hand, panel, board, air, clock, story, firmware, drivers, game.
Begin with ``handheld``, which is one of them switched on, and ``table``.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from hashlib import shake_256
from itertools import count
from random import Random
from secrets import token_hex
from typing import Any, NamedTuple, Self, get_args

from drivers.light_sensor import LightKind
from firmware.display.text.language import check_language
from firmware.link.broker import BrokerAddress
from firmware.settings import Faults, Media, check_media
from game import AnyMatch, AnyRules, SetupError, new_match
from game.options import check_choice
from game.record import Record
from hw_sim.air import ControllerProfile
from hw_sim.hand.signals.shakes import ShakeLibrary
from hw_sim.players.bot_kinds import check_bot
from hw_sim.story import in_numbers

NAMES = ("Ana", "Ben", "Cem", "Dea", "Eli", "Fay", "Gus", "Hal", "Ida")
CHANCE_BYTES = 32
"""The bytes that a table draws for its chance; chosen, as many as a key has."""
SCENES = ("pub", "day")
SEEDS_APART = 1_000_003
"""Between the seeds of a seat before and after its power was cut; chosen."""


@dataclass(frozen=True)
class Carriage:
    """The way of frames between handhelds, besides the media of all.

    Attributes:
        links: the media by seat, where they differ.
        controller: which Bluetooth controllers they have.
        carrier: the seat that carries the others' frames; None for none.
        broker: a real one; None: one in memory.
        public: the handhelds at a broker tell anybody how the match stands.
    """

    links: tuple[Media, ...] | None = None
    controller: ControllerProfile = "pi"
    carrier: int | None = None
    broker: BrokerAddress | None = None
    public: bool = False

    def __post_init__(self) -> None:
        check_choice("controller", self.controller, get_args(ControllerProfile))
        for link in self.links or ():
            check_media(link)


@dataclass(frozen=True)
class Conditions:
    """The conditions in which hands and sensors of a table work.

    Attributes:
        scene: "pub" or "day".
        shakes: recorded shakes for the hands; None makes shakes up.
        light: the light sensor of the handhelds.
        faults: the treatment of faults that the sensors notice.
    """

    scene: str = "pub"
    shakes: ShakeLibrary | None = None
    light: LightKind = "veml7700"
    faults: Faults = "ask"

    def __post_init__(self) -> None:
        check_choice("scene", self.scene, SCENES)
        check_choice("faults", self.faults, get_args(Faults))


class TablePart(NamedTuple):
    """The part of a table that is simulated here; a lobby has formed it, and its journals have it.

    ``local_seats``: the index behind the seats is the watcher's place. ``opening_seat``: the seat
    that opens the match.
    """

    local_seats: tuple[int, ...]
    opening_seat: int = 0


@dataclass(frozen=True)
class TableSetup:
    """The game of a table, its players and its media.

    Attributes:
        rules: the game with its options.
        players: how many, within the bounds of ``rules``.
        seed: decides everything that is chance, but for the secrets that ``chance`` makes.
        conditions: of hands and sensors.
        language: of the panels.
        person: the seat that no simulated player plays; None for none.
        link: what carries frames between the handhelds.
        carriage: how.
        player_names: the players' names by seat; none gives them those of `NAMES`.
        part: the handhelds that are simulated here, while the others are elsewhere; None: all are.
        chance: 64 hex digits of the system's chance that the dice and the table's key come from, as
            they must where somebody plays or a broker is a real one; empty: the seed makes them.
        on_disk: journals are files; else they are in memory, where no bot of others reads them.
        bots: the kinds of bots in the first seats without a person, as ``personality_of`` takes
            them; the others' personalities are drawn.

    Raises SetupError for a table that there is not, and LanguageError for such a language.
    """

    rules: AnyRules
    players: int = 3
    seed: int = 1
    conditions: Conditions = Conditions()
    language: str = "en"
    person: int | None = None
    link: Media = ("bluetooth",)
    carriage: Carriage = Carriage()
    player_names: tuple[str, ...] = ()
    part: TablePart | None = None
    chance: str = field(default="", repr=False)
    on_disk: bool = True
    bots: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_language(self.language)
        check_media(self.link)
        for bot in self.bots:
            check_bot(bot)
        if not 0 < self.players <= len(NAMES):
            raise SetupError(f"this table seats 1 to {len(NAMES)} players, not {self.players}")
        new_match(self.rules, self.names, 0)
        if len(self.bots) > len(self._free):
            raise SetupError(f"{len(self.bots)} bots are too many here: {len(self._free)} sit down")

    @property
    def _free(self) -> list[int]:
        return [seat for seat in range(self.players) if seat != self.person]

    def beside_foreign_bots(self) -> Self:
        """The setup of a table with foreign bots, which can read disk and command line."""
        return replace(self, chance=self.chance or any_chance(), on_disk=False)

    def link_of(self, seat: int) -> Media:
        """The media of ``seat``."""
        links = self.carriage.links
        return self.link if links is None else links[seat]

    def bot_of(self, seat: int) -> str | None:
        """The bot of ``seat``; None if it is drawn, or if a person plays."""
        return dict(zip(self._free, self.bots)).get(seat)

    def entropy(self, name: str) -> Callable[[int], bytes]:
        """The source of chance of the handheld of a name: gives that many random bytes."""
        if not self.chance:
            return Random(f"dice {name}").randbytes
        drawn = count()
        return lambda size: shake_256(f"{self.chance} {name} {next(drawn)}".encode()).digest(size)

    @property
    def first(self) -> int:
        """The seat that opens the match; of open dice, that throws first for the lead.

        With handhelds elsewhere it is seat 0, as in settings that name no other, or agreed on.
        """
        if self.part is not None:
            return self.part.opening_seat
        return Random(f"first {self.seed}").randrange(self.players)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names by seat."""
        return self.player_names or NAMES[: self.players]


def any_chance() -> str:
    """Draw a setup's ``chance``: nobody can guess or compute it."""
    return token_hex(CHANCE_BYTES)


@dataclass
class MatchReport:
    """The outcome of a match; the command line prints its `summary`.

    Attributes:
        match: the match at its end, as the first seat knows it.
        record: all actions with the dice that were rolled, put together from all journals.
        violations: what was done against a data sheet, or went wrong at the table.
        leaks: instants at which dice were where nobody may see them.
        look_latency_us, hide_latency_us: see ``hw_sim.secrecy``.
        panel_bytes: all that the displays were sent, commands and data.
        full_frame_bytes: what one ``show()`` for every picture and one to start would have sent.
    """

    match: AnyMatch
    record: Record
    virtual_s: float
    hops: int
    violations: list[str]
    leaks: list[str]
    look_latency_us: list[int]
    hide_latency_us: list[int]
    panel_bytes: int
    full_frame_bytes: int
    i2c_transactions: int
    i2c_bytes: int
    digest: str

    def summary(self, setup: TableSetup, wall_s: float) -> dict[str, Any]:
        """Return the match in numbers, ready for JSON; ``wall_s``: real seconds it took."""
        return {
            **in_numbers(self.record),
            "seed": setup.seed,
            "handovers": self.hops,
            "virtual_s": round(self.virtual_s, 3),
            "wall_s": round(wall_s, 3),
            "i2c_transactions": self.i2c_transactions,
            "i2c_bytes": self.i2c_bytes,
            "panel_bytes": self.panel_bytes,
            "full_frame_bytes": self.full_frame_bytes,
            "look_latency_ms": [us / 1000 for us in self.look_latency_us],
            "hide_latency_ms": [us / 1000 for us in self.hide_latency_us],
            "violations": self.violations,
            "secret_leaks": len(self.leaks),
            "leaks": self.leaks,
            "digest": self.digest,
        }
