"""A judged match as lines of a terminal and as JSON, by the book and against these players.

A choice in a bluff game is worth one thing if its announcement is doubted, or is a lie, and another
if not (``Why``). The coach weighs both as if all played by the book. Here the weights are those of
the mixture of habits that the public play before this decision supports. The rest of the match is
by the book again.
"""

from collections.abc import Iterable, Mapping
from math import fsum, sqrt
from types import MappingProxyType
from typing import Any, Final, NamedTuple, cast

from firmware.bots.arena import Arena
from firmware.bots.hint import Advice
from firmware.bots.opponents import Learned, Stage, learned_of, stage
from firmware.display.text.language import Language, decimal, say
from game import Match, OpenMatch, Phase, hides_dice
from game.actions import Announce, Believe, Doubt, Refuse, SeatAction
from game.bluff.legality import playing_order
from game.bluff.rules import PLACE, next_seat
from game.coach import Account, Analysis, Judged
from game.coach.judged import FREE, GOOD, Caveat, Turning, WorthUnit
from game.record import Record, to_plain
from game.strategy.bluff import place_of
from game.strategy.book import counted
from hw_sim.story.reasons import is_fault, is_given_up, reason, told

Z = 1.96
"""The half-width of an interval in standard deviations, by definition: 19 of 20 hold the true
value."""


class TableWorth(NamedTuple):
    """A worth against this table, and the half-width of its interval, in the analysis's unit."""

    worth: float
    half: float


def at_this_table(record: Record, analysis: Analysis) -> Mapping[int, TableWorth]:
    """Return by line what the choice was worth here, if it hangs on what others are like."""
    arena = Arena(record.rules, record.players, record.first)
    judged = {each.line: each for each in analysis.decisions if each.caution is None}
    found: dict[int, TableWorth] = {}
    for line, action in enumerate(record.actions, start=2):
        match, one = arena.match, judged.get(line)
        if one and hides_dice(match) and (here := _at_this_table(arena, match, one)):
            found[line] = here
        arena.act(action)
    return found


def _at_this_table(arena: Arena, match: Match, judged: Judged) -> TableWorth | None:
    why = judged.whys.get(judged.action)
    if type(judged.action) is Believe or why is None or why.if_so is None or why.if_not is None:
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


_PARTS: Final = ("start", "luck", "skill", "faults", "others", "table", "result")


_CAVEATS: Final = {"NO_SCORE": "judged.NO_SCORE", "BY_LOT": "judged.BY_LOT"}
_SIGNS: Final = frozenset(("", *"+-0123456789"))


class JudgedStory(NamedTuple):
    """A table in words: its heads, and its rows with as many cells."""

    head: tuple[str, ...]
    rows: list[tuple[str, ...]]

    def lines(self) -> list[str]:
        """Return it as lines of a terminal, a head and then each row."""
        columns = list(zip(self.head, *self.rows))
        sides = [">" if all(cell[:1] in _SIGNS for cell in each[1:]) else "<" for each in columns]
        form = "  ".join(f"{{:{side}{max(map(len, each))}}}" for side, each in zip(sides, columns))
        return [form.format(*row).rstrip() for row in (self.head, *self.rows)]


def lines(
    analysis: Analysis, language: Language, here: Mapping[int, TableWorth] = MappingProxyType({})
) -> list[str]:
    """Return every decision, everybody's account, and the three moments, line by line.

    ``here`` is as ``at_this_table`` returns it.
    """
    ended = [] if analysis.ended else [say("judged.OPEN_END", language), ""]
    return [
        model(analysis, language),
        unit(analysis, language),
        "",
        *decisions(analysis, language, here).lines(),
        *([say("judged.HERE", language)] if here else []),
        "",
        *ended,
        *accounts(analysis, language).lines(),
        *legend(analysis, language),
        "",
        *(f"{head} {better}" for _, head, better in dearest(analysis, language)),
        *moments(analysis, language),
    ]


