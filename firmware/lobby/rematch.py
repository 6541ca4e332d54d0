"""After a match: play again with the same people, or leave the table. No I/O, no clock.

Numbers without a source are chosen.
"""

from enum import Enum, auto

from firmware.display.screens import Item, Phrase, QuestionPage
from firmware.display.text.labels import Text
from firmware.effects import SendToDevice, earliest
from firmware.input.controls import Dial, DialAnswer, DialQuestion, Pick, QuestionDial
from firmware.input.gestures import Gesture
from firmware.table.pairing.standing import StandingTable
from firmware.table.protocol import Retry

AGAIN_US = 1_000_000
"""The own wish is resent to everybody after this long."""


class Wanted(Enum):
    """Answers to the question after a match."""

    AGAIN = auto()
    """The next match, as soon as all want it."""
    LOOK_BACK = auto()
    """See the end of the match once more."""
    OTHERS = auto()
    """Return to the lobby, where others can join; returning players keep the tally."""
    FORGET = auto()
    """Leave this table for good."""


class Rematch:
    """The question after the match, and its answers. Times in µs on the handheld's clock.

    ``next_one``: the table of the next match.
    """

    def __init__(self, next_one: StandingTable) -> None:
        self.next_one = next_one
        self.is_open = False
        """Whether the question hides the end of the match."""
        self._asking = QuestionDial[Wanted]()
        self._want = set[int]()
        self._retry = Retry(AGAIN_US, AGAIN_US)
        self._now_us = 0
        self._out: list[SendToDevice] = []

    @property
    def dial(self) -> Dial | None:
        """The dial with the answers."""
        return self._asking.dial

    def pick(self, item: Item) -> Pick | None:
        """Return the entry of the dial with the label ``item``; None if there is none."""
        return self._asking.pick(item)

    @property
    def all_want(self) -> bool:
        """Whether every player wants the next match. A spectator has no vote."""
        return len(self._want) == len(self.next_one.lost)

    @property
    def next_timer_us(self) -> int | None:
        """When a ``tick`` is due; None if nothing is waiting for time to pass."""
        bar_us = self._asking.next_timer_us(self._now_us) if self.is_open else None
        return earliest((self._retry.due_us, bar_us))

    def open(self, now_us: int) -> None:
        """Show the question."""
        self.is_open = True
        self._ask(now_us)

    def handle(self, gesture: Gesture, now_us: int) -> Wanted | None:
        """Follow a gesture; return the chosen answer, or None."""
        wanted = self._asking.handle(gesture, now_us)
        me = self.next_one.agreed.me
        if wanted is Wanted.AGAIN:
            self._want.add(me)
            self._retry = self._retry.at(now_us)
            self.tick(now_us)
        elif wanted is Wanted.LOOK_BACK:
            self.is_open = False
        self._ask(now_us)
        return wanted

    def add(self, seat: int, number: int, now_us: int) -> None:
        """Note that ``seat`` wants match ``number``; ignored if that is not the next one."""
        if number == self.next_one.number and seat < len(self.next_one.lost):
            self._want.add(seat)
            self._ask(now_us)

    def tick(self, now_us: int) -> None:
        """Once this player wants the next match, tell all, every `AGAIN_US`."""
        self._now_us = now_us
        if self._retry.due(now_us):
            self._retry = self._retry.sent(now_us)
            number, me = self.next_one.number, self.next_one.agreed.me
            for seat in range(len(self.next_one.agreed.people)):
                if seat != me:
                    frame = self.next_one.wants(number, seat)
                    self._out.append(SendToDevice(self.next_one.device(seat), frame))

    def take(self) -> list[SendToDevice]:
        """Return the frames to send since the last call, in order."""
        out, self._out = self._out, []
        return out

    def screen(self, now_us: int) -> QuestionPage:
        """The screen on the display."""
        return self._asking.screen(now_us)

    def _ask(self, now_us: int) -> None:
        self._now_us = now_us
        me = self.next_one.agreed.me
        wants, watches = me in self._want, me >= len(self.next_one.lost)
        again = [] if wants or watches else [DialAnswer(Text.AGAIN, Wanted.AGAIN)]
        scores = [DialAnswer(Text.SCORES, Wanted.LOOK_BACK)]
        if not self.next_one.is_fixed:
            again.append(DialAnswer(Text.OTHERS_TOO, Wanted.OTHERS))
            scores.append(DialAnswer(Text.FORGET_TABLE, Wanted.FORGET, holds=True))
        question = DialQuestion(
            Text.WAIT_FOR_TAPS if wants else Text.AGAIN_QUESTION,
            again,
            scores,
            tuple(self._line(seat) for seat in range(len(self.next_one.lost))),
        )
        self._asking.ask("rematch", question, now_us)

    def _line(self, seat: int) -> Item:
        name, lost = self.next_one.names[seat], self.next_one.lost[seat]
        return Phrase(Text.WANTS_AGAIN if seat in self._want else Text.HAS_LOST, name, lost)
