"""A judged match as lines of a terminal and as JSON, by the book and against these players.

A choice in a bluff game is worth one thing if its announcement is doubted, or is a lie, and another
if not (``Why``). The coach weighs both as if all played by the book. Here the weights are those of
the mixture of habits that the public play before this decision supports. The rest of the match is
by the book again.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import fsum, sqrt
from statistics import fmean
from types import MappingProxyType
from typing import Any, Final, NamedTuple, cast

from firmware.bots.arena import Arena
from firmware.bots.hint import Advice, HintFits
from firmware.bots.opponents import Learned, Stage, learned_of, stage
from firmware.display.text.language import Language, decimal, say
from game import AnyMatch, Match, OpenMatch, Phase, apply, hides_dice
from game.actions import (
    Action,
    Announce,
    Believe,
    Doubt,
    GiveCoaster,
    Keep,
    Look,
    Roll,
    Say,
    SeatAction,
    ShowMaexchen,
    Stop,
)
from game.bluff.legality import playing_order
from game.bluff.rules import PLACE, next_seat, value_of
from game.coach import Account, Analysis, Judged
from game.coach.analysis import FREE, GOOD, Caveat, WorthUnit
from game.coaster.rules import RANKS
from game.dice import Dice, high_to_low
from game.record import Record, to_plain
from game.sevens import SEVEN, score
from game.strategy.against import Why
from game.strategy.bluff import place_of
from game.strategy.book import counted
from game.strategy.signal import CHANCES

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
        if (
            line in judged
            and judged[line].safe is None
            and hides_dice(match)
            and (here := _at_this_table(arena, match, judged[line]))
        ):
            found[line] = here
        arena.act(action)
    return found


def _at_this_table(arena: Arena, match: Match, judged: Judged) -> TableWorth | None:
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


_PARTS: Final = ("start", "luck", "skill", "faults", "others", "table", "result")


def told(action: Action, language: Language, is_fault: bool = False) -> str:
    """Name an action, done or possible, in a few words.

    ``is_fault``: it is a mistake that ends the round; such an announcement gives up.
    """
    what = ""
    if isinstance(action, Announce):
        what = str(action.value)
        if is_fault or action.wrong_way:
            return say(f"action.{'give_up' if is_fault else 'wrong_way'}", language, what=what)
    elif isinstance(action, Say):
        what = action.words.replace("_", " ")
    elif isinstance(action, Keep):
        what = " ".join(map(str, (*action.aside, *("6→1",) * action.turned)))
    elif isinstance(action, GiveCoaster) and action.to is None:
        what = "-"
    name = str(to_plain(action)["action"])
    return say(f"action.{name}", language, what=what)


def is_fault(match: AnyMatch, action: SeatAction) -> bool:
    """Return whether an announcement ends the round, as an inadmissible one does (R-HF-5)."""
    return type(action) is Announce and apply(match, action).match.round != match.round


_CAVEATS: Final = {"NO_SCORE": "judged.NO_SCORE", "BY_LOT": "judged.BY_LOT"}
_REASONS: Final[Mapping[type, str]] = {Announce: "judged.SAID", Doubt: "judged.DOUBTED"}
_SURE_REASONS: Final[Mapping[type, str]] = {
    Announce: "judged.SAID_SURELY",
    Doubt: "judged.DOUBTED_SURELY",
    Believe: "judged.BELIEVED",
    Roll: "judged.ROLLED",
}
"""The same if one of two cases cannot happen, or makes no difference."""
_PLAIN_REASONS: Final[Mapping[type, str]] = {
    Look: "judged.LOOKED",
    ShowMaexchen: "judged.SHOWN",
    Roll: "judged.ROLLED_FIRST",
}
"""The reasons that have no numbers; a roll has them once something is announced."""
_CERTAIN: Final = frozenset(("0", "100"))
"""Shares in 100 that leave one case alone."""
HALF: Final = 0.5
OFTEN: Final = 0.5
"""The book makes a choice as a rule if its share is greater."""
_SIGNS: Final = frozenset(("", *"+-0123456789"))


class JudgedStory(NamedTuple):
    """A table in words: its heads, and its rows with as many cells."""

    head: tuple[str, ...]
    rows: list[tuple[str, ...]]

    def lines(self) -> list[str]:
        """Return it as lines of a terminal, a head and then each row."""
        cells = (self.head, *self.rows)
        widths = [max(map(len, column)) for column in zip(*cells)]
        numbers = [all(cell[:1] in _SIGNS for cell in column) for column in zip(*self.rows)]
        aligned = [
            [
                cell.rjust(width) if is_number else cell.ljust(width)
                for cell, width, is_number in zip(row, widths, numbers or widths)
            ]
            for row in cells
        ]
        return ["  ".join(row).rstrip() for row in aligned]


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
            better = cost, told(each.best, language, each.instead is None), best
        worth = worth_told(each.chances[each.action] / whole, unit, language)
        done = told(each.action, language, each.why is None)
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


def reason(judged: Judged, is_better: bool, unit: WorthUnit, language: Language) -> str:
    """Return the reason for a verdict as one clause; empty if only the dice decide.

    ``is_better`` says whether to give that of the better choice, too.
    """
    best = judged.best if is_better else judged.action
    if judged.thrown is not None:
        return open_reason(judged.thrown, best, language)
    named = (best, judged.safe) if is_better else (best,)
    why = _covered_reason(judged, is_better, unit, language)
    said = [PLACE[each.value] for each in named if type(each) is Announce]
    if why and judged.seen and said and min(said) < PLACE[value_of(judged.seen)]:
        return say("judged.LESS", language, why=why)
    return why


def _covered_reason(judged: Judged, is_better: bool, unit: WorthUnit, language: Language) -> str:
    over = "judged.ROLLED_STILL" if _gives_good_dice_up(judged) else "judged.ROLLED_OVER"
    why = _reason(judged.action, judged.why, unit, language, judged.seen, over=over)
    doubt = judged.whys.get(Doubt(), Why(None, None, None, None))
    if judged.best == Believe() and HALF < (doubt.chance or 0.0) < 1:
        return _reason(Doubt(), doubt, unit, language, key="judged.BELIEVED_STILL")
    if not is_better:
        return why
    if judged.share > OFTEN and judged.safe is None:
        why = say("judged.BOOKED", language, why=why or told(judged.action, language))
    if why and _gains_others(judged):
        why = say("judged.BEHIND", language, why=why)
    better = _reason(judged.best, judged.instead, unit, language, judged.seen, over=over)
    if type(judged.best) is Doubt and type(judged.action) is Believe:
        why = better  # it has all of the other
    elif why and better and type(judged.best) is not Believe:
        done, best = told(judged.action, language), told(judged.best, language)
        why = say("judged.REASON", language, done=done, why=why, best=best, better=better)
    elif better and not why and judged.whys:
        why = say("judged.BETTER", language, better=better)
    why = why or better
    if why and judged.safe is not None and judged.safe != judged.best:
        why = say("judged.BESIDE", language, why=why, safe=told(judged.safe, language))
    return why


def _gains_others(judged: Judged) -> bool:
    """Return whether a choice is worth less although it is doubted and followed no more often."""
    why, better = judged.why, judged.instead
    if why is None or better is None or None in (why.chance, why.beaten, better.chance):
        return False
    pairs = (why.chance, better.chance), (why.beaten, better.beaten)
    return type(judged.action) is type(judged.best) is Announce and all(
        (one or 0.0) <= (other or 0.0) for one, other in pairs
    )


def _gives_good_dice_up(judged: Judged) -> bool:
    """Return whether to roll is worth more than to say dice that few rolls are better than."""
    seen, worths = judged.seen, judged.chances
    if type(judged.best) is not Roll or seen is None or _higher(seen) > HALF:
        return False
    return worths.get(Announce(value_of(seen)), 1.0) < worths.get(judged.best, 0.0)


def _higher(seen: Dice) -> float:
    """Return the chance of a roll that is better than these dice."""
    return fsum(CHANCES[PLACE[value_of(seen)] + 1 :])


def _reason(
    action: Action,
    why: Why | None,
    unit: WorthUnit,
    language: Language,
    seen: Dice | None = None,
    key: str = "",
    over: str = "judged.ROLLED_OVER",
) -> str:
    higher = _higher(seen) if seen and type(action) is Roll else 1.0
    if higher < (1.0 if why is None or why.beaten is None else why.beaten):
        return say(over, language, higher=f"{100 * higher:.0f}")
    is_first = type(action) is Roll and why is not None and why.beaten is None
    if why is None or is_first:
        is_told = is_first or type(action) in (Look, ShowMaexchen)
        return say(_PLAIN_REASONS[type(action)], language) if is_told else ""
    so, other = _numbers((why.if_so, why.if_not), unit, language)
    chance, beaten = (f"{100 * (share or 0.0):.0f}" for share in (why.chance, why.beaten))
    is_sure = not (so and other and so != other) or chance in _CERTAIN
    key = key or (_SURE_REASONS if is_sure else _REASONS)[type(action)]
    number = so if chance == "100" or not is_sure else other or so
    said = say(f"worth.{unit}.so", language, worth=number)
    return say(key, language, chance=chance, beaten=beaten, so=said, other=other)


def _numbers(worths: Sequence[float | None], unit: WorthUnit, language: Language) -> list[str]:
    """Return worths, "" for None; of chances the games lost of a hundred, in few digits."""
    given = [each for each in worths if each is not None]
    digits = 2
    if unit == "chance":
        given = [100 * (1 - each) for each in given]
        digits = next((n for n in (0, 1) if len({round(each, n) for each in given}) > 1), 0)
    told = iter(decimal(f"{each:z.{digits}f}", language) for each in given)
    return ["" if each is None else next(told) for each in worths]


MOST_WAYS: Final = 4
"""The number of ways of a mix that are told, as on a handheld's display."""
_HINTS: Final = {
    HintFits.THIS_TABLE: "judged.BEST_HERE",
    HintFits.ANYBODY: "judged.SAFE",
    HintFits.NOBODY_ASKED: "judged.BEST",
}


