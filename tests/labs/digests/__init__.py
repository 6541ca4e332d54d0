"""The runs whose digests are kept: whole matches, evenings in the lobby, a browser's table.

``python -m tests.labs.digests`` plays them, and compares.
"""

import json
from dataclasses import replace
from math import pi, sin
from pathlib import Path
from typing import Any

from firmware.settings import media_of
from game import RULES
from hw_sim.clock import run
from hw_sim.live.world.session import decode
from hw_sim.live.world.setup import WorldSetup
from hw_sim.live.world.world import World
from hw_sim.table import Conditions, TableSetup
from hw_sim.table.headless import Evening, gather, journal_folder, play_match

KEPT = Path(__file__).with_name("kept.json")
LINKS = {"bt": "bluetooth", "ir": "ir"}
SEEDS = tuple(range(1, 11))
SETUPS: dict[str, tuple[tuple[int, dict[str, Any]], ...]] = {
    "class": (
        (3, {"credit": 1}),
        (3, {"credit": 1, "understating": "lie"}),
        (3, {"credit": 1, "ends": "last_standing"}),
        (4, {"credit": 1}),
        (3, {"stakes": "drinks"}),
    ),
    "physicist": ((2, {}), (3, {})),
    "holy-family": (
        (2, {"points": 1}),
        (2, {"points": 2, "tower_one_in": 3}),
        (3, {"points": 1, "losers": 2}),
    ),
    "maxen": ((2, {"coasters": 3}), (3, {"coasters": 3})),
    "chicago": ((2, {"coasters": 2}), (3, {"coasters": 4, "levelling": True})),
    "sevens": ((2, {"rounds": 1}), (3, {"rounds": 1, "seven_dice": True}), (2, {"rounds": 2})),
}
"""How many play, and by which rules, in turn by the seed: few, and soon over."""
FIRST = {
    "class": {"bluetooth": 10, "ir": 6},
    "physicist": {"bluetooth": 6, "ir": 2},
    "holy-family": {"bluetooth": 1, "ir": 6},
    "maxen": {"bluetooth": 10, "ir": 10},
    "chicago": {"bluetooth": 9, "ir": 10},
    "sevens": {"bluetooth": 1, "ir": 2},
}
"""Seeds of short matches, which every test run plays."""
EVENINGS = {"bluetooth": 2, "ir": 1, "both": 1}
"""How many matches of ``sevens`` are played by handhelds that met over this link."""
BROWSER_S = (65, 100)
"""When a table in the browser is compared: before the power of a seat is cut, and at the end."""


# Names


def matches(game: str, link: str) -> list[str]:
    """The names of the matches of a game over a link, a short one first."""
    first = FIRST[game][link]
    return [f"{game} {link} {seed}" for seed in sorted(SEEDS, key=lambda seed: seed != first)]


def names(seeds: int = len(SEEDS), game: str | None = None, link: str | None = None) -> list[str]:
    """The names of so many seeds of every match, and of all else where no match is asked for."""
    found = [
        name
        for one in SETUPS
        for other in LINKS.values()
        if game in (None, one) and link in (None, other)
        for name in matches(one, other)[:seeds]
    ]
    if game is None and link is None:
        found += [f"browser {end_s}" for end_s in BROWSER_S]
        found += [f"evening {link}" for link in list(EVENINGS)[:seeds]]
    return found


def kept() -> dict[str, str]:
    """The digests that are kept, by name."""
    return json.loads(KEPT.read_text()) if KEPT.exists() else {}


# Runs


def digest(name: str) -> str:
    """Play what the name says."""
    kind, *rest = name.split()
    with journal_folder() as folder:
        match kind, rest:
            case "browser", [end_s]:
                return browser(int(end_s), folder)
            case "evening", [link]:
                return evening(link, folder).digest
            case game, [link, seed]:
                return play_match(setup_of(game, link, int(seed)), folder).digest
    raise ValueError(name)


def setup_of(game: str, link: str, seed: int) -> TableSetup:
    players, options = SETUPS[game][seed % len(SETUPS[game])]
    return TableSetup(
        rules=replace(RULES[game], **options),
        players=players,
        seed=seed,
        conditions=Conditions("day" if seed % 4 == 0 else "pub"),
        language="de" if seed % 2 else "en",
        link=media_of(link),
    )


def evening(link: str, folder: Path) -> Evening:
    """Two meet and play ``sevens``."""
    setup = TableSetup(RULES["sevens"], players=2, seed=1, link=media_of(link))
    return run(gather(setup, folder, EVENINGS[link]))


def browser(end_s: int, folder: Path) -> str:
    """One person and two bots, up to a virtual time."""
    table = TableSetup(RULES["class"], players=3, seed=6)
    world = World(WorldSetup(table, people=1, bots=("honest", "cheeky")), folder)
    for at_s, seat, kind, *values in STIMULI:
        if at_s < end_s:
            world.advance(round(at_s * 1e6))
            world.do(decode(seat, kind, values))
    world.advance(end_s * 1_000_000)
    digest = world.digest()
    world.close()
    if world.trouble is not None:
        raise RuntimeError(world.trouble)
    return digest


def dragged(since_s: float) -> tuple[tuple[int, float, float], ...]:
    """A picture that is shaken with the mouse."""
    times_s = [i / 60 for i in range(108)]
    return tuple(
        (round((since_s + 0.015 + t_s) * 1e6), round(0.06 * sin(2 * pi * 3.5 * t_s), 4), 0.0)
        for t_s in times_s
    )


def shaken(since_s: float) -> tuple[tuple[int, float, float, float], ...]:
    """A phone that is shaken."""
    times_s = [i / 60 for i in range(90)]
    return tuple(
        (round((since_s + 0.015 + t_s) * 1e6), 0.3, round(20 * sin(2 * pi * 4 * t_s), 3), 9.8)
        for t_s in times_s
    )


STIMULI: tuple[tuple[Any, ...], ...] = (
    (1, 0, "drag", dragged(1)),  # Ana throws, ...
    (5, 0, "lift", True),  # ... looks, ...
    (7, 0, "lift", False),
    (8.5, 0, "tilt", 40.0, 0.0),  # ... turns the dial and announces
    (9.8, 0, "tilt", 0.0, 0.0),
    (11.5, 0, "touch", True),
    (11.7, 0, "touch", False),
    (14, 0, "key", "tap", True),  # while Ben thinks she looks at the standings
    (14.1, 0, "key", "tap", False),
    (25, 0, "lux", 300.0),
    (28, 0, "noise", 0.4),
    (40, 0, "drop"),
    (45, 1, "fault", "link", True),
    (50, 1, "fault", "link", False),
    (55, 0, "felt", shaken(55)),  # a throw out of turn
    (63, 0, "key", "tap", True),
    (63.1, 0, "key", "tap", False),
    (70, 0, "fault", "brownout", True),
    (76, 1, "fault", "display", True),
    (79, 1, "fault", "display", False),
    (80, 0, "errors", 4.0),
    (84, 0, "errors", 0.0),
    (90, 0, "key", "left", True),  # Ana doubts what Cem has said
    (90.1, 0, "key", "left", False),
    (91, 0, "key", "hold", True),
    (91.1, 0, "key", "hold", False),
)
"""The actions at the table in the browser: seconds, seat, and the parts that `decode` reads."""
