"""The card of an evening: lines about its people, and what each of them may confess.

The host has the public log. An opening proves a throw of it by its commitment, and so the lies that
its roller announced for it. A player may open some throws and not others, so the host knows that
there were at least so many lies, and never that there were no more. Throws of others stay closed.

The lines say what everybody saw. How often somebody lied is told by that player, or not at all.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
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
from game.record import Record, Statistics, replay, statistics
from hw_sim.live.web.match_plan import SeatingError


class Unopened(msgspec.Struct, frozen=True):
    """The covered throws of a player at a table with this session, in hex."""

    session: str
    covered: CoveredThrows


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
    said: list[tuple[int, Match]] = []
    fell: dict[int, Dice] = {}
    seen: set[int] = set()
    throw = 0
    steps = [*replay(record)]
    for action, step in zip(record.actions, steps):
        match action:
            case Roll(dice):
                throw += 1
            case Lift(dice) | ShowTower(dice):
                seen.add(throw)
            case Announce() | Say() if hides_dice(step.match):
                said.append((throw, step.match))
                continue
            case _:
                continue
        if dice is not None:
            fell[throw] = dice
    caught = [each.lies_caught for each in statistics(len(record.players), steps)]
    told: Counter[int] = Counter()
    hidden: Counter[int] = Counter()
    unsure: Counter[int] = Counter()
    for throw, match in said:
        seat, value = match.announcer, match.announced
        if seat is None or value is None:
            continue
        if throw in fell:
            lied = is_lie(match.rules, value, value_of(fell[throw]))
            told[seat] += lied
            hidden[seat] += lied and throw not in seen
        else:
            unsure[seat] += 1
    return {
        record.players[seat]: Lies(told[seat], caught[seat], unsure[seat], hidden=hidden[seat])
        for seat in told
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
"""The most lines of a card; chosen."""
_CHECKED = ("truth", "lie", "lies")
_CONFESSED = ("word", "confession", "confessions")
"""Lines about no, one and more lies: as they were counted, and as the player tells."""


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

    def answered(self, name: str, lies: Lies, *, tells: bool) -> "EveningCard":
        """Return the card with what a player tells of these lies, or with their refusal."""
        if not tells:
            return replace(self, refused=[*self.refused, name])
        keys = _CONFESSED if lies.is_unsure else _CHECKED
        key = keys[min(lies.told, len(keys) - 1)]
        line = CardLine(name, key, {"A": name, "n": lies.told, "c": lies.caught})
        return replace(self, lines=[line, *(each for each in self.lines if each.name != name)])


class MatchResult(NamedTuple):
    """A match that is over: its people by seat, those who lost it, those who lost least.

    ``unopened``: by player the throws that only their handheld elsewhere can open.
    """

    record: Record
    people: tuple[str, ...]
    losers: tuple[str, ...]
    crowned: tuple[str, ...]
    unopened: Mapping[str, Unopened] = MappingProxyType({})

    @property
    def lies(self) -> dict[str, Lies]:
        """By player what they may confess, as `lies_of` knows it and their handheld may open it."""
        known, nothing = lies_of(self.record), Lies(0, 0)
        own = self.unopened.items()
        return known | {
            name: replace(known.get(name, nothing), unopened=each) for name, each in own
        }


class _Found(NamedTuple):
    """A possible line; the higher its score, the rarer it is."""

    score: float
    line: CardLine


@dataclass
class _Deeds:
    """The deeds of a player in a match that everybody saw."""

    counts: Statistics
    doubted: Counter[str] = field(default_factory=Counter)
    trusted: int = 0
    unseen: int = 0
    said: Counter[int] = field(default_factory=Counter)
    gap: tuple[int, int, int] = (0, 0, 0)
    maexchen: int = 0
    swum: int = 0


def card_lines(result: MatchResult, before: Collection[str]) -> list[CardLine]:
    """Return the lines about a match that is over, best first, at most `LINES`.

    They are about different people, and each has a text of its own. No loser gets a line that
    teases. The names of the last card, ``before``, come after others.
    """
    deeds = _deeds(result.record.players, [*replay(result.record)])
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


def _deeds(names: tuple[str, ...], steps: Sequence[AnyStep]) -> dict[str, _Deeds]:
    deeds = {name: _Deeds(each) for name, each in zip(names, statistics(len(names), steps))}
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
                deeds[names[seat]].doubted[names[announcer]] += not lied
                gap = rank(announced) - rank(value_of(dice)) if lied else 0
                speaker = deeds[names[announcer]]
                speaker.gap = max(speaker.gap, (gap, announced, value_of(dice)))
            case events.MaexchenShown(seat):
                deeds[names[seat]].maexchen += 1
            case events.Swam(seat):
                swims.add(names[seat])
            case events.RoundBegan():
                for name in swims:
                    deeds[name].swum += 1
            case _:
                pass
    return deeds


def _possible(name: str, deeds: _Deeds) -> Iterator[_Found]:
    """Yield the lines that are true of a player, with how rare they are."""
    counts, (gap, announced, was) = deeds.counts, deeds.gap
    right, caught, true = counts.right_doubts, counts.lies_caught, counts.truths_doubted
    whom, most = (*deeds.doubted.most_common(1), ("", 0))[0]
    value, times = (*deeds.said.most_common(1), (0, 0))[0]
    rows: tuple[tuple[str, bool, float, dict[str, str | int]], ...] = (
        ("doubts", most >= 3, 10 + most, {"B": whom, "n": most}),
        ("sharp", right >= 2 and not most, 7 + right, {"n": right}),
        ("brave", gap >= 6, 2 + gap / 2, {"v": announced, "w": was}),
        ("believer", deeds.trusted >= 4 and not right and not most, 5 + deeds.trusted / 4, {}),
        ("unseen", deeds.unseen >= 2, 6 + deeds.unseen, {"n": deeds.unseen}),
        ("caught", caught >= 2, 3 + caught, {"n": caught}),
        ("honest", true >= 2 and not caught, 6 + true, {"n": true}),
        ("swam", deeds.swum >= 3, 4 + deeds.swum / 2, {"n": deeds.swum}),
        ("maexchen", deeds.maexchen >= 2, 8 + deeds.maexchen, {"n": deeds.maexchen}),
        ("best", counts.rounds_won >= 2, 3 + counts.rounds_won / 2, {"n": counts.rounds_won}),
        ("favourite", times >= 3, 2 + times / 2, {"v": value, "n": times}),
    )
    for key, is_true, score, places in rows:
        if is_true:
            yield _Found(score, CardLine(name, key, {"A": name, **places}))
