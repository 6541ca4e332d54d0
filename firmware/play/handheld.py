"""The core of a handheld: gestures and frames in, effects out. No I/O, no clock, no chance.

One grammar for every game: a shake throws, a lift looks, doubts or shows, a tilt moves the
highlight of the dial, a tap does the highlighted thing, a hold does it where it cannot be taken
back. Here it is decided what a gesture means. What can be done where is the dial's business
(``firmware.play.turn.offers``); the record and the cup's way are ``firmware.table.seat.seat``'s;
what stands to be read, what an open throw is drafted into and how it all looks are
``firmware.play.turn.overlays``'s, ``firmware.play.turn.open_throw``'s and
``firmware.play.presenter.screen_of``'s.

Covered dice are a secret. They are part of a screen only while ``sees_own_dice`` or after a reveal,
and when dice leave a screen, a Blank goes out before the next picture.
"""

from typing import NamedTuple

from firmware.display.screens import Screen
from firmware.display.text.alerts import Alert
from firmware.effects.effects import Beep, Effect, KeepVolume, Sense
from firmware.effects.part_alerts import PartAlerts
from firmware.effects.reports import PartFailed, PartWell, Received, Report, Stored, Tick
from firmware.effects.shown_screen import ShownScreen
from firmware.effects.sounds import USUAL_VOLUME, VOLUMES, Sound
from firmware.input.controls.announcements import variants
from firmware.input.controls.choice import (
    Back,
    Choice,
    Die,
    Forget,
    Go,
    Help,
    Loudness,
    More,
    Page,
    Pick,
    Scores,
    ShowThrow,
    Without,
)
from firmware.input.controls.dial import OFF_DEG, ON_DEG, Dial
from firmware.input.controls.fault_prompt import FaultPrompt
from firmware.input.controls.pad import Pad
from firmware.input.gestures.gesture import (
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
from firmware.play.presenter.screen_of import screen_of
from firmware.play.presenter.view import PlayView
from firmware.play.turn import advice
from firmware.play.turn.draft import Draft, can_throw, keep_of
from firmware.play.turn.menu import menu, second_dial
from firmware.play.turn.offers import REPEAT_SHAKE_US, may_look, offering
from firmware.play.turn.open_throw import OpenThrow
from firmware.play.turn.overlays import Notice, Overlays
from firmware.play.turn.round_end import BluffRoundEnd, OpenRoundEnd
from firmware.play.turn.sound_cues import SoundCues
from firmware.settings.table import Faults
from firmware.table.seat.position import Position
from firmware.table.seat.seat import Seat
from game import AnyMatch, Match, Phase, covers_next, illegality, view
from game.actions import (
    Action,
    Announce,
    Believe,
    Doubt,
    Fault,
    FaultKind,
    GiveIn,
    Leave,
    Lift,
    Look,
    Refuse,
    Roll,
    Say,
    ShowMaexchen,
    ShowTower,
    StopMatch,
    VoidRound,
)
from game.dice import Dice

DOUBT_AFTER_US = 500_000
"""Light over an offered cup is a doubt only after this long; covering it before takes it back."""
LOOK_US = 4_000_000
"""A private look ends after this long, until the cup has been covered."""
ANNOUNCING_US = 1_000_000
"""An announcement stands this long, and a tilt takes it back, before it is said."""
SHAKING_US = 1_000_000
"""A shake is told of every 0.1 s; one of which nothing more is heard for so long is over."""

_SENSING = (Position.OFFERED, Position.TAKING, Position.MINE, Position.TO_PASS)


class Announcing(NamedTuple):
    """Something about to be said, at ``said_us``. ``levelled``: a tilt now takes it back."""

    said: Announce | Say
    said_us: int
    levelled: bool = False


class Handheld:
    """One handheld at a table.

    Args:
        passing: the record and the cup, as far as they are here.
        faults: what becomes of a fault that the sensors notice (R-PHYS-7, R-HF-5): "ask" its
            player, "strict" counts it, "off" does neither. A forbidden look is no guess: unless
            they are off, it counts at once.
    """

    def __init__(self, passing: Seat, faults: Faults = "ask") -> None:
        self.passing = passing
        self.seat = passing.seat
        self.reading = Overlays()
        self.throw = OpenThrow(self.seat, passing.match)
        self.dial: Dial | None = None
        self._level_deg: float | None = None
        self._shown = ShownScreen()
        self.announcing: Announcing | None = None
        self.choosing: Announce | Say | None = None
        """What is to be announced, while a second dial asks for what can be added to it."""
        self.asking: FaultPrompt | None = None
        self.menu_open = False
        self.doubting_since_us: int | None = None
        self.shaking_us: int | None = None
        self.part_alerts = PartAlerts()
        self.can_forget = False
        """Whether there is a lobby to go to from this table …"""
        self.forgot = False
        """… and whether this player has gone."""
        self.too_dark = False
        self.volume = USUAL_VOLUME
        """Of its sounds: 0, silence, to 3."""
        self.pad = Pad()
        self.now_us = 0
        self._counted = faults
        self._shaking_until_us: int | None = None
        self._looking_since_us: int | None = None
        self._pad_looking = False
        self._place: object = None
        self._dial_of: object = None
        self._wished: frozenset[object] = frozenset()
        self._gone: frozenset[int] = frozenset()
        self._sensing: bool | None = None
        self._hearing = SoundCues(self.seat)
        self._keep_volume = False
        self._taken_in: AnyMatch = passing.match

    @property
    def match(self) -> AnyMatch:
        """The match as far as this handheld knows it."""
        return self.passing.match

    @property
    def screen(self) -> Screen | None:
        """What the display shows; None before ``start``."""
        return self._shown.screen

    @property
    def position(self) -> Position:
        """Where this handheld stands on the cup's way."""
        return self.passing.position

    @property
    def notice(self) -> Notice | None:
        """The word of advice on the display."""
        return self.reading.notice

    @property
    def ending(self) -> BluffRoundEnd | OpenRoundEnd | None:
        """How the last round ended, until the next throw."""
        return self.reading.ending

    @property
    def offer_armed(self) -> bool:
        """Whether the offer on the display can be answered now."""
        return self.pad.armed

    @property
    def draft(self) -> Draft:
        """What is to become of each die of my throw; empty where no dice are set aside."""
        return self.throw.draft

    @property
    def may_throw(self) -> bool:
        """Whether a shake throws now, with what the draft sets aside."""
        return self.position is Position.MINE and can_throw(self.match, self.draft)

    @property
    def sees_own_dice(self) -> Dice | None:
        """The covered dice while their holder looks at them (R-CLASS-4, R-HF-1); else None."""
        looking = self._looking_since_us is not None
        if looking and self.position is Position.MINE and may_look(self.match):
            return self.passing.dice
        return None

    @property
    def hold_progress(self) -> float | None:
        """How far a hold that does something has come, in quarters; None without one."""
        return self.pad.progress(self.now_us) if self._hold_counts else None

    @property
    def _hold_counts(self) -> bool:
        return self.asking is not None or (self.dial is not None and self.dial.entry.holds)

    @property
    def next_timer_us(self) -> int | None:
        """When a Tick is due; None if nothing is waiting for time to pass."""
        times = [self.passing.next_timer_us, self.reading.next_timer_us, self.pad.armed_us]
        times.append(self._hearing.next_timer_us)
        if self.announcing is not None:
            times.append(self.announcing.said_us)
        if self.doubting_since_us is not None:
            times.append(self.doubting_since_us + DOUBT_AFTER_US)
        if self._looking_since_us is not None:
            times.append(self._looking_since_us + LOOK_US)
        if self.shaking_us is not None:
            times.append(self._shaking_until_us)
        if self._hold_counts:
            times.append(self.pad.next_step_us(self.now_us))
        return min((time for time in times if time is not None), default=None)

    def view(self) -> PlayView:
        """All that the display, or whoever looks at it, may know now."""
        seat, throw, overlays, own_dice = self.passing, self.throw, self.reading, self.sees_own_dice
        return PlayView(
            match=view(self.match, None),
            seat=self.seat,
            position=self.position,
            progress=seat.progress(self.now_us),
            answered=seat.answered,
            behind=seat.behind,
            unchecked=seat.unchecked,
            leaving=seat.waits_to_leave,
            trouble=seat.trouble,
            part_alert=self.part_alerts.screen,
            asking=None if self.asking is None else self.asking.kind,
            asked=seat.asked,
            own_dice=own_dice,
            tower=own_dice is not None and seat.tower,
            too_dark=self.too_dark,
            offer_armed=self.pad.armed,
            doubting=self.doubting_since_us is not None,
            shaking_us=self.shaking_us,
            may_throw=self.may_throw,
            announcing=None if self.announcing is None else self.announcing.said,
            choosing=self.choosing,
            thrown=throw.last,
            lifted=throw.shown,
            fresh=throw.fresh,
            draft=throw.draft,
            notice=overlays.notice,
            help_page=None if overlays.help is None else overlays.help.index,
            scores=overlays.scores_until_us is not None,
            menu_open=self.menu_open,
            round_end=overlays.ending,
            reads_end=overlays.ending_open,
            dial=None if self.dial is None else self.dial.view,
            hold_progress=self.hold_progress,
            volume=self.volume,
        )

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
        if isinstance(what, _STIRS):
            self._hearing.stir(self.now_us)
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
                    self._mishandled(FaultKind.DROP, Alert.DROPPED)
            case TooDark(too_dark=too_dark):
                self.too_dark = too_dark
                if too_dark and self.position in _SENSING:
                    self._advise(Alert.TOO_DARK)
            case Received(frame=frame):
                self.passing.receive(frame, self.now_us)
            case Stored(ticket, trouble):
                self.passing.stored(ticket, trouble)
            case PartFailed():
                self.part_alerts.report(what)
                self._break_off()
            case PartWell():
                self.part_alerts.report(what)
            case Tick():
                pass
        self._let_time_pass()
        self._take_in_steps()
        self._settle()
        return self._effects()

    # What gestures mean

    def _on_shake(self, shake: Shaking | Shaken | ShakeEnded) -> None:
        may_throw = self.may_throw and self.announcing is None and self.asking is None
        again = self.match.phase is Phase.THROWN
        self.shaking_us = None
        if isinstance(shake, ShakeEnded):
            if may_throw and shake.uncovered:
                self._advise(Alert.COVER_CUP)
        elif not may_throw:
            if isinstance(shake, Shaken):
                self._shaken_in_vain()
        elif isinstance(shake, Shaking):
            self._stop_looking()
            self.throw.cover()
            self._hearing.note(Sound.RATTLE)
            self.shaking_us = shake.vigorous_us
            self._shaking_until_us = self.now_us + SHAKING_US
        elif again and shake.vigorous_us < REPEAT_SHAKE_US:
            self._advise(Alert.SHAKE_LONGER)
        else:
            self._throw()

    def _shaken_in_vain(self) -> None:
        if self.position is Position.MINE:
            self._advise(advice.throw_refused(self.match, self.draft))
        elif self.position is Position.PASSING and self.match.phase is Phase.OFFERED:
            self._mishandled(FaultKind.MOVE, Alert.FAULT_WARNED)

    def _mishandled(self, kind: FaultKind, warning: Alert) -> None:
        """The sensors noticed a fault of this player. A game that does not know it only warns."""
        fault = Fault(kind, self.seat)
        if self._counted == "off" or illegality(self.match, fault) is not None:
            self._advise(warning)
        elif self._counted == "strict" or kind is FaultKind.LOOK:
            self.passing.request(fault, self.now_us)
        else:
            self.asking = FaultPrompt(kind, self.now_us)
            self.passing.ask(kind)

    def _answer_question(self, *, counts: bool) -> None:
        assert self.asking is not None, "something was asked"
        kind, self.asking = self.asking.kind, None
        self.passing.ask(None)
        if counts:
            self.passing.request(Fault(kind, self.seat), self.now_us)

    def _break_off(self) -> None:
        """A fault hides what was going on: nothing goes on behind it."""
        self._stop_looking()  # darkness might go unnoticed
        self.throw.cover()
        self.doubting_since_us = self.shaking_us = None
        if self.announcing is not None and self.dial is not None:
            self.announcing = None
            self.dial.centre()

    def _on_lifted(self) -> None:
        if self.part_alerts or self.asking is not None or self.passing.asked is not None:
            return
        self.reading.make_room()
        if self.position is Position.OFFERED:
            if self.offer_armed:
                self.doubting_since_us = self.now_us
        elif self.throw.mine is not None and self.position in (Position.MINE, Position.TO_PASS):
            self._show_throw()
        elif self.position is Position.MINE and self.announcing is None:
            self._lift_own_cup()

    def _lift_own_cup(self) -> None:
        if self._may(Lift()):
            self._lift_before_all()
        elif may_look(self.match):
            self._look()
            self._looking_since_us = self.now_us
        elif not self.reading.ending_open:
            self._mishandled(FaultKind.LOOK, advice.look_refused(self.match))

    def _lift_before_all(self) -> None:
        bluff = isinstance(self.match, Match)
        self._act(Lift(self.passing.dice, self.passing.tower) if bluff else Lift())

    def _show_throw(self) -> None:
        self.throw.show()
        self.passing.show(self.now_us)

    def _on_covered(self) -> None:
        self.doubting_since_us = None
        self._stop_looking()
        self.throw.cover()
        if self.passing.holding and isinstance(self.ending, BluffRoundEnd):
            self.reading.ending_open = False

    def _on_touch(self, touch: Pressed | Tap | Held | Released) -> None:
        if isinstance(touch, Pressed):
            self.pad.press(self.now_us)
            return
        if isinstance(touch, Held):
            if self._attends:
                self._do_held()
            return
        self.pad.release()
        if self._pad_looking:
            self._stop_looking()
        if isinstance(touch, Tap) and self._attends and self.asking is None:
            self._do_tapped()

    @property
    def _attends(self) -> bool:
        """Whether the pad does anything now: nothing that is hidden behind another screen."""
        if self._hidden or self.sees_own_dice is not None:
            return False
        if self.position is Position.OFFERED:
            return self.offer_armed
        return self.announcing is None

    @property
    def _hidden(self) -> bool:
        """Whether advice, a fault of a part or another player's question hides what goes on."""
        asked = self.passing.asked is not None
        return bool(self.part_alerts) or self.notice is not None or asked

    def _do_tapped(self) -> None:
        if self.reading.close():
            pass
        elif self._reads_ending and self.position is Position.MINE:
            self.reading.ending_open = False
        elif self.dial is None:
            self.reading.show_scores(self.now_us)
        elif not self.dial.entry.holds:
            self._choose(self.dial.entry.choice)

    @property
    def _reads_ending(self) -> bool:
        """Whether the end of a round is what the display shows, not an open throw before it."""
        return self.reading.ending_open and not (self.throw.shown or self.throw.fresh)

    def _do_held(self) -> None:
        if self.asking is not None:
            self._answer_question(counts=True)
        elif self.reading.help is not None:
            pass
        elif self.reading.scores_until_us is not None:
            if self.dial is None:
                self.reading.make_room()
                self.menu_open = True
        elif self.dial is not None and self.dial.entry.holds:
            self._choose(self.dial.entry.choice)

    def _choose(self, choice: Choice | None) -> None:
        match choice:
            case None | Page() | Pick():
                pass
            case Go():
                self.reading.ending_open = False
                self._pass_on()
            case More():
                self.menu_open = True
            case Back():
                self.menu_open = False
                self.choosing = None
            case Scores():
                self.menu_open = False
                self.reading.show_scores(self.now_us)
            case Forget():
                self.forgot = True
            case Help():
                self.menu_open = False
                self.reading.open_help(self.match.rules.game, self.now_us)
            case Loudness():
                self.volume = (self.volume + 1) % len(VOLUMES)
                self._keep_volume = True
                self._hearing.note(Sound.OFFER)
            case Leave() | VoidRound() | StopMatch():
                self.menu_open = False
                self._advise(advice.WISHED[type(choice)])
                self.passing.wish(choice, self.now_us)
            case Without(seat):
                self.menu_open = False
                self._advise(Alert.WISHED)
                self.passing.go_on_without(seat, self.now_us)
            case ShowThrow():
                self._show_throw()
            case Die(place):
                self.throw.change(self.match, place)
            case Announce() | Say() if self.choosing is None and self._has_variants(choice):
                self.choosing = choice
            case Announce() | Say():
                self.announcing = Announcing(choice, self.now_us + ANNOUNCING_US)
            case Believe() | Doubt() | GiveIn() | Refuse():
                self.passing.answer(choice, self.now_us)
            case Look():
                self._look()
                self._looking_since_us = self.now_us
                self._pad_looking = True
            case Roll():
                if self.may_throw:
                    self._throw()
                else:
                    self._advise(advice.throw_refused(self.match, self.draft))
            case Lift():
                self._lift_before_all()
            case ShowMaexchen() if illegality(self.match, choice) is not None:
                self._advise(Alert.NO_MAEXCHEN)
            case ShowTower() if illegality(self.match, choice) is not None:
                self._advise(Alert.NO_TOWER)
            case _:
                self._act(choice)

    def _has_variants(self, said: Announce | Say) -> bool:
        return len(variants(self.match, said)) > 1

    def _on_pose(self, pose: Pose) -> None:
        touched = self.pad.pressed_us is not None
        if self.asking is not None:
            if self.asking.denied_by(pose, touched):
                self._answer_question(counts=False)
        elif self.reading.help is not None:
            self.reading.help.tilt(pose, touched)
        elif self.dial is None:
            pass
        elif self.announcing is None:
            moved = self.dial.tilt(pose, touched)
            if moved and self.position is Position.MINE and self._reads_ending:
                self.reading.ending_open = False
        else:
            self._take_back(self.dial, self.announcing, pose, touched)

    def _take_back(self, dial: Dial, announcing: Announcing, pose: Pose, touched: bool) -> None:
        angle_deg = dial.angle_deg(pose)
        if angle_deg is None or touched or not pose.still:
            return
        if abs(angle_deg) < OFF_DEG:
            self.announcing = announcing._replace(levelled=True)
        elif abs(angle_deg) >= ON_DEG and announcing.levelled:
            self.announcing = self.choosing = None
            dial.centre()

    # What the core does

    def _may(self, action: Action) -> bool:
        return self.position is Position.MINE and illegality(self.match, action) is None

    def _throw(self) -> None:
        self._stop_looking()
        before = self.match
        roll = self.passing.throw(keep_of(before, self.draft), self.now_us)
        self._hearing.note(Sound.CUP_DOWN)
        self._acted(before, roll)

    def _act(self, action: Action) -> None:
        """Do something legal."""
        before = self.match
        self.passing.act(action, self.now_us)
        self._acted(before, action)

    def _acted(self, before: AnyMatch, action: Action) -> None:
        """The cup goes by itself where there is nothing to read before."""
        match = self.match
        asks = match.phase in (Phase.OFFERED, Phase.DOUBTED)
        nothing_thrown = not isinstance(action, Roll | Lift) or _stays_covered(before, action)
        same_round = match.round == before.round
        if asks or (not isinstance(match, Match) and nothing_thrown and same_round):
            self._pass_on()
        elif match.to_act is None:
            self.passing.show(self.now_us)

    def _pass_on(self) -> None:
        self.throw.put_away()
        self.passing.show(self.now_us)
        self.passing.pass_on(self.now_us)

    def _look(self) -> None:
        if self._may(Look()):
            self.passing.act(Look(), self.now_us)

    def _stop_looking(self) -> None:
        self._looking_since_us = None
        self._pad_looking = False

    def _advise(self, message: Alert, name: str = "") -> None:
        self.reading.advise(message, self.now_us, name)

    def _let_time_pass(self) -> None:
        now_us = self.now_us
        self.passing.tick(now_us)
        self._hearing.tick(now_us)
        self.reading.let_time_pass(now_us)
        if self.announcing is not None and self.announcing.said_us <= now_us:
            said = self.announcing.said
            self.announcing = None
            if self._may(said):
                self._act(said)
        if (since_us := self.doubting_since_us) is not None and since_us + DOUBT_AFTER_US <= now_us:
            self.doubting_since_us = None
            if self.position is Position.OFFERED:
                self.passing.answer(Doubt(), now_us)
        if (since_us := self._looking_since_us) is not None and since_us + LOOK_US <= now_us:
            self._looking_since_us = None
        if self._shaking_until_us is not None and self._shaking_until_us <= now_us:
            self.shaking_us = self._shaking_until_us = None

    def _take_in_steps(self) -> None:
        for step in self.passing.take_steps():
            self.throw.take_in(self._taken_in, step)
            ended = self.reading.take_in(self._taken_in, step, self.now_us)
            self._hearing.take_in(step, ended)
            self._taken_in = step.match
        wishes = frozenset(self.passing.wishes)
        for seat, action in sorted(wishes - self._wished, key=str):
            if seat != self.seat and type(action) in advice.WISH_OF:
                self._advise(advice.WISH_OF[type(action)], self.match.players[seat])
        self._wished = wishes
        gone = frozenset(gone for _, vote in self.passing.votes for gone in vote.gone)
        for seat in sorted(gone - self._gone - {self.seat}):
            self._advise(Alert.WISHES_WITHOUT, self.match.players[seat])
        self._gone = gone

    def _settle(self) -> None:
        """Make the dial, the question and the offer follow the position."""
        position = self.position
        place = (position, self.passing.hop, self.match.turn)
        if position is Position.WATCHING:
            place = (position, 0, 0)  # what goes on elsewhere closes nothing here
        if place != self._place:
            self._place = place
            self._hearing.stand(position, self.now_us)
            self.announcing = self.shaking_us = self.doubting_since_us = self.choosing = None
            self.menu_open = False
            if position is not Position.MINE or not may_look(self.match):
                self._stop_looking()
            self.pad.begin(self.now_us, offer=position is Position.OFFERED)
            if position in _ACTING:
                self.reading.make_room()
        self._drop_idle_question()
        self._open_dial(position)
        self.pad.let_time_pass(self.now_us, hidden=self._hidden)

    def _open_dial(self, position: Position) -> None:
        shows = self.throw.mine is not None and not self.throw.shown
        dial_of = (self._place, self.menu_open, self.choosing, shows)
        if dial_of == self._dial_of:
            return
        self._dial_of = dial_of
        if self.dial is not None:
            self._level_deg = self.dial.level_deg
        if self.menu_open:
            gone = self.passing.gone(self.now_us)
            offers = menu(self.match, self.seat, gone, forgets=self.can_forget)
        elif self.choosing is not None:
            offers = second_dial(self.match, self.choosing)
        elif position in _ACTING:
            offers = offering(position, self.match, shows=shows)
        else:
            self.dial = None
            return
        held, tapped = offers.entries()
        self.dial = Dial(held, tapped, self.now_us, self._level_deg)

    def _drop_idle_question(self) -> None:
        """A question about a cup that is no longer here, or about a round that is over, is idle."""
        if self.asking is None:
            return
        fault = Fault(self.asking.kind, self.seat)
        if not self.passing.holding or illegality(self.match, fault) is not None:
            self.asking = None
            self.passing.ask(None)

    @property
    def _senses(self) -> bool:
        offers = self.position is Position.PASSING and self.match.phase is Phase.OFFERED
        reads = self.menu_open or self.reading.help is not None
        return self.position in _SENSING or offers or reads

    def _effects(self) -> list[Effect]:
        effects: list[Effect] = list(self.passing.take_effects())
        sensing = self._senses
        if sensing != self._sensing:
            self._sensing = sensing
            effects.append(Sense(fully=sensing))
        effects = self._shown.to(screen_of(self.view()), effects)
        if self._keep_volume:
            self._keep_volume = False
            effects.append(KeepVolume(self.volume))
        sound = self._hearing.take()
        if sound is not None:
            effects.append(Beep(sound))
        return effects


_STIRS = (Shaking, Shaken, Lifted, Covered, Pressed, Tap, Held, Released)
"""What a player does; how the handheld lies is none of it."""
_ACTING = (Position.OFFERED, Position.MINE, Position.TO_PASS)


def _stays_covered(before: AnyMatch, action: Action) -> bool:
    """Whether this throw shows nothing to anybody: the third one of ``maxen`` (T-5)."""
    return isinstance(action, Roll) and covers_next(before)
