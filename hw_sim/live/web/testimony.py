"""Lies of players whose dice are not the host's: their handhelds open throws, and the host checks.

The host has the public log. An opening proves a throw of it by its commitment, and so the lies that
its roller announced for it. A player may open some throws and not others, so the host knows that
there were at least so many lies, and never that there were no more. Throws of others stay closed.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import msgspec
from msgspec.structs import replace

from firmware.table.log.covered_throws import CoveredThrows
from game import events, hides_dice
from game.actions import Announce, Lift, Roll, Say, ShowTower
from game.bluff.position import is_lie
from game.bluff.state import Match
from game.bluff.values import value_of
from game.dice import Dice
from game.record import Record, replay
from hw_sim.live.web.match_plan import SeatingError


class Unopened(msgspec.Struct, frozen=True):
    """The covered throws of a player at a table with this session, in hex."""

    session: str
    covered: CoveredThrows


OwnThrows = Mapping[str, Unopened]
UNOPENED: OwnThrows = MappingProxyType({})
"""Nobody's throws."""


class Lies(msgspec.Struct, frozen=True):
    """The false announcements of a player in a match, and those of them that were caught.

    ``told`` counts those for dice that are known here, ``hidden`` those of them whose dice nobody
    has seen on the table, and ``unsure`` all announcements for other dice. ``unopened``: what the
    player's own handheld may open of these; None for nothing.
    """

    told: int
    caught: int
    unsure: int = 0
    unopened: Unopened | None = None
    hidden: int = 0

    @property
    def is_unsure(self) -> bool:
        """Whether there may be lies that nobody here knows."""
        return self.unsure > 0 or self.unopened is not None


def lies_of(record: Record) -> dict[str, Lies]:
    """Return how often each player announced falsely, if dice are known that they announced for.

    Dice are known that are in the record, or were shown.
    """
    said: list[tuple[int, str, int, Match]] = []
    fell: dict[int, Dice] = {}
    seen: set[int] = set()
    caught: Counter[str] = Counter()
    throw = 0
    for action, step in zip(record.actions, replay(record)):
        match action:
            case Roll(dice):
                throw += 1
            case Announce() | Say() if hides_dice(after := step.match):
                if after.announcer is not None and after.announced is not None:
                    name = record.players[after.announcer]
                    said.append((throw, name, after.announced, after))
                continue
            case Lift(dice) | ShowTower(dice):
                seen.add(throw)
            case _:
                continue
        if dice is not None:
            fell[throw] = dice
        for event in step.events:
            if isinstance(event, events.Revealed):
                caught[record.players[event.announcer]] += event.lied
    told: Counter[str] = Counter()
    hidden: Counter[str] = Counter()
    unsure: Counter[str] = Counter()
    for throw, name, value, match in said:
        if throw in fell:
            lied = is_lie(match.rules, value, value_of(fell[throw]))
            told[name] += lied
            hidden[name] += lied and throw not in seen
        else:
            unsure[name] += 1
    return {
        name: Lies(told[name], caught[name], unsure[name], hidden=hidden[name]) for name in told
    }


def testified(lies: Lies | None, session: str, opened: Sequence[tuple[int, bytes]]) -> Lies | None:
    """Return the lies of a player with those that openings prove; None for nothing to confess.

    Args:
        lies: those that are known.
        session: of the table that the player's handheld was at, in hex; empty for none.
        opened: throws with lies: the index in the log, and the opening.

    Raises:
        SeatingError: "opening": it is that of no throw with a lie, or of another match, or there
            twice.
    """
    if lies is None or lies.unopened is None:
        if session or opened:
            raise SeatingError("opening")
        return lies
    covered, told = lies.unopened.covered, lies.told
    throws = {each.place: each for each in covered.throws}
    for place, opening in opened:
        thrown = throws.pop(place, None)
        proven = None if thrown is None else covered.lies(thrown, opening)
        if not proven:
            raise SeatingError("opening")
        told += proven
    if session != lies.unopened.session:
        raise SeatingError("opening")
    return replace(lies, told=told)
