"""The report of an evening: several matches, who lied and doubted how often, who was lucky.

Rates have Wilson's intervals, means per match Student's; both hold the true value 19 times of 20.
Matches whose covered dice are not known, as at a party, tell of lies only after a doubt, and
nothing of luck and skill.

Decisions are judged against the players who sit there, where they are known: verdict, worths and
reasons are those of ``firmware.bots.hint``. Else the analysis stands: it judges by the book, which
is safe against anybody.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum, sqrt
from statistics import mean, stdev
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from firmware.bots.arena import Arena
from firmware.bots.bot import Bot
from firmware.bots.hint import Advice, FollowedMatch, HintFits, advice
from firmware.display.text.language import Language, say, say_count
from game import hides_dice
from game.actions import Roll, SeatAction
from game.bluff.rules import RANKING
from game.coach import Analysis, CoachError, Judged, Played, Suggestion, analyse, suggested_handicap
from game.coach.bluff import is_lie
from game.coach.judged import FREE, Caveat, WorthUnit
from game.events import Announced, Revealed
from game.record import Record, public_record, replay
from game.status import Phase
from hw_sim.story import drawing, in_numbers, label
from hw_sim.story.judging import JudgedStory, Z, amount_told, basis_told, judged_by, worth_told


def decided(until: Record, done: SeatAction, bots: Sequence[Bot | None]) -> Judged | None:
    """Return the decision after a record, judged by the advice alone; None if it is none.

    ``bots`` are as in ``advice``. A choice without a worth of its own, such as words, counts as the
    best one.
    """
    followed = FollowedMatch(Arena(until.rules, until.players, until.first), until.actions)
    advised = advice(followed, bots)
    if len(advised.worths) <= 1 or followed.arena.match.to_act is None:
        return None
    made = next((way for way in advised.worths if way == done), advised.best)
    return _both_ways(followed, advised, made)._replace(line=len(until.actions) + 2)


def _both_ways(followed: FollowedMatch, advised: Advice, done: SeatAction) -> Judged:
    """Return a choice, judged by an advice and with caution."""
    book = advice(followed, ())
    caution = judged_by(followed.arena, book, book.best)
    return judged_by(followed.arena, advised, done)._replace(caution=caution)


def _judged_here(followed: FollowedMatch, judged: Judged, advised: Advice) -> Judged:
    """Return a decision with the verdict of the advice.

    A decision that the advice has no worth for, or that is not against this table, stays as it is.
    """
    done = judged.action
    if advised.fits is not HintFits.THIS_TABLE or done not in advised.worths:
        return judged
    here = _both_ways(followed, advised, done)
    best, cost = (done, 0.0) if here.cost < FREE else (here.best, here.cost)
    return judged._replace(
        chances=here.chances, best=best, cost=cost, whys=here.whys, caution=here.caution
    )


def at_table(record: Record, analysis: Analysis, bots: Sequence[Bot | None]) -> Analysis:
    """Return the analysis with the decisions of people judged against those who sit there.

    ``bots`` are by seat, None for a person. The change of a person's skill is booked to luck.
    """
    followed = FollowedMatch(Arena(record.rules, record.players, record.first))
    judged = {each.line: each for each in analysis.decisions}
    for line, action in enumerate(record.actions, start=2):
        one = judged.get(line)
        if one is not None and bots and bots[one.seat] is None:
            judged[line] = _judged_here(followed, one, advice(followed, bots))
        followed.act(action)
    decisions = tuple(judged.values())
    accounts = []
    for seat, account in enumerate(analysis.accounts):
        skill = -fsum(each.cost for each in decisions if each.seat == seat)
        luck = account.luck + account.skill - skill
        accounts.append(account._replace(skill=skill, luck=luck))
    return analysis._replace(decisions=decisions, accounts=tuple(accounts))


_COUNTED = (
    *("throws", "looks", "lies_caught", "truths_doubted", "right_doubts"),
    *("faults", "rounds_won", "rounds_lost"),
)
"""The counts of a player in their order; 0 is left out."""


def counts(record: Record, language: Language) -> list[str]:
    """Count each player's actions, a line each: "Ana: 12 throws, 9 looks, 2 lies caught".

    Raises:
        RecordError: the record has an illegal action.
    """
    lines = []
    for name, done in in_numbers(record)["statistics"].items():
        told = [say_count(f"count.{each}", language, done[each]) for each in _COUNTED if done[each]]
        lines.append(f"{name}: {', '.join(told) or '–'}")
    return lines


FEWEST: Final = 3
"""The fewest matches with an end that suggest a handicap; chosen."""
_STUDENT: Final = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23)
"""The half-width of an interval in standard errors, for 2 to 11 matches."""


class ReportError(ValueError):
    """There is no report of these matches: one line that says why."""


class Rate(NamedTuple):
    """The number of cases that happened, and of all cases."""

    happened: int = 0
    of: int = 0

    def plus(self, happened: bool) -> "Rate":
        """Return the rate with one more case."""
        return Rate(self.happened + happened, self.of + 1)

    def interval(self) -> tuple[float, float]:
        """Return Wilson's interval, 0 to 1; all of it if there are no cases."""
        if not self.of:
            return 0.0, 1.0
        share, n = self.happened / self.of, self.of
        middle = (share + Z * Z / (2 * n)) / (1 + Z * Z / n)
        half = Z * sqrt(share * (1 - share) / n + Z * Z / (4 * n * n)) / (1 + Z * Z / n)
        return max(0.0, middle - half), min(1.0, middle + half)


