"""The five dice on every display: all handhelds show the same, or somebody sits in between."""

from firmware.display.screens import QuestionPage
from firmware.display.text.labels import Text
from firmware.input.controls.pad import Pad
from firmware.input.gestures.gesture import Gesture, Held, Tap
from firmware.table.pairing.pairing import Pairing
from firmware.table.pairing.state import PairingPhase
from game.dice import Dice


class Comparing:
    """Takes the answer to the five dice, once they have stood for `ARMED_AFTER_US`.

    Args:
        pad: the pad of the dial that asked before: a finger may still lie on it.
    """

    def __init__(self, pad: Pad) -> None:
        self._pad = pad
        self._dice: Dice | None = None

    def next_timer_us(self, now_us: int) -> int | None:
        """When the bar of a hold moves on, in µs; None while a hold does nothing."""
        return self._pad.next_step_us(now_us) if self._pad.armed else None

    def handle(self, gesture: Gesture, pairing: Pairing, now_us: int) -> None:
        """Once armed: a tap says that the dice are the same, a hold that they differ."""
        if self._pad.armed and isinstance(gesture, Tap):
            pairing.tap(now_us)
        elif self._pad.armed and isinstance(gesture, Held):
            pairing.differ()

    def tick(self, pairing: Pairing | None, now_us: int, *, hidden: bool) -> None:
        """Follow the pairing, and arm the pad when its dice have stood for `ARMED_AFTER_US`.

        ``hidden``: something hides the dice, and their time does not run.
        """
        compares = pairing is not None and pairing.state.phase is PairingPhase.COMPARING
        dice = pairing.state.dice if pairing is not None and compares else None
        if dice != self._dice:
            self._dice = dice
            self._pad.begin(now_us, offer=dice is not None)
        self._pad.tick(now_us, hidden=hidden)

    def screen(self, pairing: Pairing, now_us: int) -> QuestionPage:
        """The page of the dice; after the own tap, the page that waits for the others."""
        dice = pairing.state.dice or ()
        if pairing.state.phase is not PairingPhase.COMPARING:
            return QuestionPage(Text.WAIT_FOR_TAPS, dice=dice, hint=Text.HINT_WAIT)
        hint = Text.HINT_SAME_DICE if self._pad.armed else Text.HINT_NOT_YET
        progress = self._pad.progress(now_us) if self._pad.armed else None
        return QuestionPage(Text.SAME_DICE, dice=dice, hint=hint, progress=progress)
