"""What a match is judged to have been: decisions with their chances, luck and skill apart."""

from collections.abc import Iterable, Mapping
from math import fsum
from typing import Literal, NamedTuple

from game.actions import Action, Doubt, SeatAction

Unit = Literal["chance", "penalties", "rounds", "coasters"]
"""What worths count: ``chance`` not to lose the match, 0 to 1; ``penalties`` or lost ``rounds``
fewer than the others have in the mean; ``coasters`` a round's loss moves, fewer likewise."""


class Model(NamedTuple):
    """How the reference players play.

    Attributes:
        plays: the ``equilibrium`` of a round, for penalties or, where it ``plays_for_score``, for
            the match; with open dice for what a ``round`` brings in the mean, or for not losing the
            ``match``; what a choice costs is taken to go evenly to the others.
        gap: what the best answer to it gains a round at most, in penalties more than the mean of
            the others; 0 for nothing, None where that was not measured.
        plays_for_score: whether it is as good at every score of the match.
    """

    plays: Literal["equilibrium", "round", "match"]
    gap: float | None
    plays_for_score: bool


FREE = 1e-9
"""A choice that costs less is as good as any."""


class CoachError(ValueError):
    """A match cannot be judged; the message is one line that says what to do."""


class Judged(NamedTuple):
    """One decision, judged by what its player knew.

    Attributes:
        line: of the action in its record, from 2.
        round: from 1.
        seat: who decided.
        action: what he did.
        chances: what each thing he could do was worth to him, in the analysis's unit.
        best: the one of them that was worth most.
        cost: what his choice was worth less than that, 0 or more.
        lie: whether he announced more than, or other than, dice that he had seen; None where he
            announced nothing or had not seen them.
        swing: how his worth changed until the others had answered, as things really lay.
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


class Account(NamedTuple):
    """One player's result and what it is made of: ``result`` is the sum of all others.

    Attributes:
        start: what his seat was worth; in a match without an end of its own, and in open games,
            that of all rounds.
        luck: what dice, and what lay hidden, brought him, and what his reference player would
            have let go.
        skill: what his decisions cost him against the best there was each time, 0 or less.
        others: what the decisions of the others gained or cost him.
        table: what leaving, voiding and stopping did.
        result: what he had in the end.
    """

    start: float
    luck: float
    skill: float
    others: float
    table: float
    result: float

    @property
    def gap(self) -> float:
        """How far the parts are from adding up to the result: rounding, below 1e-9."""
        return self.result - fsum(self[:-1])


class Turning(NamedTuple):
    """The action that changed the match most; in open games, that ended the round which did.

    ``actor`` did it, None for what the table does; the worth of ``seat`` changed most, by
    ``change``. ``line`` and ``round`` are as in ``Judged``.
    """

    line: int
    round: int
    actor: int | None
    action: Action
    seat: int
    change: float


class Analysis(NamedTuple):
    """A judged match."""

    game: str
    players: tuple[str, ...]
    unit: Unit
    model: Model
    ended: bool
    decisions: tuple[Judged, ...]
    accounts: tuple[Account, ...]
    turning: Turning | None

    @property
    def best_bluff(self) -> Judged | None:
        """The lie that brought its player most, as it was answered; None without one."""
        lies = [each for each in self.decisions if each.lie and each.swing > FREE]
        return max(lies, key=lambda each: each.swing, default=None)

    @property
    def worst_doubt(self) -> Judged | None:
        """The doubt that cost most; None where none cost anything."""
        return _costliest(d for d in self.decisions if type(d.action) is Doubt)

    @property
    def worst_choice(self) -> Judged | None:
        """The decision that cost most; None where none cost anything."""
        return _costliest(self.decisions)


def _costliest(decisions: Iterable[Judged]) -> Judged | None:
    found = max(decisions, key=lambda each: each.cost, default=None)
    return found if found is not None and found.cost > FREE else None
