"""The state of the core of one seat: its parts, acts that take time, facts that need several parts.

These acts take time: a shake, a peek (R-CLASS-4), an announcement, a lift, a fault.

Numbers without a source are chosen.
"""

from enum import Enum, auto

from firmware.display.screens import Screen
from firmware.display.text.labels import Alert
from firmware.effects import Shell, earliest
from firmware.input.controls import Denial, Dial, FaultPrompt, Pad, variants
from firmware.input.gestures import Pose, ShakeEnded, Shaken, Shaking
from firmware.play.presenter import PlayView
from firmware.play.turn.draft import OpenThrow, can_throw
from firmware.play.turn.offers import (
    REPEAT_SHAKE_US,
    Offering,
    OpenDial,
    may_look,
    menu,
    offering,
    second_dial,
)
from firmware.play.turn.overlays import Overlays
from firmware.play.turn.sound_cues import SoundCues
from firmware.settings import Faults
from firmware.table.seat.cup_custody import ACTING, Position
from firmware.table.seat.parts import Mode, SeatParts
from firmware.table.seat.voting import gone
from game import AnyMatch, Phase, illegality, view
from game.actions import Action, Announce, Fault, FaultKind, Say
from game.dice import Dice

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


SENSING = (*ACTING, Position.TAKING)
"""Positions in which the cup is here, or about to come."""


