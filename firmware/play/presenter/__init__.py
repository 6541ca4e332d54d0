"""Which screen shows what the player of this seat may know.

`PlayView` holds all that a seat's display may depend on. All screens share the labels.

May import: play.turn, table.seat, effects, input, display, game.
Then read ``screen_of``.
"""

from typing import NamedTuple

from firmware.display.screens import AlertPage, DialStrip, DieState, Item, Phrase, Row, Tally
from firmware.display.text.labels import VOLUME_TEXTS, Text
from firmware.display.text.language import key_of
from firmware.effects import USUAL_VOLUME
from firmware.input import controls as choices
from firmware.input.controls import Choice, DialView, Entry, LocalChoice, variants
from firmware.play.turn.draft import Draft, Thrown
from firmware.play.turn.overlays import Notice
from firmware.play.turn.round_end import BluffRoundEnd, OpenRoundEnd
from firmware.table.seat.cup_custody import CupProgress, Position, Trouble
from game import AnyMatch, Phase, actions, apply
from game.actions import Action, Announce, FaultKind, Flourish, Say
from game.dice import Dice
from game.events import Announced


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


_WORDS: dict[type[Choice], Text] = {
    actions.Roll: Text.THROW,
    actions.Look: Text.LOOK,
    actions.Believe: Text.BELIEVE,
    actions.Doubt: Text.DOUBT,
    actions.Refuse: Text.NOT_MINE,
    actions.GiveIn: Text.GIVE_IN,
    actions.ShowMaexchen: Text.SHOW_MAEXCHEN,
    actions.ShowTower: Text.SHOW_TOWER,
    actions.Lift: Text.LIFT,
    actions.Stop: Text.STOP,
    actions.EndMatch: Text.END_MATCH,
    actions.Leave: Text.LEAVE,
    actions.VoidRound: Text.VOID_ROUND,
    actions.StopMatch: Text.STOP_MATCH,
}
_WAYS = {
    (False, False): Text.FORWARD,
    (False, True): Text.FORWARD_DRAWN_OUT,
    (True, False): Text.BACKWARD,
    (True, True): Text.BACKWARD_DRAWN_OUT,
}


def tally_of(match: AnyMatch, seat: int) -> Tally:
    """Return the tally of the player at ``seat``, in the unit of the rules."""
    return Tally(match.score[seat], match.rules.unit, match.status[seat], match.halves_lost(seat))


def rows_of(view: PlayView) -> tuple[Row, ...]:
    """Return the standings, one row for each player, by seat."""
    return tuple(
        Row(name, tally_of(view.match, seat), me=seat == view.seat)
        for seat, name in enumerate(view.match.players)
    )


def dial_of(view: PlayView) -> DialStrip:
    """Return the view's dial as it is drawn; there must be one."""
    assert view.dial is not None, "a screen with a dial needs one"
    return view.dial.strip(lambda entry: _item(view, entry), view.hold_progress)


def _item(view: PlayView, entry: Entry) -> Item:
    return item_of(view, entry.choice)


def item_of(view: PlayView, choice: Choice | None) -> Item:
    """Return the label of a choice in ``view``."""
    match choice:
        case None:
            return Text.NEUTRAL
        case Announce() | Say() as announcement if view.choosing is not None:
            return _variant(view, announcement)
        case Announce(value):
            return value
        case Say(words):
            return Text[words.name]
        case actions.Roll() if view.match.phase is Phase.THROWN:
            return Text.THROW_AGAIN
        case actions.GiveCoaster(to):
            if to == view.match.to_act:
                return Text.OUT_OF_PLAY
            return Text.NOBODY if to is None else view.name_of(to)
        case actions.OwnUp():
            penalty = Phrase(key_of(view.match.rules.unit, "one"))
            return Phrase(Text.OWN_UP_FOR, name=penalty)
        case actions.Fault(seat=seat):
            return Phrase(Text.MISTAKE_OF, name=view.name_of(seat))
        case choices.Without(seat):
            return Phrase(Text.WITHOUT, name=view.name_of(seat))
        case choices.Die(place):
            dice = view.match.dice
            assert dice is not None, "dice on the dial have been thrown"
            return die_item(view.draft[place], dice[place])
        case LocalChoice.LOUDER:
            return VOLUME_TEXTS[view.volume]
        case LocalChoice():
            return Text[choice.name]
        case _:
            return _WORDS[type(choice)]


def die_item(state: DieState, pips: int) -> Item:
    """Return the label of a die, 1 to 6, in that state."""
    return Phrase(key_of(state), pips=pips)


def _variant(view: PlayView, announcement: Announce | Say) -> Item:
    """Return the label of an addition: a flourish, and the neighbour too if there are two ways."""
    flourish = announcement.flourish if isinstance(announcement, Announce) else None
    if any(other.wrong_way for other in variants(view.match, announcement)):
        way = _WAYS[announcement.wrong_way, flourish is Flourish.DRAWN_OUT]
        return Phrase(way, name=view.name_of(recipient(view.match, announcement)))
    return Text.PLAIN if flourish is None else Text[flourish.name]


def recipient(match: AnyMatch, announcement: Announce | Say) -> int:
    """Return the seat that the cup is offered to with these words (B-1, R-HF-5)."""
    events = apply(match, announcement).events
    return next(event.to for event in events if isinstance(event, Announced))
