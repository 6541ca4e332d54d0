"""Legality in a bluff game: one check, from which the lists of legal actions follow.

An action with unknown dice (``Roll(None)``, ``Lift(None)``) stands for any dice. It is illegal only
if no dice would make it legal.

Its grounds are here too: the cup's holder, admissible announcements, the possible rolls.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache

from game import actions, reasons
from game.actions import Lift, Roll, Say, SeatAction, ShowTower, Words
from game.bluff.rules import (
    MAEXCHEN,
    BluffPosition,
    BluffRules,
    Equal,
    Match,
    is_pair_of_dice,
    next_seat,
    value_of,
)
from game.dice import Dice, throws
from game.reasons import Check, Reason, Refusals, checked, outside
from game.status import BELIEVED, DOUBTED, IN, OFFERED, OPENING, OVER, PLAYING, ROLL_AGAIN, THROWN


def holder(match: BluffPosition) -> int | None:
    """Return the seat that has the cup, None when the match is over.

    An offered cup still belongs to its announcer.
    """
    return match.announcer if match.phase is OFFERED else match.to_act


def playing_order(match: BluffPosition, first: int | None = None) -> tuple[int, ...]:
    """Return the seats still in, from ``first``, or the next if that has left.

    ``first`` None is the round's opener.
    """
    first = match.opener if first is None else first
    order = [first if match.status[first] in PLAYING else next_seat(match, first)]
    while (seat := next_seat(match, order[-1])) != order[0]:
        order.append(seat)
    return tuple(order)


def is_wrong_way(match: BluffPosition) -> bool:
    """Return whether the cup was offered against the direction of play (R-HF-5)."""
    return match.said is not None and match.said.wrong_way and has_two_ways(match)


def has_two_ways(match: BluffPosition) -> bool:
    """Return whether more than two players are in; with two no direction is wrong (R-HF-5)."""
    return match.status.count(IN) > 2


def resolved(match: BluffPosition, action: Say) -> int | None:
    """Return the value that words mean here, None if they mean none (R-HF-5, R-HF-9)."""
    if match.announced is None or action.words == Words.SAME:
        return match.announced
    ladder = match.rules.ladder
    higher = match.rules.place[match.announced] + 1
    return ladder[higher] if higher < len(ladder) else None


def is_lie(rules: BluffRules, announced: int, rolled: int) -> bool:
    """Return whether an announced value is a lie about the rolled one (B-4)."""
    if rules.understating == "lie":
        return announced != rolled
    return rules.place[announced] > rules.place[rolled]


def repeats(rules: BluffRules, value: int) -> bool:
    """Return whether a player who has rolled may announce ``value`` over itself (B-3)."""
    equal = rules.customs.equal
    return equal is Equal.ANY or (equal is Equal.MAEXCHEN and value == MAEXCHEN)


def is_closed(match: BluffPosition) -> bool:
    """Return whether the top value stands and cannot be repeated: nobody can go on from it."""
    announced = match.announced
    return announced == match.rules.ladder[-1] and not repeats(match.rules, announced)


def counts_as_maexchen(rules: BluffRules, value: int | None) -> bool:
    """Return whether ``value`` is a Mäxchen, or is above it in the order of the values."""
    return value is not None and rules.place[value] >= rules.place[MAEXCHEN]


def may_hand_on(match: BluffPosition) -> bool:
    """Return whether the cup that was believed may be handed on unrolled at all."""
    hand_on = match.rules.hand_on
    return hand_on != "never" and (
        hand_on != "once" or 0 < match.announcer_rolls <= match.rules.looks
    )


def _may_be_maexchen(match: BluffPosition) -> bool:
    return match.dice is None or value_of(match.dice) == MAEXCHEN


def is_admissible(match: BluffPosition, value: int) -> bool:
    """Return whether ``value`` may be announced now, over the last one (B-3, R-PHYS-2, R-HF-2).

    True while nothing is announced; ``value`` is one of the ladder of the rules.
    """
    standing = match.announced
    if standing is None:
        return True
    rules = match.rules
    if rules.free_maexchen and match.seen and _may_be_maexchen(match):
        return True
    if match.phase is BELIEVED and not may_hand_on(match):
        return False
    if value != standing:
        return rules.place[value] > rules.place[standing]
    if match.phase is BELIEVED:
        return rules.hand_on == "as_high"
    return match.phase is THROWN and repeats(rules, value)


_DUE: Refusals = {
    OPENING: Reason.CUP_EMPTY,
    OFFERED: Reason.ANSWER_DUE,
    DOUBTED: Reason.LIFT_DUE,
    ROLL_AGAIN: Reason.ROLL_DUE,
    OVER: Reason.MATCH_OVER,
}
_NOT_TO_ROLL = outside((OPENING, BELIEVED, THROWN, ROLL_AGAIN), _DUE)
_NO_DICE_TO_OFFER = outside((BELIEVED, THROWN), _DUE)
_NO_ROLL_OF_HIS = outside((THROWN,), _DUE, Reason.NOT_ROLLED)
_NO_OFFER = outside((OFFERED,), _DUE, Reason.NOTHING_OFFERED)
_NO_DOUBT = outside((DOUBTED,), {**_DUE, OFFERED: Reason.NOTHING_DOUBTED}, Reason.NOTHING_DOUBTED)
_ROUND_UNDER_WAY = outside((OPENING,), reasons.IF_OVER, Reason.NOT_BETWEEN_ROUNDS)
_NO_FAULTS: Refusals = {OPENING: Reason.EMPTY_CUP, ROLL_AGAIN: Reason.EMPTY_CUP, **reasons.IF_OVER}


def _roll(match: BluffPosition, action: actions.Roll) -> Reason | None:
    if match.rolls >= match.rules.rolls:
        return Reason.NO_ROLL_LEFT
    if match.rolls and match.announced is None and match.rules.customs.opener_rolls_once:
        return Reason.ONE_ROLL
    if action.dice is not None and not is_pair_of_dice(action.dice):
        return Reason.NO_SUCH_DICE
    if action.tower is not False and not _is_tower(match, action.dice, action.tower):
        return Reason.NO_SUCH_TOWER
    return None


def _is_tower(match: BluffPosition, dice: Dice | None, tower: object) -> bool:
    return tower is True and dice is not None and match.rules.tower_one_in > 0


def _look(match: BluffPosition, _: actions.Look) -> Reason | None:
    if match.rolls > match.rules.looks:
        return Reason.BLIND
    if match.seen:
        return Reason.ALREADY_SEEN
    return None


def _announce(match: BluffPosition, action: actions.Announce) -> Reason | None:
    places, standing = match.rules.place, match.announced
    place = places.get(action.value)
    if place is None:
        return Reason.NO_SUCH_VALUE
    if action.flourish is not None and not _is_flourish(match, action.flourish):
        return Reason.NO_SUCH_FLOURISH
    if action.wrong_way is not False and not _is_wrong_way(match, action.wrong_way):
        return Reason.NO_WRONG_WAY
    if standing is None or match.rules.customs.open_mistakes:
        return None
    if is_admissible(match, action.value):
        return None
    if match.phase is BELIEVED and not may_hand_on(match):
        return Reason.NOT_ROLLED
    over_maexchen = match.rules.customs.equal is Equal.MAEXCHEN and action.value == MAEXCHEN
    return Reason.MUST_ROLL if over_maexchen else Reason.TOO_LOW


def _is_flourish(match: BluffPosition, flourish: object) -> bool:
    return type(flourish) is actions.Flourish and flourish in match.rules.customs.flourishes


def _is_wrong_way(match: BluffPosition, wrong_way: object) -> bool:
    return wrong_way is True and match.rules.customs.open_mistakes and has_two_ways(match)


def _say(match: BluffPosition, action: actions.Say) -> Reason | None:
    if not match.rules.customs.open_mistakes or type(action.words) is not actions.Words:
        return Reason.NO_WORDS
    if action.wrong_way is not False and not _is_wrong_way(match, action.wrong_way):
        return Reason.NO_WRONG_WAY
    return None


def _believe(match: BluffPosition, _: actions.Believe) -> Reason | None:
    return Reason.MAEXCHEN_STANDS if is_closed(match) else None


def _refuse(match: BluffPosition, _: actions.Refuse) -> Reason | None:
    return None if is_wrong_way(match) else Reason.RIGHT_WAY


def _give_in(match: BluffPosition, _: actions.GiveIn) -> Reason | None:
    on_maexchen = counts_as_maexchen(match.rules, match.announced)
    return None if on_maexchen else Reason.NO_MAEXCHEN_STANDS


def _check_lift(match: BluffPosition, action: actions.Lift) -> Reason | None:
    return _lies_open(match, action.dice, action.tower)


def _lies_open(match: BluffPosition, dice: Dice | None, tower: bool) -> Reason | None:
    """Check the dice that an action lays open against the dice this copy of the match knows."""
    if dice == match.dice and tower is match.tower:
        return None
    if tower is not False and not _is_tower(match, dice, tower):
        return Reason.NO_SUCH_TOWER
    if dice is None:
        return None
    if not is_pair_of_dice(dice):
        return Reason.NO_SUCH_DICE
    if match.dice is None:
        return None
    same = value_of(dice) == value_of(match.dice) and tower == match.tower
    return None if same else Reason.OTHER_DICE


def _show_tower(match: BluffPosition, action: actions.ShowTower) -> Reason | None:
    if not match.seen or (match.dice is not None and not match.tower):
        return Reason.NO_TOWER
    return _lies_open(match, action.dice, action.dice is not None)


def _show_maexchen(match: BluffPosition, _: actions.ShowMaexchen) -> Reason | None:
    if not match.seen:
        return Reason.NOT_SEEN
    if match.dice is not None and value_of(match.dice) != MAEXCHEN:
        return Reason.NO_MAEXCHEN
    return None


def _own_up(match: BluffPosition, _: actions.OwnUp) -> Reason | None:
    return Reason.NOTHING_STANDS if match.announced is None else None


def _end_match(match: BluffPosition, _: actions.EndMatch) -> Reason | None:
    if match.rules.stakes != "drinks":
        return Reason.HAS_AN_END
    return Reason.NOT_BETWEEN_ROUNDS if match.round == 1 else None


def _fault(match: BluffPosition, action: actions.Fault) -> Reason | None:
    if not match.rules.customs.fault_cost or type(action.kind) is not actions.FaultKind:
        return Reason.NO_SUCH_FAULT
    if match.phase in _NO_FAULTS:
        return _NO_FAULTS[match.phase]
    if action.kind is actions.FaultKind.OTHER:
        return reasons.not_at_the_table(match, action)
    if type(action.seat) is not int or action.seat != holder(match):
        return Reason.NOT_THE_HOLDER
    if action.kind == actions.FaultKind.DROP:
        return None
    if action.kind == actions.FaultKind.MOVE:
        return None if match.phase is OFFERED else Reason.NOT_PASSED
    rolls = match.announcer_rolls if match.phase is OFFERED else match.rolls
    is_due = match.phase is DOUBTED or 0 < rolls <= match.rules.looks
    return Reason.MAY_LOOK if is_due else None


CHECKS: Mapping[type, Check] = {
    actions.Roll: checked(_NOT_TO_ROLL, _roll),
    actions.Look: checked(_NO_ROLL_OF_HIS, _look),
    actions.Announce: checked(_NO_DICE_TO_OFFER, _announce),
    actions.Say: checked(_NO_DICE_TO_OFFER, _say),
    actions.Believe: checked(_NO_OFFER, _believe),
    actions.Doubt: checked(_NO_OFFER),
    actions.Refuse: checked(_NO_OFFER, _refuse),
    actions.GiveIn: checked(_NO_OFFER, _give_in, "give_in"),
    actions.Lift: checked(_NO_DOUBT, _check_lift),
    actions.ShowMaexchen: checked(_NO_ROLL_OF_HIS, _show_maexchen, "show"),
    actions.ShowTower: checked(_NO_ROLL_OF_HIS, _show_tower, "tower_one_in"),
    actions.OwnUp: checked(_NO_ROLL_OF_HIS, _own_up, "own_up"),
    actions.EndMatch: checked(_ROUND_UNDER_WAY, _end_match),
    actions.VoidRound: checked({OPENING: Reason.NO_ROUND, **reasons.IF_OVER}),
    actions.Fault: _fault,
    **reasons.TABLE_CHECKS,
}
"""By action: the check that returns why it is not possible now, or None if it is."""


@cache
def seat_actions(ladder: tuple[int, ...]) -> tuple[SeatAction, ...]:
    """Return every action that could be legal, in the order of ``legal_actions``.

    Announcements go from the lowest value of the ladder to the highest.
    """
    return (
        actions.Roll(),
        actions.Look(),
        *(
            actions.Announce(value, flourish, wrong_way)
            for wrong_way in (False, True)
            for flourish in (None, *actions.Flourish)
            for value in ladder
        ),
        *(actions.Say(words, wrong_way) for wrong_way in (False, True) for words in actions.Words),
        actions.Believe(),
        actions.Doubt(),
        actions.Refuse(),
        actions.Lift(),
        actions.GiveIn(),
        actions.ShowMaexchen(),
        actions.ShowTower(),
        actions.OwnUp(),
        actions.EndMatch(),
    )


def legal_actions(match: Match) -> tuple[SeatAction, ...]:
    """Return what the seat that is to act may do now; empty when the match is over.

    ``Roll(None)`` and ``Lift(None)`` stand for any dice. The list depends only on what that seat
    may know: on the dice only after its player has looked at them.
    """
    rules = match.rules
    also: tuple[object, ...] | None = None
    if match.seen or rules.customs.open_mistakes:
        also = _also_known(match)
    if rules.hand_on == "once":
        also = (also, may_hand_on(match))
    known = (match.phase, match.announced, match.rolls, match.round == 1, also)
    legal = rules.legal_in.get(known)
    if legal is None:
        possible = seat_actions(rules.ladder)
        legal = tuple(a for a in possible if CHECKS[type(a)](match, a) is None)
        rules.legal_in[known] = legal
    return legal


def _also_known(match: Match) -> tuple[bool | None, ...]:
    """Return the facts that decide about legality, besides those compared in ``legal_actions``."""
    sees = match.seen and match.dice is not None
    shows = (value_of(match.dice) == MAEXCHEN, match.tower) if sees and match.dice else ()
    return (match.seen, has_two_ways(match), is_wrong_way(match), *shows)


def rolls(match: Match) -> tuple[tuple[Roll, Fraction], ...]:
    """Return the possible next rolls, each with its exact chance; the chances add up to 1.

    Dice are sorted, the higher first: 21 outcomes (V-4). In a game with towers, 21 more outcomes
    follow: the same dice as towers (R-HF-8).
    """
    return _rolls(match.rules.tower_one_in)


@cache
def _rolls(tower_one_in: int) -> tuple[tuple[Roll, Fraction], ...]:
    if not tower_one_in:
        return tuple((Roll(dice), chance) for dice, chance in throws(2))
    tower = Fraction(1, tower_one_in)
    flat = tuple((Roll(dice), chance * (1 - tower)) for dice, chance in throws(2))
    return flat + tuple((Roll(dice, tower=True), chance * tower) for dice, chance in throws(2))


@cache
def _lift(dice: Dice | None, tower: bool) -> Lift:
    """Return a lift. It is cached: building one costs more."""
    return Lift(dice, tower)


def laid_open(match: Match, action: SeatAction) -> SeatAction:
    """Return an action that lays dice open with the dice this copy knows; any other as it is."""
    if type(action) is Lift and action.dice is None:
        return _lift(match.dice, match.tower)
    if type(action) is ShowTower and action.dice is None:
        return ShowTower(match.dice)
    return action
