"""The result of judging a match: decisions with their chances, luck and skill apart."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from game.actions import Action, Doubt, SeatAction
from game.dice import Dice
from game.open_dice import OpenMatch
from game.rules import AnyRules, unsolved
from game.strategy.against import Why

WorthUnit = Literal["chance", "penalties", "rounds", "coasters"]
"""The unit of worths. ``chance``: not to lose the match, 0 to 1. ``penalties``, or lost ``rounds``:
how many fewer than the others' mean. ``coasters``: those that a round's loss moves, likewise."""


Caveat = Literal["NO_SCORE", "BY_LOT"]
"""The blind spot of the reference players. ``NO_SCORE``: the score of the match. ``BY_LOT``: they
play for the match as if each later penalty were equally likely for every seat."""


class Model(NamedTuple):
    """How the reference players play.

    Attributes:
        plays: ``equilibrium``: the solved round, for penalties or for the match. In open games:
            ``round``, for the mean result of a round, or ``match``, for not losing the match. The
            cost of a choice is split evenly among the others.
        gap: the most that the best answer to it gains a round, in penalties more than the mean of
            the others; 0 for nothing, None if it was not measured.
        caveat: what they leave out; None for nothing.
        precision: the most that a choice that they make themselves was charged, in the analysis's
            unit; measured, 0 for nothing.
    """

    plays: Literal["equilibrium", "round", "match"]
    gap: float | None
    caveat: Caveat | None
    precision: float = 0.0


FREE = 1e-9
"""A choice that costs less than this, in matches or penalties, is as good as the best; chosen,
above rounding."""
GOOD = 0.005
"""A decision that costs less is good: half a match of a hundred, or as many penalties; chosen."""


class CoachError(ValueError):
    """A match cannot be judged; the message is one line that says what to do."""


def check_solved(rules: AnyRules) -> None:
    """Raise CoachError for house rules that no solver knows; the line names them."""
    strange = unsolved(rules)
    if strange:
        told = ", ".join(f"{name} = {getattr(rules, name)}" for name in strange)
        raise CoachError(f"line 1: nobody can judge {rules.game} with {told}: it is not solved")


class Judged(NamedTuple):
    """One decision, judged by what its player knew.

    Attributes:
        line: of the action in its record, from 2.
        round: from 1.
        seat: the seat that decided.
        action: its choice.
        chances: the worth of each possible choice to that seat, in the analysis's unit.
        best: the choice worth most; ``action``, if none is worth more.
        cost: how much less the choice was worth than ``best``, 0 or more.
        lie: whether the seat announced more than, or other than, dice that it had seen; None if it
            announced nothing or had not seen them.
        swing: the change of its worth until the others had answered, by the true dice.
        share: how often, 0 to 1, a reference player makes this choice there.
        whole: the worth of not losing, for the last two of a match of coasters: their chances are
            parts of it. None if they count what the analysis's unit says.
        whys: the reasons for the worths of choices: of ``action``, ``best``, and the truth; of all,
            if it is judged against players of known kinds. None for a fault.
        caution: the same decision judged by the book, which is safe against anybody, if this is
            judged against players of known kinds; else None.
        thrown: the match at a decision over open dice; None in a bluff game.
        seen: the dice under the cup, if the seat has seen them; else None.
        others: in a bluff game, the names of the others in the round, from the next player on.
    """

    line: int
    round: int
    seat: int
    action: SeatAction
    chances: Mapping[SeatAction, float]
    best: SeatAction
    cost: float
    lie: bool | None
    swing: float = 0.0
    share: float = 1.0
    whole: float | None = None
    whys: Mapping[SeatAction, Why] = MappingProxyType({})
    caution: "Judged | None" = None
    thrown: OpenMatch | None = None
    seen: Dice | None = None
    others: tuple[str, ...] = ()


class Account(NamedTuple):
    """One player's result and its parts: ``result`` is the sum of all others.

    Attributes:
        start: the worth of the seat at the start. In a match without an end of its own, and in open
            games, it is summed over all rounds.
        luck: gained by dice and hidden facts, and by choices better than a reference player's.
        skill: the cost of the player's decisions against the best ones, 0 or less: their sum.
        faults: lost by the player's own faults, such as a dropped die, 0 or less.
        others: gained or lost by the decisions of the others.
        table: gained or lost by leaving, voiding and stopping.
        result: the final result.
    """

    start: float
    luck: float
    skill: float
    faults: float
    others: float
    table: float
    result: float


class Turning(NamedTuple):
    """The action that changed the match most; in open games, the last action of the decisive round.

    ``actor`` is its seat, None for an action of the table. The worth of ``seat`` changed most, by
    ``change``. ``line`` and ``round`` are as in ``Judged``.
    """

    line: int
    round: int
    actor: int | None
    action: Action
    seat: int
    change: float


class CurvePoint(NamedTuple):
    """The worths of a match to every seat after the action of a line, by the true dice."""

    line: int
    round: int
    worths: tuple[float, ...]


class Analysis(NamedTuple):
    """A judged match. ``curve`` has its worth from action to action, the last one at its end."""

    game: str
    players: tuple[str, ...]
    unit: WorthUnit
    model: Model
    ended: bool
    decisions: tuple[Judged, ...]
    accounts: tuple[Account, ...]
    turning: Turning | None
    curve: tuple[CurvePoint, ...] = ()

    @property
    def dearest(self) -> tuple[Judged, ...]:
        """The three decisions that cost most, the dearest first; fewer if the others are good."""
        dear = sorted(self.decisions, key=lambda each: -each.cost)[:3]
        return tuple(each for each in dear if each.cost >= GOOD)

    @property
    def best_bluff(self) -> Judged | None:
        """The lie that brought its player most, given the answer; None if there was none."""
        lies = [each for each in self.decisions if each.lie and each.swing > FREE]
        return max(lies, key=lambda each: each.swing, default=None)

    @property
    def worst_doubt(self) -> Judged | None:
        """The doubt that cost most; None if none cost anything."""
        return _costliest(d for d in self.decisions if type(d.action) is Doubt)

    @property
    def worst_choice(self) -> Judged | None:
        """The decision that cost most; None if none cost anything."""
        return _costliest(self.decisions)


def _costliest(decisions: Iterable[Judged]) -> Judged | None:
    found = max(decisions, key=lambda each: each.cost, default=None)
    return found if found is not None and found.cost > FREE else None
