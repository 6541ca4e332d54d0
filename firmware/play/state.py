"""The parts of the core of one seat, and the facts that need several of them."""

from firmware.display.screens import Screen
from firmware.effects.shell import Shell, Timed, earliest
from firmware.input.controls.question import Pad
from firmware.play.presenter.view import PlayView
from firmware.play.turn.draft import OpenThrow, can_throw
from firmware.play.turn.offers import Offering, OpenDial, may_look, menu, offering, second_dial
from firmware.play.turn.overlays import Overlays
from firmware.play.turn.sound_cues import SoundCues
from firmware.play.underway import Announcing, LiftedDoubt, PrivateLook, SensedFaults, ShakeUnderway
from firmware.settings.model import Faults
from firmware.table.seat.cup_custody import ACTING, Position
from firmware.table.seat.parts import Mode, SeatParts
from firmware.table.seat.voting import gone
from game import AnyMatch, Phase, illegality, view
from game.actions import Action
from game.dice import Dice

SENSING = (*ACTING, Position.TAKING)
"""Positions in which the cup is here, or about to come."""


class PlayState:
    """The parts of a core. They do not know each other.

    Args:
        seat: its log and its part of the cup's way.
        faults: the effect of a fault that the sensors notice: see ``SensedFaults``.
    """

    def __init__(self, seat: SeatParts, faults: Faults) -> None:
        self.now_us = 0
        self.screen: Screen | None = None
        """The screen for this player; None before the first one."""
        self.seat = seat
        self.me = seat.seat
        self.pad = Pad()
        self.shake = ShakeUnderway()
        self.look = PrivateLook()
        self.announcing = Announcing()
        self.doubt = LiftedDoubt()
        self.faults = SensedFaults(self.me, faults)
        self.throw = OpenThrow(seat)
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
        return self.seat.match

    @property
    def position(self) -> Position:
        """The place of this handheld on the cup's way."""
        return self.seat.position

    @property
    def next_timer_us(self) -> int | None:
        """The earliest time in µs at which a part has something to do; None if none has."""
        timed: tuple[Timed, ...] = (
            self.cues, self.overlays, self.announcing, self.doubt, self.look, self.shake,
        )  # fmt: skip
        pad_us = self.pad.next_step_us(self.now_us) if self.hold_counts else None
        return earliest(
            [
                self.seat.next_timer_us,
                *(each.next_timer_us for each in timed),
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
        return self.seat.dice if looks else None

    @property
    def hold_counts(self) -> bool:
        """Whether a hold does something: it answers a question, or the entry wants one."""
        dial = self.open_dial.dial
        return self.faults.prompt is not None or (dial is not None and dial.entry.holds)

    @property
    def hidden(self) -> bool:
        """Whether advice, a fault of a part or another player's question hides the game."""
        has_question = self.seat.open_question is not None
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
            absent = gone(self.seat, self.now_us)
            return menu(self.match, self.me, absent, forgets=self.can_forget, hints=self.can_hint)
        if self.announcing.choosing is not None:
            return second_dial(self.match, self.announcing.choosing)
        if self.position in ACTING:
            return offering(self.position, self.match, shows=self.throw.can_be_shown)
        return None

    def view(self) -> PlayView:
        """Return the data that the display depends on; no covered dice but ``own_dice``."""
        seat, throw, overlays = self.seat, self.throw, self.overlays
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