def hint_told(arena: Arena, hint: Advice, unit: WorthUnit, language: Language) -> list[str]:
    """Return the sentences of a hint for the seat that is to act: its ways, the reason for one."""
    ways = [
        (share, told(way, language, is_fault(arena.match, way))) for way, share in hint.ways.items()
    ]
    if len(ways) > 1:
        key = "judged.MIXED" if hint.fits is HintFits.ANYBODY else "judged.MIXED_BEST"
        often = (f"{100 * share:.0f} × {way}" for share, way in ways[:MOST_WAYS])
        return [say(key, language, ways=" · ".join(often))]
    found = [say(_HINTS[hint.fits], language, ways=ways[0][1])]
    if len(hint.worths) > 1:
        match, best = arena.match, hint.best
        thrown = None if hides_dice(match) else cast(OpenMatch, match)
        judged = Judged(
            0, match.round, cast(int, match.to_act), best, hint.worths, best, 0.0, None,
            why=hint.whys.get(best), whys=hint.whys, thrown=thrown, seen=arena.sight().seen,
        )  # fmt: skip
        why = reason(judged, False, unit, language)
        found += [f"{why[0].upper()}{why[1:]}"] if why else []
    return found


def open_reason(match: OpenMatch, way: SeatAction, language: Language) -> str:
    """Return what speaks for a choice over an open throw, by the throws so far; "" for nothing."""
    seat, left = cast(int, match.to_act), match.limit - match.throws
    if match.phase is not Phase.THROWN:
        return ""
    mine = _rank(match, (*getattr(match, "aside", ()), *(match.dice or ())))
    if isinstance(way, Keep) and (way.turned or 1 in way.aside):
        return say("train.ONES", language, left=left)
    if isinstance(way, Roll) and match.rules.game in RANKS:
        better = fmean(rank > mine for rank in RANKS[match.rules.game].values())
        if better > HALF:
            return say("train.AGAIN", language, better=f"{100 * better:.0f}")
    stops = isinstance(way, Stop)
    if match.leader == seat and match.throws < match.rules.throws and stops:
        return say("train.STOPS", language, throws=match.throws)
    thrown = {each: match.shown(each) for each in match.order if match.hands[each] is not None}
    ranks = {each: _rank(match, dice) for each, dice in thrown.items() if dice}
    behind = [match.players[each] for each, rank in ranks.items() if rank < mine]
    if stops:
        return say("train.AHEAD", language, name=behind[0]) if behind else ""
    is_last = ranks and not behind and match.leader != seat
    return say("train.LAST" if is_last else "train.LEFT", language, left=left)


