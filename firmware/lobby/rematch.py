"""After a match: once more with the same people, or away from this table. No I/O, no clock."""

from enum import Enum, auto

from firmware.display.screens import Item, Phrase, QuestionPage
from firmware.display.text.labels import Text
from firmware.effects.effects import Tell
from firmware.input.controls.choice import Pick
from firmware.input.controls.dial import Dial
from firmware.input.controls.question import Answer, Question, QuestionDial
from firmware.input.gestures.gesture import Gesture
from firmware.table.pairing.standing import StandingTable

AGAIN_US = 1_000_000
"""Whoever has not answered is told again after this long."""


class Wanted(Enum):
    """What comes of it."""

    AGAIN = auto()
    """All want it: the next match begins."""
    LOOK_BACK = auto()
    """The end of the match once more."""
    OTHERS = auto()
    """To the lobby, where others can join; the tally of who comes along is kept."""
    FORGET = auto()
    """Away from this table."""


class Rematch:
    """Asks whether to play again. ``next_one`` is the table of the next match."""

    def __init__(self, next_one: StandingTable) -> None:
        self.next_one = next_one
        self.outcome: Wanted | None = None
        self._asking = QuestionDial()
        self._want = set[int]()
        self._due_us: int | None = None
        self._out: list[Tell] = []

    @property
    def dial(self) -> Dial | None:
        """The dial with the answers."""
        return self._asking.dial

    def pick(self, item: Item) -> Pick | None:
        """The entry of the dial that says ``item``; None where none does."""
        return self._asking.pick(item)

    @property
    def next_timer_us(self) -> int | None:
        """When a ``tick`` is due; None if nothing is waiting for time to pass."""
        return self._due_us

    def timer_us(self, now_us: int) -> int | None:
        """The same, with the bar of a hold while the question is seen."""
        times = [self._due_us, self._asking.next_timer_us(now_us)]
        return min((time for time in times if time is not None), default=None)

    def open(self, now_us: int) -> None:
        """Show the question."""
        self.outcome = None
        self._ask(now_us)

    def handle(self, gesture: Gesture, now_us: int) -> None:
        """Follow the hand."""
        self._asking.handle(gesture, now_us)
        self._ask(now_us)

    def hear(self, seat: int, number: int, now_us: int) -> None:
        """Seat ``seat`` wants match ``number``."""
        if number == self.next_one.number and seat < len(self.next_one.lost):
            self._want.add(seat)
            self._ask(now_us)

    def tick(self, now_us: int) -> None:
        """Tell again who may not have heard it."""
        if self._due_us is not None and self._due_us <= now_us:
            self._due_us = now_us + AGAIN_US
            number, me = self.next_one.number, self.next_one.agreed.me
            for seat in range(len(self.next_one.agreed.people)):
                if seat != me:
                    frame = self.next_one.wants(number, seat)
                    self._out.append(Tell(self.next_one.device(seat), frame))

    def take(self) -> list[Tell]:
        """Return what is to be said since the last call."""
        out, self._out = self._out, []
        return out

    def screen(self, now_us: int) -> QuestionPage:
        """What the display shows."""
        return self._asking.screen(now_us)

    def _ask(self, now_us: int) -> None:
        if len(self._want) == len(self.next_one.lost):
            self.outcome = Wanted.AGAIN
        again = (
            []
            if self._mine or self._watches
            else [Answer(Text.AGAIN, lambda: self._say_so(now_us))]
        )
        again.append(Answer(Text.OTHERS_TOO, lambda: self._end(Wanted.OTHERS)))
        self._asking.ask(
            "rematch",
            Question(
                Text.WAIT_FOR_TAPS if self._mine else Text.AGAIN_QUESTION,
                again,
                [
                    Answer(Text.SCORES, lambda: self._end(Wanted.LOOK_BACK)),
                    Answer(Text.FORGET_TABLE, lambda: self._end(Wanted.FORGET), holds=True),
                ],
                tuple(self._line(seat) for seat in range(len(self.next_one.lost))),
            ),
            now_us,
        )

    def _line(self, seat: int) -> Item:
        name, lost = self.next_one.names[seat], self.next_one.lost[seat]
        return Phrase(Text.WANTS_AGAIN if seat in self._want else Text.HAS_LOST, name, lost)

    @property
    def _watches(self) -> bool:
        """Whether this handheld has no vote: it follows when all players want it."""
        return self.next_one.agreed.me >= len(self.next_one.lost)

    @property
    def _mine(self) -> bool:
        return self.next_one.agreed.me in self._want

    def _say_so(self, now_us: int) -> None:
        self._want.add(self.next_one.agreed.me)
        self._due_us = now_us
        self.tick(now_us)

    def _end(self, outcome: Wanted) -> None:
        self.outcome = outcome
