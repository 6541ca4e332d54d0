"""The five numbers on every display: they agree, or an attacker sits in between.

A hold reports that they differ. While a player waits for others, before or after the numbers, a
hold leaves.
"""

from firmware.display.screens import QuestionPage
from firmware.display.text.labels import Text
from firmware.input.controls.pad import Pad
from firmware.input.gestures.gesture import Gesture, Held, Tap
from firmware.table.pairing.pairing import Pairing
from firmware.table.pairing.state import PairingPhase

_STAND = (PairingPhase.REVEALING, PairingPhase.COMPARING, PairingPhase.TAPPED)


class Comparing:
    """Takes the player's answer to the five numbers, once they have stood for `ARMED_AFTER_US`.

    Args:
        pad: the pad of the previous dial: a finger may still lie on it.
    """

    def __init__(self, pad: Pad) -> None:
        self._pad = pad
        self._stands: tuple[PairingPhase, tuple[int, ...] | None] | None = None

    def next_timer_us(self, now_us: int) -> int | None:
        """Return when the bar of a hold moves on, in µs; None while a hold does nothing."""
        return self._pad.next_step_us(now_us) if self._pad.armed else None

    def handle(self, gesture: Gesture, pairing: Pairing, now_us: int) -> None:
        """Handle a gesture: once armed, a tap confirms the numbers; a hold rejects them or leaves.

        It ignores gestures while the host gives out places.
        """
        if not self._pad.armed or pairing.state.phase not in _STAND:
            return
        if isinstance(gesture, Tap):
            pairing.tap(now_us)
        elif isinstance(gesture, Held) and pairing.state.phase is PairingPhase.COMPARING:
            pairing.differ()
        elif isinstance(gesture, Held):
            pairing.leave()

    def tick(self, pairing: Pairing | None, now_us: int, *, hidden: bool) -> None:
        """Follow the pairing, and arm the pad once its page has stood for `ARMED_AFTER_US`.

        ``hidden``: something hides the page, and its time does not run.
        """
        state = None if pairing is None else pairing.state
        stands = state is not None and state.phase in _STAND
        shown = (state.phase, state.numbers) if state is not None and stands else None
        if shown != self._stands:
            self._stands = shown
            self._pad.begin(now_us, offer=shown is not None)
        self._pad.tick(now_us, hidden=hidden)

    def screen(self, pairing: Pairing, now_us: int) -> QuestionPage:
        """Return the page of the numbers; after the own tap, the page that waits for the others."""
        numbers = pairing.state.numbers or ()
        progress = self._pad.progress(now_us) if self._pad.armed else None
        if pairing.state.phase is not PairingPhase.COMPARING:
            hint = Text.HINT_LEAVE if self._pad.armed else Text.HINT_WAIT
            return QuestionPage(Text.WAIT_FOR_TAPS, numbers=numbers, hint=hint, progress=progress)
        hint = Text.HINT_SAME_NUMBERS if self._pad.armed else Text.HINT_NOT_YET
        lines = (Text.COMPARE_ALL,)
        return QuestionPage(Text.SAME_NUMBERS, lines, numbers=numbers, hint=hint, progress=progress)
