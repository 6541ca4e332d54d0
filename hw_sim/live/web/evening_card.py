"""The card of an evening: lines about its people, and what each of them may confess.

The host has the public log. An opening proves a throw of it by its commitment, and so the lies that
its roller announced for it. A player may open some throws and not others, so the host knows that
there were at least so many lies, and never that there were no more. Throws of others stay closed.

The lines say what everybody saw. How often somebody lied is told by that player, or not at all.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from firmware.table.log.public_log import CoveredThrows
from game import events, hides_dice
from game.actions import Announce, Lift, Roll, Say, ShowTower
from game.bluff.legality import is_lie
from game.bluff.rules import Match, rank, value_of
from game.dice import Dice
from game.engines import AnyStep
from game.record import Record, replay
from hw_sim.live.web.seating import SeatingError


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


LINES = 3
"""The most lines of a card."""


class CardLine(msgspec.Struct, frozen=True):
    """A line about a person: the key of its text, and what fills the text's places."""

    name: str
    key: str
    places: dict[str, str | int]


class EveningCard(msgspec.Struct, frozen=True):
    """The card after a match: its lines, who refuses to testify, and the matches so far."""

    lines: list[CardLine] = []
    refused: list[str] = []
    matches: int = 0


class MatchResult(NamedTuple):
    """A match that is over: its people by seat, those who lost it, those who lost least."""

    record: Record
    people: tuple[str, ...]
    losers: tuple[str, ...]
    crowned: tuple[str, ...]


class _Found(NamedTuple):
    """A possible line; the higher its score, the rarer it is."""

    score: float
    line: CardLine


@dataclass
class _Deeds:
    """The deeds of a player in a match that everybody saw."""

    doubted: Counter[str] = field(default_factory=Counter)
    right: int = 0
    caught: int = 0
    trusted: int = 0
    true: int = 0
    unseen: int = 0
    said: Counter[int] = field(default_factory=Counter)
    gap: tuple[int, int, int] = (0, 0, 0)
    maexchen: int = 0
    won: int = 0
    swum: int = 0


def card_lines(result: MatchResult, before: Collection[str]) -> list[CardLine]:
    """Return the lines about a match that is over, best first, at most `LINES`.

    They are about different people, and each has a text of its own. No loser gets a line that
    teases. The names of the last card, ``before``, come after others.
    """
    deeds = _deeds(result.record.players, replay(result.record))
    found = [
        each
        for name in result.people
        for each in _possible(name, deeds[name])
        if name not in result.losers or each.line.key in _KIND
    ]
    found.sort(key=lambda each: (each.line.name in before, -each.score))
    lines: list[CardLine] = []
    for _, line in found:
        if all(line.name != each.name and line.key != each.key for each in lines):
            lines.append(line)
    return lines[:LINES]


_KIND = {"sharp", "honest", "maexchen", "best"}
"""Lines that praise."""


def _deeds(names: tuple[str, ...], steps: Iterable[AnyStep]) -> dict[str, _Deeds]:
    deeds = {name: _Deeds() for name in names}
    swims: set[str] = set()
    raised: str | None = None
    for event in (event for step in steps for event in step.events):
        match event:
            case events.Believed(seat):
                deeds[names[seat]].trusted += 1
                raised = names[seat]
            case events.Rolled():
                raised = None
            case events.Announced(seat, value) if value is not None:
                deeds[names[seat]].said[value] += 1
                deeds[names[seat]].unseen += raised == names[seat]
            case events.Revealed(seat, dice, announced, announcer, lied):
                doubter, speaker = deeds[names[seat]], deeds[names[announcer]]
                doubter.right += lied
                doubter.doubted[names[announcer]] += not lied
                speaker.caught += lied
                speaker.true += not lied
                gap = rank(announced) - rank(value_of(dice)) if lied else 0
                speaker.gap = max(speaker.gap, (gap, announced, value_of(dice)))
            case events.MaexchenShown(seat):
                deeds[names[seat]].maexchen += 1
            case events.RoundDecided(best):
                deeds[names[best]].won += 1
            case events.Swam(seat):
                swims.add(names[seat])
            case events.RoundBegan():
                for name in swims:
                    deeds[name].swum += 1
            case _:
                pass
    return deeds


def _possible(name: str, deeds: _Deeds) -> Iterator[_Found]:
    """Return the lines that are true of a player, with how rare they are."""

    def found(key: str, score: float, **places: str | int) -> _Found:
        return _Found(score, CardLine(name, key, {"A": name, **places}))

    wrong = deeds.doubted.most_common(1)
    if wrong and wrong[0][1] >= 3:
        yield found("doubts", 10 + wrong[0][1], B=wrong[0][0], n=wrong[0][1])
    if deeds.right >= 2 and not deeds.doubted.total():
        yield found("sharp", 7 + deeds.right, n=deeds.right)
    gap, announced, was = deeds.gap
    if gap >= 6:
        yield found("brave", 2 + gap / 2, v=announced, w=was)
    if deeds.trusted >= 4 and not deeds.right and not deeds.doubted.total():
        yield found("believer", 5 + deeds.trusted / 4)
    if deeds.unseen >= 2:
        yield found("unseen", 6 + deeds.unseen, n=deeds.unseen)
    if deeds.caught >= 2:
        yield found("caught", 3 + deeds.caught, n=deeds.caught)
    if deeds.true >= 2 and not deeds.caught:
        yield found("honest", 6 + deeds.true, n=deeds.true)
    if deeds.swum >= 3:
        yield found("swam", 4 + deeds.swum / 2, n=deeds.swum)
    if deeds.maexchen >= 2:
        yield found("maexchen", 8 + deeds.maexchen, n=deeds.maexchen)
    if deeds.won >= 2:
        yield found("best", 3 + deeds.won / 2, n=deeds.won)
    for value, count in deeds.said.most_common(1):
        if count >= 3:
            yield found("favourite", 2 + count / 2, v=value, n=count)
