"""The watcher at every panel: no dice at any instant when there may be none.

The watcher follows every write to a display's memory. It takes open dice from the public log alone.
The rules say when a player may see their own roll under the cup
(R-CLASS-4, R-PHYS-1, R-HF-1). The hand itself gives the light. Dice that
stay covered for everybody, as a third throw of ``maxen`` does (T-5), are never in the log before
the cup is lifted.

May import: parts, hand.signals, panel; firmware.display.screens, input.gestures, table.log,
table.seat; drivers.light_sensor, game.
"""

from collections import Counter
from collections.abc import Callable
from hashlib import sha256

from steckbrett.parts.ssd1306 import SSD1306

from drivers.light_sensor import LUX_PER_COUNT
from firmware.display.screens import Screen
from firmware.input.gestures.recognizer import Recognizer
from firmware.table.log.entries import decode_entries
from firmware.table.log.public_log import PublicLog
from firmware.table.seat.parts import SeatParts
from game import AnyMatch, Phase, apply, hides_dice, new_match, public
from game.bluff.rules import MAEXCHEN
from game.dice import Dice
from game.events import Event, Lifted, MaexchenShown, Revealed, Rolled, Threw, TowerShown
from game.record import read
from hw_sim.hand.signals.hand import Hand
from hw_sim.panel import read_dice, shows_pips

