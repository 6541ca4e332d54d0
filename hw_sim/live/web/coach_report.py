"""A finished match: its card for all; the coach's advice and page for a lone player."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from time import perf_counter
from typing import Final

import msgspec

from firmware.bots.arena import followed
from firmware.bots.bot import Bot
from firmware.bots.hint import HintFits, hint, prepared
from firmware.display.text.language import Language, say
from firmware.table.log.public_log import merged_log
from game.actions import SeatAction
from game.coach import CoachError, analyse, basis
from game.record import Record
from hw_sim.live.world.world import World
from hw_sim.players.bot_kinds import KINDS, BotKind, personality_of
from hw_sim.story.card import card, match_curve, svg
from hw_sim.story.evening_report import at_table
from hw_sim.story.judging import (
    JudgedStory,
    accounts,
    at_this_table,
    dearest,
    decisions,
    is_fault,
    legend,
    model,
    moments,
    told,
    unit,
    with_purpose,
)

AHEAD_S: Final = 0.008
"""The time that hints are prepared for at each step of a world."""
MOST_WAYS: Final = 4
"""The number of ways of a mix that are told, as on a handheld's display."""
_BEST: Final = {
    HintFits.THIS_TABLE: "judged.BEST_HERE",
    HintFits.ANYBODY: "judged.SAFE",
    HintFits.NOBODY_ASKED: "judged.BEST",
}


class CoachReport(msgspec.Struct, frozen=True):
    """The coach's judgement of a match for a page: tables, lines, or the reason for none.

    ``curve`` is an SVG, ``dearest`` the three decisions that cost most.
    """

    accounts: JudgedStory | None = None
    legend: list[str] = []
    unit: str = ""
    moments: list[str] = []
    decisions: JudgedStory | None = None
    model: str = ""
    why_not: str = ""
    curve: str = ""
    dearest: list[str] = []


def record_of(world: World) -> Record:
    """Return the match of a table, with all dice that anybody rolled."""
    return merged_log([seat.log for seat in world.table.seats])[0]


def card_of(world: World, language: Language, *, lies_are_told: bool) -> str:
    """Return the card of the match of a table, as SVG; see `card`."""
    return svg(card(record_of(world), language, lies_are_told=lies_are_told))


def coach_report(
    record: Record, language: Language, bots: Sequence[Bot | None] = ()
) -> CoachReport:
    """Return the coach's judgement of a match; it takes up to some seconds.

    ``bots`` are as in ``hint``: people are judged against them and each other.
    """
    try:
        analysis = at_table(record, analyse(record), bots)
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
        curve=match_curve(analysis, language),
        dearest=dearest(analysis, language),
    )


def kinds_of(world: World) -> tuple[BotKind | None, ...]:
    """Return by seat the kind of bot that plays there; None for a person, or another."""
    setup = world.setup
    kinds = [kind if kind in KINDS else None for kind in setup.bots]
    return (*[None] * setup.people, *kinds)


def bots_of(world: World) -> tuple[Bot | None, ...]:
    """Return by seat the bot of a known kind that plays there; None for a person, or another."""
    return playing(kinds_of(world))


def playing(kinds: Sequence[BotKind | None]) -> tuple[Bot | None, ...]:
    """Return the bots of these kinds, None for None."""
    return tuple(None if kind is None else personality_of(kind) for kind in kinds)


class HintsAhead:
    """Makes what hints need while nobody asks, so that each is there at once."""

    def __init__(self) -> None:
        self._round: tuple[World, int] | None = None
        self._pieces: Iterator[None] = iter(())

    def step(self, world: World, seat: int) -> None:
        """Go on with the running round of ``seat``, for `AHEAD_S`; a new round begins anew."""
        match = world.table.seats[seat].log.match
        if self._round != (world, match.round):
            self._round = world, match.round
            self._pieces = prepared(match, seat, bots_of(world))
        until_s = perf_counter() + AHEAD_S
        while perf_counter() < until_s and next(self._pieces, self) is None:
            pass


def advice(record: Record, seat: int, language: Language, bots: Sequence[Bot | None] = ()) -> str:
    """Return what ``seat`` should do now, in a few words; ``bots`` as in ``hint``.

    If `HintsAhead` has made nothing, it takes up to two seconds among eight. If there are several
    ways, each is given its share, the most frequent first.
    """
    told_now = hint(record, seat, bots)
    if not told_now.ways:
        return say("judged.NO_HINT", language)
    found = _ways_told(record, told_now.ways, told_now.fits, language)
    if told_now.fits is HintFits.THIS_TABLE:
        shares = hint(record, seat).ways
        if next(iter(shares)) != told_now.best:
            beside = _ways_told(record, shares, HintFits.ANYBODY, language)
            found = say("judged.HINT_BESIDE", language, here=found, safe=beside)
    _, reference = basis(record.rules, len(record.players))
    if reference.caveat == "BY_LOT":
        found += f". {say('judged.BY_LOT', language)}"
    return found


def _ways_told(
    record: Record, shares: Mapping[SeatAction, float], fits: HintFits, language: Language
) -> str:
    arena, ways = followed(record), list(islice(shares.items(), MOST_WAYS))
    names = {each: told(each, language, is_fault(arena.match, each)) for each in shares}
    if len(shares) == 1:
        found = say(_BEST[fits], language, ways=names[ways[0][0]])
    else:
        mixed = "judged.MIXED" if fits is HintFits.ANYBODY else "judged.MIXED_BEST"
        often = (f"{100 * share:.0f} × {names[each]}" for each, share in ways)
        found = say(mixed, language, ways=" · ".join(often))
    return with_purpose(found, shares, arena.sight().seen, language)
