"""A match in words, as somebody at the table would tell it, in German and English."""

from collections.abc import Mapping
from enum import Enum, auto

from firmware.texts import Words, words
from game import Step
from game.actions import Action, Roll
from game.events import (
    Announced,
    Believed,
    Doubted,
    Event,
    GaveIn,
    LeftTable,
    Looked,
    MaexchenShown,
    MatchEnded,
    OwnedUp,
    Penalised,
    Revealed,
    Rolled,
    RoundBegan,
    RoundVoided,
    Swam,
    WentOut,
)
from game.values import Dice, Language


class _Told(Enum):
    THROWS = auto()
    THROWS_AGAIN = auto()
    LOOKS = auto()
    SAYS = auto()
    BELIEVES = auto()
    DOUBTS = auto()
    LIFTS = auto()
    LIED = auto()
    TRUE = auto()
    SHOWS = auto()
    GIVES_IN = auto()
    OWNS_UP = auto()
    PAYS = auto()
    DRINKS = auto()
    SWIMS = auto()
    OUT = auto()
    LEAVES = auto()
    VOID = auto()
    BEGINS = auto()
    LOSES = auto()
    LOSE = auto()
    NOBODY = auto()
    AND = auto()


_WORDS: Mapping[_Told, Words] = {
    _Told.THROWS: Words("{name} würfelt", "{name} throws"),
    _Told.THROWS_AGAIN: Words("{name} würfelt noch einmal", "{name} throws again"),
    _Told.LOOKS: Words("{name} schaut nach", "{name} looks"),
    _Told.SAYS: Words("{name} sagt {value} zu {to}", "{name} says {value} to {to}"),
    _Told.BELIEVES: Words("{name} glaubt", "{name} believes"),
    _Told.DOUBTS: Words("{name} zweifelt", "{name} doubts"),
    _Told.LIFTS: Words("{name} deckt {dice} auf", "{name} lifts {dice}"),
    _Told.LIED: Words(
        "{announcer} hatte {value} gesagt und gelogen", "{announcer} had said {value} and lied"
    ),
    _Told.TRUE: Words(
        "{announcer} hatte {value} gesagt, das hält", "{announcer} had said {value}, which holds"
    ),
    _Told.SHOWS: Words("{name} zeigt ein Mäxchen", "{name} shows a Mäxchen"),
    _Told.GIVES_IN: Words("{name} gibt nach", "{name} gives in"),
    _Told.OWNS_UP: Words("{name} gibt zu, nicht drüber zu liegen", "{name} owns up"),
    _Told.PAYS: Words("{name} zahlt, hat noch {left}", "{name} pays, {left} left"),
    _Told.DRINKS: Words("{name} trinkt", "{name} drinks"),
    _Told.SWIMS: Words("{name} schwimmt", "{name} swims"),
    _Told.OUT: Words("{name} ist raus", "{name} is out"),
    _Told.LEAVES: Words("{name} geht", "{name} leaves"),
    _Told.VOID: Words("Runde {round} gilt nicht", "round {round} is void"),
    _Told.BEGINS: Words("Runde {round}: {name} beginnt", "round {round}: {name} opens"),
    _Told.LOSES: Words("das Spiel ist aus, {name} verliert", "the match is over, {name} loses"),
    _Told.LOSE: Words("das Spiel ist aus, {name} verlieren", "the match is over, {name} lose"),
    _Told.NOBODY: Words("das Spiel ist aus, niemand verliert", "the match is over, nobody loses"),
    _Told.AND: Words(" und ", " and "),
}


def tell(step: Step, language: Language = "en", action: Action | None = None) -> list[str]:
    """What happened in a step, a clause for each event.

    ``action``, where given, is what led to it: a roll then tells its dice, if they are known.
    """
    dice = action.dice if isinstance(action, Roll) else None
    return [_clause(event, step, language, dice) for event in step.events]


def _clause(event: Event, step: Step, language: Language, dice: Dice | None) -> str:
    players = step.match.players

    def say(told: _Told, seat: int | None = None, **places: object) -> str:
        if seat is not None:
            places["name"] = players[seat]
        return words(_WORDS[told], language).format(**places)

    match event:
        case Rolled(seat, number):
            thrown = say(_Told.THROWS if number == 1 else _Told.THROWS_AGAIN, seat)
            return thrown if dice is None else f"{thrown}: {_shown(dice)}"
        case Looked(seat):
            return say(_Told.LOOKS, seat)
        case Announced(seat, value, to):
            return say(_Told.SAYS, seat, value=value, to=players[to])
        case Believed(seat):
            return say(_Told.BELIEVES, seat)
        case Doubted(seat):
            return say(_Told.DOUBTS, seat)
        case Revealed(seat, lifted, value, announcer, lied):
            verdict = _Told.LIED if lied else _Told.TRUE
            held = say(verdict, announcer=players[announcer], value=value)
            return f"{say(_Told.LIFTS, seat, dice=_shown(lifted))}: {held}"
        case MaexchenShown(seat):
            return say(_Told.SHOWS, seat)
        case GaveIn(seat):
            return say(_Told.GIVES_IN, seat)
        case OwnedUp(seat):
            return say(_Told.OWNS_UP, seat)
        case Penalised(seat, _, left):
            return say(_Told.DRINKS, seat) if left is None else say(_Told.PAYS, seat, left=left)
        case Swam(seat):
            return say(_Told.SWIMS, seat)
        case WentOut(seat):
            return say(_Told.OUT, seat)
        case LeftTable(seat):
            return say(_Told.LEAVES, seat)
        case RoundVoided(number):
            return say(_Told.VOID, round=number)
        case RoundBegan(number, opener):
            return say(_Told.BEGINS, opener, round=number)
        case MatchEnded(outcome):
            losers = [players[seat] for seat in outcome.losers]
            ends = (_Told.NOBODY, _Told.LOSES, _Told.LOSE)[min(len(losers), 2)]
            return say(ends, name=words(_WORDS[_Told.AND], language).join(losers))


def _shown(dice: Dice) -> str:
    return f"{max(dice)} {min(dice)}"
