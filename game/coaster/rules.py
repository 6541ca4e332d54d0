"""The rule sets of the coaster games, the values of three dice, and the state of a match.

In ``maxen`` a throw is a General, a Max, a Pasch, a Strasse or a Schiet. No lower kind beats a
higher one, whatever it is worth (M-1, M-2). In ``chicago`` it is a sum (C-1), except for three
ones, which beat everything (C-2). The earlier of two equal throws in playing order ranks higher
(M-3, C-2): the round decides that, not the throw alone.

A position is frozen in a match, and moved by ``apply`` alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from types import MappingProxyType
from typing import ClassVar, NamedTuple

from game.actions import GiveCoaster, Keep, Lift, Roll, SeatAction, Stop
from game.dice import FACES, Dice, are_dice, high_to_low
from game.open_dice import OPEN_CHECKS, OpenMatch, OpenPosition, OpenRules, open_rolls
from game.options import MOST_PLAYERS, GameCustoms
from game.reasons import IF_OVER, Check, Reason, Refusals, checked, outside
from game.status import LEVELLING, OVER, ROLL_OFF, THROWN, TO_LIFT, TO_THROW, drafting

CUP = 3
"""The number of dice in a cup (R-MAX-1, R-CHI-5)."""
ONES = (1,) * CUP
"""Dice: the General in ``maxen`` (M-1), Chicago in ``chicago`` (C-2)."""

_CHICAGO_PIPS = {1: 100, 2: 2, 3: 3, 4: 4, 5: 5, 6: 60}


class Kind(StrEnum):
    """The kind of a throw in ``maxen``, best first (M-1)."""

    GENERAL = "general"
    MAX = "max"
    PASCH = "pasch"
    STRASSE = "strasse"
    SCHIET = "schiet"


_WORTH = {Kind.GENERAL: 0, Kind.PASCH: 3, Kind.STRASSE: 2, Kind.SCHIET: 1}
_FLOOR = {Kind.GENERAL: 4000, Kind.MAX: 3000, Kind.PASCH: 2000, Kind.STRASSE: 1000}


def kind(dice: Dice) -> Kind:
    """Return the kind of three dice in ``maxen`` (M-1)."""
    high, middle, low = high_to_low(dice)
    if high == middle == low:
        return Kind.GENERAL if high == 1 else Kind.PASCH
    if middle == low == 1:
        return Kind.MAX
    if high == middle + 1 == low + 2:
        return Kind.STRASSE
    return Kind.SCHIET


def worth(dice: Dice) -> int:
    """Return how many coasters three dice are worth in ``maxen`` (M-1).

    A General has no worth in coasters: it ends the half (R-MAX-4). It counts as 0 here.
    """
    found = kind(dice)
    return max(dice) if found is Kind.MAX else _WORTH[found]


def maxen_rank(dice: Dice) -> int:
    """Return a number that is greater for a better throw of ``maxen``, equal for equal ones (M-1).

    Schiet is its own number, 221 to 665; the other kinds lie above it.
    """
    high, middle, low = high_to_low(dice)
    found = kind(dice)
    if found is Kind.SCHIET:
        return 100 * high + 10 * middle + low
    return _FLOOR[found] + high if found is Kind.MAX else _FLOOR[found]


def chicago_points(dice: Dice) -> int:
    """Return the sum of a throw of ``chicago``: ones count 100, sixes 60 (C-1).

    Three ones are 300 and more than any other throw can reach, as C-2 wants it.
    """
    return sum(_CHICAGO_PIPS[die] for die in dice)


@dataclass(frozen=True, slots=True, kw_only=True)
class CoasterCustoms(GameCustoms):
    """The fixed part of a coaster game's rules.

    ``ranks`` are greater for better throws. ``worths`` are the coasters that a round moves by its
    best throw, unless that is three ones. Both have every three dice in any order.

    With ``halves``, a match has two or three halves (R-MAX-5): in phase two the best hands coasters
    to the worst, and three ones end a half (R-MAX-3, R-MAX-4). Otherwise the best puts coasters out
    of the game, and a player without any, or with three ones, is safe (R-CHI-2, R-CHI-3).

    ``most_players`` are those of the usual rules, for two players or more. ``third_covered``: a
    third throw stays under the cup until all have thrown (T-5). ``bonus_with_ones``: a bonus throw
    may only have ones aside (T-4).
    """

    ranks: Mapping[Dice, int]
    worths: Mapping[Dice, int]
    most_players: int
    halves: bool = False
    third_covered: bool = False
    bonus_with_ones: bool = False


_THROWS = ("T-1", "T-2", "T-3: six_stays turns_one")
_CUPS = tuple(product(FACES, repeat=CUP))

CUSTOMS: Mapping[str, CoasterCustoms] = MappingProxyType(
    {
        "maxen": CoasterCustoms(
            ranks={dice: maxen_rank(dice) for dice in _CUPS},
            worths={dice: worth(dice) for dice in _CUPS},
            most_players=MOST_PLAYERS,
            halves=True,
            third_covered=True,
            usual={"coasters": 21, "six_stays": False, "turns_one": False},
            pieces=(
                *("M-1 M-2", "M-3", "R-MAX-1", *_THROWS, "T-4", "T-5"),
                *("R-MAX-2 R-MAX-3: coasters", "R-MAX-4", "R-MAX-5", "B-10"),
            ),
        ),
        "chicago": CoasterCustoms(
            ranks={dice: chicago_points(dice) for dice in _CUPS},
            worths=dict.fromkeys(_CUPS, 1),
            most_players=5,
            bonus_with_ones=True,
            usual={
                **{"coasters": 6, "six_stays": False, "turns_one": False},
                **{"levelling": False, "may_give": False},
            },
            pieces=(
                *("C-1", "C-2", "R-CHI-5", *_THROWS, "T-4 chicago", "T-5 chicago"),
                *("R-CHI-1: coasters", "R-CHI-2", "R-CHI-3: may_give", "R-CHI-4: levelling"),
                "B-10 chicago",
            ),
        ),
    }
)
"""The coaster games by name."""

RANKS = {game: customs.ranks for game, customs in CUSTOMS.items()}
"""By game: the rank of every three dice in any order; a greater one is better."""


@dataclass(frozen=True, slots=True)
class CoasterRules(OpenRules):
    """One coaster game with its options. Raises SetupError for a value an option does not have.

    ``coasters`` lie in the pile at the beginning (R-MAX-2, R-CHI-1). ``six_stays``: the six that is
    not turned may be set aside (T-3). ``levelling``, in games that can have it: may a player with
    three or more coasters give one to a player with one, before phase two (R-CHI-4)? ``turns_one``:
    of three sixes one alone may be turned. ``may_give``: in phase two the best throw may keep its
    coasters (R-CHI-3).
    """

    family: ClassVar[str] = "coaster"
    games: ClassVar[Mapping[str, GameCustoms]] = CUSTOMS

    coasters: int
    levelling: bool = False
    six_stays: bool = False
    turns_one: bool = False
    may_give: bool = False

    def __post_init__(self) -> None:
        self.check()
        self.check_handicap(self.coasters - 1, self.coasters - 1)

    def __hash__(self) -> int:
        # Quick, because what is legal is looked up by it; equality still compares every field.
        return hash(self.game)

    @property
    def customs(self) -> CoasterCustoms:
        """The rules that the game's own text fixes."""
        return CUSTOMS[self.game]


