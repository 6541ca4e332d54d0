"""A finished match: its card for all; the coach's advice and page for a lone player."""

from itertools import islice
from typing import Final

import msgspec

from firmware.bots.arena import followed
from firmware.bots.hint import hint
from firmware.display.text.language import Language, say
from firmware.table.log.merged_log import merged_log
from game.coach import CoachError, analyse, basis
from game.record import Record
from hw_sim.live.world.world import World
from hw_sim.story.card import card, svg
from hw_sim.story.judging import (
    JudgedStory,
    accounts,
    decisions,
    is_fault,
    legend,
    model,
    moments,
    told,
    unit,
)
from hw_sim.story.this_table import at_this_table

MOST_WAYS: Final = 4
"""The number of ways of a mix that are told, as on a handheld's display."""


class CoachReport(msgspec.Struct, frozen=True):
    """The coach's judgement of a match for a page: tables, lines, or the reason for none."""

    accounts: JudgedStory | None = None
    legend: list[str] = []
    unit: str = ""
    moments: list[str] = []
    decisions: JudgedStory | None = None
    model: str = ""
    why_not: str = ""


def record_of(world: World) -> Record:
    """Return the match of a table, with all dice that anybody rolled."""
    table = world.table
    logs = [seat.log for seat in table.seats]
    return merged_log(table.setup.rules, table.setup.names, table.first, logs)[0]


def card_of(world: World, language: Language, *, lies_are_told: bool) -> str:
    """Return the card of the match of a table, as SVG; see `card`."""
    return svg(card(record_of(world), language, lies_are_told=lies_are_told))


def coach_report(record: Record, language: Language) -> CoachReport:
    """Return the coach's judgement of a match; it takes up to some seconds."""
    try:
        analysis = analyse(record)
    except CoachError as error:
        return CoachReport(why_not=str(error))
    here = at_this_table(record, analysis)
    return CoachReport(
        accounts(analysis, language),
        legend(analysis, language),
        unit(analysis, language),
        moments(analysis, language),
        decisions(analysis, language, here),
        " ".join((model(analysis, language), *([say("judged.HERE", language)] if here else []))),
    )


def advice(record: Record, seat: int, language: Language) -> str:
    """Return what ``seat`` should do now, in a few words; it takes up to a second.

    If there are several ways, each is given its share, the most frequent first.
    """
    shares = hint(record, seat)
    if not shares:
        return say("judged.NO_HINT", language)
    match = followed(record).match
    names = {each: told(each, language, is_fault(match, each)) for each in shares}
    if len(shares) == 1:
        found = say("judged.BEST", language, ways=next(iter(names.values())))
    else:
        often = islice(shares.items(), MOST_WAYS)
        ways = (f"{100 * share:.0f} × {names[each]}" for each, share in often)
        found = say("judged.MIXED", language, ways=" · ".join(ways))
    _, reference = basis(record.rules, len(record.players))
    if reference.caveat == "UNSOLVED":
        found += f". {say('judged.UNSOLVED', language)}"
    return found
