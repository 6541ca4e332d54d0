"""The game ``sevens``: six or seven dice, pairs that make seven go away.

A position is frozen in a match, and moved by ``apply`` alone. All legal actions follow from one
check, in which ``Roll(None)`` stands for any dice.

The score is the sum of a throw once all sevens are taken away; low is good. With six dice a seven
is a pair, 6-1, 5-2 or 4-3 (S-1). With seven dice any number of them may form one, and the grouping
that takes away most counts (S-3).

May import: actions, dice, events, family, open_dice, options, reasons, status.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from types import MappingProxyType
from typing import ClassVar

from game import events, open_dice
from game.actions import Leave, Roll, SeatAction, Stop
from game.dice import FACES, Dice, are_dice, high_to_low
from game.events import EventTuples
from game.family import Family
from game.open_dice import OPEN_CHECKS, OpenMatch, OpenPosition, OpenRules, open_rolls
from game.options import MOST_PLAYERS, GameCustoms
from game.reasons import IF_OVER, Check, IllegalAction, Reason, checked, outside
from game.status import (
    OVER,
    ROLL_OFF,
    THROWN,
    TO_THROW,
    Unit,
    drafting,
    with_item,
)

CUSTOMS: Mapping[str, GameCustoms] = MappingProxyType(
    {
        "sevens": GameCustoms(
            usual={"seven_dice": False, "rounds": 5},
            pieces=("S-1 S-2 S-3: seven_dice", "S-5", "S-4: rounds", "B-10"),
        )
    }
)
"""The one game of the family by name."""


@dataclass(frozen=True, slots=True)
class SevensRules(OpenRules):
    """``sevens`` with its options. Raises SetupError for a value an option does not have.

    Options: with ``seven_dice``, players throw seven dice at most twice, and any number of dice may
    form a seven (S-3). ``rounds`` are played in a match, a deciding round not counted (S-4).
    """

    family: ClassVar[str] = "sevens"
    games: ClassVar[Mapping[str, GameCustoms]] = CUSTOMS
    unit: ClassVar[Unit] = Unit.ROUND

    seven_dice: bool = False
    rounds: int = 5

    def __post_init__(self) -> None:
        self.check()
        self.check_handicap(self.rounds - 1)

    @property
    def dice(self) -> int:
        """The number of dice in every throw (S-1, S-3)."""
        return 7 if self.seven_dice else 6

    @property
    def throws(self) -> int:
        """The number of throws of the leader of a round (S-2, S-3)."""
        return 2 if self.seven_dice else 3


SEVENS = SevensRules("sevens", fewest_players=2, most_players=MOST_PLAYERS)


SEVEN = 7
"""The number of pips that a pair has to be taken away (S-1)."""


@cache
def pairs_score(dice: Dice) -> int:
    """Return the score of a throw, sorted high to low, whose sevens are pairs (S-1).

    For each pair of faces that add up to seven, only the surplus counts.
    """
    return sum(face * max(0, dice.count(face) - dice.count(SEVEN - face)) for face in FACES)


@cache
def groups_score(dice: Dice) -> int:
    """Return the score of a throw in which any number of dice may form a seven (S-3).

    ``dice`` are sorted high to low: the first one stays, or goes with one of its groups.
    """
    if not dice:
        return 0
    first, others = dice[0], dice[1:]
    remainders = _remainders(others, SEVEN - first)
    return min((first + groups_score(others), *map(groups_score, remainders)))


@cache
def _remainders(dice: Dice, total: int) -> tuple[Dice, ...]:
    """Return the possible rests when some of the dice that add up to ``total`` are taken away."""
    if total == 0:
        return (dice,)
    return tuple(
        dice[:place] + rest  # earlier dice stay, so that no group is found twice
        for place, die in enumerate(dice)
        if die <= total
        for rest in _remainders(dice[place + 1 :], total - die)
    )


def score(dice: Dice, seven_dice: bool = False) -> int:
    """Return the score of a throw (S-1, S-3). Raises ValueError if it is not six dice, or seven."""
    number = 7 if seven_dice else 6
    if not are_dice(dice, number):
        raise ValueError(f"{number} dice of 1 to 6 are needed, not {dice!r}")
    return (groups_score if seven_dice else pairs_score)(high_to_low(dice))


@drafting
@dataclass(slots=True, unsafe_hash=True, kw_only=True)
class SevensPosition(OpenPosition):
    """The state of a match of ``sevens`` between two actions. All throws lie open (S-2).

    See ``OpenPosition`` for most fields. ``coasters`` are the rounds lost by seat. ``lost`` lists
    the losers of the rounds, in order. ``deciding``: this round decides the match (S-4). ``hands``
    are the last throws.
    """

    rules: SevensRules
    lost: tuple[int, ...] = ()
    deciding: bool = False


class SevensMatch(SevensPosition, OpenMatch):
    """A match of ``sevens`` between two actions: a position that is frozen."""

    __slots__ = ()


def _check_roll(match: SevensPosition, action: Roll) -> Reason | None:
    if action.tower is not False:
        return Reason.NOT_IN_THIS_GAME
    if action.dice is not None and not are_dice(action.dice, match.rules.dice):
        return Reason.NOT_ALL_DICE
    return None


CHECKS: Mapping[type, Check] = {
    Roll: checked(IF_OVER, _check_roll),
    Stop: checked(outside((THROWN,), IF_OVER, Reason.FIRST_THROW_DUE)),
    **OPEN_CHECKS,
}
"""By action: the check that returns why it is not possible now, or None if it is."""

_FIRST: tuple[SeatAction, ...] = (Roll(),)
_AGAIN: tuple[SeatAction, ...] = (Roll(), Stop())


def legal_actions(match: SevensMatch) -> tuple[SeatAction, ...]:
    """Return what the seat that is to act may do now; empty when the match is over.

    ``Roll(None)`` stands for any dice. A turn ends by itself with its last throw.
    """
    phase = match.phase
    if phase is THROWN:
        return _AGAIN
    return () if phase is OVER else _FIRST


def _roll(after: SevensPosition, seat: int, action: Roll) -> EventTuples:
    dice = action.dice
    if dice is None:
        raise IllegalAction(Reason.THROWN_BEFORE_ALL, action)
    throws = after.throws + 1
    threw = (events.Threw, seat, dice, throws)
    if after.phase is ROLL_OFF:
        after.hands = with_item(after.hands, seat, dice)
        return (threw, *open_dice.roll_off(after))
    after.phase, after.throws, after.dice = THROWN, throws, dice
    return (threw,) if throws < after.limit else (threw, *_finish(after, seat, dice))


def _stop(after: SevensPosition, seat: int, _: Stop) -> EventTuples:
    assert after.dice is not None, "he has thrown"
    return ((events.Stopped, seat), *_finish(after, seat, after.dice))


def _finish(after: SevensPosition, seat: int, dice: Dice) -> EventTuples:
    """End the turn of ``seat``; the leader's number of throws is the limit of the others (S-2)."""
    after.hands = with_item(after.hands, seat, dice)
    if seat == after.leader:
        after.limit = after.throws
    place = after.order.index(seat) + 1
    if place == len(after.order):
        return _settle(after)
    after.phase, after.to_act, after.throws, after.dice = TO_THROW, after.order[place], 0, None
    return ()


