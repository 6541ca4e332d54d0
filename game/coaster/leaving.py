"""What the table can do in a coaster game, whoever is to act (B-10)."""

from game.actions import Leave, StopMatch, VoidRound
from game.coaster.legality import LEVELLING, ROLL_OFF, receivers
from game.coaster.rounds import THIRD, begin_round, decide_lead, lose_half, over, with_item
from game.coaster.state import CoasterMatch, CoasterStep, next_in_play
from game.events import CoastersMoved, Event, LeftTable, RoundVoided
from game.status import Status

_Events = tuple[Event, ...]


def stop_match(match: CoasterMatch, _seat: int, _: StopMatch) -> CoasterStep:
    """End the match without a loser."""
    return over(match, "B-10", (), ())


def void_round(match: CoasterMatch, _seat: int, _: VoidRound) -> CoasterStep:
    """Void the round: its leader leads again, the next in play where he has left."""
    assert match.leader is not None, "a round has a leader"
    return begin_round(match, match.leader, (RoundVoided(match.round),))


def leave(match: CoasterMatch, to_act: int, action: Leave) -> CoasterStep:
    """Let a seat go with the coasters it holds.

    A round goes on without it, unless it was to act or has covered dice: then the round is void
    and the next in play leads.
    """
    leaver = action.seat
    held = match.coasters[leaver]
    events: _Events = (LeftTable(leaver),)
    if held:
        events = (*events, CoastersMoved(leaver, None, held))
    match = match._replace(
        status=with_item(match.status, leaver, Status.LEFT),
        coasters=with_item(match.coasters, leaver, 0),
        gone=match.gone + held,
    )
    if match.rules.game == "chicago" and len(match.playing) == 1:
        return over(match, "R-CHI-2", match.playing, events)
    if len(match.at_table) == 1:
        return over(match, "B-10", (), events)
    if len(match.playing) == 1:
        # Those who sit out cannot play: a third half has no second player any more, and in any
        # other half he holds all the coasters in play.
        if match.half == THIRD:
            return over(match, "B-10", (), events)
        return lose_half(match, match.playing[0], "R-MAX-3", events)
    if match.phase is ROLL_OFF:
        return _leave_roll_off(match, leaver, events)
    if match.phase is LEVELLING:
        return _leave_levelling(match, leaver, events)
    hand = match.hands[leaver]
    if leaver == to_act or (hand is not None and hand.covered):
        following = next_in_play(match, leaver)
        return begin_round(match, following, (*events, RoundVoided(match.round)))
    return CoasterStep(_without(match, leaver), events)


def _without(match: CoasterMatch, leaver: int) -> CoasterMatch:
    """Return the match with ``leaver`` and his throw taken out of the round."""
    return match._replace(
        order=tuple(seat for seat in match.order if seat != leaver),
        hands=with_item(match.hands, leaver, None),
        turn=match.turn + 1,
    )


def _leave_roll_off(match: CoasterMatch, leaver: int, events: _Events) -> CoasterStep:
    rest = _without(match, leaver)
    if len(rest.order) == 1:
        return begin_round(match, rest.order[0], events)
    for seat in rest.order:
        if rest.hands[seat] is None:
            return CoasterStep(rest._replace(to_act=seat), events)
    return decide_lead(rest._replace(turn=match.turn), events)


def _leave_levelling(match: CoasterMatch, leaver: int, events: _Events) -> CoasterStep:
    """Go on deciding, unless the giver has left or nobody is left to give to (R-CHI-4)."""
    assert match.leader is not None, "phase two has a leader"
    if leaver == match.to_act or not receivers(match):
        return begin_round(match, match.leader, events)
    return CoasterStep(match._replace(turn=match.turn + 1), events)
