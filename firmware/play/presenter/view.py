"""The data that the display of a seat may depend on, as one value."""

from typing import NamedTuple

from firmware.display.screens import AlertPage
from firmware.effects.sounds import USUAL_VOLUME
from firmware.input.controls.dial import DialView
from firmware.play.turn.draft import Draft, Thrown
from firmware.play.turn.overlays import Notice
from firmware.play.turn.round_end import BluffRoundEnd, OpenRoundEnd
from firmware.table.seat.position import Position
from firmware.table.seat.progress import CupProgress
from firmware.table.seat.trouble import Trouble
from game import AnyMatch
from game.actions import Action, Announce, FaultKind, Say
from game.dice import Dice


class PlayView(NamedTuple):
    """The state before the player of ``seat`` now. It has nothing that this player may not know.

    Attributes:
        match: the match as everybody may know it: dice that lie covered are not in it.
        holding: the cup is here.
        progress: how far the cup that leaves here has come; counts while it is PASSING.
        is_gone: the handheld of the seat to act is known to be gone.
        missed: the seat that would carry between here and the seat to act, and is known to be gone;
            None for none.
        answered: the answer given for the cup that is TAKING its way here; None without one.
        behind: others know more of the match than this handheld.
        unchecked: the dice laid open last are not proven to have fallen so.
        returning: this handheld had no power, and waits for what the others know.
        leaving: this handheld has lost its memory, and waits for the others to let it go.
        trouble: the reason why this handheld has stopped; None while it goes on.
        part_alert: the alert about a part that does not answer; None while all do.
        prompt: the fault that this player is asked about; None for none.
        open_question: another seat that is asked about a fault, and which; None for none.
        own_dice, tower: the covered dice while this player looks at them (R-CLASS-4, R-HF-1), else
            None; and whether they lie on top of each other (R-HF-8).
        too_dark: it is too dark here to tell a lifted cup from a closed one.
        offer_armed: the offer on the display can be answered now.
        doubt: how far a doubt by light over the offered cup has come, in quarters; None without.
        doubt_fell_short: the last lift of the offered cup was too short for a doubt.
        shaking_us: how long the handheld has been shaken, in µs; None while it is not.
        may_throw: a shake throws now, with the dice that the draft sets aside.
        announcing: the announcement about to be made; None for none.
        choosing: the announcement while a second dial asks for an addition to it; else None.
        thrown: the last open throw of the table, until its player is done with it.
        lifted, fresh: the cup over the own throw is lifted; it has not been lifted yet.
        draft: the planned state of each die of the own throw; empty if none can be set aside.
        notice: the word of advice on the display; None for none.
        help_page: the open page of the help, from 0; None while it is closed.
        scores: the standings are open.
        menu_open: the menu is open.
        round_end, reads_end: how the last round ended, until the next throw; whether that is still
            to be read, its dice with it.
        dial: None if there is none.
        hold_progress: how far a hold that does something has come, in quarters; None without one.
        volume: of sounds, 0, silence, to 3.
    """

    match: AnyMatch
    seat: int
    position: Position
    holding: bool = False
    progress: CupProgress = CupProgress.CALLING
    is_gone: bool = False
    missed: int | None = None
    answered: Action | None = None
    behind: bool = False
    unchecked: bool = False
    returning: bool = False
    leaving: bool = False
    trouble: Trouble | None = None
    part_alert: AlertPage | None = None
    prompt: FaultKind | None = None
    open_question: tuple[int, FaultKind] | None = None
    own_dice: Dice | None = None
    tower: bool = False
    too_dark: bool = False
    offer_armed: bool = False
    doubt: float | None = None
    doubt_fell_short: bool = False
    shaking_us: int | None = None
    may_throw: bool = False
    announcing: Announce | Say | None = None
    choosing: Announce | Say | None = None
    thrown: Thrown | None = None
    lifted: bool = False
    fresh: bool = False
    draft: Draft = ()
    notice: Notice | None = None
    help_page: int | None = None
    scores: bool = False
    menu_open: bool = False
    round_end: BluffRoundEnd | OpenRoundEnd | None = None
    reads_end: bool = False
    dial: DialView | None = None
    hold_progress: float | None = None
    volume: int = USUAL_VOLUME

    @property
    def may_show(self) -> bool:
        """Whether an open throw of this seat lies under its cup, which is closed."""
        return self.thrown is not None and self.thrown.seat == self.seat and not self.lifted

    def name_of(self, seat: int | None) -> str:
        """Return the name of a seat's player; empty for nobody."""
        return "" if seat is None else self.match.players[seat]
