"""Acts that take time: a shake, a peek (R-CLASS-4), an announcement, a lift, a fault."""

from enum import Enum, auto

from firmware.display.text.labels import Alert
from firmware.input.controls.dial import Denial, Dial, FaultPrompt, variants
from firmware.input.gestures.gesture import Pose, ShakeEnded, Shaken, Shaking
from firmware.play.turn.offers import REPEAT_SHAKE_US
from firmware.settings.model import Faults
from game import AnyMatch, illegality
from game.actions import Announce, Fault, FaultKind, Say

ANNOUNCING_US = 1_000_000
"""An announcement is made this long after it was chosen; until then a tilt takes it back."""


class Announcing:
    """An announcement chosen but not made yet. Times in µs on the handheld's clock."""

    def __init__(self) -> None:
        self.announcement: Announce | Say | None = None
        """The announcement that ``tick`` returns at ``next_timer_us``; None for none."""
        self.choosing: Announce | Say | None = None
        """The announcement while a second dial asks for an addition to it; else None."""
        self.next_timer_us: int | None = None
        """When ``announcement`` is due; None without one."""
        self._denial = Denial()

    def choose(self, match: AnyMatch, announcement: Announce | Say, now_us: int) -> None:
        """Choose an announcement; it is due `ANNOUNCING_US` later.

        The first choice that has more than one variant only sets ``choosing``: the second dial.
        """
        if self.choosing is None and len(variants(match, announcement)) > 1:
            self.choosing = announcement
            return
        self.announcement, self.next_timer_us = announcement, now_us + ANNOUNCING_US
        self._denial = Denial()

    def tilt(self, dial: Dial, pose: Pose, *, touched: bool) -> bool:
        """Cancel by a still tilt of ``ON_DEG``, after the handheld has lain within ``OFF_DEG``.

        Return whether it was one. ``dial`` knows the neutral pose, and goes back to its neutral
        entry. ``touched``: a finger is on the pad, and no pose counts.
        """
        denied = self._denial.by(dial, pose, touched=touched)
        if denied:
            self.cancel()
            dial.centre()
        return denied

    def withdraw(self) -> None:
        """Drop the due announcement; a second dial stays open."""
        self.announcement = self.next_timer_us = None

    def cancel(self) -> None:
        """Drop the due announcement, and close the second dial."""
        self.withdraw()
        self.choosing = None

    def tick(self, now_us: int) -> Announce | Say | None:
        """Return the announcement that is due, and drop it; None while none is."""
        if self.next_timer_us is None or now_us < self.next_timer_us:
            return None
        announcement = self.announcement
        self.withdraw()
        return announcement


DOUBT_AFTER_US = 500_000
"""A hand that begins to cover an offered cup within this long takes its doubt back."""
COVERED_AFTER_US = 350_000
"""A hand takes up to 0.23 s to cover the cup, and darkness counts after 0.1 s
(``firmware.input.gestures.light``): a doubt waits for this long after its bar is full."""
DOUBT_STEPS = 4
"""The number of steps of a doubt's bar, as of a hold's."""