def decisions(
    analysis: Analysis, language: Language, here: Mapping[int, TableWorth] = MappingProxyType({})
) -> JudgedStory:
    """Return a row for each decision: with a better action, if there was one, and the reason."""
    rows = []
    for each in analysis.decisions:
        better: tuple[str, ...] = ("", "", "")
        whole, unit = _scale(each, analysis)
        cost = worth_told(each.cost / whole, unit, language)
        if is_better := cost != worth_told(0.0, unit, language):
            best = worth_told(each.chances[each.best] / whole, unit, language)
            better = cost, told(each.best, language, is_given_up(each, each.best)), best
        worth = worth_told(each.chances[each.action] / whole, unit, language)
        done = told(each.action, language, is_given_up(each, each.action))
        name = analysis.players[each.seat]
        why = reason(each, is_better, analysis.unit, language)
        table = [_here(here.get(each.line), analysis.unit, language)] if here else []
        rows.append((str(each.line), str(each.round), name, done, worth, *better, *table, why))
    heads = say("judged.HEADS", language).split()
    return JudgedStory((*heads[: 8 + bool(here)], heads[-1]), rows)


def _scale(judged: Judged, analysis: Analysis) -> tuple[float, WorthUnit]:
    """Return what to divide the worths of a decision by, and their unit then."""
    return (1.0, analysis.unit) if judged.whole is None else (judged.whole, "chance")


def _here(here: TableWorth | None, unit: WorthUnit, language: Language) -> str:
    if here is None:
        return ""
    return f"{worth_told(here.worth, unit, language)} ± {worth_told(here.half, unit, language)}"


MOST_WAYS: Final = 4
"""The number of ways of a mix that are told, as on a handheld's display; chosen."""


def hint_told(arena: Arena, hint: Advice, unit: WorthUnit, language: Language) -> list[str]:
    """Return the sentences of a hint for the seat that is to act: its ways, the reason for one."""
    ways = [
        (share, told(way, language, is_fault(arena.match, way))) for way, share in hint.ways.items()
    ]
    found = [say(f"judged.{hint.fits.name}", language, ways=ways[0][1])]
    if len(ways) > 1:
        often = (f"{100 * share:.0f} × {way}" for share, way in ways[:MOST_WAYS])
        found = [say("judged.MIXED", language, ways=" · ".join(often))]
    if len(hint.worths) > 1 or hint.best == Refuse():
        why = reason(judged_by(arena, hint, hint.best), False, unit, language)
        if len(ways) > 1:
            why = say("judged.MOSTLY", language, best=ways[0][1], why=why)
        found.append(f"{why[0].upper()}{why[1:]}")
    return found


def judged_by(arena: Arena, advised: Advice, done: SeatAction) -> Judged:
    """Return the choice ``done`` of the seat that is to act, judged by an advice for it."""
    worths, seat = dict(advised.worths), cast(int, arena.match.to_act)
    cost = max(0.0, worths.get(advised.best, 0.0) - worths.get(done, 0.0))
    number = arena.match.round
    judged = Judged(0, number, seat, done, worths, advised.best, cost, None, whys=advised.whys)
    return with_sight(arena, judged)


def with_sight(arena: Arena, judged: Judged) -> Judged:
    """Return the decision that a match waits for with all that its player sees."""
    match = arena.match
    if not hides_dice(match):
        return judged._replace(thrown=cast(OpenMatch, match))
    others = tuple(match.players[seat] for seat in playing_order(match, match.to_act)[1:])
    return judged._replace(seen=arena.sight().seen, others=others)


def accounts(analysis: Analysis, language: Language) -> JudgedStory:
    """Return a row for each player: the parts of their result that are not 0 for all."""
    parts = parts_of(analysis)
    rows = [
        (name, *(part_told(account, part, analysis.unit, language) for part in parts))
        for name, account in zip(analysis.players, analysis.accounts)
    ]
    return JudgedStory(("", *(say(f"part.{part}.name", language) for part in parts)), rows)


def legend(analysis: Analysis, language: Language) -> list[str]:
    """Explain the parts of an account, a line each."""
    return [say(f"part.{part}.means", language) for part in parts_of(analysis)]