COASTER_GAMES = tuple(
    CoasterRules(game, 2, customs.most_players, **customs.usual)
    for game, customs in CUSTOMS.items()
)


MOST_THROWS = 3
"""The number of throws a leader may have, without a bonus (T-1)."""
RICH = 3
"""The least number of coasters of a player who may give one away (R-CHI-4)."""


class CoasterHand(NamedTuple):
    """The throw of a player whose turn of the round is over.

    ``aside`` are the dice set aside, ``dice`` those of the last throw. ``covered`` dice stay so
    until they are lifted (T-5): ``dice`` is None if this copy of the match does not know them.
    """

    aside: Dice
    dice: Dice | None
    covered: bool = False


@drafting
@dataclass(slots=True, unsafe_hash=True, kw_only=True)
class CoasterPosition(OpenPosition):
    """The state of a match of ``maxen`` or ``chicago`` between two actions.

    See ``OpenPosition`` for most fields. ``half`` counts the halves of ``maxen`` from 1 (R-MAX-5).
    ``stage`` is 1 while coasters are dealt from the pile and 2 after that. ``pile`` is the number
    of coasters not dealt yet. ``lost`` lists the losers of the halves so far, ``safe`` the players
    out of danger, in order. ``throws`` counts a bonus too.
    """

    rules: CoasterRules
    hands: tuple[CoasterHand | None, ...]
    half: int = 1
    stage: int = 1
    pile: int
    lost: tuple[int, ...] = ()
    safe: tuple[int, ...] = ()

    def halves_lost(self, seat: int) -> int:
        """Return how many halves of the match a seat has lost (R-MAX-5)."""
        return self.lost.count(seat)

    @property
    def losses(self) -> tuple[int, ...]:
        """The losses that an outcome counts, by seat: lost halves, or coasters."""
        halves = tuple(map(self.halves_lost, range(len(self.players))))
        return halves if self.rules.customs.halves else self.coasters

    def shown(self, seat: int) -> Dice | None:
        """Return all open dice of a seat whose turn is over; None for none."""
        hand = self.hands[seat]
        return None if hand is None else hand.aside + (hand.dice or ())

    @property
    def in_play(self) -> int:
        """The number of dice that the next throw of the seat to act throws (T-2)."""
        return CUP - len(self.aside)