class MeanWorth(NamedTuple):
    """A mean per match, and the half-width of its interval; None if one match alone is known."""

    mean: float
    half: float | None


@dataclass
class EveningCounts:
    """The counts of several matches of one game.

    Attributes:
        players: in the order in which they appeared.
        matches: their number.
        lies: by player and announced value.
        doubts: of the player who answered, by player and announced value.
        finds: doubts that found a lie, by player.
        luck, skill: by player, a number for each match.
        unit: of luck and skill; None if nobody could judge.
        caveat: what they leave out; None for nothing.
        is_here: whether somebody's decisions were judged against those who sat there.
        last: the players of the last match that had an end of its own, by seat.
        suggestion: the handicap for their next one; None for none.
    """

    players: list[str] = field(default_factory=list)
    matches: int = 0
    lies: dict[tuple[str, int], Rate] = field(default_factory=dict)
    doubts: dict[tuple[str, int], Rate] = field(default_factory=dict)
    finds: dict[str, Rate] = field(default_factory=dict)
    luck: dict[str, list[float]] = field(default_factory=dict)
    skill: dict[str, list[float]] = field(default_factory=dict)
    unit: WorthUnit | None = None
    caveat: Caveat | None = None
    is_here: bool = False
    last: tuple[str, ...] = ()
    suggestion: Suggestion | None = None


def evening(
    records: Sequence[Record],
    bots: Mapping[Record, Sequence[Bot | None]] = MappingProxyType({}),
    *,
    lies_are_told: bool = True,
) -> EveningCounts:
    """Return what the records tell together.

    ``bots`` has by record those that played there, as `at_table` takes them. ``lies_are_told``:
    whether lies that nobody found out count, too.

    Raises:
        ReportError: there are none, or they are of several games.
    """
    games = sorted({record.rules.game for record in records})
    if len(games) != 1:
        raise ReportError(
            f"a report is of one game: choose of {', '.join(games) or 'some matches'}"
        )
    told = EveningCounts()
    for record in records:
        told.matches += 1
        told.players += [name for name in record.players if name not in told.players]
        _count(told, record if lies_are_told else public_record(record))
        try:
            analysis = at_table(record, analyse(record), bots.get(record, ()))
        except CoachError:
            continue
        if told.unit in (None, analysis.unit):
            told.unit, told.caveat = analysis.unit, analysis.model.caveat
            told.is_here |= any(each.caution is not None for each in analysis.decisions)
            for name, account in zip(record.players, analysis.accounts):
                told.luck.setdefault(name, []).append(account.luck)
                told.skill.setdefault(name, []).append(account.skill)
    ended = [played for record in records if (played := _played(record)) is not None]
    if len(ended) >= FEWEST:
        told.last, told.suggestion = ended[-1].players, suggested_handicap(ended)
    return told


def _played(record: Record) -> Played | None:
    """Return the end of a match; None if it has none, or nobody lost."""
    outcome = [step.match.outcome for step in replay(record)][-1:]
    if not outcome or outcome[0] is None or not outcome[0].losers:
        return None
    names = tuple(record.players[seat] for seat in outcome[0].losers)
    return Played(record.rules, record.players, names)


