"""The card of an evening: three true lines about three people of a match, and what they confess.

The lines say what everybody saw. How often somebody lied is told by that player, or not at all.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

from game import events
from game.bluff.values import rank, value_of
from game.engines import AnyStep
from game.record import Record, replay

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
    """Return the lines about a match that is over, best first: one a person, at most `LINES`.

    No loser gets a line that teases. The names of the last card, ``before``, come after others.
    """
    deeds = _deeds(result.record.players, replay(result.record))
    found = [
        each
        for name in result.people
        for each in _possible(name, deeds[name])
        if name not in result.losers or each.line.key in _KIND
    ]
    found.sort(key=lambda each: (each.line.name in before, -each.score))
    lines: dict[str, CardLine] = {}
    for each in found:
        lines.setdefault(each.line.name, each.line)
    return [*lines.values()][:LINES]


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
