"""What the table can do in a coaster game, whoever is to act (B-10)."""

from game.actions import Leave, StopMatch, VoidRound
from game.coaster.legality import LEVELLING, receivers
from game.coaster.rounds import THIRD, begin_round, lead, lose_half, over
from game.coaster.state import CoasterMatch
from game.events import RoundVoided, Step
from game.open_dice import ROLL_OFF, Events, next_in_play, taken_out


def stop_match(match: CoasterMatch, _seat: int, _: StopMatch) -> Step[CoasterMatch]:
    """Return the step that ends the match by B-10, without a loser."""
    return over(match, "B-10", (), ())


def void_round(match: CoasterMatch, _seat: int, _: VoidRound) -> Step[CoasterMatch]:
    """Void the round: its leader leads again, the next in play where he has left."""
    assert match.leader is not None, "a round has a leader"
    return begin_round(match, match.leader, (RoundVoided(match.round),))


def leave(match: CoasterMatch, to_act: int, action: Leave) -> Step[CoasterMatch]:
    """Let a seat go with the coasters it holds.

    A round goes on without it, unless it was to act or has covered dice: then the round is void
    and the next in play leads.
    """
    leaver = action.seat
    hand = match.hands[leaver]
    match, events = taken_out(match, leaver)
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
        return lead(match, match.hands, events)
    if match.phase is LEVELLING:
        return _leave_levelling(match, leaver, events)
    if leaver == to_act or (hand is not None and hand.covered):
        following = next_in_play(match, leaver)
        return begin_round(match, following, (*events, RoundVoided(match.round)))
    return Step(match._replace(turn=match.turn + 1), events)


def _leave_levelling(match: CoasterMatch, leaver: int, events: Events) -> Step[CoasterMatch]:
    """Go on deciding, unless the giver has left or nobody is left to give to (R-CHI-4)."""
    assert match.leader is not None, "phase two has a leader"
    if leaver == match.to_act or not receivers(match):
        return begin_round(match, match.leader, events)
    return Step(match._replace(turn=match.turn + 1), events)
