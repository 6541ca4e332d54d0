"""An open match, judged decision by decision: each by what its round brings in the mean.

All dice lie open, or nobody has seen them, so everybody knows the same. Luck is the rest: dice, and
who leads.
"""

from math import fsum

from game.actions import Keep, Roll, SeatAction, Stop
from game.coach.analysis import Account, Analysis, Judged, Model, Turning, Unit
from game.coaster.rules import CoasterRules
from game.coaster.state import CoasterMatch
from game.dice import Dice, high_to_low
from game.engines import AnyMatch, new_match
from game.events import Kept, Lifted, RoundDecided, Threw
from game.record import Record, replay
from game.sevens.state import SevensMatch
from game.status import Phase
from game.strategy import sevens, three_dice


def analyse_open(record: Record) -> Analysis:
    """Judge a match of open dice, round by round."""
    seats = len(record.players)
    match: AnyMatch = new_match(record.rules, record.players, record.first)
    hands = [_Hand() for _ in range(seats)]
    decisions: list[Judged] = []
    results: list[list[float]] = [[] for _ in range(seats)]
    turning: Turning | None = None
    for line, (action, step) in enumerate(zip(record.actions, replay(record)), start=2):
        assert isinstance(match, CoasterMatch | SevensMatch), "its dice are open"
        if match.phase is Phase.THROWN and isinstance(action, Keep | Stop | Roll):
            judged = _judged(line, match, Roll() if isinstance(action, Roll) else action)
            decisions.append(judged)
            if turning is None or judged.cost > -turning.change:
                turning = Turning(line, match.round, judged.seat, action, -judged.cost)
        for event in step.events:
            if isinstance(event, Threw | Kept | Lifted):
                hands[event.seat].take(event)
            elif isinstance(event, RoundDecided):
                for seat, each in enumerate(_result(match, event, hands)):
                    results[seat].append(each)
        match = step.match
    costs = [fsum(d.cost for d in decisions if d.seat == seat) for seat in range(seats)]
    accounts = []
    for seat in range(seats):
        others = (fsum(costs) - costs[seat]) / (seats - 1)
        result = fsum(results[seat])
        luck = fsum((result, costs[seat], -others))
        accounts.append(Account(0.0, luck, -costs[seat], others, 0.0, result))
    return Analysis(
        record.rules.game, record.players, _unit(record), Model("round", None, False),
        match.outcome is not None, tuple(decisions), tuple(accounts), turning,
    )  # fmt: skip


class _Hand:
    """The dice that somebody has thrown and kept."""

    def __init__(self) -> None:
        self._aside: Dice = ()
        self.dice: Dice = ()

    def take(self, event: Threw | Kept | Lifted) -> None:
        """Follow an event of this seat."""
        if isinstance(event, Kept):
            self._aside += event.aside + (1,) * event.turned
            return
        if isinstance(event, Threw) and event.number == 1:
            self._aside = ()
        self.dice = high_to_low(self._aside + event.dice)


def _unit(record: Record) -> Unit:
    two = len(record.players) == 2 and isinstance(record.rules, CoasterRules)
    return "coasters" if two else "rounds"


def _judged(line: int, match: CoasterMatch | SevensMatch, done: SeatAction) -> Judged:
    worths = three_dice.worths(match) if isinstance(match, CoasterMatch) else sevens.worths(match)
    chances = dict(worths)
    best = max(chances, key=lambda way: chances[way])
    assert match.to_act is not None, "somebody has thrown"
    cost = chances[best] - chances[done]
    return Judged(line, match.round, match.to_act, done, chances, best, cost, None)


def _result(
    match: CoasterMatch | SevensMatch, decided: RoundDecided, hands: list[_Hand]
) -> list[float]:
    """What a round brought everybody."""
    results, seats = [0.0] * len(hands), len(match.order)
    if isinstance(match, SevensMatch):
        for seat in match.order:
            results[seat] = 1 / (seats - 1)
        results[decided.worst] = -1.0
    elif len(hands) == 2:
        stake = float(three_dice.at_stake(match.rules.game, hands[decided.best].dice))
        results[decided.best], results[decided.worst] = stake, -stake
    else:
        results[decided.worst] = -1.0
        if match.stage == 2:
            results[decided.best] = 1.0
    return results