def _count(told: EveningCounts, record: Record) -> None:
    """Add the announcements of a match, and their answers."""
    covered = any(type(each) is Roll and each.dice is None for each in record.actions)
    said: tuple[str, int, str] | None = None
    for step in replay(record):
        match = step.match
        if not hides_dice(match):
            return
        for event in step.events:
            if isinstance(event, Announced) and match.phase is Phase.OFFERED:
                assert match.announced is not None, "it is offered"
                by, to = match.players[event.seat], match.players[match.to_act or 0]
                said = by, match.announced, to
                if not covered:
                    _add(told.lies, said[:2], is_lie(match, match.announced))
            elif isinstance(event, Revealed) and said is not None:
                by, value, to = said
                told.finds[to] = told.finds.get(to, Rate()).plus(event.lied)
                _add(told.doubts, (to, value), happened=True)
                if covered:
                    _add(told.lies, (by, value), event.lied)
                said = None
        if said is not None and match.phase is Phase.BELIEVED:
            _add(told.doubts, (said[2], said[1]), happened=False)
            said = None


def _add(rates: dict[tuple[str, int], Rate], key: tuple[str, int], happened: bool) -> None:
    rates[key] = rates.get(key, Rate()).plus(happened)


def summed(rates: Mapping[tuple[str, int], Rate], who: str | None, value: int | None) -> Rate:
    """Return the rate of one player or of all (None), at one value or at all (None)."""
    found = [
        rate for (name, at), rate in rates.items() if who in (None, name) and value in (None, at)
    ]
    return Rate(sum(rate.happened for rate in found), sum(rate.of for rate in found))


def mean_of(each: Sequence[float]) -> MeanWorth:
    """Return the mean of one number or more, with Student's interval."""
    if len(each) < 2:
        return MeanWorth(mean(each), None)
    error = stdev(each) / sqrt(len(each))
    return MeanWorth(mean(each), _STUDENT[min(len(each), len(_STUDENT) + 1) - 2] * error)


class EveningReport(NamedTuple):
    """The report in words: three sentences, tables by player and by value, a legend, a picture.

    ``picture`` is an SVG; a table without rows is of a game that has none.
    """

    title: str
    sentences: list[str]
    players: JudgedStory
    values: JudgedStory
    legend: str
    picture: str


def report(told: EveningCounts, game: str, language: Language) -> EveningReport:
    """Return the report of ``evening``."""
    title = say("evening.TITLE", language, game=game, matches=told.matches)
    every = ((at, summed(told.lies, None, at), summed(told.doubts, None, at)) for at in RANKING)
    by_value = [(value, lies, doubts) for value, lies, doubts in every if lies.of or doubts.of]
    rows: list[tuple[str, ...]] = [
        (str(value), _rate(lies, language), _rate(doubts, language))
        for value, lies, doubts in by_value
    ]
    legend = say("evening.LEGEND", language)
    if told.unit is not None:
        legend += " " + basis_told(told.unit, told.caveat, language)
    if told.is_here:
        legend += " " + say("judged.AGAINST", language)
    return EveningReport(
        title,
        list(_sentences(told, language)),
        JudgedStory(_heads("evening.PLAYERS", language), list(_of_players(told, language))),
        JudgedStory(_heads("evening.VALUES", language), rows),
        legend,
        picture(title, by_value, language) if by_value else "",
    )


def _heads(key: str, language: Language) -> tuple[str, ...]:
    return tuple(say(key, language).split())


def _of_players(told: EveningCounts, language: Language) -> Iterator[tuple[str, ...]]:
    for name in told.players:
        rates = (summed(each, name, None) for each in (told.lies, told.doubts))
        worths = (told.luck.get(name), [-each for each in told.skill.get(name, ())])
        yield (
            name,
            *(_rate(rate, language) for rate in rates),
            *(_mean(each, told.unit, language) for each in worths),
        )


def _rate(rate: Rate, language: Language) -> str:
    if not rate.of:
        return "–"
    low, high = (f"{100 * each:.0f}" for each in rate.interval())
    return say("evening.RATE", language, count=rate.happened, of=rate.of, low=low, high=high)


def _mean(each: Sequence[float] | None, unit: WorthUnit | None, language: Language) -> str:
    if not each or unit is None:
        return "–"
    found = mean_of(each)
    half = "" if found.half is None else f" ± {worth_told(found.half, unit, language)}"
    return f"{worth_told(found.mean, unit, language)}{half}"