def unit(analysis: Analysis, language: Language) -> str:
    """Name the unit of worths, and that of the last two where it is another one."""
    named = say(f"worth.{analysis.unit}.unit", language)
    if all(each.whole is None for each in analysis.decisions):
        return named
    return f"{named} {say('judged.LAST_TWO', language)}"


def basis_told(unit: WorthUnit, caveat: Caveat | None, language: Language) -> str:
    """Name a unit of worths, and what they leave out."""
    named = say(f"worth.{unit}.unit", language)
    return named if caveat is None else f"{named} {say(_CAVEATS[caveat], language)}"


def model(analysis: Analysis, language: Language) -> str:
    """Name the play by which the match was judged, and its distance from the best play."""
    plays, gap, caveat, _ = analysis.model
    texts = [say(f"model.{plays}", language)]
    if gap:
        least = decimal(f"{gap:.5f}".rstrip("0"), language)
        texts.append(say("judged.GAP", language, gap=least))
    if analysis.model.precision >= GOOD:
        worth = amount_told(analysis.model.precision, analysis.unit, language)
        texts.append(say("judged.PRECISION", language, worth=worth))
    if caveat is not None:
        texts.append(say(_CAVEATS[caveat], language))
    if any(each.caution is not None for each in analysis.decisions):
        texts.append(say("judged.AGAINST", language))
    return " ".join(texts)


class Dear(NamedTuple):
    """A decision that cost much: its place among those, what it cost, and the better way."""

    judged: Judged
    head: str
    better: str


def dearest(analysis: Analysis, language: Language) -> list[Dear]:
    """Return the decisions that cost most, three at most, in words."""
    found, names = [], analysis.players
    for number, each in enumerate(analysis.dearest, start=1):
        whole, unit = _scale(each, analysis)
        done = told(each.action, language, is_given_up(each, each.action))
        why = reason(each, True, analysis.unit, language)
        head = say(
            "judged.DEAREST", language, number=number, round=each.round,
            cost=amount_told(each.cost / whole, unit, language),
            done=say("judged.ACTOR", language, name=names[each.seat], done=done),
        )  # fmt: skip
        why = f"{why[:1].upper()}{why[1:]}." if why else ""
        best = told(each.best, language)
        found.append(Dear(each, head, say("judged.DEAR", language, best=best, why=why).rstrip()))
    return found


def moments(analysis: Analysis, language: Language) -> list[str]:
    """Return the highlights, a line each: decisions, and the turning point.

    Bluffs and doubts only where there are any in the game.
    """
    bluff, doubt, choice = analysis.best_bluff, analysis.worst_doubt, analysis.worst_choice
    found = [
        ("judged.BLUFF", bluff, bluff.swing if bluff else 0.0),
        ("judged.DOUBT", doubt, -doubt.cost if doubt else 0.0),
        ("judged.CHOICE", choice, -choice.cost if choice else 0.0),
    ]
    if analysis.model.plays != "equilibrium":
        found = found[2:]
    said = []
    for head, moment, worth in found:
        text = say("judged.NONE", language)
        whole, unit = (1.0, analysis.unit) if moment is None else _scale(moment, analysis)
        nothing = worth_told(0.0, unit, language)
        if moment is not None and worth_told(abs(worth) / whole, unit, language) != nothing:
            change = _change(worth / whole, unit, language)
            text = _in_round(analysis, moment, moment.seat, change, language)
        said.append(say("judged.MOMENT", language, head=say(head, language), text=text))
    head, text = say("judged.TURNING", language), say("judged.NONE", language)
    if (turning := analysis.turning) is not None:
        change = _change(turning.change, analysis.unit, language)
        change = f"{analysis.players[turning.seat]} {change}"
        text = _in_round(analysis, turning, turning.actor, change, language)
    return [*said, say("judged.MOMENT", language, head=head, text=text)]


def _in_round(
    analysis: Analysis, moment: Judged | Turning, actor: int | None, change: str, language: Language
) -> str:
    done = told(moment.action, language)
    if actor is not None:
        done = say("judged.ACTOR", language, name=analysis.players[actor], done=done)
    return say("judged.IN_ROUND", language, round=moment.round, done=done, worth=change)


