"""Whole matches of simulated handhelds, and everything that must be true of one at its end.

``python -m tests.support.matches GAME LINK SEED FOLDER`` plays one whose digest is kept, and prints
what it came to, as JSON.
"""

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from drivers.panel import pack
from firmware.display.oled.draw import draw
from firmware.display.screens import MatchOverPage, Screen
from firmware.display.text.language import Language
from game import RULES, CoasterMatch, SevensMatch
from game.record import replay, write
from hw_sim.clock import run
from hw_sim.table import Conditions, MatchReport, TableSetup
from hw_sim.table.handheld import SimulatedHandheld
from hw_sim.table.table import SimulatedTable
from tests.labs import digests
from tests.support.referees import naive_bluff_checker, naive_open_checker

PLAYERS = (3, 4, 5, 3, 7, 8, 3, 4, 6, 3, 5, 4)
LIMIT_S = 3 * 3600.0
"""Virtual seconds after which a match is stuck: eight players until one is left need less than one
hour."""

SEATS = {
    "class": PLAYERS,
    "physicist": (3, 2, 4, 5),
    "holy-family": (3, 2, 4, 3, 5),
    "maxen": (2, 3, 2, 4),
    "chicago": (3, 2, 4, 5),
    "sevens": (3, 2, 5, 4, 8),
}
"""How many players the seeds of a game have, in turn."""
_CLASS = {3: {"understating": "lie"}, 5: {"stakes": "drinks"}, 6: {"ends": "last_standing"}}
OPTIONS = {
    "class": tuple(_CLASS.get(place, {}) for place in range(7)),
    "holy-family": (
        {"points": 3, "tower_one_in": 3},
        {"points": 2},
        {"points": 3, "losers": 2, "tower_one_in": 20},
    ),
    "chicago": ({"levelling": True}, {}),
    "sevens": ({"rounds": 3}, {"rounds": 2, "seven_dice": True}),
}
"""The options that the seeds of a game have, in turn; none where the game is not among them."""

Script = Callable[[SimulatedTable], Coroutine[None, None, None]]
"""The events of a table beside the match."""


class Played(NamedTuple):
    """A match that was played: ``table`` is as it was left, ``wall_s`` what it took."""

    setup: TableSetup
    outcome: MatchReport
    table: SimulatedTable
    wall_s: float


def setup_for(game: str, seed: int, /, **changed: object) -> TableSetup:
    """The table of a seed for any game; few players and short options, where a game has them."""
    seats, several = SEATS.get(game, PLAYERS[:2]), OPTIONS.get(game, ({},))
    options = several[seed % len(several)]
    players = seats[seed % len(seats)]
    setup = TableSetup(
        rules=replace(RULES[game], **options),
        players=max(players, 3) if options.get("losers") == 2 else players,
        seed=seed,
        conditions=Conditions("day" if seed % 4 == 0 else "pub"),
        language="de" if seed % 2 else "en",
    )
    return replace(setup, **changed)


def short_setup(game: str = "class", link: str = "bluetooth", /, **changed: object) -> TableSetup:
    """The table of a match of about a minute."""
    return replace(digests.setup_of(game, link, digests.FIRST[game][link]), **changed)


def play_match(
    setup: TableSetup,
    folder: Path,
    *,
    beside: Script | None = None,
    prepare: Callable[[SimulatedTable], None] | None = None,
    limit_s: float = LIMIT_S,
) -> Played:
    """Play a match to its end. ``prepare`` is done before it, ``beside`` runs during it.

    Raises a group of what ``beside`` raises, or of an AssertionError if the match ended before it.
    """

    async def main() -> tuple[SimulatedTable, MatchReport]:
        table = SimulatedTable(setup, folder)
        if prepare is not None:
            prepare(table)
        if beside is None:
            return table, await table.play()
        async with asyncio.TaskGroup() as both:
            match, script = (both.create_task(each) for each in (table.play(), beside(table)))
            outcome = await match
            assert script.done(), "the match was over before everything beside it had happened"
        return table, outcome

    started = time.perf_counter()
    table, outcome = run(main(), limit_s=limit_s)
    return Played(setup, outcome, table, time.perf_counter() - started)


REFEREES = {
    **dict.fromkeys(("class", "physicist", "holy-family"), naive_bluff_checker),
    **dict.fromkeys(("maxen", "chicago", "sevens"), naive_open_checker),
}
"""The referees, which know nothing of the rules core: each has ``judge(lines)``."""


