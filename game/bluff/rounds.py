"""The end of a round of a bluff game: penalties, who is out, the next round, the match's end.

Every function here writes on a draft and returns the events.
"""

from game.bluff.state import BluffPosition, next_seat
from game.events import MatchEnded, Penalised, RoundBegan, RoundVoided, Swam, Told, WentOut
from game.status import LEFT, OPENING, OUT, OVER, SWIMS, Outcome, Phase, with_item

ONE_PENALTY = 1


def penalise(after: BluffPosition, seat: int, cost: int = ONE_PENALTY) -> Told:
    """Book ``cost`` on ``seat``. That seat, or the next one still in, opens the next round (B-6).

    With matches as stakes it is one match, whatever the cost (R-CLASS-1).
    """
    stakes = after.rules.stakes
    if stakes == "matches":
        return _take_match(after, seat)
    if stakes == "points":
        return score(after, (seat, cost))
    _book(after, seat, cost)
    return ((Penalised, seat, cost, None), *_begin_round(after, seat))


def _book(after: BluffPosition, seat: int, cost: int) -> None:
    after.tally = with_item(after.tally, seat, after.tally[seat] + cost)


def _take_match(after: BluffPosition, seat: int) -> Told:
    """Take a match from ``seat``, or put a swimmer out (R-CLASS-1, R-CLASS-2)."""
    _book(after, seat, ONE_PENALTY)
    left = after.rules.credit - after.tally[seat]
    if left > 0:
        return ((Penalised, seat, ONE_PENALTY, left), *_begin_round(after, seat))
    paid = (Penalised, seat, ONE_PENALTY, 0)
    if left == 0:
        after.status = with_item(after.status, seat, SWIMS)
        return (paid, (Swam, seat), *_begin_round(after, seat))
    went_out = _put_out(after, seat)
    if after.rules.ends == "first_out" or len(after.playing) == 1:
        return (paid, went_out, *over(after, "R-CLASS-2", after.out))
    return (paid, went_out, *_begin_round(after, next_seat(after, seat)))


def _put_out(after: BluffPosition, seat: int) -> tuple[object, ...]:
    after.status = with_item(after.status, seat, OUT)
    after.out = (*after.out, seat)
    return (WentOut, seat)


def score(after: BluffPosition, *bookings: tuple[int, int]) -> Told:
    """Book points one after the other, as (seat, cost); the first seat opens (R-HF-4, R-HF-6)."""
    rules = after.rules
    told: Told = ()
    for seat, cost in bookings:
        _book(after, seat, cost)
        told += ((Penalised, seat, cost, None),)
        if after.tally[seat] >= rules.points and len(after.out) < rules.losers:
            told += (_put_out(after, seat),)
    if len(after.out) == rules.losers or len(after.playing) == 1:
        return (*told, *over(after, "R-HF-4", after.out))
    opener = bookings[0][0]
    if after.status[opener] is OUT:
        opener = next_seat(after, opener)
    return (*told, *_begin_round(after, opener))


def void(after: BluffPosition, opener: int) -> Told:
    """Begin the next round with ``opener``; the running one counts for nothing (B-10)."""
    return ((RoundVoided, after.round), *_begin_round(after, opener))


def _begin_round(after: BluffPosition, opener: int) -> Told:
    """Begin the next round with an empty cup at ``opener`` (B-6)."""
    _empty_cup(after, OPENING, opener)
    after.round += 1
    after.opener = opener
    return ((RoundBegan, after.round, opener),)


def over(after: BluffPosition, rule: str, losers: tuple[int, ...]) -> Told:
    """End the match by ``rule``, with ``losers`` as in ``Outcome``."""
    _empty_cup(after, OVER, None)
    left = tuple(seat for seat, status in enumerate(after.status) if status is LEFT)
    after.outcome = Outcome(rule, losers, after.out, left, after.tally)
    return ((MatchEnded, after.outcome),)


def _empty_cup(after: BluffPosition, phase: Phase, to_act: int | None) -> None:
    """Clear the announcement and the dice under the cup."""
    after.phase, after.to_act = phase, to_act
    after.announced = after.announcer = after.said = after.dice = None
    after.rolls = after.announcer_rolls = 0
    after.seen = after.tower = False
