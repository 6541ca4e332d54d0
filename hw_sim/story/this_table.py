"""The worth of a choice against the habits that these players have shown so far.

A choice in a bluff game is worth one thing if its announcement is doubted, or is a lie, and another
if not (``Why``). The coach weighs both as if all played by the book. Here the weights are those of
the mixture of habits that the public play before this decision supports. The rest of the match is
by the book again.
"""

from collections.abc import Iterable, Mapping
from math import fsum, sqrt
from typing import NamedTuple, cast

from firmware.bots.arena import Arena
from firmware.bots.habits import Stage, place_of, stage
from firmware.bots.shark import Learned, learned_of
from game import Match, Phase, hides_dice
from game.actions import Announce, Doubt, SeatAction
from game.bluff.position import playing_order
from game.bluff.state import next_seat
from game.bluff.values import PLACE
from game.coach import Analysis, Judged
from game.record import Record
from game.strategy.book import counted

Z = 1.96
"""The half-width of an interval in standard deviations: 19 of 20 hold the true value."""


class TableWorth(NamedTuple):
    """A worth against this table, and the half-width of its interval, in the analysis's unit."""

    worth: float
    half: float


def at_this_table(record: Record, analysis: Analysis) -> Mapping[int, TableWorth]:
    """Return by line what the choice was worth here, if it hangs on what others are like."""
    arena = Arena(record.rules, record.players, record.first)
    judged = {each.line: each for each in analysis.decisions}
    found: dict[int, TableWorth] = {}
    for line, action in enumerate(record.actions, start=2):
        match = arena.match
        if line in judged and hides_dice(match) and (here := _here(arena, match, judged[line])):
            found[line] = here
        arena.act(action)
    return found


def _here(arena: Arena, match: Match, judged: Judged) -> TableWorth | None:
    why = judged.why
    if why is None or why.if_so is None or why.if_not is None:
        return None
    tells = arena.sight().tells
    learned = learned_of(tells)
    learned.follow(tells, match)
    chances = list(_chances(learned, match, arena.stood, judged.action))
    whole = fsum(weight for weight, _ in chances)
    if not whole:
        return None
    mean = fsum(weight * chance for weight, chance in chances) / whole
    spread = sqrt(fsum(weight * (chance - mean) ** 2 for weight, chance in chances) / whole)
    worth = mean * why.if_so + (1 - mean) * why.if_not
    return TableWorth(worth, Z * spread * abs(why.if_so - why.if_not))


def _chances(
    learned: Learned, match: Match, stood: int | None, action: SeatAction
) -> Iterable[tuple[float, float]]:
    """Yield weights of ways to play, and the chance in each of a doubt, or of a lie."""
    seat = cast(int, match.to_act)
    if type(action) is Announce and match.phase is Phase.THROWN:
        at = _stage(match, seat, match.announced, match.rolls)
        if at is not None:
            by, place = learned.of(next_seat(match, seat)), PLACE[action.value]
            yield from ((w, doubts[place]) for w, doubts in zip(by.doubter, at.doubts))
    elif type(action) is Doubt and match.announcer is not None and match.announced is not None:
        at = _stage(match, match.announcer, stood, match.announcer_rolls)
        if at is not None:
            place = PLACE[match.announced]
            for weight, told in zip(learned.of(match.announcer).liar, at.told):
                whole = told.lies[place] + told.truths[place]
                if whole:
                    yield weight * whole, told.lies[place] / whole


def _stage(match: Match, seat: int, stood: int | None, rolls: int) -> Stage | None:
    """Return the stage of an announcement, None if its dice were not to be looked at."""
    if not 0 < rolls <= match.rules.looks:
        return None
    solved = counted(match.rules, len(match.playing)).solved
    return stage(solved, playing_order(match).index(seat), place_of(stood), rolls)