class CoasterMatch(CoasterPosition, OpenMatch):
    """A match of ``maxen`` or ``chicago`` between two actions: a position that is frozen."""

    __slots__ = ()


def covers_next(match: CoasterPosition) -> bool:
    """Return whether the next throw stays under the cup: a third one of ``maxen`` (T-5)."""
    return match.throws == MOST_THROWS - 1 and match.rules.customs.third_covered


def receivers(match: CoasterPosition) -> tuple[int, ...]:
    """Return the seats that may get a coaster now: those with exactly one (R-CHI-4).

    A best throw that may give one away names itself; that coaster leaves the game (R-CHI-3).
    """
    if match.phase is LEVELLING and match.to_act is not None and match.hands[match.to_act]:
        return (match.to_act,)
    return tuple(seat for seat in match.playing if match.coasters[seat] == 1)


def view(match: CoasterMatch, _: int | None) -> CoasterMatch:
    """Return the match as anybody may know it.

    Covered dice are unknown to every seat, their thrower's too (T-5). Everything else is public.
    """
    hands = match.hands
    if not any(hand and hand.covered and hand.dice for hand in hands):
        return match
    return match.replace(
        hands=tuple(h._replace(dice=None) if h is not None and h.covered else h for h in hands)
    )


_SIX = 6
_TURNED = {2: (1,), 3: (2,)}
"""By the number of sixes in one throw: how many of them may be turned (T-3)."""
_TURNED_ONE = {**_TURNED, 3: (1, 2)}
"""The same if one of three sixes may be turned alone."""

KEEPS = tuple(
    Keep(high_to_low(aside), turned)
    for turned in range(CUP)
    for number in range(CUP)
    for aside in combinations_with_replacement(FACES, number)
)
"""Every ``Keep`` that three dice could ever allow."""


@cache
def refusal(
    rules: CoasterRules, aside: Dice, dice: Dice, bonus: bool, kept: Dice, turned: int
) -> Reason | None:
    """Return why ``Keep(kept, turned)`` is not possible with these dice, None if it is (T-2, T-3).

    ``aside`` and ``dice`` are the dice set aside before and the last throw, high to low. ``bonus``
    says that it was the third throw: then only a turn of sixes brings another one (T-4).
    """
    left = list(dice)
    if turned != 0:
        sixes = dice.count(_SIX)
        if turned not in (_TURNED_ONE if rules.turns_one else _TURNED).get(sixes, ()):
            return Reason.NO_TURN
        if _SIX in kept and not rules.six_stays:
            return Reason.OTHER_SIX
        left = [die for die in dice if die != _SIX] + [_SIX] * (sixes - turned)
    elif bonus:
        return Reason.NO_BONUS
    elif not kept:
        return Reason.NOTHING_ASIDE
    if kept != high_to_low(kept):
        return Reason.NOT_THESE_DICE
    for die in kept:
        if die not in left:
            return Reason.NOT_THESE_DICE
        left.remove(die)
    if not left:
        return Reason.ALL_ASIDE
    if bonus and rules.customs.bonus_with_ones and any(die != 1 for die in aside + kept):
        return Reason.ONLY_ONES
    return None


@cache
def keeps(rules: CoasterRules, aside: Dice, dice: Dice, bonus: bool) -> tuple[Keep, ...]:
    """Return every Keep that ``refusal`` allows with these dice, each once; often none."""
    return tuple(
        keep
        for keep in _of_faces(frozenset(dice))
        if refusal(rules, aside, dice, bonus, keep.aside, keep.turned) is None
    )


@cache
def _of_faces(faces: frozenset[int]) -> tuple[Keep, ...]:
    """Return every Keep of dice that show these faces."""
    return tuple(keep for keep in KEEPS if faces.issuperset(keep.aside))


