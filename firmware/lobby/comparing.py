"""The five numbers on every display: all handhelds show the same, or somebody is in between."""

from firmware.display.screens import QuestionPage
from firmware.display.text.labels import Text
from firmware.input.controls.pad import Pad
from firmware.input.gestures.gesture import Gesture, Held, Tap
from firmware.table.pairing.pairing import Pairing
from firmware.table.pairing.state import PairingPhase


class Comparing:
    """Takes the answer to the five numbers, once they have stood for `ARMED_AFTER_US`.

    Args:
        pad: the pad of the dial that asked before: a finger may still lie on it.
    """

    def __init__(self, pad: Pad) -> None:
        self._pad = pad
        self._numbers: tuple[int, ...] | None = None

    def next_timer_us(self, now_us: int) -> int | None:
        """When the bar of a hold moves on, in µs; None while a hold does nothing."""
        return self._pad.next_step_us(now_us) if self._pad.armed else None

    def handle(self, gesture: Gesture, pairing: Pairing, now_us: int) -> None:
        """Once armed: a tap says that the numbers are the same, a hold that they differ."""
        if self._pad.armed and isinstance(gesture, Tap):
            pairing.tap(now_us)
        elif self._pad.armed and isinstance(gesture, Held):
            pairing.differ()

    def tick(self, pairing: Pairing | None, now_us: int, *, hidden: bool) -> None:
        """Follow the pairing, and arm the pad when its numbers have stood for `ARMED_AFTER_US`.

        ``hidden``: something hides the numbers, and their time does not run.
        """
        compares = pairing is not None and pairing.state.phase is PairingPhase.COMPARING
        numbers = pairing.state.numbers if pairing is not None and compares else None
        if numbers != self._numbers:
            self._numbers = numbers
            self._pad.begin(now_us, offer=numbers is not None)
        self._pad.tick(now_us, hidden=hidden)

    def screen(self, pairing: Pairing, now_us: int) -> QuestionPage:
        """The page of the numbers; after the own tap, the page that waits for the others."""
        numbers = pairing.state.numbers or ()
        if pairing.state.phase is not PairingPhase.COMPARING:
            return QuestionPage(Text.WAIT_FOR_TAPS, numbers=numbers, hint=Text.HINT_WAIT)
        hint = Text.HINT_SAME_NUMBERS if self._pad.armed else Text.HINT_NOT_YET
        progress = self._pad.progress(now_us) if self._pad.armed else None
        lines = (Text.COMPARE_ALL,)
        return QuestionPage(Text.SAME_NUMBERS, lines, numbers=numbers, hint=hint, progress=progress)
