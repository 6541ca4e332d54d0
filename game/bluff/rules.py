"""The rule sets of the bluff games, the values of two dice, and the state of a match.

One engine has three sets of data. ``sheet.toml`` has what an option may be.

A value is written as its two digits, higher die first: dice 3 and 6 are the value 63. A roll has 36
outcomes and 21 values; a mixed value and a Mäxchen come 2 times in 36, a pair once (V-4).

A position is frozen in a match, and moved by ``apply`` alone.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from types import MappingProxyType
from typing import ClassVar

from game.actions import Announce, Flourish, Say, SeatAction
from game.dice import Dice
from game.options import (
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    SIZES,
    ClashError,
    GameCustoms,
    Handicap,
    Rules,
)
from game.status import OPENING, PLAYING, Frozen, Outcome, Phase, Status, Unit, drafting

MAEXCHEN = 21
"""The value that beats every other (V-3)."""

RANKING = (31, 32, 41, 42, 43, 51, 52, 53, 54, 61, 62, 63, 64, 65, 11, 22, 33, 44, 55, 66, MAEXCHEN)
"""All 21 values, low to high (V-2)."""

PLACE = {value: place for place, value in enumerate(RANKING)}
"""Each value's place in ``RANKING``: 0 (31) to 20 (Mäxchen)."""

DICE: tuple[Dice, ...] = tuple((a, b) for a in range(1, 7) for b in range(1, 7))
"""The 36 equally likely outcomes of a roll."""

_VALUE_OF: dict[Dice, int] = {(a, b): 10 * max(a, b) + min(a, b) for a, b in DICE}


def is_pair_of_dice(dice: object) -> bool:
    """Return whether ``dice`` is a tuple of two dice of 1 to 6 each."""
    return type(dice) is tuple and dice in _VALUE_OF


def value_of(dice: Dice) -> int:
    """Return the value of two dice: the higher one is the tens digit (V-1).

    Raises ValueError if they are not two dice of 1 to 6.
    """
    try:
        return _VALUE_OF[dice]
    except (KeyError, TypeError):
        raise ValueError(f"two dice of 1 to 6 are needed, not {dice!r}") from None


def rank(value: int) -> int:
    """Return a value's place in the ranking: 0 (31) to 20 (Mäxchen) (V-2).

    Raises ValueError for a number no two dice show, such as 36 or 20.
    """
    place = PLACE.get(value)
    if place is None:
        raise ValueError(f"{value!r} is no value of two dice: known are {RANKING}")
    return place


def is_pair(value: int) -> bool:
    """Return whether a value is a pair (Pasch), 11 to 66 (V-3)."""
    return value in PLACE and value % 11 == 0


