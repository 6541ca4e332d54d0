"""A player in practice: the built-in opponent, hints, lessons, and the match judged.

The coach builds tables and judges actions piece by piece, so that nothing waits on a slow machine.

It uses its seat's core as a player does, by dial, taps and holds. It decides by the ``PlayView`` of
its own seat alone, and pauses so that people can follow.

Numbers without a source are chosen.
"""

from collections import deque
from collections.abc import Callable, Sequence
from random import Random
from typing import Final, cast

from firmware.bots.bot import Bot
from firmware.bots.intent import Memory, intent, waits
from firmware.bots.opponents import drawn
from firmware.display.screens import (
    AlertPage,
    GestureKind,
    Item,
    Meaning,
    Phrase,
    QuestionPage,
    Screen,
)
from firmware.display.screens.gesture_options import meaning_of
from firmware.display.screens.lessons import LESSONS, Lesson, learned_by, lessons_at
from firmware.display.text.labels import Text
from firmware.input.gestures import Gesture, Held, Pose, Pressed, Released, Tap
from firmware.play.handheld import Handheld
from firmware.play.presenter import PlayView, die_item, item_of
from firmware.play.turn.draft import drafted
from firmware.settings import Opponents
from firmware.table.log.public_log import merged_log
from firmware.table.seat.cup_custody import ACTING
from game import AnyMatch, hides_dice
from game.actions import Action, Keep
from game.bluff.rules import BluffRules
from game.coach.bluff import Walk
from game.coach.judged import GOOD, Analysis, WorthUnit
from game.coach.reference import match_worth
from game.engines import new_match

MOST_LINES: Final = 4
"""Most lines of a hint that draws between choices."""


class Hinting:
    """The hint for the player at the first of ``seats``, who is to act; ``step`` until it is done.

    ``bots`` plays the others, from the second seat on. The hint is the best reply to them, as on a
    page.
    """

    def __init__(self, seats: Sequence[Handheld], bots: Sequence[Bot]) -> None:
        from firmware.bots.hint import prepared  # many modules, for a page that few ask for

        mine, self._bots = seats[0], (None, *bots)
        self._seats = seats
        self._pieces = prepared(mine.match, mine.seat, self._bots, beside=False)
        self.done = False
        self.page = QuestionPage(Text.HINT, (Text.NEUTRAL,), hint=Text.HINT_TAP)

    def step(self) -> None:
        """Make a part of the tables, or the page."""
        if not self.done and next(self._pieces, self) is self:
            self.done, self.page = True, self._told()

    def _told(self) -> QuestionPage:
        from firmware.bots.hint import hint

        mine = self._seats[0]
        record = merged_log([each.own_seat.log for each in self._seats])[0]
        lines: list[Item] = []
        shares = hint(record, mine.seat, self._bots).ways
        for action, share in shares.items():
            if isinstance(action, Keep):
                thrown = mine.match.dice or ()
                lines += map(die_item, drafted(thrown, action), thrown)
            else:
                item = item_of(mine.view(), action)
                lines.append(item if len(shares) == 1 else _shared(item, share))
        shown = tuple(lines[:MOST_LINES]) or (Text.NEUTRAL,)
        return QuestionPage(Text.HINT, shown, hint=Text.HINT_TAP)


def _shared(item: Item, share: float) -> Item:
    """Return a way of a mix with how many times in 100 it should be done."""
    name = str(item) if isinstance(item, int) else item
    return Phrase(Text.HINT_SHARE, name, round(100 * share))


def is_quick(match: AnyMatch) -> bool:
    """Return whether a handheld builds the coach's tables for such a match fast enough."""
    return hides_dice(match) and not match.rules.points


class Judging:
    """The coach after a practised match; ``step`` until it is ``done``.

    Args:
        seats: all seats of the match, which is over; the player is the first.
    """

    def __init__(self, seats: Sequence[Handheld]) -> None:
        record = merged_log([seat.own_seat.log for seat in seats])[0]
        self._view = seats[0].view()
        self._opening = new_match(cast(BluffRules, record.rules), record.players, record.first)
        self._tables = match_worth(self._opening.rules, len(record.players)).prepared()
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
                self.page = verdict_page(self._walk.analysis(), self._view)


