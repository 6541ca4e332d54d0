"""How a round of a bluff game ends: penalties, who is out, the next round, the end of the match."""

from game.bluff.legality import OPENING, OVER
from game.bluff.state import Match, next_seat
from game.events import (
    Event,
    MatchEnded,
    Penalised,
    RoundBegan,
    RoundVoided,
    Step,
    Swam,
    WentOut,
    happened,
)
from game.status import PLAYING, Outcome, Status, with_item

ONE_PENALTY = 1
Events = tuple[Event, ...]
new_tuple = tuple.__new__
"""Builds a named tuple from a plain one without looking at its fields, for speed."""


def penalise(match: Match, seat: int, cost: int, cause: Events) -> Step[Match]:
    """Book ``cost`` on ``seat``, who opens the next round, or the next who is in (B-6).

    With matches as stakes it is one match, whatever the cost (R-CLASS-1). ``cause``: the events
    that led to it, which come first in the step.
    """
    rules = match.rules
    if rules.stakes == "matches":
        return _take_match(match, seat, cause)
    if rules.stakes == "points":
        return score(match, ((seat, cost),), cause)
    tally = with_item(match.tally, seat, match.tally[seat] + cost)
    events = cause + happened(Penalised, seat, cost, None)
    return _new_round(match, tally, match.status, match.out, seat, events)


def _take_match(match: Match, seat: int, cause: Events) -> Step[Match]:
    """Take a match from ``seat``, or put a swimmer out (R-CLASS-1, R-CLASS-2)."""
    rules, status, out = match.rules, match.status, match.out
    penalties = match.tally[seat] + ONE_PENALTY
    tally = with_item(match.tally, seat, penalties)
    left = rules.credit - penalties
    if left > 0:
        events = cause + happened(Penalised, seat, ONE_PENALTY, left)
        return _new_round(match, tally, status, out, seat, events)
    events = cause + happened(Penalised, seat, ONE_PENALTY, 0)
    if left == 0:
        status = with_item(status, seat, Status.SWIMS)
        return _new_round(match, tally, status, out, seat, events + happened(Swam, seat))
    status = with_item(status, seat, Status.OUT)
    out = (*out, seat)
    events += happened(WentOut, seat)
    if rules.ends == "first_out" or sum(map(PLAYING.__contains__, status)) == 1:
        return over(match._replace(tally=tally, status=status, out=out), "R-CLASS-2", out, events)
    opener = next_seat(match, seat)
    return _new_round(match, tally, status, out, opener, events)


def score(match: Match, bookings: tuple[tuple[int, int], ...], events: Events) -> Step[Match]:
    """Book points one after the other, as (seat, cost); the first seat opens (R-HF-4, R-HF-6)."""
    rules = match.rules
    for seat, cost in bookings:
        match = match._replace(tally=with_item(match.tally, seat, match.tally[seat] + cost))
        events += happened(Penalised, seat, cost, None)
        if match.tally[seat] >= rules.points and len(match.out) < rules.losers:
            match = match._replace(
                status=with_item(match.status, seat, Status.OUT), out=(*match.out, seat)
            )
            events += happened(WentOut, seat)
    if len(match.out) == rules.losers or len(match.playing) == 1:
        return over(match, "R-HF-4", match.out, events)
    opener = bookings[0][0]
    if match.status[opener] is Status.OUT:
        opener = next_seat(match, opener)
    return _new_round(match, match.tally, match.status, match.out, opener, events)


def void(match: Match, opener: int, events: Events) -> Step[Match]:
    """Begin the next round with ``opener``; the one that runs counts for nothing (B-10)."""
    events = events + happened(RoundVoided, match.round)
    return _new_round(match, match.tally, match.status, match.out, opener, events)


def _new_round(
    match: Match,
    tally: tuple[int, ...],
    status: tuple[Status, ...],
    out: tuple[int, ...],
    opener: int,
    events: Events,
) -> Step[Match]:
    """Begin the next round with an empty cup at ``opener``; nothing is announced (B-6)."""
    number = match.round + 1
    begun = new_tuple(
        Match,
        (
            match.rules,
            match.players,
            match.direction,
            number,
            opener,
            tally,
            status,
            out,
            None,  # outcome
            match.turn + 1,
            OPENING,
            opener,  # to_act
            None,  # announced
            None,  # announcer
            None,  # dice
            0,  # rolls
            False,  # seen
            None,  # said
            0,  # announcer_rolls
            False,  # tower
        ),
    )
    return new_tuple(Step, (begun, events + happened(RoundBegan, number, opener)))


def over(match: Match, rule: str, losers: tuple[int, ...], events: Events) -> Step[Match]:
    """End the match by ``rule``, with ``losers`` as in ``Outcome``; MatchEnded comes last."""
    left = tuple(seat for seat, status in enumerate(match.status) if status is Status.LEFT)
    outcome = Outcome(rule, losers, match.out, left, match.tally)
    ended = match._replace(
        outcome=outcome,
        turn=match.turn + 1,
        phase=OVER,
        to_act=None,
        announced=None,
        announcer=None,
        dice=None,
        rolls=0,
        seen=False,
        said=None,
        announcer_rolls=0,
        tower=False,
    )
    return Step(ended, (*events, MatchEnded(outcome)))
