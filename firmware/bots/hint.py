"""The choice of the solved games in the place of a player who practises."""

from collections.abc import Mapping
from typing import cast

from firmware.bots.arena import followed
from firmware.bots.expert import known_of
from firmware.bots.solved import best
from game import hides_dice
from game.actions import Refuse, SeatAction
from game.record import Record
from game.strategy.book import LEAST, equilibrium


def hint(record: Record, seat: int) -> Mapping[SeatAction, float]:
    """Return the chances, 0 to 1, with which ``seat`` should choose now; the greatest comes first.

    It is the equilibrium of two players in bluff games and the best of the round in the others, by
    what that seat has seen. It is empty if it is not its turn, or nothing is known. The ``record``
    has all dice that this seat has looked at, and may have others.
    """
    arena = followed(record)
    match = arena.match
    if match.to_act != seat:
        return {}
    sight = arena.sight()
    if not hides_dice(match):
        if (choice := best(match)) is not None:
            return {choice: 1.0}
        return {cast(SeatAction, only): 1.0 for only in sight.options if len(sight.options) == 1}
    if Refuse() in sight.options:
        return {Refuse(): 1.0}
    shares = equilibrium(match)(known_of(sight))
    told = {action: share for action, share in shares.items() if share >= LEAST}
    return dict(sorted(told.items(), key=lambda each: -each[1]))
