"""The core of a handheld in a match: gestures and reports in, effects out. No I/O, no clock.

``firmware.play.on_gesture`` decides what a gesture means, ``firmware.play.moves`` what a choice
on the dial does. ``firmware.table.seat.seat`` has the log and the cup's way,
``firmware.play.presenter.screen_of`` the screen. This module calls them in their order.

Covered dice are a secret. They are part of a screen only while ``PlayState.own_dice`` or after a
reveal. When dice leave a screen, the shell blanks the panel before the next picture.
"""

from firmware.display.screens import MatchOverPage, Screen
from firmware.effects import (
    Beep,
    Effect,
    PartFailed,
    PartWell,
    Presence,
    Received,
    Report,
    Sense,
    Shell,
    Stored,
    Tick,
)
from firmware.input import gestures
from firmware.input.controls import Dial
from firmware.input.gestures import Gesture
from firmware.play import moves
from firmware.play.on_gesture import break_off, on_gesture, on_pose
from firmware.play.presenter import PlayView
from firmware.play.presenter.screen_of import screen_of
from firmware.play.state import PlayState
from firmware.play.turn.draft import OpenThrow
from firmware.play.turn.offers import may_look
from firmware.play.turn.overlays import News
from firmware.settings import Faults
from firmware.table.seat.cup_custody import ACTING, Position
from firmware.table.seat.seat import Seat
from firmware.table.seat.turn import announce_question, answer
from game import AnyMatch
from game.actions import Doubt

_IS_ACTIVE = (
    gestures.Shaking, gestures.Shaken, gestures.Uncovered, gestures.Covered,
    gestures.Pressed, gestures.Tap, gestures.Held, gestures.Released,
)  # fmt: skip
"""Gestures that restart the time to the nudge; ``Pose`` and the light of the room do not."""
_HERE = (Position.MINE, Position.TO_PASS)


