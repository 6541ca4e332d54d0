"""The core of a handheld: gestures and frames in, effects out. No I/O, no clock, no chance.

One grammar for every game: a shake throws, a lift looks or doubts, a tilt moves the highlight of
the dial, a tap does the highlighted thing, a hold does it where it cannot be taken back. What can
be done where is the dial's business (``firmware.turn``), the record and the cup's way are
``firmware.passing``'s, and how it all looks is ``firmware.face``'s. Here it is decided what a
gesture means.

The dice are a secret. They are part of a screen only while ``sees_own_dice`` or after a reveal, and
when they leave it, a Blank goes out before the next picture.
"""

from collections.abc import Callable
from typing import NamedTuple

from firmware.dial import OFF_DEG, ON_DEG, Choice, Dial, Go, Scores
from firmware.effects import (
    Blank,
    Effect,
    Part,
    PartFailed,
    PartWell,
    Received,
    Report,
    Sense,
    Show,
    Stored,
    Tick,
)
from firmware.ending import Ending, ending_of
from firmware.face import screen_of, shows_dice
from firmware.gestures import (
    Covered,
    Dropped,
    Gesture,
    Held,
    Lifted,
    Pose,
    Pressed,
    Released,
    ShakeEnded,
    Shaken,
    Shaking,
    Tap,
    TooDark,
)
from firmware.passing import Passing
from firmware.screens import Screen, Told
from firmware.texts import Message
from firmware.turn import REPEAT_SHAKE_US, Position, may_look, offering
from game import Match, Phase, illegality
from game.actions import Action, Announce, Believe, Doubt, GiveIn, Look, Roll, ShowMaexchen
from game.events import Rolled
from game.values import Dice

ARMED_AFTER_US = 800_000
"""An offer can be answered once it has stood this long and the pad was free."""
DOUBT_AFTER_US = 500_000
"""Light over an offered cup is a doubt only after this long; covering it before takes it back."""
LOOK_US = 4_000_000
"""A private look ends after this long, until the cup has been covered."""
ANNOUNCING_US = 1_000_000
"""An announcement stands this long, and a tilt takes it back, before it is said."""
HOLD_US = 800_000
"""A hold; the bar moves in quarters of it."""
HOLD_STEPS = 4
SHAKING_US = 1_000_000
"""A shake is told of every 0.1 s; one of which nothing more is heard for so long is over."""
NOTICE_US = 2_500_000
"""A word of advice stays this long."""
SCORES_US = 6_000_000
"""The standings stay this long, or until a tap."""
LAST_ENDING_US = 8_000_000
"""The end of the last round stays this long, or until a tap; then the end of the match follows."""

_SENSING = (Position.OFFERED, Position.TAKING, Position.MINE, Position.TO_PASS)


class Announcing(NamedTuple):
    """A value that is about to be said, at ``said_us``. ``levelled``: a tilt now takes it back."""

    value: int
    said_us: int
    levelled: bool = False


class Notice(NamedTuple):
    """A word of advice, until ``until_us``."""

    message: Message
    until_us: int