_MAEXCHEN_DICE: Dice = (MAEXCHEN // 10, MAEXCHEN % 10)


class OpenDice:
    """Follows a log, of which it applies only what is public.

    Args:
        log: the log of the seat, as it grows.
        stays_us: how much longer dice may be seen once they are covered again, in µs.
    """

    def __init__(self, log: PublicLog, stays_us: int) -> None:
        header = read(log.header.decode())
        self.match: AnyMatch = new_match(header.rules, header.players, header.first)
        """The match as everybody may know it."""
        self._log = log
        self._stays_us = stays_us
        self._heard = 0
        self._lying: Dice = ()
        self._covered: list[tuple[Dice, int]] = []

    def at(self, t_us: int) -> tuple[Dice, ...]:
        """The throws that may be seen at a time in µs: an open one, those covered just before."""
        covered = tuple(dice for dice, until_us in self._covered if t_us <= until_us)
        return (self._lying, *covered) if self._lying else covered

    def update(self, t_us: int) -> None:
        """Apply what was added to the log since the last call, as of ``t_us`` (µs)."""
        if self._log.index == self._heard:
            return
        for entered in decode_entries(b"".join(self._log.since(self._heard))):
            before = self.match
            step = apply(before, public(entered, before))
            self.match = step.match
            for event in step.events:
                self._apply(event, before, t_us)
        self._heard = self._log.index

    def _apply(self, event: Event, before: AnyMatch, t_us: int) -> None:
        match event:
            case Rolled() if hides_dice(before):  # elsewhere a covered throw hides no others
                self._lay_open((), t_us)
            case Threw(_, dice) | Lifted(_, dice):
                self._lay_open(before.aside + dice, t_us)
            case Revealed(_, dice) | TowerShown(_, dice):
                self._lay_open(dice, t_us)
            case MaexchenShown():
                self._lay_open(_MAEXCHEN_DICE, t_us)
            case _:
                pass

    def _lay_open(self, dice: Dice, t_us: int) -> None:
        self._covered = [(old, until_us) for old, until_us in self._covered if until_us >= t_us]
        if self._lying:
            self._covered.append((self._lying, t_us + self._stays_us))
        self._lying = dice


_STEP_US = 1_000
_LONGEST_MOVE_US = 600_000


class DiceWatch:
    """Watches one panel.

    Args:
        display: the simulated display.
        seat: its log of the match, and what is in its cup.
        hand: what really covers the sensor.
        recognizer: for the counts of light from which the cup is lifted, and covered.
        call_at_us: calls a function at a time in µs.
        hidden_after_us: dice must have left the memory this long after it got dark, or after they
            were covered: `drivers.light_sensor.LightSensor` of the fitted sensor.

    ``leaks`` has a line for every instant with dice where there may be none: time, seat, why.
    """

    def __init__(
        self,
        display: SSD1306,
        seat: SeatParts,
        hand: Hand,
        recognizer: Recognizer,
        call_at_us: Callable[[int, Callable[[], None]], object],
        hidden_after_us: int,
    ) -> None:
        self.leaks: list[str] = []
        self.look_latency_us: list[int] = []
        """From the light that counts as lifted to the first dice in the memory, per look."""
        self.hide_latency_us: list[int] = []
        """From darkness to no dice in the memory, per look."""
        self._display = display
        self._seat = seat
        self._open_dice = OpenDice(seat.log, hidden_after_us)
        self._hand = hand
        self._recognizer = recognizer
        self._call_at_us = call_at_us
        self._hidden_after_us = hidden_after_us
        self._hash = sha256()
        self._shown = False
        self._private = False
        self._light_us: int | None = None
        self._dark_us: int | None = 0
        self._pad_us: int | None = 0
        display.on_write.append(self._on_write)

    @property
    def digest(self) -> str:
        """SHA-256, in hex, over every state of the memory and its time."""
        return self._hash.hexdigest()

    def lifting(self, start_us: int) -> None:
        """Note that the hand begins to lift the cup (µs); its light has been planned."""
        self._dark_us = None
        least_lux = self._recognizer.light.lift_threshold_counts * LUX_PER_COUNT
        self._light_us = self._when(start_us, lambda lux: lux > least_lux)

    def covering(self, start_us: int) -> None:
        """Note that the hand begins to cover the cup (µs); its light has been planned."""
        most_lux = self._recognizer.light.close_threshold_counts * LUX_PER_COUNT
        dark_us = self._when(start_us, lambda lux: lux < most_lux)
        self._light_us = None
        if dark_us is not None:
            self._dark_us = dark_us
            self._call_at_us(dark_us + self._hidden_after_us, self._check_gone)

    def showing(self, screen: Screen, t_us: int) -> None:
        """Note a screen that the core asks for at a time in µs: the log may have grown."""
        del screen
        self._open_dice.update(t_us)

    def touching(self, down: bool, t_us: int) -> None:
        """Note a finger on the pad (``down``), or off it, at a time in µs."""
        self._pad_us = None if down else t_us

    def _when(self, start_us: int, test: Callable[[float], bool]) -> int | None:
        for t_us in range(start_us, start_us + _LONGEST_MOVE_US, _STEP_US):
            if test(self._hand.illuminance(t_us)):
                return t_us
        return None

    def _on_write(self, t_us: int) -> None:
        memory = self._display.memory
        self._hash.update(t_us.to_bytes(8, "big"))
        self._hash.update(memory)
        self._open_dice.update(t_us)
        shown = shows_pips(memory)
        private = shown and not self._open_dice.at(t_us)
        if shown:
            self._check_allowed(memory, t_us)
        if private and not self._shown and self._light_us is not None:
            self.look_latency_us.append(t_us - self._light_us)
        if self._private and not shown and self._dark_us is not None and self._pad_us is not None:
            self.hide_latency_us.append(max(0, t_us - max(self._dark_us, self._pad_us)))
        self._shown = shown
        self._private = private

    def _check_allowed(self, memory: bytes, t_us: int) -> None:
        dice = read_dice(memory)
        lying = self._open_dice.at(t_us)
        if lying:
            if dice is not None and not _are_among(dice, lying):
                self._leak(t_us, f"dice {dice} on the panel, {lying} lie open")
            return
        if not self._may_look:
            self._leak(t_us, "dice on the panel of a player who may not see any")
        elif not self._open(t_us):
            self._leak(t_us, "dice on the panel while the cup is covered")
        elif dice is not None and not _are_among(dice, (self._seat.dice or (),)):
            self._leak(t_us, f"dice {dice} on the panel, {self._seat.dice} in the cup")

    @property
    def _may_look(self) -> bool:
        """Whether the player has peeked at their own roll, and may (R-CLASS-4, R-HF-1)."""
        match, seat = self._open_dice.match, self._seat
        if not hides_dice(match) or match.phase is not Phase.THROWN:
            return False
        looked = match.to_act == seat.seat and match.seen
        return looked and match.rolls <= match.rules.looks and seat.holding

    def _open(self, t_us: int) -> bool:
        if self._pad_us is None or t_us - self._pad_us <= self._hidden_after_us:
            return True
        return self._dark_us is None or t_us - self._dark_us <= self._hidden_after_us

    def _check_gone(self) -> None:
        if self._dark_us is None or self._pad_us is None or not self._shown:
            return
        checked_us = self._dark_us + self._hidden_after_us
        if not self._open_dice.at(checked_us):
            self._leak(checked_us, "dice stayed on the panel after dark")

    def _leak(self, t_us: int, what: str) -> None:
        self.leaks.append(f"{t_us / 1e6:.3f} s: seat {self._seat.seat}: {what}")


def _are_among(dice: Dice, lying: tuple[Dice, ...]) -> bool:
    """Whether all dice are some of those that lie there: a picture may be turning into another."""
    return not Counter(dice) - Counter(die for throw in lying for die in throw)