class LiftedDoubt:
    """Light over the offered cup. Times in µs on the handheld's clock."""

    def __init__(self) -> None:
        self.progress: float | None = None
        """How full the bar of the doubt is: 0, 0.25 … 1; None while the cup is closed."""
        self.fell_short = False
        """Whether the last lift was too short for a doubt."""
        self._since_us = 0

    @property
    def next_timer_us(self) -> int | None:
        """When the doubt's bar moves next; None while the cup is closed."""
        if self.progress is None:
            return None
        if self.progress == 1.0:
            return self._since_us + DOUBT_AFTER_US + COVERED_AFTER_US
        return self._since_us + round((self.progress * DOUBT_STEPS + 1) * _STEP_US)

    def light(self, now_us: int) -> None:
        """Begin to fill the bar: light falls in."""
        self._since_us, self.progress, self.fell_short = now_us, 0.0, False

    def dark(self) -> None:
        """Take the doubt back: the cup is closed."""
        self.fell_short = self.fell_short or self.progress is not None
        self.progress = None

    def end(self) -> None:
        """Forget the last lift: nothing is offered any more, or nobody can tell."""
        self.progress, self.fell_short = None, False

    def tick(self, now_us: int) -> bool:
        """Return True, once, when the lift is a doubt: `COVERED_AFTER_US` after the bar is full."""
        if self.progress is None:
            return False
        lasted_us = now_us - self._since_us
        self.progress = min(lasted_us // _STEP_US / DOUBT_STEPS, 1.0)
        if lasted_us < DOUBT_AFTER_US + COVERED_AFTER_US:
            return False
        self.progress = None
        return True


_STEP_US = DOUBT_AFTER_US // DOUBT_STEPS


class FaultVerdict(Enum):
    """The effect of a sensed fault."""

    WARN = auto()
    """Only advice: this game or table does not count it, or it is not legal now."""
    COUNT = auto()
    """The fault is entered without a question."""
    ASK = auto()
    """The player is asked (``SensedFaults.prompt``)."""


class SensedFaults:
    """The faults of one player.

    Args:
        me: the player's seat.
        policy: "ask" the player, "strict" counts at once, "off" does neither. A forbidden look is
            no guess of the sensors: unless they are off, it counts at once.
    """

    def __init__(self, me: int, policy: Faults) -> None:
        self.prompt: FaultPrompt | None = None
        """The open question; None for none."""
        self._me = me
        self._policy = policy

    def sense(self, kind: FaultKind, match: AnyMatch, now_us: int) -> FaultVerdict:
        """Decide the effect of a sensed fault; ASK also opens ``prompt``."""
        if self._policy == "off" or illegality(match, self.fault(kind)) is not None:
            return FaultVerdict.WARN
        if self._policy == "strict" or kind is FaultKind.LOOK:
            return FaultVerdict.COUNT
        self.prompt = FaultPrompt(kind, now_us)
        return FaultVerdict.ASK

    def fault(self, kind: FaultKind) -> Fault:
        """Return the action of the rules for a fault of this player."""
        return Fault(kind, self._me)

    def answer(self) -> FaultKind:
        """Close the question, which must be open; return the fault it was about."""
        assert self.prompt is not None, "something was asked"
        kind, self.prompt = self.prompt.kind, None
        return kind

    def drop_if_idle(self, match: AnyMatch, *, holding: bool) -> bool:
        """Close the question when the cup has gone (not ``holding``) or the fault is not legal now.

        Returns True if a question was open and is closed now.
        """
        if self.prompt is None:
            return False
        if holding and illegality(match, self.fault(self.prompt.kind)) is None:
            return False
        self.prompt = None
        return True


PEEK_US = 4_000_000
"""A private look ends this long after it began, if not before."""


class PrivateLook:
    """Whether the holder looks at the own dice now. Times in µs on the handheld's clock."""

    def __init__(self) -> None:
        self.next_timer_us: int | None = None
        """When the look ends by itself; None while nobody looks."""
        self._by_pad = False

    @property
    def is_on(self) -> bool:
        """Whether the dice are being looked at."""
        return self.next_timer_us is not None

    def begin(self, now_us: int, *, by_pad: bool = False) -> None:
        """Look for `PEEK_US` from now; ``by_pad``: also only until the finger leaves the pad."""
        self.next_timer_us = now_us + PEEK_US
        self._by_pad = self._by_pad or by_pad

    def release_pad(self) -> None:
        """End a look that the finger on the pad began: it has left. Any other look goes on."""
        if self._by_pad:
            self.end()

    def end(self) -> None:
        """End the look."""
        self.next_timer_us = None
        self._by_pad = False

    def tick(self, now_us: int) -> None:
        """End a look that is over `PEEK_US` old."""
        if self.next_timer_us is not None and self.next_timer_us <= now_us:
            self.next_timer_us = None


SHAKING_US = 1_000_000
"""A shake is over when no ``Shaking`` came for this long; they come every 0.1 s."""


class ShakeFact(Enum):
    """The result of a shake."""

    RATTLES = auto()
    """The dice rattle; there may be more."""
    THROWS = auto()
    """It was long enough: the dice have fallen."""


class ShakeUnderway:
    """The shake that is under way. Times in µs on the handheld's clock."""

    def __init__(self) -> None:
        self.vigorous_us: int | None = None
        """The vigorous time of it in µs; None while nothing is shaken."""
        self.next_timer_us: int | None = None
        """When it ends without another ``Shaking``; None without a shake."""

    def on(
        self, shake: Shaking | Shaken | ShakeEnded, now_us: int, *, again: bool
    ) -> ShakeFact | Alert | None:
        """Follow a shake of a seat that may throw.

        Args:
            shake: the newest gesture of it.
            now_us: its time.
            again: dice lie under the cup, so that `REPEAT_SHAKE_US` of it must be vigorous.

        Returns the result, or the alert that says why the shake does not throw, or None for a shake
        that came to nothing by itself.
        """
        self.end()
        match shake:
            case ShakeEnded():
                return Alert.COVER_CUP if shake.uncovered else None
            case Shaking():
                self.vigorous_us = shake.vigorous_us
                self.next_timer_us = now_us + SHAKING_US
                return ShakeFact.RATTLES
            case Shaken():
                too_short = again and shake.vigorous_us < REPEAT_SHAKE_US
                return Alert.SHAKE_LONGER if too_short else ShakeFact.THROWS

    def end(self) -> None:
        """Forget the shake under way, if any."""
        self.vigorous_us = self.next_timer_us = None

    def tick(self, now_us: int) -> None:
        """End a shake without a ``Shaking`` for `SHAKING_US`."""
        if self.next_timer_us is not None and self.next_timer_us <= now_us:
            self.end()