class Handheld:
    """One handheld at a table.

    Args:
        passing: the record and the cup, as far as they are here.
        entropy: returns that many random bytes; the only source of chance.
    """

    def __init__(self, passing: Passing, entropy: Callable[[int], bytes]) -> None:
        self.passing = passing
        self.seat = passing.seat
        self.dial: Dial | None = None
        self.screen: Screen | None = None
        self.ending: Ending | None = None
        self.ending_open = False
        """Whether the dice of the ending are (still) to be seen."""
        self.announcing: Announcing | None = None
        self.doubting_since_us: int | None = None
        self.shaking_us: int | None = None
        self.notice: Notice | None = None
        self.faults: dict[Part, Screen] = {}
        self.too_dark = False
        self.offer_armed = False
        self.scores_until_us: int | None = None
        self._ending_until_us: int | None = None
        self._shaking_until_us: int | None = None
        self.now_us = 0
        self._entropy = entropy
        self._looking_since_us: int | None = None
        self._pad_looking = False
        self._pressed_us: int | None = None
        self._pad_was_free = True
        self._offer_since_us: int | None = None
        self._place: object = None
        self._generation = 0
        self._sensing: bool | None = None

    @property
    def match(self) -> Match:
        """The match as far as this handheld knows it."""
        return self.passing.match

    @property
    def position(self) -> Position:
        """Where this handheld stands on the cup's way."""
        return self.passing.position

    @property
    def sees_own_dice(self) -> Dice | None:
        """The dice in the cup, while their holder is looking at them (R-CLASS-4); else None."""
        looking = self._looking_since_us is not None
        if looking and self.position is Position.MINE and may_look(self.match):
            return self.passing.dice
        return None

    @property
    def hold_progress(self) -> float | None:
        """How far a hold on the highlighted entry has come, in quarters; None without one."""
        if self._pressed_us is None or self.dial is None or not self.dial.entry.holds:
            return None
        held_us = min(self.now_us - self._pressed_us, HOLD_US)
        return held_us * HOLD_STEPS // HOLD_US / HOLD_STEPS

    @property
    def next_timer_us(self) -> int | None:
        """When a Tick is due; None if nothing is waiting for time to pass."""
        times = [self.passing.next_timer_us, self.scores_until_us, self._ending_until_us]
        if self.announcing is not None:
            times.append(self.announcing.said_us)
        if self.doubting_since_us is not None:
            times.append(self.doubting_since_us + DOUBT_AFTER_US)
        if self._looking_since_us is not None:
            times.append(self._looking_since_us + LOOK_US)
        if self.shaking_us is not None:
            times.append(self._shaking_until_us)
        if self.notice is not None:
            times.append(self.notice.until_us)
        if self._offer_since_us is not None and not self.offer_armed and self._pad_was_free:
            times.append(self._offer_since_us + ARMED_AFTER_US)
        if self.hold_progress not in (None, 1.0) and self._pressed_us is not None:
            done = (self.now_us - self._pressed_us) * HOLD_STEPS // HOLD_US
            times.append(self._pressed_us + -(-(done + 1) * HOLD_US // HOLD_STEPS))
        return min((time for time in times if time is not None), default=None)

    def start(self, now_us: int) -> list[Effect]:
        """Go on from where the journal left off; return what is to be done."""
        self.passing.start(now_us)
        if self.position is Position.TO_PASS:
            self.passing.pass_on(now_us)  # how the last round ended was read before
        return self.handle(Tick(), now_us)

    def handle(self, what: Gesture | Report, now_us: int) -> list[Effect]:
        """Take in what happened, and return what is to be done, in order.

        Args:
            what: a gesture or a report. One of a time that has passed counts as of now.
            now_us: never smaller than in the call before.
        """
        self.now_us = max(self.now_us, now_us)
        match what:
            case Shaking() | Shaken() | ShakeEnded():
                self._on_shake(what)
            case Lifted():
                self._on_lifted()
            case Covered():
                self._on_covered()
            case Pressed() | Tap() | Held() | Released():
                self._on_touch(what)
            case Pose():
                self._on_pose(what)
            case Dropped():
                if self.passing.holding:
                    self._advise(Message.DROPPED)
            case TooDark(too_dark=too_dark):
                self.too_dark = too_dark
                if too_dark and self.position in _SENSING:
                    self._advise(Message.TOO_DARK)
            case Received(seat, frame):
                self.passing.receive(seat, frame, self.now_us)
            case Stored(ticket, trouble):
                self.passing.stored(ticket, trouble)
            case PartFailed(part, wrong):
                self.faults[part] = (
                    Told(_FAULTS[part]) if wrong is None else Told(Message.WRONG_PART, wrong)
                )
                self._break_off()
            case PartWell(part):
                self.faults.pop(part, None)
            case Tick():
                pass
        self._let_time_pass()
        self._take_in_events()
        self._settle()
        return self._effects()

    # What gestures mean

    def _on_shake(self, shake: Shaking | Shaken | ShakeEnded) -> None:
        may_throw = self._may(Roll()) and self.announcing is None
        again = self.match.rolls > 0
        self.shaking_us = None
        if isinstance(shake, ShakeEnded):
            if may_throw and shake.uncovered:
                self._advise(Message.COVER_CUP)
        elif not may_throw:
            if isinstance(shake, Shaken) and self.position is Position.MINE:
                self._advise(Message.NO_THROW)
        elif isinstance(shake, Shaking):
            self._stop_looking()
            self.shaking_us = shake.vigorous_us
            self._shaking_until_us = self.now_us + SHAKING_US
        elif again and shake.vigorous_us < REPEAT_SHAKE_US:
            self._advise(Message.SHAKE_LONGER)
        else:
            self._throw()

    def _break_off(self) -> None:
        """A fault hides what was going on: nothing goes on behind it."""
        self._stop_looking()  # darkness might go unnoticed
        self.doubting_since_us = self.shaking_us = None
        if self.announcing is not None and self.dial is not None:
            self.announcing = None
            self.dial.centre()

    def _on_lifted(self) -> None:
        if self.faults:
            return
        self.scores_until_us = None
        if self.position is Position.OFFERED:
            if self.offer_armed:
                self.doubting_since_us = self.now_us
        elif self.position is Position.MINE and self.announcing is None:
            if may_look(self.match):
                self._look()
                self._looking_since_us = self.now_us
            elif self.ending is None or not self.ending_open:
                self._advise(_LOOK_REFUSED[self.match.phase])

    def _on_covered(self) -> None:
        self.doubting_since_us = None
        self._stop_looking()
        if self.passing.holding:
            self.ending_open = False

    def _on_touch(self, touch: Pressed | Tap | Held | Released) -> None:
        if isinstance(touch, Pressed):
            self._pressed_us = self.now_us
            return
        if isinstance(touch, Held):
            if self._attends:
                self._do_held()
            return
        self._pressed_us = None
        self._pad_was_free = True
        if self._pad_looking:
            self._stop_looking()
        if isinstance(touch, Tap) and self._attends:
            self._do_tapped()

    @property
    def _attends(self) -> bool:
        """Whether the pad does anything now: nothing that is hidden behind another screen."""
        if self.faults or self.notice is not None or self.sees_own_dice is not None:
            return False
        if self.position is Position.OFFERED:
            return self.offer_armed
        return self.announcing is None

    def _do_tapped(self) -> None:
        if self.scores_until_us is not None:
            self.scores_until_us = None
        elif self._ending_until_us is not None:
            self._ending_until_us = self.now_us
        elif self.ending_open and self.position is Position.MINE:
            self.ending_open = False
        elif self.dial is None:
            self.scores_until_us = self.now_us + SCORES_US
        elif not self.dial.entry.holds:
            self._choose(self.dial.entry.choice)

    def _do_held(self) -> None:
        if self.scores_until_us is None and self.dial is not None and self.dial.entry.holds:
            self._choose(self.dial.entry.choice)

    def _choose(self, choice: Choice | None) -> None:
        match choice:
            case None:
                pass
            case Go():
                self.ending_open = False
                self.passing.pass_on(self.now_us)
            case Scores():
                self.scores_until_us = self.now_us + SCORES_US
            case Announce(value):
                self.announcing = Announcing(value, self.now_us + ANNOUNCING_US)
            case Believe() | Doubt() | GiveIn():
                self.passing.answer(choice, self.now_us)
            case Look():
                self._look()
                self._looking_since_us = self.now_us
                self._pad_looking = True
            case Roll():
                self._throw()
            case ShowMaexchen() if illegality(self.match, choice) is not None:
                self._advise(Message.NO_MAEXCHEN)
            case _:
                self.passing.act(choice, self.now_us)

    def _on_pose(self, pose: Pose) -> None:
        if self.dial is None:
            return
        touched = self._pressed_us is not None
        if self.announcing is None:
            if self.dial.tilt(pose, touched) and self.position is Position.MINE:
                self.ending_open = False
            return
        angle_deg = self.dial.angle_deg(pose)
        if angle_deg is None or touched or not pose.still:
            return
        if abs(angle_deg) < OFF_DEG:
            self.announcing = self.announcing._replace(levelled=True)
        elif abs(angle_deg) >= ON_DEG and self.announcing.levelled:
            self.announcing = None
            self.dial.centre()

    # What the core does

    def _may(self, action: Action) -> bool:
        return self.position is Position.MINE and illegality(self.match, action) is None

    def _throw(self) -> None:
        if self._may(Roll()):
            self._stop_looking()
            dice = (self._die(), self._die())
            self.passing.act(Roll((max(dice), min(dice))), self.now_us)

    def _die(self) -> int:
        while (byte := self._entropy(1)[0]) >= 252:
            pass
        return byte % 6 + 1

    def _look(self) -> None:
        if self._may(Look()):
            self.passing.act(Look(), self.now_us)

    def _stop_looking(self) -> None:
        self._looking_since_us = None
        self._pad_looking = False

    def _advise(self, message: Message) -> None:
        self.notice = Notice(message, self.now_us + NOTICE_US)

    def _let_time_pass(self) -> None:
        now_us = self.now_us
        self.passing.tick(now_us)
        if self.announcing is not None and self.announcing.said_us <= now_us:
            action = Announce(self.announcing.value)
            self.announcing = None
            if self._may(action):
                self.passing.act(action, now_us)
                self.passing.pass_on(now_us)
        if (since_us := self.doubting_since_us) is not None and since_us + DOUBT_AFTER_US <= now_us:
            self.doubting_since_us = None
            if self.position is Position.OFFERED:
                self.passing.answer(Doubt(), now_us)
        if (since_us := self._looking_since_us) is not None and since_us + LOOK_US <= now_us:
            self._looking_since_us = None
        if self._shaking_until_us is not None and self._shaking_until_us <= now_us:
            self.shaking_us = self._shaking_until_us = None
        if self.notice is not None and self.notice.until_us <= now_us:
            self.notice = None
        if self.scores_until_us is not None and self.scores_until_us <= now_us:
            self.scores_until_us = None
        if self._ending_until_us is not None and self._ending_until_us <= now_us:
            self._ending_until_us = None
            self.ending_open = False

    def _take_in_events(self) -> None:
        for step in self.passing.take_steps():
            self.notice = None
            ended = ending_of(step)
            if ended is not None:
                self.ending = ended
                self.ending_open = True
                if step.match.outcome is not None:
                    self._ending_until_us = self.now_us + LAST_ENDING_US
            elif step.match.outcome is not None or any(
                isinstance(event, Rolled) for event in step.events
            ):
                self.ending = None
                self.ending_open = False

    def _settle(self) -> None:
        """Make the dial and the offer follow the position."""
        position = self.position
        place = (position, self.passing.hop, self.match.turn)
        if place != self._place:
            self._place = place
            self.announcing = self.shaking_us = self.doubting_since_us = None
            self._stop_looking_unless_allowed()
            self._offer_since_us = self.now_us if position is Position.OFFERED else None
            self.offer_armed = False
            self._pad_was_free = self._pressed_us is None
            held, tapped = offering(position, self.match).entries()
            acts = position in (Position.OFFERED, Position.MINE, Position.TO_PASS)
            self.dial = Dial(held, tapped, self.now_us) if acts else None
            if acts:
                self.scores_until_us = None
        since_us = self._offer_since_us
        if since_us is not None and (self.faults or self.notice is not None):
            self._offer_since_us = self.now_us
            self.offer_armed = False
        elif since_us is not None and self._pad_was_free:
            self.offer_armed = self.offer_armed or since_us + ARMED_AFTER_US <= self.now_us

    def _stop_looking_unless_allowed(self) -> None:
        if self.position is not Position.MINE or not may_look(self.match):
            self._stop_looking()

    def _effects(self) -> list[Effect]:
        effects: list[Effect] = list(self.passing.take_effects())
        sensing = self.position in _SENSING
        if sensing != self._sensing:
            self._sensing = sensing
            effects.append(Sense(fully=sensing))
        screen = screen_of(self)
        if screen != self.screen:
            if self.screen is not None and shows_dice(self.screen) and not shows_dice(screen):
                self._generation += 1
                effects.insert(0, Blank(self._generation))
            self.screen = screen
            effects.append(Show(screen, self._generation))
        return effects


_FAULTS = {
    Part.ACCELEROMETER: Message.ACCELEROMETER,
    Part.PANEL: Message.DISPLAY,
    Part.LIGHT: Message.LIGHT_SENSOR,
}

_LOOK_REFUSED = {
    Phase.OPENING: Message.THROW_FIRST,
    Phase.BELIEVED: Message.NO_LOOK,
    Phase.THROWN: Message.NO_LOOK,
}