class PlayState:
    """The parts of a core. They do not know each other.

    Args:
        own_seat: its log and its part of the cup's way.
        faults: the effect of a fault that the sensors notice: see ``SensedFaults``.
    """

    def __init__(self, own_seat: SeatParts, faults: Faults) -> None:
        self.now_us = 0
        self.screen: Screen | None = None
        """The screen for this player; None before the first one."""
        self.own_seat = own_seat
        self.me = own_seat.seat
        self.pad = Pad()
        self.shake = ShakeUnderway()
        self.look = PrivateLook()
        self.announcing = Announcing()
        self.doubt = LiftedDoubt()
        self.faults = SensedFaults(self.me, faults)
        self.throw = OpenThrow(own_seat)
        self.overlays = Overlays()
        self.cues = SoundCues(self.me)
        self.shell = Shell()
        """The handheld's own, from ``start`` on."""
        self.open_dial = OpenDial()
        self.menu_open = False
        self.too_dark = False
        self.can_forget = False
        """Whether there is a lobby to go to from this table …"""
        self.forgot = False
        """… and whether this player has left for it."""
        self.carrier: int | None = None
        """The seat that carries frames between those that do not reach each other; None for
        none."""
        self.here: dict[int, bool] = {}
        """Whether a handheld can be reached, by seat, as far as a link has reported."""
        self.can_hint = False
        """Whether this player may ask for hints, which the owner of the core gives …"""
        self.asks_hint = False
        """… and whether the player asks for one."""

    @property
    def match(self) -> AnyMatch:
        """The match as far as this handheld knows it; its own covered dice are in it."""
        return self.own_seat.match

    @property
    def position(self) -> Position:
        """The place of this handheld on the cup's way."""
        return self.own_seat.position

    @property
    def next_timer_us(self) -> int | None:
        """The earliest time in µs at which a part has something to do; None if none has."""
        pad_us = self.pad.next_step_us(self.now_us) if self.hold_counts else None
        return earliest(
            [
                self.own_seat.next_timer_us,
                self.cues.next_timer_us,
                self.overlays.next_timer_us,
                self.announcing.next_timer_us,
                self.doubt.next_timer_us,
                self.look.next_timer_us,
                self.shake.next_timer_us,
                self.pad.armed_us,
                pad_us,
            ]
        )

    def may(self, action: Action) -> bool:
        """Return whether the player here can do this now."""
        return self.position is Position.MINE and illegality(self.match, action) is None

    @property
    def may_throw(self) -> bool:
        """Whether a shake throws now, with the dice that the draft sets aside."""
        return self.position is Position.MINE and can_throw(self.match, self.throw.draft)

    @property
    def own_dice(self) -> Dice | None:
        """The covered dice while their holder looks at them (R-CLASS-4, R-HF-1); else None."""
        looks = self.look.is_on and self.position is Position.MINE and may_look(self.match)
        return self.own_seat.dice if looks else None

    @property
    def hold_counts(self) -> bool:
        """Whether a hold does something: it answers a question, or the entry wants one."""
        dial = self.open_dial.dial
        return self.faults.prompt is not None or (dial is not None and dial.entry.holds)

    @property
    def hidden(self) -> bool:
        """Whether advice, a fault of a part or another player's question hides the game."""
        has_question = self.own_seat.open_question is not None
        return bool(self.shell.part_alerts) or self.overlays.notice is not None or has_question

    @property
    def sees_round_end(self) -> bool:
        """Whether the display shows the end of a round, not an open throw before it."""
        return self.overlays.reads_end and not (self.throw.lifted or self.throw.fresh)

    @property
    def missed(self) -> int | None:
        """The seat that would carry between here and the seat to act, and is gone; else None."""
        carrier, to_act = self.carrier, self.match.to_act
        if carrier is None or to_act in (None, self.me, carrier):
            return None
        alone = not self.here.get(carrier, True) and not self.here.get(to_act, False)
        return carrier if alone else None

    @property
    def senses(self) -> bool:
        """Whether gestures are to be sensed at the full rate."""
        offers = self.position is Position.PASSING and self.match.phase is Phase.OFFERED
        reads = self.menu_open or self.overlays.help is not None
        return self.position in SENSING or offers or reads

    def offers(self) -> Offering | None:
        """Return the entries that the dial is to offer now; None if there is to be no dial."""
        if self.menu_open:
            absent = gone(self.own_seat, self.now_us)
            return menu(self.match, self.me, absent, forgets=self.can_forget, hints=self.can_hint)
        if self.announcing.choosing is not None:
            return second_dial(self.match, self.announcing.choosing)
        if self.position in ACTING:
            return offering(self.position, self.match, shows=self.throw.can_be_shown)
        return None

    def view(self) -> PlayView:
        """Return the data that the display depends on; no covered dice but ``own_dice``."""
        seat, throw, overlays = self.own_seat, self.throw, self.overlays
        prompt, own_dice, dial = self.faults.prompt, self.own_dice, self.open_dial.dial
        return PlayView(
            match=view(self.match, None),
            seat=self.me,
            position=self.position,
            holding=seat.holding,
            progress=seat.progress(self.now_us),
            is_gone=self.match.to_act is not None and not self.here.get(self.match.to_act, True),
            missed=self.missed,
            answered=seat.given_answer,
            behind=seat.behind,
            unchecked=seat.unchecked,
            returning=seat.mode is Mode.RETURNING,
            leaving=seat.waits_to_leave,
            trouble=seat.trouble,
            part_alert=self.shell.part_alerts.screen,
            prompt=None if prompt is None else prompt.kind,
            open_question=seat.open_question,
            own_dice=own_dice,
            tower=own_dice is not None and seat.tower,
            too_dark=self.too_dark,
            offer_armed=self.pad.armed,
            doubt=self.doubt.progress,
            doubt_fell_short=self.doubt.fell_short,
            shaking_us=self.shake.vigorous_us,
            may_throw=self.may_throw,
            announcing=self.announcing.announcement,
            choosing=self.announcing.choosing,
            thrown=throw.last,
            lifted=throw.lifted,
            fresh=throw.fresh,
            draft=throw.draft,
            notice=overlays.notice,
            help_page=None if overlays.help is None else overlays.help.index,
            scores=overlays.scores_until_us is not None,
            menu_open=self.menu_open,
            round_end=overlays.round_end,
            reads_end=overlays.reads_end,
            dial=None if dial is None else dial.view,
            hold_progress=self.pad.progress(self.now_us) if self.hold_counts else None,
            volume=self.shell.volume,
        )
