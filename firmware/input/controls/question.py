"""A question on the display, its answers on the dial, and the finger on the pad."""

from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

from firmware.display.screens import Item, QuestionPage
from firmware.display.text.labels import Text
from firmware.input.controls.dial import Dial, Entry, Pick
from firmware.input.gestures.gesture import Gesture, Held, Pose, Pressed, Released, Tap

HOLD_US = 800_000
"""The length of a hold; its bar moves in quarters of it."""
HOLD_STEPS = 4
ARMED_AFTER_US = 800_000
"""An offer can be answered once it has stood this long and the pad was free."""


class Pad:
    """The finger, and the offer it may answer. Times in µs on the handheld's clock."""

    def __init__(self) -> None:
        self.pressed_us: int | None = None
        """When the finger that is on the pad came down; None while it is free."""
        self.armed = False
        """Whether the offer on the display can be answered now."""
        self._was_free = True
        self._offer_since_us: int | None = None

    def press(self, now_us: int) -> None:
        """Begin a hold: a finger comes down."""
        self.pressed_us = now_us

    def release(self) -> None:
        """End a hold: the finger leaves, and an offer may be answered from now on."""
        self.pressed_us = None
        self._was_free = True

    def progress(self, now_us: int) -> float | None:
        """Return how far a hold has come: 0, 0.25 … 1; None while the pad is free."""
        if self.pressed_us is None:
            return None
        held_us = min(now_us - self.pressed_us, HOLD_US)
        return held_us * HOLD_STEPS // HOLD_US / HOLD_STEPS

    def next_step_us(self, now_us: int) -> int | None:
        """Return when ``progress`` changes next; None if it will not."""
        if self.pressed_us is None or self.progress(now_us) == 1.0:
            return None
        done = (now_us - self.pressed_us) * HOLD_STEPS // HOLD_US
        return self.pressed_us + -(-(done + 1) * HOLD_US // HOLD_STEPS)

    def begin(self, now_us: int, *, offer: bool) -> None:
        """Begin anew, unarmed: another offer stands on the display (``offer``), or none.

        A finger that is on the pad now has to leave it before the offer can be answered.
        """
        self._offer_since_us = now_us if offer else None
        self.armed = False
        self._was_free = self.pressed_us is None

    def tick(self, now_us: int, *, hidden: bool) -> None:
        """Arm the offer when its time has come; while it is hidden, its time does not run."""
        since_us = self._offer_since_us
        if since_us is None:
            return
        if hidden:
            self._offer_since_us = now_us
            self.armed = False
        elif self._was_free:
            self.armed = self.armed or since_us + ARMED_AFTER_US <= now_us

    @property
    def armed_us(self) -> int | None:
        """When the offer can be answered; None if it can already, or there is none."""
        if self._offer_since_us is None or self.armed or not self._was_free:
            return None
        return self._offer_since_us + ARMED_AFTER_US


C_co = TypeVar("C_co", covariant=True)
C = TypeVar("C")


class DialAnswer(NamedTuple, Generic[C_co]):
    """An answer: its label on the dial, and the value that it stands for.

    ``holds``: it is chosen by a hold, not by a tap.
    """

    item: Item
    choice: C_co
    holds: bool = False


class DialQuestion(NamedTuple, Generic[C_co]):
    """A question and its answers.

    Attributes:
        title: the first line of the page.
        right, left: the answers on either side of the neutral entry, nearest first.
        lines: below the title.
        about: the key of an explanation instead of them; None for none.
        hint: the last line; None for the usual hint of a dial.
    """

    title: Item
    right: Sequence[DialAnswer[C_co]] = ()
    left: Sequence[DialAnswer[C_co]] = ()
    lines: tuple[Item, ...] = ()
    about: str | None = None
    hint: Text | None = None


class QuestionDial(Generic[C]):
    """The question on the display, with the dial and the pad that answer it."""

    def __init__(self) -> None:
        self.dial: Dial | None = None
        self.pad = Pad()
        self._question: DialQuestion[C] | None = None
        self._key: object = None
        self._answers: dict[Pick, DialAnswer[C]] = {}

    @property
    def place(self) -> int:
        """The place of the highlight: 1, 2, … right of the neutral entry, -1, … left of it."""
        return 0 if self.dial is None else self.dial.index - self.dial.neutral_index

    @property
    def key(self) -> object:
        """The key that ``ask`` was given; None while nothing is asked."""
        return self._key

    @property
    def holds(self) -> bool:
        """Whether the highlighted answer wants a hold."""
        return self.dial is not None and self.dial.entry.holds

    def next_timer_us(self, now_us: int) -> int | None:
        """Return when the bar of a hold moves on, in µs; None while there is none."""
        return self.pad.next_step_us(now_us) if self.holds else None

    def ask(self, key: object, question: DialQuestion[C] | None, now_us: int) -> None:
        """Ask ``question``, or nothing (None). The same ``key`` again may have other answers.

        The highlight stays in its place while the number of answers stays the same. Otherwise it
        stays with its answer; if that is gone, it moves to the neutral entry. A tap thus never does
        what was not highlighted before.
        """
        self._question = question
        if question is None:
            self.dial = self._key = None
            return
        left = {Pick(-at): each for at, each in enumerate(question.left, start=1)}
        right = {Pick(at): each for at, each in enumerate(question.right, start=1)}
        before = self._highlighted
        self._answers = left | right
        dial = Dial(
            tuple(Entry(pick, each.holds) for pick, each in left.items()),
            tuple(Entry(pick, each.holds) for pick, each in right.items()),
            now_us,
        )
        if self.dial is None or key != self._key:
            self.dial, self._key = dial, key
        elif dial.entries != self.dial.entries:
            pick = None if before is None else self.pick(before.item)
            self.dial.entries, self.dial.neutral_index = dial.entries, dial.neutral_index
            index = None if pick is None else dial.index_of(pick)
            self.dial.index = dial.neutral_index if index is None else index

    def pick(self, item: Item) -> Pick | None:
        """Return the entry with the label ``item``; None if none has it."""
        answers = self._answers.items()
        return next((pick for pick, each in answers if each.item == item), None)

    def move(self, entries: int) -> None:
        """Move the highlight ``entries`` to the right, within the dial."""
        if self.dial is not None:
            self.dial.index = min(max(self.dial.index + entries, 0), len(self.dial.entries) - 1)

    def handle(self, gesture: Gesture, now_us: int, *, attends: bool = True) -> C | None:
        """Follow a gesture; return the value of the answer it chose, None if none.

        ``attends`` False means that something hides the question, and nothing can be chosen.
        """
        chosen = None
        match gesture:
            case Pressed():
                self.pad.press(now_us)
            case Held() if attends and self.holds:
                chosen = self._highlighted
            case Tap():
                self.pad.release()
                if attends and not self.holds:
                    chosen = self._highlighted
            case Released():
                self.pad.release()
            case Pose() if attends and self.dial is not None:
                self.dial.tilt(gesture, self.pad.pressed_us is not None)
            case _:
                pass
        return None if chosen is None else chosen.choice

    def screen(self, now_us: int) -> QuestionPage:
        """Return the page of the question, which there must be."""
        question, dial = self._question, self.dial
        assert question is not None, "something is asked"
        assert dial is not None, "what is asked has a dial"
        strip = dial.view.strip(self._word, self.pad.progress(now_us) if self.holds else None)
        return QuestionPage(
            question.title, question.lines, question.about, dial=strip, hint=question.hint
        )

    def _word(self, entry: Entry) -> Item:
        choice = entry.choice
        return self._answers[choice].item if isinstance(choice, Pick) else Text.NEUTRAL

    @property
    def _highlighted(self) -> DialAnswer[C] | None:
        """The answer under the highlight; None where that is on no answer."""
        choice = None if self.dial is None else self.dial.entry.choice
        return self._answers.get(choice) if isinstance(choice, Pick) else None
