"""The belief of a player who has not seen the dice: one for the coach, for hints and for reasons.

It follows from all actions so far, if everybody plays by the book. An announcement that the book
never makes is believed as far as the book believes it. It is taken at its word if the book never
doubts it. If the book sometimes doubts it, there are as many lies as make that no mistake. A player
who could look counts as one who has looked.
"""

from game.actions import Announce, Look, SeatAction
from game.bluff.position import playing_order
from game.bluff.values import PLACE, value_of
from game.status import THROWN
from game.strategy.ends import shifted
from game.strategy.equilibrium import Equilibrium
from game.strategy.response import State, after, known

Belief = tuple[tuple[State, float], ...]
"""Positions that look alike to a player, with their chances, which add up to 1."""


def followed(play: Equilibrium, belief: Belief, action: SeatAction) -> Belief:
    """Return the belief after an action that is neither a roll nor lays dice open."""
    if type(action) is Announce and _could_look(belief[0][0]):
        belief = tuple((after(state, Look()), chance) for state, chance in belief)
    right = Announce(action.value) if type(action) is Announce else action
    shared = [(state, chance * play(known(state)).get(right, 0.0)) for state, chance in belief]
    total = sum(chance for _, chance in shared)
    if total:
        told = [(state, chance / total) for state, chance in shared if chance]
    else:
        told = _surprised(play, belief, action)
    return tuple((after(state, action), chance) for state, chance in told)


def _could_look(state: State) -> bool:
    match = state.match
    return match.phase is THROWN and not match.seen and match.rolls <= match.rules.looks


def _surprised(play: Equilibrium, belief: Belief, action: SeatAction) -> list[tuple[State, float]]:
    """Return the belief about an action that the book never does."""
    match = belief[0][0].match
    if type(action) is not Announce or match.phase is not THROWN or match.rolls > match.rules.looks:
        return list(belief)
    lies, place = _lies(play, belief[0][0], action), PLACE[action.value]
    exact = match.rules.understating == "lie"
    sides: tuple[list[tuple[State, float]], ...] = ([], [])
    for state, chance in belief:
        assert state.match.dice is not None, "all dice are known here"
        rolled = PLACE[value_of(state.match.dice)]
        if rolled == place:
            sides[0].append((state, chance))
        elif exact or rolled < place:
            sides[1].append((state, chance))
    told = []
    for side, share in zip(sides, (1 - lies, lies)):
        whole = sum(chance for _, chance in side)
        told += [(state, share * chance / whole) for state, chance in side if share]
    return told or list(belief)


def _lies(play: Equilibrium, state: State, action: Announce) -> float:
    """Return the share of lies, 0 to 1, among announcements that the book never makes."""
    offered = after(state, action)
    match, solved = offered.match, play.solved
    if match.round != state.match.round or match.announced is None or match.announcer is None:
        return 0.0  # it was a fault
    doubt, _ = play.answer(known(offered)._replace(own=None))
    if not doubt:
        return 0.0
    player, place = playing_order(match).index(match.announcer), PLACE[match.announced]
    lie, truth = (solved.prices.doubted(player, payer, place, place * payer)[1] for payer in (0, 1))
    believed = shifted(solved.believed(player + 1, place), -1)[1]
    return min(1.0, max(0.0, believed - truth) / (lie - truth)) if lie > truth else 0.0
