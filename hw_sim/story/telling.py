"""A match in words, as somebody at the table would tell it, in German and English."""

from collections.abc import Mapping
from enum import Enum, auto

from firmware.display.text.words import Words, words
from game import AnyMatch, AnyStep, Match
from game import actions as played
from game.actions import Action, FaultKind, Flourish, Roll
from game.dice import Dice
from game.events import (
    Announced,
    Believed,
    CoastersMoved,
    DecidingRound,
    Doubted,
    Event,
    GaveIn,
    GotSafe,
    HalfBegan,
    HalfLost,
    Inadmissible,
    Kept,
    LeftTable,
    LevellingDeclined,
    Lifted,
    Looked,
    MaexchenShown,
    MatchEnded,
    Mishandled,
    OwnedUp,
    Penalised,
    PhaseTwoBegan,
    Refused,
    Revealed,
    Reversed,
    Rolled,
    RoundBegan,
    RoundDecided,
    RoundVoided,
    Stopped,
    Swam,
    Threw,
    Tied,
    TowerShown,
    TowerSpared,
    WentOut,
    WentWrongWay,
)
from game.spoken import Language


class _Told(Enum):
    THROWS = auto()
    THROWS_AGAIN = auto()
    TOWER = auto()
    LOOKS = auto()
    SAYS = auto()
    SAYS_WRONG_WAY = auto()
    SAME = auto()
    ONE_MORE = auto()
    AIR = auto()
    MUCH_AIR = auto()
    DRAWN_OUT = auto()
    INADMISSIBLE = auto()
    BELIEVES = auto()
    DOUBTS = auto()
    REFUSES = auto()
    WRONG_WAY = auto()
    WRONG_WAY_TAKEN = auto()
    LIFTS = auto()
    LIED = auto()
    TRUE = auto()
    SHOWS = auto()
    SHOWS_TOWER = auto()
    SPARED = auto()
    CLOCKWISE = auto()
    COUNTER = auto()
    GIVES_IN = auto()
    OWNS_UP = auto()
    DROPS = auto()
    MOVES = auto()
    PEEKS = auto()
    PAYS = auto()
    DRINKS = auto()
    DRINKS_MANY = auto()
    SCORES_ONE = auto()
    SCORES_MANY = auto()
    SWIMS = auto()
    OUT = auto()
    TIED = auto()
    KEEPS = auto()
    TURNS_ONE = auto()
    TURNS_MANY = auto()
    STOPS = auto()
    DECIDED = auto()
    TAKES_ONE = auto()
    TAKES_MANY = auto()
    HANDS_ONE = auto()
    HANDS_MANY = auto()
    RETURNS_ONE = auto()
    RETURNS_MANY = auto()
    PHASE_TWO = auto()
    SAFE = auto()
    DECLINES = auto()
    HALF_LOST = auto()
    HALF_BEGINS = auto()
    DECIDING = auto()
    LEAVES = auto()
    VOID = auto()
    BEGINS = auto()
    LEADS = auto()
    LOSES = auto()
    LOSE = auto()
    NOBODY = auto()
    AND = auto()