class Handheld:
    """The core of one handheld at one table.

    Args:
        seat: the core of its seat at the table.
        faults: the effect of a fault that the sensors notice (R-PHYS-7, R-HF-5): "ask" asks its
            player, "strict" counts it, "off" does neither.
        carrier: the seat that carries frames between those that do not reach each other; None for
            none.
    """

    def __init__(self, seat: Seat, faults: Faults = "ask", carrier: int | None = None) -> None:
        self._seat = seat
        self.own_seat = seat.parts
        """Its log and its part of the cup's way, to read."""
        self.seat = self.own_seat.seat
        self.play = PlayState(self.own_seat, faults)
        """Its parts; its owner sets and reads what concerns lobby and hints."""
        self.play.carrier = carrier
        self._news = News()
        self._place: object = None
        self._position: Position | None = None
        self._senses: Sense | None = None
        self._applied: AnyMatch = self.own_seat.match
        self._cuts = self.own_seat.log.cuts
        self._view: PlayView | None = None

    def view(self) -> PlayView:
        """Return the data that ``screen`` depends on; no covered dice but ``own_dice``."""
        return self._view or self.play.view()

    @property
    def screen(self) -> Screen | None:
        """The screen on the display; None before ``start``."""
        return self.play.screen

    @property
    def shows_end(self) -> bool:
        """Whether the display shows how the match ended."""
        return isinstance(self.screen, MatchOverPage)

    @property
    def is_asked(self) -> bool:
        """Whether all players wait for this one to act."""
        return self.position in ACTING

    @property
    def dial(self) -> Dial | None:
        """The dial on the display, or the pages of the help; None if there is none."""
        return self.play.overlays.help or self.play.open_dial.dial

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
        """When a Tick is due, in µs on the handheld's clock; None while nothing waits."""
        return self.play.next_timer_us

    def start(self, now_us: int, shell: Shell) -> list[Effect]:
        """Go on from the state in the journal; return the effects, in order.

        ``shell``: that of the handheld, which every core of it shares.
        """
        self.play.shell = shell
        self._seat.start(now_us)
        return self.handle(Tick(), now_us)

    def handle(self, what: Gesture | Report, now_us: int) -> list[Effect]:
        """React to a gesture or a report; return the effects, in order.

        Args:
            what: a gesture or a report. One of a time that has passed counts as of now.
            now_us: µs on the handheld's clock; one below that of an earlier call counts as that.
        """
        play = self.play
        now_us = play.now_us = max(play.now_us, now_us)
        if isinstance(what, _IS_ACTIVE):
            play.cues.player_active(now_us)
        match what:
            case Received(frame=frame):
                self._seat.receive(frame, now_us)
            case Stored(int(ticket), trouble):
                self._seat.stored(ticket, trouble)
            case PartFailed():
                break_off(play)
            case Presence(seat, is_here):
                play.here[seat] = is_here
            case Stored() | PartWell() | Tick():
                pass
            case gestures.Pose():
                if not on_pose(play, what) and not self._waits:
                    return []  # as after most of the ten a second
            case _:
                on_gesture(play, what)
        self._tick()
        self._apply_steps()
        self._follow_position()
        return self._effects()

    @property
    def _waits(self) -> bool:
        """Whether time changes something without a timer: a hidden offer, or a silent taker."""
        return self.play.hidden or self._position is Position.PASSING

    def _tick(self) -> None:
        play, now_us = self.play, self.play.now_us
        self._seat.tick(now_us)
        play.cues.tick(now_us)
        play.overlays.tick(now_us)
        announcement = play.announcing.tick(now_us)
        if announcement is not None and play.may(announcement):
            moves.act(play, announcement)
        if play.doubt.tick(now_us) and self.position is Position.OFFERED:
            answer(self.own_seat, Doubt(), now_us)
        play.look.tick(now_us)
        play.shake.tick(now_us)

    def _apply_steps(self) -> None:
        """Follow the changes of the match, and the wishes of others."""
        play = self.play
        steps = self._seat.take_steps()
        if self._cuts != self.own_seat.log.cuts:  # some of the shown events did not happen
            self._cuts = self.own_seat.log.cuts
            self._applied, steps = self.match, ()
            play.throw = OpenThrow(self.own_seat)
            play.overlays.forget_round()
        for step in steps:
            play.throw.apply(self._applied, step)
            ended = play.overlays.apply(self._applied, step, play.now_us)
            play.cues.apply(step, ended)
            self._applied = step.match
        for message, name in self._news.from_seat(self.own_seat):
            play.overlays.advise(message, play.now_us, name)

    def _follow_position(self) -> None:
        """Make the dial, the question and the offer those of the position."""
        play, position = self.play, self.position
        place = (position, self.own_seat.hop, self.match.turn)
        if position is Position.WATCHING:
            place = (position, 0, 0)  # actions elsewhere close nothing here
        if place != self._place:
            if position is Position.MINE and self._position not in _HERE:
                play.overlays.open_soon(play.now_us)
            self._place, self._position = place, position
            play.cues.position_changed(position, play.now_us)
            play.announcing.cancel()
            play.shake.end()
            play.doubt.end()
            play.menu_open = False
            if position is not Position.MINE or not may_look(self.match):
                play.look.end()
            play.pad.begin(play.now_us, offer=position is Position.OFFERED)
            if position in ACTING:
                play.overlays.close()
        if play.faults.drop_if_idle(self.match, holding=self.own_seat.holding):
            announce_question(self.own_seat, None)
        dial_of = (place, play.menu_open, play.announcing.choosing, play.throw.can_be_shown)
        play.open_dial.follow(dial_of, play.offers, play.now_us)
        play.pad.tick(play.now_us, hidden=play.hidden)

    def _effects(self) -> list[Effect]:
        play = self.play
        effects: list[Effect] = list(self._seat.take_effects())
        senses = Sense(fully=play.senses, asked=self.is_asked)
        if senses != self._senses:
            self._senses = senses
            effects.append(senses)
        self._view = play.view()
        play.screen = screen_of(self._view)
        sound = play.cues.take()
        if sound is not None:
            effects.append(Beep(sound))
        return effects
