"""Labels that all screens share: units, tallies, standings, entries of the dial."""

from firmware.display.screens import DialStrip, DieState, Item, Phrase, Row, Tally
from firmware.display.text.labels import VOLUME_TEXTS, Text
from firmware.input.controls import choice as choices
from firmware.input.controls.announcements import variants
from firmware.input.controls.choice import Choice
from firmware.input.controls.dial import Entry
from firmware.play.presenter.view import PlayView
from game import AnyMatch, Phase, Unit, actions, apply
from game.actions import Announce, Flourish, Say
from game.events import Announced

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
    choices.Go: Text.GO_ON,
    choices.ShowThrow: Text.SHOW_THROW,
    choices.More: Text.MORE,
    choices.Back: Text.BACK,
    choices.Scores: Text.SCORES,
    choices.Help: Text.HELP,
    choices.Hint: Text.HINT,
    choices.Forget: Text.FORGET_TABLE,
}
_SPOKEN = {actions.Words.SAME: Text.SAME, actions.Words.ONE_MORE: Text.ONE_MORE}
_FLOURISHES = {
    None: Text.PLAIN,
    Flourish.AIR: Text.AIR,
    Flourish.MUCH_AIR: Text.MUCH_AIR,
    Flourish.DRAWN_OUT: Text.DRAWN_OUT,
}
_WAYS = {
    (False, False): Text.FORWARD,
    (False, True): Text.FORWARD_DRAWN_OUT,
    (True, False): Text.BACKWARD,
    (True, True): Text.BACKWARD_DRAWN_OUT,
}
_DICE = {
    DieState.IN_PLAY: Text.DIE_IN_PLAY,
    DieState.ASIDE: Text.DIE_ASIDE,
    DieState.TURNED: Text.DIE_TURNED,
}
_COSTS = {Unit.MATCH: Text.MATCH_ONE, Unit.DRINK: Text.DRINK_ONE}
"""The texts of a penalty, in the game that lets a player own up (R-CLASS-10)."""


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
            return _SPOKEN[words]
        case actions.Roll() if view.match.phase is Phase.THROWN:
            return Text.THROW_AGAIN
        case actions.Give(to):
            return Text.NOBODY if to is None else view.name_of(to)
        case actions.OwnUp():
            return Phrase(Text.OWN_UP_FOR, name=_COSTS[view.match.rules.unit])
        case actions.Fault(seat=seat):
            return Phrase(Text.MISTAKE_OF, name=view.name_of(seat))
        case choices.Without(seat):
            return Phrase(Text.WITHOUT, name=view.name_of(seat))
        case choices.Die(place):
            dice = view.match.dice
            assert dice is not None, "dice on the dial have been thrown"
            return die_item(view.draft[place], dice[place])
        case choices.Loudness():
            return VOLUME_TEXTS[view.volume]
        case _:
            return _WORDS[type(choice)]


def die_item(state: DieState, pips: int) -> Item:
    """Return the label of a die, 1 to 6, in that state."""
    return Phrase(_DICE[state], pips=pips)


def _variant(view: PlayView, announcement: Announce | Say) -> Item:
    """Return the label of an addition: a flourish, and the neighbour too if there are two ways."""
    flourish = announcement.flourish if isinstance(announcement, Announce) else None
    if any(other.wrong_way for other in variants(view.match, announcement)):
        way = _WAYS[announcement.wrong_way, flourish is Flourish.DRAWN_OUT]
        return Phrase(way, name=view.name_of(recipient(view.match, announcement)))
    return _FLOURISHES[flourish]


def recipient(match: AnyMatch, announcement: Announce | Say) -> int:
    """Return the seat that the cup is offered to with these words (B-1, R-HF-5)."""
    events = apply(match, announcement).events
    return next(event.to for event in events if isinstance(event, Announced))