_WORDS: Mapping[_Told, Words] = {
    _Told.THROWS: Words("{name} würfelt", "{name} throws"),
    _Told.THROWS_AGAIN: Words("{name} würfelt noch einmal", "{name} throws again"),
    _Told.TOWER: Words("{dice} (Turm)", "{dice} (a tower)"),
    _Told.LOOKS: Words("{name} schaut nach", "{name} looks"),
    _Told.SAYS: Words("{name} sagt {value} zu {to}", "{name} says {value} to {to}"),
    _Told.SAYS_WRONG_WAY: Words(
        "{name} sagt {value} zu {to}, falsch herum", "{name} says {value} to {to}, the wrong way"
    ),
    _Told.SAME: Words("„mitgehen“", "“the same again”"),
    _Told.ONE_MORE: Words("„um 1 erhöhen“", "“one more”"),
    _Told.AIR: Words("{value} mit Luft", "{value} with air"),
    _Told.MUCH_AIR: Words("{value} mit viel Luft", "{value} with much air"),
    _Told.DRAWN_OUT: Words("{value}, lang gezogen,", "{value}, drawn out,"),
    _Told.INADMISSIBLE: Words(
        "das durfte {name} nicht sagen", "{name} was not allowed to say that"
    ),
    _Told.BELIEVES: Words("{name} glaubt", "{name} believes"),
    _Told.DOUBTS: Words("{name} zweifelt", "{name} doubts"),
    _Told.REFUSES: Words("{name} nimmt den Becher nicht", "{name} refuses the cup"),
    _Told.WRONG_WAY: Words(
        "{name} hat falsch herum weitergegeben", "{name} had passed the wrong way"
    ),
    _Told.WRONG_WAY_TAKEN: Words(
        "{name} hat falsch herum weitergegeben, {to} hat genommen",
        "{name} had passed the wrong way, {to} took it",
    ),
    _Told.LIFTS: Words("{name} deckt {dice} auf", "{name} lifts {dice}"),
    _Told.LIED: Words(
        "{announcer} hatte {value} gesagt und gelogen", "{announcer} had said {value} and lied"
    ),
    _Told.TRUE: Words(
        "{announcer} hatte {value} gesagt, das hält", "{announcer} had said {value}, which holds"
    ),
    _Told.SHOWS: Words("{name} zeigt ein Mäxchen", "{name} shows a Mäxchen"),
    _Told.SHOWS_TOWER: Words("{name} zeigt einen Turm, {dice}", "{name} shows a tower, {dice}"),
    _Told.SPARED: Words("ein Turm, {name} würfelt noch einmal", "a tower, {name} throws again"),
    _Told.CLOCKWISE: Words("ab jetzt im Uhrzeigersinn", "clockwise from now on"),
    _Told.COUNTER: Words("ab jetzt gegen den Uhrzeigersinn", "counter-clockwise from now on"),
    _Told.GIVES_IN: Words("{name} gibt nach", "{name} gives in"),
    _Told.OWNS_UP: Words("{name} gibt zu, nicht drüber zu liegen", "{name} owns up"),
    _Told.DROPS: Words("{name} lässt etwas fallen", "{name} drops something"),
    _Told.MOVES: Words(
        "{name} bewegt die Würfel beim Weitergeben", "{name} moves the dice in passing"
    ),
    _Told.PEEKS: Words("{name} schaut verbotenerweise nach", "{name} looks against the rules"),
    _Told.PAYS: Words("{name} zahlt, hat noch {left}", "{name} pays, {left} left"),
    _Told.DRINKS: Words("{name} trinkt", "{name} drinks"),
    _Told.DRINKS_MANY: Words("{name} trinkt {count}", "{name} drinks {count}"),
    _Told.SCORES_ONE: Words("{name} bekommt 1 Punkt", "{name} gets 1 point"),
    _Told.SCORES_MANY: Words("{name} bekommt {count} Punkte", "{name} gets {count} points"),
    _Told.SWIMS: Words("{name} schwimmt", "{name} swims"),
    _Told.OUT: Words("{name} ist raus", "{name} is out"),
    _Told.TIED: Words("{name} würfeln noch einmal", "{name} throw again"),
    _Told.KEEPS: Words("{name} legt {dice} beiseite", "{name} sets {dice} aside"),
    _Told.TURNS_ONE: Words("{name} dreht eine Sechs zur Eins", "{name} turns a six to a one"),
    _Told.TURNS_MANY: Words(
        "{name} dreht {count} Sechsen zu Einsen", "{name} turns {count} sixes to ones"
    ),
    _Told.STOPS: Words("{name} lässt es dabei", "{name} leaves it at that"),
    _Told.DECIDED: Words(
        "{name} wirft am besten, {worst} am schlechtesten", "{name} throws best, {worst} worst"
    ),
    _Told.TAKES_ONE: Words("{name} nimmt 1 Deckel", "{name} takes 1 coaster"),
    _Told.TAKES_MANY: Words("{name} nimmt {count} Deckel", "{name} takes {count} coasters"),
    _Told.HANDS_ONE: Words("{name} gibt {to} 1 Deckel", "{name} gives {to} 1 coaster"),
    _Told.HANDS_MANY: Words(
        "{name} gibt {to} {count} Deckel", "{name} gives {to} {count} coasters"
    ),
    _Told.RETURNS_ONE: Words("{name} gibt 1 Deckel ab", "{name} gives 1 coaster away"),
    _Told.RETURNS_MANY: Words(
        "{name} gibt {count} Deckel ab", "{name} gives {count} coasters away"
    ),
    _Told.PHASE_TWO: Words("alle Deckel sind verteilt", "all coasters are dealt"),
    _Told.SAFE: Words("{name} ist außer Gefahr", "{name} is out of danger"),
    _Told.DECLINES: Words("{name} gleicht nicht aus", "{name} gives nobody a coaster"),
    _Told.HALF_LOST: Words("{name} verliert Hälfte {half}", "{name} loses half {half}"),
    _Told.HALF_BEGINS: Words("Hälfte {half}: {name} spielen", "half {half}: {name} play"),
    _Told.DECIDING: Words(
        "Gleichstand, {name} spielen eine Runde um alles",
        "a draw, {name} play one round that decides",
    ),
    _Told.LEAVES: Words("{name} geht", "{name} leaves"),
    _Told.VOID: Words("Runde {round} gilt nicht", "round {round} is void"),
    _Told.BEGINS: Words("Runde {round}: {name} beginnt", "round {round}: {name} opens"),
    _Told.LEADS: Words("Runde {round}: {name} gibt vor", "round {round}: {name} leads"),
    _Told.LOSES: Words("das Spiel ist aus, {name} verliert", "the match is over, {name} loses"),
    _Told.LOSE: Words("das Spiel ist aus, {name} verlieren", "the match is over, {name} lose"),
    _Told.NOBODY: Words("das Spiel ist aus, niemand verliert", "the match is over, nobody loses"),
    _Told.AND: Words(" und ", " and "),
}
_SPOKEN = {played.Words.SAME: _Told.SAME, played.Words.ONE_MORE: _Told.ONE_MORE}
_FLOURISHES = {
    Flourish.AIR: _Told.AIR,
    Flourish.MUCH_AIR: _Told.MUCH_AIR,
    Flourish.DRAWN_OUT: _Told.DRAWN_OUT,
}
_FAULTS = {
    FaultKind.DROP: _Told.DROPS,
    FaultKind.MOVE: _Told.MOVES,
    FaultKind.LOOK: _Told.PEEKS,
}