def parts_of(analysis: Analysis) -> list[str]:
    """The parts of accounts that are something for somebody, and the result."""
    every = analysis.accounts
    some = {part for part in _PARTS for each in every if abs(getattr(each, part)) > FREE}
    return [part for part in _PARTS if part in some or part == "result"]


def part_told(account: Account, part: str, unit: WorthUnit, language: Language) -> str:
    worth = getattr(account, part)
    text = worth_told(worth, unit, language)
    is_plain = part in ("start", "result") or text == worth_told(0.0, unit, language)
    return text if is_plain or worth < 0 else f"+{text}"


def _change(worth: float, unit: WorthUnit, language: Language) -> str:
    way = "fewer" if worth > 0 else "more"
    return say(f"worth.{unit}.{way}", language, worth=amount_told(abs(worth), unit, language))


def amount_told(worth: float, unit: WorthUnit, language: Language) -> str:
    """Return a difference of worths, 0 or more, with its unit: chances in games of a hundred."""
    if unit == "chance":
        part = "little" if 0 < worth < GOOD else "whole" if worth > 1 else "amount"
        return say(f"worth.chance.{part}", language, worth=f"{100 * worth:.0f}")
    return say(f"worth.{unit}.amount", language, worth=decimal(f"{worth:.2f}", language))


def played(analysis: Analysis, language: Language) -> JudgedStory:
    """Return a row for each player: how well they decided, and how lucky they were."""
    unit, rows = analysis.unit, list[tuple[str, ...]]()
    for seat, (name, account) in enumerate(zip(analysis.players, analysis.accounts)):
        costs = [each.cost for each in analysis.decisions if each.seat == seat]
        good = sum(cost < GOOD for cost in costs)
        cost = amount_told(fsum(costs) / max(1, len(costs)), unit, language)
        luck = amount_told(abs(account.luck), unit, language)
        key = "judged.LUCK_FOR" if account.luck > 0 else "judged.LUCK_AGAINST"
        rows.append((name, str(len(costs)), str(good), cost, say(key, language, luck=luck)))
    return JudgedStory(tuple(say("judged.PLAYED", language).split(" ")), rows)


def worth_told(worth: float, unit: WorthUnit, language: Language) -> str:
    """Return a worth in its unit, rounded."""
    text = f"{100 * worth:z.1f}%" if unit == "chance" else f"{worth:z.2f}"
    return decimal(text, language)


def as_json(analysis: Analysis) -> dict[str, Any]:
    """Return all of it, actions as records have them."""
    plain = analysis._asdict() | {
        "players": list(analysis.players),
        "model": analysis.model._asdict(),
        "decisions": [_plain(each) for each in analysis.decisions],
        "accounts": [account._asdict() for account in analysis.accounts],
        "curve": [point._asdict() for point in analysis.curve],
        "best_bluff": analysis.best_bluff and analysis.best_bluff.line,
        "worst_doubt": analysis.worst_doubt and analysis.worst_doubt.line,
        "worst_choice": analysis.worst_choice and analysis.worst_choice.line,
    }
    if turn := analysis.turning:
        plain["turning"] = turn._asdict() | {"action": to_plain(turn.action)}
    return plain


def _plain(judged: Judged) -> dict[str, Any]:
    chances = [to_plain(way) | {"worth": worth} for way, worth in judged.chances.items()]
    kept = {*judged._fields} - {"thrown", "caution"}
    plain = {name: each for name, each in judged._asdict().items() if name in kept}
    why, instead = (judged.whys.get(way) for way in (judged.action, judged.best))
    return {
        **plain,
        "why": why and why._asdict(),
        "instead": instead and instead._asdict(),
        "action": to_plain(judged.action),
        "chances": chances,
        "best": to_plain(judged.best),
        "whys": [to_plain(way) | why._asdict() for way, why in judged.whys.items()],
        "safe": judged.caution and to_plain(judged.caution.best),
    }