_DUE: Refusals = {
    ROLL_OFF: Reason.THROW_DUE,
    TO_THROW: Reason.THROW_DUE,
    TO_LIFT: Reason.COVERED,
    LEVELLING: Reason.LEVELLING_DUE,
    OVER: Reason.MATCH_OVER,
}
_NO_THROW = outside((ROLL_OFF, TO_THROW, THROWN), _DUE)
_NOTHING_THROWN = outside((THROWN,), _DUE)
_NOTHING_COVERED = outside((TO_LIFT,), _DUE, Reason.NOTHING_COVERED)
_NOTHING_TO_GIVE = outside((LEVELLING,), IF_OVER, Reason.NOT_LEVELLING)


def _roll(match: CoasterPosition, action: Roll) -> Reason | None:
    if match.phase is THROWN and match.throws >= match.limit:
        return Reason.NO_THROW_LEFT
    if action.tower is not False:
        return Reason.NOT_IN_THIS_GAME
    if action.dice is not None and not are_dice(action.dice, CUP - len(match.aside)):
        return Reason.NOT_THE_DICE_IN_PLAY
    return None


def _keep(match: CoasterPosition, action: Keep) -> Reason | None:
    aside, turned = action.aside, action.turned
    if type(aside) is not tuple or len(aside) > CUP:
        return Reason.NOT_THESE_DICE
    dice = match.dice
    assert dice is not None, "what is thrown lies open"
    return refusal(match.rules, match.aside, dice, match.throws == MOST_THROWS, aside, turned)


def _lift(match: CoasterPosition, action: Lift) -> Reason | None:
    if action.tower is not False:
        return Reason.NOT_IN_THIS_GAME
    hand = hand_to_lift(match)
    if action.dice is None:
        return None
    if not are_dice(action.dice, match.in_play):
        return Reason.NOT_THE_DICE_IN_PLAY
    if hand[1] is not None and sorted(hand[1]) != sorted(action.dice):
        return Reason.OTHER_COVERED
    return None


def hand_to_lift(match: CoasterPosition) -> tuple[Dice, Dice | None]:
    """Return the dice set aside and the covered ones (None: unknown) of the seat to lift (T-5)."""
    assert match.to_act is not None, "somebody has to lift"
    hand = match.hands[match.to_act]
    assert hand is not None, "he has thrown"
    return hand.aside, hand.dice


def _give(match: CoasterPosition, action: GiveCoaster) -> Reason | None:
    if action.to is None or (type(action.to) is int and action.to in receivers(match)):
        return None
    return Reason.NOT_WITH_ONE


CHECKS: Mapping[type, Check] = {
    Roll: checked(_NO_THROW, _roll),
    Keep: checked(_NOTHING_THROWN, _keep),
    Stop: checked(_NOTHING_THROWN),
    Lift: checked(_NOTHING_COVERED, _lift),
    GiveCoaster: checked(_NOTHING_TO_GIVE, _give),
    **OPEN_CHECKS,
}
"""By action: the check that returns why it is not possible now, or None if it is."""

_THROW = (Roll(),)
_LIFT = (Lift(),)


def legal_actions(match: CoasterPosition) -> tuple[SeatAction, ...]:
    """Return what the seat that is to act may do now; empty when the match is over.

    ``Roll(None)`` and ``Lift(None)`` stand for any dice. ``Keep`` names the dice set aside high to
    low, so no two actions of the list mean the same.
    """
    phase = match.phase
    if phase is THROWN:
        dice, last = match.dice, match.throws >= match.limit
        assert dice is not None, "what is thrown lies open"
        return _after_throw(match.rules, match.aside, dice, match.throws == MOST_THROWS, last)
    if phase is TO_THROW or phase is ROLL_OFF:
        return _THROW
    if phase is TO_LIFT:
        return _LIFT
    if phase is LEVELLING:
        return (*(GiveCoaster(seat) for seat in receivers(match)), GiveCoaster(None))
    return ()


@cache
def _after_throw(
    rules: CoasterRules, aside: Dice, dice: Dice, bonus: bool, last: bool
) -> tuple[SeatAction, ...]:
    again = () if last else _THROW
    return (*again, *keeps(rules, aside, dice, bonus), Stop())


def rolls(match: CoasterMatch) -> tuple[tuple[Roll, Fraction], ...]:
    """Return the possible next throws, each with its exact chance; the chances add up to 1.

    Dice are sorted high to low, so throws that differ in order alone are one. Nobody sees a covered
    throw: its one outcome is ``Roll(None)``, until it is lifted.
    """
    return ((Roll(), Fraction(1)),) if covers_next(match) else open_rolls(match.in_play)


def laid_open(match: CoasterMatch, action: SeatAction) -> SeatAction:
    """Return an action that lays dice open with the dice this copy knows; any other as it is."""
    if type(action) is Lift and action.dice is None:
        return Lift(hand_to_lift(match)[1])
    return action
