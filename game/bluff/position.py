"""Facts about a position of a bluff game: the cup's holder, and the admissible announcements."""

from game.actions import Say, Words
from game.bluff.rules import BluffRules, Equal
from game.bluff.state import BluffPosition, next_seat
from game.bluff.values import MAEXCHEN, value_of
from game.status import BELIEVED, IN, OFFERED, PLAYING, THROWN


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
