"""A practised match judged: luck, skill and the player's costliest choice.

The coach builds tables and judges actions piece by piece, so that nothing waits on a slow machine.
"""

from collections import deque
from collections.abc import Sequence
from typing import cast

from firmware.display.screens import QuestionPage
from firmware.display.screens.dial import Phrase
from firmware.display.text.labels import Text
from firmware.play.handheld import Handheld
from firmware.table.log.merged_log import merged_log
from game import AnyMatch, hides_dice
from game.actions import Action
from game.bluff.rules import BluffRules
from game.coach.analysis import Analysis, WorthUnit
from game.coach.bluff import Walk
from game.coach.match_worth import match_worth
from game.engines import new_match


def is_quick(match: AnyMatch) -> bool:
    """Return whether a handheld builds the coach's tables for such a match fast enough."""
    return hides_dice(match) and not match.rules.points


class Judging:
    """The coach after a practised match; ``step`` until it is ``done``.

    Args:
        seats: all seats of the match, which is over; the player is the first.
        first: the seat that opened it.
    """

    def __init__(self, seats: Sequence[Handheld], first: int) -> None:
        match = seats[0].match
        logs = [seat.own_seat.log for seat in seats]
        record = merged_log(match.rules, match.players, first, logs)[0]
        rules = cast(BluffRules, match.rules)
        self._opening = new_match(rules, match.players, first)
        self._tables = match_worth(rules, len(match.players)).prepared()
        self._walk: Walk | None = None
        self._todo: deque[tuple[int, Action]] = deque(enumerate(record.actions, start=2))
        self.page = QuestionPage(Text.HINT_MOMENT, hint=Text.HINT_TAP)

    @property
    def done(self) -> bool:
        """Whether everything is judged."""
        return not self._todo

    def step(self) -> None:
        """Build more of the tables, or judge an action."""
        if self._walk is None:
            if next(self._tables, True):
                self._walk = Walk(self._opening)
        elif self._todo:
            self._walk.act(*self._todo.popleft())
            if self.done:
                self.page = _page(self._walk.analysis())


def _page(analysis: Analysis) -> QuestionPage:
    unit, account = analysis.unit, analysis.accounts[0]
    lines = [
        Phrase(Text.LUCK, _signed(account.luck, unit)),
        Phrase(Text.SKILL, _signed(account.skill, unit)),
        Phrase(Text.OF_OTHERS, _signed(account.others, unit)),
    ]
    mine = [each for each in analysis.decisions if each.seat == 0]
    worst = max(mine, key=lambda each: each.cost, default=None)
    if worst is not None and (cost := _signed(-worst.cost, unit)).startswith("-"):
        lines.append(Phrase(Text.WORST_CHOICE, f"{worst.round}: {cost}"))
    title = Text.IN_CHANCE if unit == "chance" else Text.IN_PENALTIES
    return QuestionPage(title, tuple(lines), hint=Text.HINT_TAP)


def _signed(worth: float, unit: WorthUnit) -> str:
    if unit == "chance":
        return f"{round(100 * worth):+d} %"
    return f"{worth:+z.1f}"
