"""A watcher at one panel: no dice in its memory at any instant when there may be none.

It is told of every write to the display's memory. What the player may see it takes from the state
of the match (R-CLASS-4: his own first roll, once looked at), how light it is from the hand itself.
"""

from collections.abc import Callable
from hashlib import sha256

from drivers.veml7700 import LUX_PER_COUNT
from firmware.handheld import Handheld
from firmware.recognizer import Recognizer
from firmware.screens import Reveal, Screen
from game import Phase
from game.values import Dice
from hw_sim.hand import Hand
from hw_sim.parts.ssd1306 import SSD1306
from hw_sim.reading import read_dice, shows_pips

GONE_AFTER_US = 200_000
"""Dice must have left the memory this long after it got dark."""
FOREVER_US = 1 << 62
_STEP_US = 1_000
_LONGEST_MOVE_US = 600_000


class DiceWatch:
    """Watches one panel.

    Args:
        display: the simulated display.
        handheld: what it believes about the match.
        hand: what really covers the sensor.
        recognizer: for the light that counts as lifted.
        call_at_us: calls a function at a time in µs.
    """

    def __init__(
        self,
        display: SSD1306,
        handheld: Handheld,
        hand: Hand,
        recognizer: Recognizer,
        call_at_us: Callable[[int, Callable[[], None]], object],
    ) -> None:
        self.leaks: list[str] = []
        self.look_latency_us: list[int] = []
        """From the light that counts as lifted to the first dice in the memory, per look."""
        self.hide_latency_us: list[int] = []
        """From darkness to no dice in the memory, per look."""
        self._display = display
        self._handheld = handheld
        self._hand = hand
        self._recognizer = recognizer
        self._call_at_us = call_at_us
        self._hash = sha256()
        self._shown = False
        self._private = False
        self._light_us: int | None = None
        self._dark_us: int | None = 0
        self._pad_us: int | None = 0
        self._lifted: Dice | None = None
        self._lifted_until_us = 0
        display.on_write.append(self._on_write)

    @property
    def digest(self) -> str:
        """SHA-256 over every state of the memory and its time."""
        return self._hash.hexdigest()

    def lifting(self, start_us: int) -> None:
        """The hand begins to lift the cup."""
        self._dark_us = None
        self._light_us = self._when(start_us, lambda lux, least: lux > least)

    def covering(self, start_us: int) -> None:
        """The hand begins to cover the cup."""
        dark_us = self._when(start_us, lambda lux, least: lux < least / 2)
        self._light_us = None
        if dark_us is not None:
            self._dark_us = dark_us
            self._call_at_us(dark_us + GONE_AFTER_US, self._check_gone)

    def showing(self, screen: Screen, t_us: int) -> None:
        """The core asks for a screen. Dice that lay before everybody may take a moment to go."""
        dice = screen.dice if isinstance(screen, Reveal) else None
        if dice is None and self._lifted_until_us > t_us + GONE_AFTER_US:
            self._lifted_until_us = t_us + GONE_AFTER_US
        elif dice is not None and self._public(t_us) is not None:
            self._lifted, self._lifted_until_us = dice, FOREVER_US

    def touching(self, down: bool, t_us: int) -> None:
        """A finger comes down on the pad, or leaves it."""
        self._pad_us = None if down else t_us

    def _when(self, start_us: int, test: Callable[[float, float], bool]) -> int | None:
        least_lux = self._recognizer.lift_threshold_counts * LUX_PER_COUNT
        for t_us in range(start_us, start_us + _LONGEST_MOVE_US, _STEP_US):
            if test(self._hand.illuminance(t_us), least_lux):
                return t_us
        return None

    def _on_write(self, t_us: int) -> None:
        memory = self._display.memory
        self._hash.update(t_us.to_bytes(8, "big"))
        self._hash.update(memory)
        shown = shows_pips(memory)
        if shown:
            self._check_allowed(memory, t_us)
        if shown and not self._shown and self._light_us is not None and not self._public(t_us):
            self.look_latency_us.append(t_us - self._light_us)
        if self._private and not shown and self._dark_us is not None and self._pad_us is not None:
            self.hide_latency_us.append(max(0, t_us - max(self._dark_us, self._pad_us)))
        self._shown = shown
        self._private = shown and self._public(t_us) is None

    def _public(self, t_us: int) -> Dice | None:
        """The dice that lie before everybody, or did until a moment ago; None if none do."""
        ending = self._handheld.ending
        if ending is not None and ending.dice is not None:
            return ending.dice
        return self._lifted if t_us <= self._lifted_until_us else None

    def _check_allowed(self, memory: bytes, t_us: int) -> None:
        handheld = self._handheld
        dice = read_dice(memory)
        lifted = self._public(t_us)
        if lifted is not None:
            if dice is not None and sorted(dice) != sorted(lifted):
                self._leak(t_us, f"dice {dice} on the panel, {lifted} were lifted")
            return
        match = handheld.match
        first_roll_is_mine = (match.to_act, match.phase, match.rolls) == (
            handheld.seat,
            Phase.THROWN,
            1,
        )
        if not (first_roll_is_mine and match.seen and handheld.passing.holding):
            self._leak(t_us, "dice on the panel of a player who may not see any")
        elif not self._open(t_us):
            self._leak(t_us, "dice on the panel while the cup is covered")
        elif dice is not None and dice != handheld.passing.dice:
            self._leak(t_us, f"dice {dice} on the panel, {handheld.passing.dice} in the cup")

    def _open(self, t_us: int) -> bool:
        if self._pad_us is None or t_us - self._pad_us <= GONE_AFTER_US:
            return True
        return self._dark_us is None or t_us - self._dark_us <= GONE_AFTER_US

    def _check_gone(self) -> None:
        if self._dark_us is None or self._pad_us is None or not self._shown:
            return
        checked_us = self._dark_us + GONE_AFTER_US
        if self._public(checked_us) is None:
            self._leak(checked_us, "dice stayed on the panel after dark")

    def _leak(self, t_us: int, what: str) -> None:
        self.leaks.append(f"{t_us / 1e6:.3f} s: seat {self._handheld.seat}: {what}")
