"""The setup of a simulated table."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from hashlib import shake_256
from itertools import count
from random import Random
from secrets import token_hex
from typing import NamedTuple, Self, get_args

from drivers.light_sensor import LightKind
from firmware.display.text.language import check_language
from firmware.link.broker.session import BrokerAddress
from firmware.settings.model import Faults, Media, check_media
from game import AnyRules, SetupError, new_match
from game.options import check_choice
from hw_sim.air.air import ControllerProfile
from hw_sim.hand.signals.shakes import ShakeLibrary
from hw_sim.players.bot_kinds import check_bot

NAMES = ("Ana", "Ben", "Cem", "Dea", "Eli", "Fay", "Gus", "Hal", "Ida")
CHANCE_BYTES = 32
SCENES = ("pub", "day")
SEEDS_APART = 1_000_003
"""Between the seeds of a seat before and after its power was cut."""


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
    """The part of a table that is simulated here; a lobby has made it up, and its journals have it.

    ``here``: the seats; the place behind the seats is that of a watcher. ``opens``: the seat that
    opens the match.
    """

    here: tuple[int, ...]
    opens: int = 0


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
        called: the players' names by seat; none gives them those of `NAMES`.
        part: the handhelds that are simulated here, while the others are elsewhere; None: all are.
        chance: 64 hex digits of the system's chance that the dice and the table's key come from, as
            they must where somebody plays or a broker is a real one; empty: the seed makes them.
        on_disk: journals are files; else they are in memory, where no bot of others reads them.
        bots: how the first seats are played that no person has, as ``personality_of`` has it; the
            others' personalities are drawn.

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
    called: tuple[str, ...] = ()
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
            return self.part.opens
        return Random(f"first {self.seed}").randrange(self.players)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names by seat."""
        return self.called or NAMES[: self.players]


def any_chance() -> str:
    """Draw a setup's ``chance``: nobody can guess or compute it."""
    return token_hex(CHANCE_BYTES)