def tell(step: AnyStep, language: Language = "en", action: Action | None = None) -> list[str]:
    """What happened in a step of any game, a clause for each event.

    ``action``, where given, is what led to it: a covered roll then tells its dice, if they are
    known.
    """
    teller = _Teller(step.match, language, action if isinstance(action, Roll) else Roll())
    return [teller.clause(event) for event in step.events]


class _Teller:
    """Tells events of one step, which led to ``match``; ``roll`` is the roll that led to it."""

    def __init__(self, match: AnyMatch, language: Language, roll: Roll) -> None:
        self._match = match
        self._language = language
        self._roll = roll

    def clause(self, event: Event) -> str:
        """What one event says."""
        match event:
            case Rolled(seat, number):
                return self._rolled(seat, number, self._roll.dice)
            case Threw(seat, dice, number):
                return self._rolled(seat, number, dice)
            case Looked(seat):
                return self._say(_Told.LOOKS, seat)
            case Announced():
                return self._announced(event)
            case Inadmissible(seat):
                return self._say(_Told.INADMISSIBLE, seat)
            case Believed(seat):
                return self._say(_Told.BELIEVES, seat)
            case Doubted(seat):
                return self._say(_Told.DOUBTS, seat)
            case Refused(seat):
                return self._say(_Told.REFUSES, seat)
            case WentWrongWay():
                return self._wrong_way(event)
            case Revealed():
                return self._revealed(event)
            case MaexchenShown(seat):
                return self._say(_Told.SHOWS, seat)
            case TowerShown(seat, dice):
                return self._say(_Told.SHOWS_TOWER, seat, dice=_shown(dice))
            case TowerSpared(seat):
                return self._say(_Told.SPARED, seat)
            case Reversed(direction):
                return self._say(_Told.CLOCKWISE if direction > 0 else _Told.COUNTER)
            case GaveIn(seat):
                return self._say(_Told.GIVES_IN, seat)
            case OwnedUp(seat):
                return self._say(_Told.OWNS_UP, seat)
            case Mishandled(seat, kind):
                return self._say(_FAULTS[kind], seat)
            case Penalised():
                return self._penalised(event)
            case Swam(seat):
                return self._say(_Told.SWIMS, seat)
            case WentOut(seat):
                return self._say(_Told.OUT, seat)
            case Tied(seats):
                return self._say(_Told.TIED, *seats)
            case Kept():
                return self._kept(event)
            case Stopped(seat):
                return self._say(_Told.STOPS, seat)
            case Lifted(seat, dice):
                return self._say(_Told.LIFTS, seat, dice=_shown(dice))
            case RoundDecided(best, worst):
                return self._say(_Told.DECIDED, best, worst=self._name(worst))
            case CoastersMoved():
                return self._moved(event)
            case PhaseTwoBegan():
                return self._say(_Told.PHASE_TWO)
            case GotSafe(seat):
                return self._say(_Told.SAFE, seat)
            case LevellingDeclined(seat):
                return self._say(_Told.DECLINES, seat)
            case HalfLost(seat, half):
                return self._say(_Told.HALF_LOST, seat, half=half)
            case HalfBegan(half, seats):
                return self._say(_Told.HALF_BEGINS, *seats, half=half)
            case DecidingRound(seats):
                return self._say(_Told.DECIDING, *seats)
            case LeftTable(seat):
                return self._say(_Told.LEAVES, seat)
            case RoundVoided(number):
                return self._say(_Told.VOID, round=number)
            case RoundBegan(number, opener):
                begins = _Told.BEGINS if isinstance(self._match, Match) else _Told.LEADS
                return self._say(begins, opener, round=number)
            case MatchEnded(outcome):
                ends = (_Told.NOBODY, _Told.LOSES, _Told.LOSE)[min(len(outcome.losers), 2)]
                return self._say(ends, *outcome.losers)

    def _rolled(self, seat: int, number: int, dice: Dice | None) -> str:
        thrown = self._say(_Told.THROWS if number == 1 else _Told.THROWS_AGAIN, seat)
        if dice is None:
            return thrown
        shown = _shown(dice)
        return f"{thrown}: {self._say(_Told.TOWER, dice=shown) if self._roll.tower else shown}"

    def _announced(self, event: Announced) -> str:
        value = str(event.value) if event.words is None else self._say(_SPOKEN[event.words])
        if event.flourish is not None:
            value = self._say(_FLOURISHES[event.flourish], value=value)
        said = _Told.SAYS_WRONG_WAY if event.wrong_way else _Told.SAYS
        return self._say(said, event.seat, value=value, to=self._name(event.to))

    def _wrong_way(self, event: WentWrongWay) -> str:
        if event.taker is None:
            return self._say(_Told.WRONG_WAY, event.seat)
        return self._say(_Told.WRONG_WAY_TAKEN, event.seat, to=self._name(event.taker))

    def _revealed(self, event: Revealed) -> str:
        verdict = _Told.LIED if event.lied else _Told.TRUE
        held = self._say(verdict, announcer=self._name(event.announcer), value=event.announced)
        dice = _shown(event.dice)
        if event.tower:
            dice = self._say(_Told.TOWER, dice=dice)
        return f"{self._say(_Told.LIFTS, event.seat, dice=dice)}: {held}"

    def _penalised(self, event: Penalised) -> str:
        seat, cost = event.seat, event.cost
        if event.left is not None:
            return self._say(_Told.PAYS, seat, left=event.left)
        if isinstance(self._match, Match) and self._match.rules.stakes == "points":
            return self._count(_Told.SCORES_ONE, _Told.SCORES_MANY, cost, seat)
        return self._count(_Told.DRINKS, _Told.DRINKS_MANY, cost, seat)

    def _kept(self, event: Kept) -> str:
        seat, count = event.seat, event.turned
        told = [self._say(_Told.KEEPS, seat, dice=_shown(event.aside))] if event.aside else []
        if count:
            told.append(self._count(_Told.TURNS_ONE, _Told.TURNS_MANY, count, seat))
        return ", ".join(told)

    def _moved(self, event: CoastersMoved) -> str:
        giver, taker, count = event.giver, event.taker, event.count
        if giver is None:
            takers = () if taker is None else (taker,)
            return self._count(_Told.TAKES_ONE, _Told.TAKES_MANY, count, *takers)
        if taker is None:
            return self._count(_Told.RETURNS_ONE, _Told.RETURNS_MANY, count, giver)
        to = self._name(taker)
        return self._count(_Told.HANDS_ONE, _Told.HANDS_MANY, count, giver, to=to)

    def _count(self, one: _Told, many: _Told, count: int, *seats: int, **places: object) -> str:
        return self._say(one if count == 1 else many, *seats, count=count, **places)

    def _say(self, told: _Told, *seats: int, **places: object) -> str:
        names = words(_WORDS[_Told.AND], self._language).join(map(self._name, seats))
        return words(_WORDS[told], self._language).format(name=names, **places)

    def _name(self, seat: int) -> str:
        return self._match.players[seat]


def _shown(dice: Dice) -> str:
    return " ".join(map(str, sorted(dice, reverse=True)))