def _sentences(told: EveningCounts, language: Language) -> Iterator[str]:
    """Yield three sentences that the counts make true."""
    lies = {name: summed(told.lies, name, None) for name in told.players}
    if any(rate.of for rate in lies.values()):
        most = max(lies, key=lambda name: lies[name].happened)
        if lies[most].happened:
            count, of = lies[most]
            yield say("evening.LIAR", language, name=most, count=count, of=of)
        else:
            yield say("evening.HONEST", language)
    if told.finds:
        finder = max(told.finds, key=lambda name: told.finds[name].happened)
        count, of = told.finds[finder]
        yield say("evening.FINDER", language, name=finder, count=count, of=of)
    yield from _handicap(told, language)
    unit = told.unit
    if unit is None:
        return
    shown = (("LUCKY", told.luck, 1), ("SKILLED", told.skill, 1), ("UNSKILLED", told.skill, -1))
    for key, parts, sign in shown[:1] if told.finds else shown:
        name = max(parts, key=lambda name: sign * mean(parts[name]))
        worth = amount_told(abs(mean(parts[name])), unit, language)
        yield say(f"evening.{key}", language, name=name, worth=worth)


def _handicap(told: EveningCounts, language: Language) -> Iterator[str]:
    """Yield what a hundred matches at these levels bring, and the handicap that evens them."""
    if (found := told.suggestion) is None:
        return
    yield say("evening.HUNDRED", language, lost=_hundred(told.last, found.level))
    if any(found.handicap):
        given = zip(told.last, found.handicap)
        fewer = ", ".join(f"{name}\N{NO-BREAK SPACE}{number}" for name, number in given if number)
        lost = _hundred(told.last, found.chances)
        yield say("evening.HANDICAP", language, fewer=fewer, lost=lost)
    else:
        yield say("evening.EVEN", language)


def _hundred(names: Sequence[str], chances: Sequence[float]) -> str:
    found = zip(names, chances)
    return ", ".join(f"{name}\N{NO-BREAK SPACE}{100 * chance:.0f}" for name, chance in found)


_WIDE, _LEFT, _ROW, _ROOM = 640, 60, 34, 540
_COLOURS = ("#c62828", "#1565c0")


def picture(title: str, rows: Sequence[tuple[int, Rate, Rate]], language: Language) -> str:
    """Draw the rates of lies and of doubts by value, with their intervals, as SVG."""
    high = 84 + _ROW * len(rows)
    heads = zip(_heads("evening.VALUES", language)[1:], _COLOURS)
    parts = [
        label(16, 26, title, "#222", 17),
        *(label(_LEFT + 150 * at, 52, name, fill, 15) for at, (name, fill) in enumerate(heads)),
        *(_scale(share, high) for share in (0, 50, 100)),
    ]
    for place, (value, *rates) in enumerate(rows):
        top = 64 + _ROW * place
        parts.append(label(16, top + 20, str(value), "#222", 15))
        for line, (rate, fill) in enumerate(zip(rates, _COLOURS)):
            if rate.of:
                y, share = top + 4 + 13 * line, rate.happened / rate.of
                low, top_end = (_LEFT + _ROOM * each for each in rate.interval())
                parts.append(
                    f'<rect x="{_LEFT}" y="{y}" width="{_ROOM * share:.0f}" height="10" '
                    f'fill="{fill}"/><path d="M{low:.0f} {y + 5}H{top_end:.0f}" stroke="#000" '
                    'stroke-width="1.5" opacity=".6"/>'
                )
    return drawing(_WIDE, high, "".join(parts), "#fff")


def _scale(percent: int, high: int) -> str:
    """Draw the line of a share and its name."""
    x = _LEFT + _ROOM * percent // 100
    line = f'<path d="M{x} 60V{high - 18}" stroke="#bbb"/>'
    return line + label(x - 12, high - 5, f"{percent}\N{NO-BREAK SPACE}%", "#555", 12)


def as_plain(told: EveningCounts) -> dict[str, Any]:
    """Return all of it, ready for JSON; rates by player and value."""
    rates = {
        part: [
            {"player": who, "value": value, "count": rate.happened, "of": rate.of}
            for (who, value), rate in getattr(told, part).items()
        ]
        for part in ("lies", "doubts")
    }
    worths = {
        part: {who: mean_of(each)._asdict() for who, each in getattr(told, part).items()}
        for part in ("luck", "skill")
    }
    finds = {who: rate._asdict() for who, rate in told.finds.items()}
    names = {name: getattr(told, name) for name in ("players", "matches", "unit", "caveat")}
    found = told.suggestion and told.suggestion._asdict() | {"players": told.last}
    return {**names, **rates, **worths, "finds": finds, "handicap": found}
