"""A match told in words, event by event.

The language files have the clauses. ``{name}`` is the player it is about, several names joined by
`Clause.AND`; ``{to}`` is the other player. Dice and values stand as digits. The clause of an event
that names nothing but its seat has the name of its class, such as ``Event.Looked``.

May import: display.text; game.
"""

from enum import Enum

from firmware.display.text.language import Language, say, say_count
from game import AnyMatch, AnyStep, Unit, events, hides_dice
from game.actions import Action, Roll
from game.dice import Dice

Clause = Enum(
    "Clause",
    """
    THROWS THROWS_AGAIN TOWER SAYS SAYS_WRONG_WAY WRONG_WAY WRONG_WAY_TAKEN LIFTS LIED TRUE
    SHOWS_TOWER CLOCKWISE COUNTER PAYS TIED KEEPS DECIDED ROUND_LOST PHASE_TWO HALF_LOST HALF_BEGINS
    DECIDING VOID BEGINS LEADS LOSES LOSE NOBODY AND DETAIL
    """,
)
"""One clause."""

Counted = Enum("Counted", "DRINKS SCORES TURNS TAKES HANDS RETURNS")
"""A clause that counts something: one of it, and ``{count}`` of it."""


def tell(step: AnyStep, language: Language = "en", action: Action | None = None) -> list[str]:
    """Return the events of a step of any game: a clause without full stop for each.

    ``action`` is the action of the step. With it, the clause of a covered roll has its dice, if
    they are known. None leaves them out.
    """
    teller = _Teller(step.match, language, action if isinstance(action, Roll) else Roll())
    return [teller.clause(event) for event in step.events]


class _Teller:
    """Words the events of one step, which led to ``match``; ``roll`` is the roll that led to it."""

    def __init__(self, match: AnyMatch, language: Language, roll: Roll) -> None:
        self._match = match
        self._language = language
        self._roll = roll

    def clause(self, event: events.Event) -> str:
        """Return the clause of one event."""
        match event:
            case events.Rolled(seat, number):
                return self._rolled(seat, number, self._roll.dice)
            case events.Threw(seat, dice, number):
                return self._rolled(seat, number, dice)
            case events.Announced():
                return self._announced(event)
            case events.WentWrongWay(seat, None):
                return self._say(Clause.WRONG_WAY, seat)
            case events.WentWrongWay(seat, int(taker)):
                return self._say(Clause.WRONG_WAY_TAKEN, seat, to=self._name(taker))
            case events.Revealed():
                return self._revealed(event)
            case events.TowerShown(seat, dice):
                return self._say(Clause.SHOWS_TOWER, seat, dice=_shown(dice))
            case events.Reversed(direction):
                return self._say(Clause.CLOCKWISE if direction > 0 else Clause.COUNTER)
            case events.Mishandled(seat, kind):
                return self._say(kind, seat)
            case events.Penalised():
                return self._penalised(event)
            case events.Tied(seats):
                return self._say(Clause.TIED, *seats)
            case events.Kept():
                return self._kept(event)
            case events.Lifted(seat, dice):
                return self._say(Clause.LIFTS, seat, dice=_shown(dice))
            case events.RoundDecided(best, worst):
                return self._say(Clause.DECIDED, best, worst=self._name(worst))
            case events.CoastersMoved():
                return self._moved(event)
            case events.PhaseTwoBegan():
                return self._say(Clause.PHASE_TWO)
            case events.HalfLost(seat, half):
                return self._say(Clause.HALF_LOST, seat, half=half)
            case events.HalfBegan(half, seats):
                return self._say(Clause.HALF_BEGINS, *seats, half=half)
            case events.DecidingRound(seats):
                return self._say(Clause.DECIDING, *seats)
            case events.RoundVoided(number):
                return self._say(Clause.VOID, round=number)
            case events.RoundBegan(number, opener):
                begins = Clause.BEGINS if hides_dice(self._match) else Clause.LEADS
                return self._say(begins, opener, round=number)
            case events.MatchEnded(outcome):
                ends = (Clause.NOBODY, Clause.LOSES, Clause.LOSE)[min(len(outcome.losers), 2)]
                return self._say(ends, *outcome.losers)
            case of_one:
                return self._say(f"Event.{type(of_one).__name__}", of_one.seat)

    def _rolled(self, seat: int, number: int, dice: Dice | None) -> str:
        thrown = self._say(Clause.THROWS if number == 1 else Clause.THROWS_AGAIN, seat)
        if dice is None:
            return thrown
        shown = _shown(dice)
        detail = self._say(Clause.TOWER, dice=shown) if self._roll.tower else shown
        return self._say(Clause.DETAIL, clause=thrown, detail=detail)

    def _announced(self, event: events.Announced) -> str:
        value = str(event.value) if event.words is None else self._say(event.words)
        if event.flourish is not None:
            value = self._say(event.flourish, value=value)
        said = Clause.SAYS_WRONG_WAY if event.wrong_way else Clause.SAYS
        return self._say(said, event.seat, value=value, to=self._name(event.to))

    def _revealed(self, event: events.Revealed) -> str:
        verdict = Clause.LIED if event.lied else Clause.TRUE
        held = self._say(verdict, announcer=self._name(event.announcer), value=event.announced)
        dice = _shown(event.dice)
        if event.tower:
            dice = self._say(Clause.TOWER, dice=dice)
        lifts = self._say(Clause.LIFTS, event.seat, dice=dice)
        return self._say(Clause.DETAIL, clause=lifts, detail=held)

    def _penalised(self, event: events.Penalised) -> str:
        seat, cost = event.seat, event.cost
        if event.left is not None:
            return self._say(Clause.PAYS, seat, left=event.left)
        if self._match.rules.unit is Unit.POINT:
            return self._count(Counted.SCORES, cost, seat)
        return self._count(Counted.DRINKS, cost, seat)

    def _kept(self, event: events.Kept) -> str:
        seat, count = event.seat, event.turned
        told = [self._say(Clause.KEEPS, seat, dice=_shown(event.aside))] if event.aside else []
        if count:
            told.append(self._count(Counted.TURNS, count, seat))
        return ", ".join(told)

    def _moved(self, event: events.CoastersMoved) -> str:
        giver, taker, count = event.giver, event.taker, event.count
        if giver is None:
            takers = () if taker is None else (taker,)
            if self._match.rules.unit is Unit.ROUND:
                return self._say(Clause.ROUND_LOST, *takers)
            return self._count(Counted.TAKES, count, *takers)
        if taker is None:
            return self._count(Counted.RETURNS, count, giver)
        to = self._name(taker)
        return self._count(Counted.HANDS, count, giver, to=to)

    def _count(self, counted: Counted, count: int, *seats: int, **places: object) -> str:
        name = self._names(seats)
        return say_count(counted, self._language, count, name=name, **places)

    def _say(self, key: Enum | str, *seats: int, **places: object) -> str:
        return say(key, self._language, name=self._names(seats), **places)

    def _names(self, seats: tuple[int, ...]) -> str:
        return say(Clause.AND, self._language).join(map(self._name, seats))

    def _name(self, seat: int) -> str:
        return self._match.players[seat]


def _shown(dice: Dice) -> str:
    return " ".join(map(str, sorted(dice, reverse=True)))