def _rank(match: OpenMatch, dice: Dice) -> int:
    """Return a number that is higher for better dice."""
    ranks = RANKS.get(match.rules.game)
    if ranks is None:
        return -score(dice, seven_dice=len(dice) == SEVEN)
    return ranks[high_to_low(dice)]


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
    if any(each.safe is not None for each in analysis.decisions):
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
        done = told(each.action, language, each.why is None)
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
            name, done = analysis.players[moment.seat], told(moment.action, language)
            done = say("judged.ACTOR", language, name=name, done=done)
            change = _change(worth / whole, unit, language)
            text = say("judged.IN_ROUND", language, round=moment.round, done=done, worth=change)
        said.append(say("judged.MOMENT", language, head=say(head, language), text=text))
    head, text = say("judged.TURNING", language), _turning(analysis, language)
    return [*said, say("judged.MOMENT", language, head=head, text=text)]


def _turning(analysis: Analysis, language: Language) -> str:
    turning = analysis.turning
    if turning is None:
        return say("judged.NONE", language)
    done = told(turning.action, language)
    if turning.actor is not None:
        done = say("judged.ACTOR", language, name=analysis.players[turning.actor], done=done)
    change = _change(turning.change, analysis.unit, language)
    worth = f"{analysis.players[turning.seat]} {change}"
    return say("judged.IN_ROUND", language, round=turning.round, done=done, worth=worth)


