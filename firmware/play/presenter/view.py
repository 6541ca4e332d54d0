"""All that the display of a seat may depend on, as one value."""

from typing import NamedTuple

from firmware.display.screens import AlertPage
from firmware.effects.sounds import USUAL_VOLUME
from firmware.input.controls.dial import DialView
from firmware.play.turn.draft import Draft
from firmware.play.turn.open_throw import Thrown
from firmware.play.turn.overlays import Notice
from firmware.play.turn.round_end import BluffRoundEnd, OpenRoundEnd
from firmware.table.seat.position import Position
from firmware.table.seat.progress import CupProgress
from firmware.table.seat.trouble import Trouble
from game import AnyMatch
from game.actions import Action, Announce, FaultKind, Say
from game.dice import Dice


class PlayView(NamedTuple):
    """What stands before the player of ``seat`` now. Who reads this knows no more than he.

    Attributes:
        match: the match as everybody may know it: dice that lie covered are not in it.
        progress: how far the cup that leaves here has come; counts while it is PASSING.
        is_gone: the handheld of who is to act is known to be gone.
        missed: the seat that would carry between here and who is to act, and is known to be gone;
            None: no such seat.
        answered: the answer given for the cup that is TAKING its way here; None without one.
        behind: others know more of the match than this handheld.
        unchecked: the dice laid open last are not proven to have fallen so.
        returning: this handheld had no power, and the others have not said yet what they know.
        leaving: this handheld has lost its memory, and the others have not let it go yet.
        trouble: what has stopped this handheld; None while it goes on.
        part_alert: what is said of a part that does not answer; None while all do.
        asking: the fault that this player is asked about; None for none.
        asked: another seat that is asked about a fault, and which; None for none.
        own_dice, tower: the covered dice while he looks at them (R-CLASS-4, R-HF-1), else None;
            and whether they lie on top of each other (R-HF-8).
        too_dark: it is too dark here to tell a lifted cup from a closed one.
        offer_armed: the offer on the display can be answered now.
        doubt: how far a doubt by light over the offered cup has come, in quarters; None without.
        doubt_fell_short: the last lift of the offered cup was too short for a doubt.
        shaking_us: how long it has been shaken, in µs; None while it is not.
        may_throw: a shake throws now, with what the draft sets aside.
        announcing: what is about to be said; None for nothing.
        choosing: what is to be said, while a second dial asks for what can be added; else None.
        thrown: the last open throw of the table, until its player is done with it.
        lifted, fresh: the cup over his own throw is lifted; or has not been lifted yet.
        draft: what is to become of each die of his throw; empty where none can be set aside.
        notice: the word of advice on the display; None for none.
        help_page: the open page of the help, from 0; None while it is closed.
        scores: the standings are open.
        menu_open: the menu is open.
        round_end, reads_end: how the last round ended, until the next throw; whether that is
            (still) to be read, its dice with it.
        dial: None where there is none.
        hold_progress: how far a hold that does something has come, in quarters; None without one.
        volume: of sounds, 0, silence, to 3.
    """

    match: AnyMatch
    seat: int
    position: Position
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
    asking: FaultKind | None = None
    asked: tuple[int, FaultKind] | None = None
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

    def name_of(self, seat: int | None) -> str:
        """The name of a seat's player; empty for nobody."""
        return "" if seat is None else self.match.players[seat]
