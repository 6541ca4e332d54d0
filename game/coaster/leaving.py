"""The actions of the table in a coaster game, legal whichever seat is to act (B-10)."""

from collections.abc import Callable

from game.actions import Leave, StopMatch, VoidRound
from game.coaster.rounds import THIRD, begin_round, lead, lose_half, over
from game.coaster.state import CoasterPosition, receivers
from game.events import RoundVoided, Told
from game.open_dice import next_in_play, take_out
from game.status import LEVELLING, ROLL_OFF


def _stop_match(after: CoasterPosition, _seat: int, _: StopMatch) -> Told:
    """End the match by B-10, without a loser."""
    return over(after, "B-10", ())


def _void_round(after: CoasterPosition, _seat: int, _: VoidRound) -> Told:
    """Void the round. Its leader leads again, or the next in play if the leader has left."""
    assert after.leader is not None, "a round has a leader"
    return ((RoundVoided, after.round), *begin_round(after, after.leader))


def _leave(after: CoasterPosition, to_act: int, action: Leave) -> Told:
    """Take a seat out, with its coasters."""
    hand = after.hands[action.seat]
    voids = action.seat == to_act or (hand is not None and hand.covered)
    return (*take_out(after, action.seat), *_without(after, action.seat, voids))


def _without(after: CoasterPosition, leaver: int, voids: bool) -> Told:
    """Go on without ``leaver``.

    A round goes on too, unless the leaver was to act or has covered dice. Then it is void and the
    next seat in play leads.
    """
    if not after.rules.customs.halves and len(after.playing) == 1:
        return over(after, "R-CHI-2", after.playing)
    if len(after.at_table) == 1:
        return over(after, "B-10", ())
    if len(after.playing) == 1:
        # Players who sit out cannot play: a third half has no second player any more, and in any
        # other half the leaver held all the coasters in play.
        if after.half == THIRD:
            return over(after, "B-10", ())
        return lose_half(after, after.playing[0], "R-MAX-3")
    if after.phase is ROLL_OFF:
        return lead(after)
    if after.phase is LEVELLING:
        # The giver goes on deciding, unless the giver is the leaver or nobody is left to give to
        # (R-CHI-4).
        assert after.leader is not None, "phase two has a leader"
        ends = leaver == after.to_act or not receivers(after)
        return begin_round(after, after.leader) if ends else ()
    if voids:
        return ((RoundVoided, after.round), *begin_round(after, next_in_play(after, leaver)))
    return ()


TABLE_MOVES: dict[type, Callable[..., Told]] = {
    Leave: _leave,
    VoidRound: _void_round,
    StopMatch: _stop_match,
}
"""By action: its move, as those of ``game.coaster.moves``."""