def _settle(after: SevensPosition) -> EventTuples:
    """Book the loss of the round: the highest score loses, the later of two equal ones (S-4)."""
    score = groups_score if after.rules.seven_dice else pairs_score
    scores = {seat: score(high_to_low(after.hands[seat])) for seat in after.order}
    best = min(scores, key=scores.__getitem__)
    worst = max(reversed(after.order), key=scores.__getitem__)
    decided = (events.RoundDecided, best, worst)
    if after.deciding:
        return (decided, *open_dice.over(after, "S-4", (worst,)))
    after.coasters = with_item(after.coasters, worst, after.coasters[worst] + 1)
    after.lost = (*after.lost, worst)
    lost = (decided, (events.CoastersMoved, None, worst, 1))
    if len(after.lost) < after.rules.rounds:
        return (*lost, *open_dice.begin_round(after, worst))
    most = max(after.coasters)
    losers = tuple(seat for seat in after.playing if after.coasters[seat] == most)
    if len(losers) == 1:
        return (*lost, *open_dice.over(after, "S-4", losers))
    open_dice.sit_out(after, losers)
    after.deciding = True
    leader = next((seat for seat in reversed(after.lost) if seat in losers), losers[0])
    return (*lost, (events.DecidingRound, losers), *open_dice.begin_round(after, leader))


def _leave(after: SevensPosition, to_act: int, action: Leave) -> EventTuples:
    """Let a seat go with its coasters; if it was to act, the round is void (B-10)."""
    left = open_dice.take_out(after, action.seat)
    if len(after.playing) == 1:
        # A deciding round needs two as well; the players who sit it out have not lost either.
        return (*left, *open_dice.over(after, "B-10", ()))
    if after.phase is ROLL_OFF:
        return (*left, *open_dice.roll_off(after))
    if action.seat == to_act:
        return (*left, *open_dice.void(after, open_dice.next_in_play(after, to_act)))
    return left


MOVES: dict[type, Callable[..., EventTuples]] = {
    Roll: _roll,
    Stop: _stop,
    Leave: _leave,
    **open_dice.OPEN_MOVES,
}
"""By action: its move. It writes on the draft for the seat to act and returns the events."""


SEVENS_FAMILY = Family(
    games=(SEVENS,),
    position=SevensPosition,
    match=SevensMatch,
    start=partial(open_dice.for_the_lead, SevensPosition),
    seat_actions=lambda _: (Roll(), Stop()),
    legal_actions=legal_actions,
    checks=CHECKS,
    moves=MOVES,
    view=lambda match, _: match,  # nothing is hidden (S-2)
    hides_dice=False,
    covers_next=lambda _: False,
    dice_to_roll=lambda match: match.rules.dice,
    rolls=lambda match: open_rolls(match.rules.dice),
    laid_open=lambda _, action: action,
)