def parts_of(analysis: Analysis) -> list[str]:
    """The parts of accounts that are something for somebody, and the result."""
    return [
        part
        for part in _PARTS
        if part == "result"
        or any(abs(getattr(account, part)) > FREE for account in analysis.accounts)
    ]


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
    return JudgedStory(tuple(say("judged.PLAYED", language).split()), rows)


def worth_told(worth: float, unit: WorthUnit, language: Language) -> str:
    """Return a worth in its unit, rounded."""
    text = f"{100 * worth:z.1f}%" if unit == "chance" else f"{worth:z.2f}"
    return decimal(text, language)


_WHYS: Final = ("why", "instead")


def as_json(analysis: Analysis) -> dict[str, Any]:
    """Return all of it, actions as records have them."""
    plain = analysis._asdict() | {
        "players": list(analysis.players),
        "model": analysis.model._asdict(),
        "decisions": [_plain(each) for each in analysis.decisions],
        "accounts": [account._asdict() for account in analysis.accounts],
        "curve": [point._asdict() for point in analysis.curve],
        "best_bluff": _line(analysis.best_bluff),
        "worst_doubt": _line(analysis.worst_doubt),
        "worst_choice": _line(analysis.worst_choice),
    }
    turning = analysis.turning
    plain["turning"] = turning and turning._asdict() | {"action": to_plain(turning.action)}
    return plain


def _line(judged: Judged | None) -> int | None:
    return None if judged is None else judged.line


def _plain(judged: Judged) -> dict[str, Any]:
    chances = [to_plain(way) | {"worth": worth} for way, worth in judged.chances.items()]
    plain = {name: each for name, each in judged._asdict().items() if name != "thrown"}
    whys = {name: why and why._asdict() for name in _WHYS if (why := getattr(judged, name))}
    return {
        **plain,
        **whys,
        "action": to_plain(judged.action),
        "chances": chances,
        "best": to_plain(judged.best),
        "whys": [to_plain(way) | why._asdict() for way, why in judged.whys.items()],
        "safe": judged.safe and to_plain(judged.safe),
    }