@asynccontextmanager
async def playing(
    setup: TableSetup, folder: Path, prepare: Callable[[SimulatedTable], object] = bool
) -> AsyncIterator[SimulatedTable]:
    """A table whose match goes on beside what is done here. ``prepare`` is done before it."""
    table = SimulatedTable(setup, folder)
    prepare(table)
    match = asyncio.ensure_future(table.play())
    try:
        yield table
    finally:
        match.cancel()
        await asyncio.gather(match, return_exceptions=True)


def complaints(played: Played, *, refereed: bool = True) -> list[str]:
    """All that is not as it must be at the end of a match; an empty list is a good match.

    ``refereed`` False leaves out the naive referee, who may not know all that can happen.
    """
    outcome = played.outcome
    found = [f"violation: {line}" for line in outcome.violations]
    found += [f"leak: {line}" for line in outcome.leaks]
    found += _wrong_end(played)
    if refereed:
        found += _judged_otherwise(played)
    ended = outcome.match.outcome
    holders = []
    for seat in played.table.seats:
        here = seat.handheld
        if here.match.outcome != ended or here.match.tally != outcome.match.tally:
            found.append(f"seat {seat.seat} has another end: {here.match.outcome}")
        if seat.holds_cup:
            holders.append(seat.seat)
        found += _wrong_panel(seat, played.setup.language)
    if len(holders) != 1:
        found.append(f"the cup is in the hands of seats {holders}")
    return found


def _judged_otherwise(played: Played) -> list[str]:
    """Judge the log anew, by a referee who knows nothing of the rules core."""
    match = played.outcome.match
    lines = [json.loads(line) for line in write(played.outcome.record).splitlines()]
    if played.setup.rules.game not in REFEREES:
        return []
    judged = REFEREES[played.setup.rules.game].judge(lines)
    found = [f"the referee: {judged.disagreement}"] if judged.disagreement else []
    losers = match.outcome.losers if match.outcome is not None else None
    if not judged.over or tuple(judged.losers) != losers:
        found.append(f"seats {losers} lost, the referee says {judged.losers}")
    if tuple(judged.paid) != match.tally:
        found.append(f"counted {match.tally}, the referee counts {judged.paid}")
    return found


def _wrong_end(played: Played) -> list[str]:
    """Replay the log by the rules core; on the way no coaster may come or go unseen."""
    found = []
    for step in replay(played.outcome.record):
        last = step.match
        if isinstance(last, CoasterMatch):
            total = last.pile + sum(last.coasters) + last.gone
            if total != last.rules.coasters:
                found.append(f"action {last.turn}: {total} coasters")
        elif isinstance(last, SevensMatch) and sum(last.coasters) + last.gone != len(last.lost):
            found.append(f"action {last.turn}: coasters {last.coasters} and {last.gone} gone")
    if last.outcome != played.outcome.match.outcome or last.outcome is None:
        found.append("replaying the log ends otherwise")
    return found


def _wrong_panel(seat: SimulatedHandheld, language: Language) -> list[str]:
    """The end must be what the display's memory holds, and be visible."""
    screen = seat.device.screen
    if not isinstance(screen, MatchOverPage):
        return [f"seat {seat.seat} shows {screen} at the end"]
    if not shows(seat, screen, language):
        return [f"seat {seat.seat} does not show the end of the match"]
    return []


def shows(seat: SimulatedHandheld, screen: Screen, language: Language) -> bool:
    """Whether a person sees this screen: by the display's memory, and whether it is lit."""
    display = seat.board.display
    return display.is_lit and display.memory == pack(draw(screen, language).columns)


def numbers(played: Played) -> dict:
    """Return the measures of a match, as plain values."""
    outcome = played.outcome
    return {
        "game": played.setup.rules.game,
        "seed": played.setup.seed,
        "players": played.setup.players,
        "virtual_s": outcome.virtual_s,
        "wall_s": played.wall_s,
        "rounds": outcome.match.round,
        "hops": outcome.hops,
        "faults": outcome.summary(played.setup, played.wall_s)["faults"],
        "look_us": outcome.look_latency_us,
        "hide_us": outcome.hide_latency_us,
        "panel_bytes": outcome.panel_bytes,
        "full_frame_bytes": outcome.full_frame_bytes,
    }


def main() -> None:
    game, link, seed, folder = sys.argv[1:]
    played = play_match(digests.setup_of(game, link, int(seed)), Path(folder))
    print(json.dumps(played.outcome.summary(played.setup, 0.0)))


if __name__ == "__main__":
    main()