class Equal(StrEnum):
    """The announcements that a player who has rolled may repeat (B-3)."""

    NONE = "none"
    MAEXCHEN = "maexchen"
    """A Mäxchen over a Mäxchen (R-PHYS-2)."""
    ANY = "any"
    """Every announcement (R-HF-2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Customs(GameCustoms):
    """The rules of a bluff game that moves and solvers ask for, its options included.

    ``equal`` are the announcements that may be repeated after rolling. ``opener_rolls_once`` limits
    an opener to a single roll (R-PHYS-1). ``meiern`` says that a player may show a Mäxchen, give in
    to one, and own up, and that an announced Mäxchen cannot be believed (R-CLASS-6, R-CLASS-7,
    R-CLASS-10).

    A penalty costs 1, or ``maexchen_cost`` if the doubted announcement was a true Mäxchen; a false
    one has the option's price. ``lifted_maexchen_costs_too`` charges the same if only the lifted
    dice are one (R-PHYS-4).

    ``fault_cost`` is the price of moved dice and forbidden looks, 0 if the game names no faults
    (B-9). A drop costs ``drop_cost``, or ``drop_cost_on_maexchen`` while a Mäxchen stands
    announced. ``open_mistakes`` makes inadmissible announcements and the wrong direction possible,
    as faults (R-HF-5). It also allows announcements in words (R-HF-9).

    ``unit`` is what a penalty is counted in; None leaves that to the stakes (R-PHYS-4).

    ``flourishes`` may be added to an announcement. ``reverses``: a lifted Mäxchen turns the
    direction of play (R-HF-7).
    """

    equal: Equal = Equal.NONE
    opener_rolls_once: bool = False
    meiern: bool = False
    maexchen_cost: int = 1
    lifted_maexchen_costs_too: bool = False
    fault_cost: int = 0
    drop_cost: int = 0
    drop_cost_on_maexchen: int = 0
    open_mistakes: bool = False
    flourishes: tuple[Flourish, ...] = ()
    reverses: bool = False
    unit: Unit | None = None


_BLUFFING = (
    *("V-1 V-2 V-3 V-5: ranking", "V-4", "B-1 B-7", "B-2"),
    *("B-3 R-PHYS-2 R-HF-2: equal free_maexchen", "B-4 B-5: understating free_doubt mexican"),
    *("B-6 R-HF-6: opener", "R-CLASS-8 R-HF-7: reverses"),
    *("R-CLASS-4 R-PHYS-1 R-HF-1: rolls looks", "R-CLASS-5 R-PHYS-3 R-HF-2: hand_on"),
)
_SEATS = {"fewest_players": FEWEST_PLAYERS, "most_players": MOST_PLAYERS}
_OF_ALL = {
    **{"opener": "loser", "hand_on": "higher", "give_in": False, "ranking": "usual"},
    "mexican": False,
}
CUSTOMS: Mapping[str, Customs] = MappingProxyType(
    {
        "class": Customs(
            fixed={**_SEATS, "fewest_players": 3},
            usual={
                **_OF_ALL,
                **{"ends": "first_out", "stakes": "matches", "credit": 3},
                **{"understating": "no_lie", "swim": True, "maexchen_true": 1, "maexchen_false": 1},
                **{"equal": "none", "reverses": "never", "rolls": 2, "looks": 1},
                **{"show": True, "give_in": True, "own_up": True, "free_doubt": False},
            },
            pieces=(
                *(*_BLUFFING, "R-CLASS-6: show", "R-CLASS-7: give_in", "R-CLASS-10: own_up"),
                *("R-CLASS-1 R-CLASS-2: credit swim ends", "R-CLASS-3 B-8: stakes"),
                *(":maexchen_true maexchen_false", "B-9", "R-CLASS-9", "B-10"),
            ),
        ),
        "physicist": Customs(
            opener_rolls_once=True,
            lifted_maexchen_costs_too=True,
            fault_cost=1,
            drop_cost=2,
            drop_cost_on_maexchen=2,
            flourishes=(Flourish.AIR, Flourish.MUCH_AIR),
            unit=Unit.GLASS,
            fixed={**_SEATS, "credit": 0, "stakes": "drinks"},
            usual={
                **_OF_ALL,
                **{"understating": "no_lie", "maexchen_true": 2, "maexchen_false": 2},
                **{"equal": "maexchen", "reverses": "never", "rolls": 2, "looks": 1},
                **{"faults": True, "air": True, "free_maexchen": False},
            },
            pieces=(
                *(*_BLUFFING, ":give_in", "R-PHYS-4", "R-PHYS-4: maexchen_true maexchen_false"),
                *("R-PHYS-6: air", "R-PHYS-7: faults", "R-PHYS-5", "B-8", "B-10"),
            ),
        ),
        "holy-family": Customs(
            fault_cost=1,
            drop_cost=1,
            open_mistakes=True,
            flourishes=(Flourish.DRAWN_OUT,),
            fixed={**_SEATS, "credit": 0, "stakes": "points"},
            usual={
                **_OF_ALL,
                **{"points": 10, "losers": 1, "equal": "any", "tower_one_in": 200},
                **{"maexchen_true": 2, "maexchen_false": 2},
                **{"reverses": "lasting", "rolls": 3, "looks": 2, "drop_on_maexchen": 2},
            },
            pieces=(
                *(*_BLUFFING, ":give_in", "R-HF-9", "R-HF-5", "R-HF-5: drop_on_maexchen", "R-HF-8"),
                *("R-HF-8: tower_one_in", "R-HF-3", "R-HF-3: maexchen_true maexchen_false"),
                *("R-HF-4: points losers", "R-HF-10", "B-10"),
            ),
        ),
    }
)
"""The bluff games by name, without what their options add."""


def _moved(value: int, below: int | None) -> tuple[int, ...]:
    """Return the ranking with ``value`` right below another one; None: on top."""
    rest = [each for each in RANKING if each != value]
    rest.insert(len(rest) if below is None else rest.index(below), value)
    return tuple(rest)


RANKINGS: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {
        "usual": RANKING,
        "meyer": _moved(31, MAEXCHEN),
        "ones": _moved(11, MAEXCHEN),
        "half": _moved(42, MAEXCHEN),
        "double": _moved(42, None),
    }
)
"""The orders of the values, low to high, by the value of the option ``ranking``."""

_CLASHES: tuple[tuple[tuple[str, object], tuple[str, object], str], ...] = (
    (("free_doubt", True), ("stakes", "matches"), "only drinks are for liars alone"),
    (("mexican", True), ("stakes", "matches"), "everybody can drink, but not lose a stick at once"),
)
"""Two options with values that contradict each other, and why."""

_UNITS = {"matches": Unit.MATCH, "drinks": Unit.DRINK, "points": Unit.POINT}
_LEGAL_IN: dict[str, dict[Hashable, tuple[SeatAction, ...]]] = {}


class _FromRules(Rules):
    """Fields that follow from the rules, computed when they are built.

    ``customs`` are the rules in the words of moves and solvers. ``ladder`` has the values, low to
    high, and ``place`` each value's place in it. ``legal_in`` caches the legal actions by
    situation; equal rules share one table.
    """

    __slots__ = ("customs", "ladder", "legal_in", "place")
    customs: Customs
    ladder: tuple[int, ...]
    place: Mapping[int, int]
    legal_in: dict[Hashable, tuple[SeatAction, ...]]


@dataclass(frozen=True, slots=True)
class BluffRules(_FromRules):
    """One bluff game with its options. Raises SetupError for a value an option does not have.

    ``game`` is its name in ``RULES``. ``fewest_players`` to ``most_players`` may sit at the table.
    The other fields are options of the games that have them in ``Customs.usual``. A game without
    an option has the value below, or that in ``Customs.fixed``.

    ``credit`` is the number of matches every player starts with, 0 if none are played for
    (R-CLASS-1). A holder has ``rolls`` rolls and may look at the first ``looks`` of them
    (R-CLASS-4, R-PHYS-1, R-HF-1). The match ``ends`` with the first player out, or when one is left
    (R-CLASS-2); a player without matches may ``swim`` first. ``stakes`` are matches, or drinks that
    are only counted (R-CLASS-3). ``understating`` says whether announcing less than the dice show
    is a lie (B-4). A player with ``points`` has lost, and ``losers`` players lose (R-HF-4). One in
    ``tower_one_in`` rolls of virtual dice is a tower (R-HF-8).

    ``opener`` begins after a penalty. A doubted true Mäxchen costs ``maexchen_true``, a false one
    ``maexchen_false``. ``hand_on`` says when a cup may be handed on unrolled: never, only a roll
    that its roller may have seen, with a higher value, or also with the same one. An open Mäxchen
    ``reverses`` the direction for good, or for the next round. With ``mexican``, lifted dice of 31
    cost everybody one, and of 32 reverse. ``free_doubt``: a wrong doubt costs nothing.
    ``free_maexchen``: a player who has seen a Mäxchen of theirs announces any value (R-PHYS-2).
    ``handicap`` is no option of the sheet: the penalties of each seat before the first round.
    """

    family: ClassVar[str] = "bluff"
    games: ClassVar[Mapping[str, GameCustoms]] = CUSTOMS

    game: str
    fewest_players: int
    most_players: int
    credit: int
    rolls: int
    looks: int
    ends: str = "first_out"
    stakes: str = "matches"
    understating: str = "no_lie"
    points: int = 0
    losers: int = 0
    tower_one_in: int = 0
    swim: bool = True
    opener: str = "loser"
    maexchen_true: int = 1
    maexchen_false: int = 1
    equal: str = "none"
    hand_on: str = "higher"
    reverses: str = "never"
    show: bool = False
    give_in: bool = False
    own_up: bool = False
    free_doubt: bool = False
    ranking: str = "usual"
    mexican: bool = False
    faults: bool = True
    air: bool = True
    free_maexchen: bool = False
    drop_on_maexchen: int = 0
    handicap: Handicap = ()

    def __post_init__(self) -> None:
        self.check(SIZES if self.game == "class" else ())
        self._check_clashes()
        lives = self.points or self.credit * (self.stakes == "matches")
        self.check_handicap(max(lives - 1, 0))
        ladder = RANKINGS[self.ranking]
        object.__setattr__(self, "customs", self._asked(CUSTOMS[self.game]))
        object.__setattr__(self, "ladder", ladder)
        object.__setattr__(self, "place", {value: place for place, value in enumerate(ladder)})
        object.__setattr__(self, "legal_in", _LEGAL_IN.setdefault(repr(self), {}))

    def _check_clashes(self) -> None:
        """Raise ClashError for two options that contradict each other."""
        if self.looks > self.rolls:
            seen, there = ("looks", self.looks), ("rolls", self.rolls)
            raise ClashError(seen, there, "nobody sees more rolls than there are")
        for one, other, why in _CLASHES:
            if all(getattr(self, name) == value for name, value in (one, other)):
                raise ClashError(one, other, why)

    def _asked(self, customs: Customs) -> Customs:
        """Return the customs with what the options add."""
        equal = Equal(self.equal)
        meiern = self.show and self.give_in and self.own_up and equal is Equal.NONE
        return replace(
            customs,
            equal=equal,
            meiern=meiern,
            maexchen_cost=self.maexchen_true,
            fault_cost=customs.fault_cost * self.faults,
            drop_cost_on_maexchen=self.drop_on_maexchen or customs.drop_cost_on_maexchen,
            flourishes=customs.flourishes if self.air else (),
            reverses=self.reverses != "never",
        )

    @property
    def unit(self) -> Unit:
        """The unit in which the game counts."""
        return self.customs.unit or _UNITS[self.stakes]

    def __hash__(self) -> int:
        # Quick, because positions are looked up by it; equality still compares every field.
        return hash(self.game)

    def __reduce__(self) -> tuple[object, ...]:
        return BluffRules, tuple(getattr(self, field.name) for field in fields(self))


BLUFF_GAMES = tuple(BluffRules(game, **each.fixed, **each.usual) for game, each in CUSTOMS.items())


CLOCKWISE = 1
"""The direction of play in which seats are counted upward (R-CLASS-8)."""


@drafting
@dataclass(slots=True, unsafe_hash=True)
class BluffPosition:
    """The state of a match between two actions.

    Fields that a whole round leaves alone come first. ``players`` are names by seat, ``direction``
    is +1 (clockwise, seats ascending) or -1. ``round`` counts from 1; ``opener`` opened it.
    ``tally`` counts penalties and ``status`` is the standing, by seat. ``out`` lists the players
    who went out, in order. ``outcome`` is None until the match is over.

    ``turn`` is the number of actions so far. ``to_act`` is the seat that acts next, None when the
    match is over, and ``phase`` is the decision due from it. ``announced`` and ``announcer`` are
    the standing announcement and its seat, both None for none. ``dice`` lie under the cup: None if
    it is empty or this copy of the match does not know them. ``rolls`` counts the rolls of the seat
    to act since it has the cup; ``seen``: it has looked at the last one.

    ``said`` is the standing announcement as it was made: displays show its words and its flourish
    (R-HF-9). ``announcer_rolls`` counts the rolls the announcer made before it, 0 for dice handed
    on unrolled. ``tower``: the dice lie on top of each other (R-HF-8). It is as hidden as the dice:
    False in a copy of the match that does not know them.
    """

    rules: BluffRules
    players: tuple[str, ...]
    opener: int
    tally: tuple[int, ...]
    status: tuple[Status, ...]
    to_act: int | None
    direction: int = CLOCKWISE
    round: int = 1
    out: tuple[int, ...] = ()
    outcome: Outcome | None = None
    turn: int = 0
    phase: Phase = OPENING
    announced: int | None = None
    announcer: int | None = None
    dice: Dice | None = None
    rolls: int = 0
    seen: bool = False
    said: Announce | Say | None = None
    announcer_rolls: int = 0
    tower: bool = False

    @property
    def matches(self) -> tuple[int, ...]:
        """Matches left, by seat (R-CLASS-1); all 0 if the stakes are drinks (R-CLASS-3)."""
        credit = self.rules.credit if self.rules.stakes == "matches" else 0
        return tuple(max(0, credit - penalties) for penalties in self.tally)

    @property
    def score(self) -> tuple[int, ...]:
        """The standing by seat, in the unit of the rules: matches left, or penalties."""
        return self.matches if self.rules.unit is Unit.MATCH else self.tally

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that are still in, swimmers included."""
        return tuple(seat for seat, status in enumerate(self.status) if status in PLAYING)

    @property
    def aside(self) -> Dice:
        """The dice set aside: none in a bluff game."""
        return ()

    def halves_lost(self, _seat: int) -> int:
        """Return 0: a bluff match has no halves."""
        return 0


class Match(BluffPosition, Frozen):
    """A match between two actions: a position that is frozen."""

    __slots__ = ()


def next_seat(match: BluffPosition, seat: int, direction: int | None = None) -> int:
    """Return the next seat still in after ``seat`` (B-1, R-CLASS-8).

    ``direction`` None is that of play.
    """
    if direction is None:
        direction = match.direction
    status = match.status
    seat = (seat + direction) % len(status)
    while status[seat] not in PLAYING:
        seat = (seat + direction) % len(status)
    return seat


def view(match: Match, seat: int | None) -> Match:
    """Return the match as ``seat`` may know it; ``seat`` None is a spectator.

    It is a copy of the match without dice. The dice are in it only if this seat has just looked at
    its own roll and still holds it. Everything else about a match is public.
    """
    entitled = match.seen and seat == match.to_act
    return match if entitled else match.replace(dice=None, tower=False)