def verdict_page(analysis: Analysis, view: PlayView) -> QuestionPage:
    """Return luck, good choices and the dearest one of the player at the first seat.

    Costs of a match add up to more than its loss, so good choices are counted.
    """
    unit, mine = analysis.unit, [each for each in analysis.decisions if each.seat == 0]
    good = sum(each.cost < GOOD for each in mine)
    lines = [
        Phrase(Text.LUCK, _signed(analysis.accounts[0].luck, unit)),
        Phrase(Text.GOOD_CHOICES, f"{good}/{len(mine)}"),
    ]
    worst = max(mine, key=lambda each: each.cost, default=None)
    if worst is not None and (cost := _signed(-worst.cost, unit)).startswith("-"):
        lines.append(Phrase(Text.WORST_CHOICE, f"{worst.round}: {cost}"))
        best = item_of(view, worst.best)
        lines.append(Phrase(Text.BETTER_CHOICE, str(best) if isinstance(best, int) else best))
    title = Text.IN_CHANCE if unit == "chance" else Text.IN_PENALTIES
    return QuestionPage(title, tuple(lines), hint=Text.HINT_TAP)


def _signed(worth: float, unit: WorthUnit) -> str:
    if unit == "chance":
        beyond = ">+100 %" if worth > 0 else "<-100 %"
        return beyond if abs(worth) > 1 else f"{round(100 * worth):+d} %"
    return f"{worth:+z.1f}"


class Teaching:
    """Lays lessons over a match's screens until all are learned or the player declines more."""

    def __init__(self) -> None:
        self._todo = list(LESSONS)
        self._shown: Lesson | None = None

    def page(self, screen: Screen | None) -> AlertPage | None:
        """Return the lesson to read before ``screen``; None if there is none."""
        if screen is None:
            return None
        learned = learned_by(screen)
        self._todo = [each for each in self._todo if each not in learned]
        due = lessons_at(screen)
        self._shown = next((each for each in self._todo if each in due), None)
        return None if self._shown is None else AlertPage(self._shown.text)

    def takes(self, what: Gesture) -> bool:
        """Return whether a gesture was for the shown lesson; any but a tilt puts it away.

        A tap goes on, a hold ends the lessons. Every other gesture counts for the game, too.
        """
        if self._shown is None:
            return False
        match what:
            case Pose() | Pressed() | Released():
                return True
            case Held():
                self._todo.clear()
            case _:
                self._todo.remove(self._shown)
        self._shown = None
        return isinstance(what, Tap | Held)


THINKING_S = (1.6, 3.2)
"""Least and most seconds from one thing it does to the next …"""
READING_S = (4.0, 5.0)
"""… and how long the end of a round stands before it goes on."""


class Opponent:
    """Plays a seat until the match is over.

    Args:
        core: the seat it plays; it uses only the ``view`` and the dial.
        do: makes that core handle a gesture.
        rng: seeded source of its personality, its decisions and its pauses.
        kind: how it plays.
    """

    def __init__(
        self,
        core: Handheld,
        do: Callable[[Gesture], None],
        rng: Random,
        kind: Opponents = "usual",
    ) -> None:
        self.due_us: int | None = None
        """When ``act`` does something, in µs; None while it has nothing to do."""
        self._core = core
        self._do = do
        self._rng = rng
        self.bot = drawn(kind, rng)
        """How it plays."""
        self.bot.prepare(core.match.rules, len(core.match.players))
        self._memory = Memory()
        self._watched: int | None = None

    def plan(self, now_us: int) -> None:
        """Set ``due_us`` if there is something to do; ``act`` does it at that time."""
        if self._core.match.turn != self._watched:  # how many actions there were is public
            self._watched = self._core.match.turn
            self._memory.watch(self._core.view())
            self.bot.prepare_round(self._core.match)
        if self._core.position not in ACTING:
            self.due_us = None
        elif self.due_us is None:
            pause_s = READING_S if self._core.view().reads_end else THINKING_S
            self.due_us = now_us + round(self._rng.uniform(*pause_s) * 1e6)

    def act(self, now_us: int) -> None:
        """If ``due_us`` has come, highlight one entry of the dial, and tap or hold it."""
        if self.due_us is None or now_us < self.due_us:
            return
        self.due_us = None
        view = self._core.view()
        if waits(view):
            return
        choice = intent(view, self._memory, self.bot, self._rng)
        dial = self._core.dial
        index = None if dial is None or choice is None else dial.index_of(choice)
        if dial is None or index is None:
            return
        if meaning_of(self._core.screen, GestureKind.TAP) is Meaning.GO_ON:
            self._do(Pressed(now_us))
            self._do(Tap(now_us))
        dial.index = index
        self._do(Pressed(now_us))
        if not dial.entry.holds:
            self._do(Tap(now_us))
            return
        self._do(Held(now_us))
        self._read()
        self._do(Released(now_us))

    def _read(self) -> None:
        """Remember the own dice on the display: a look lasts no longer than a hold."""
        view = self._core.view()
        if view.own_dice is not None:
            self._memory.read(view.own_dice, view.match.turn, tower=view.tower)
        elif view.lifted and view.thrown is not None:
            self._memory.read(view.thrown.dice, view.match.turn)
