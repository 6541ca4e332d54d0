"""How long the coach takes for a match of up to 40 rounds, its tables included."""

from collections.abc import Callable
from dataclasses import replace
from time import process_time

from game import RULES
from game.coach import analyse
from game.coach.reference import match_worth, reference
from tests.support.bots import by_the_book

REPEATS = 3
MOST_S = 2.0
MATCHES = {
    "class, last standing, 8": (replace(RULES["class"], ends="last_standing"), 8),
    "physicist, 8": (RULES["physicist"], 8),
    "holy-family, 8": (RULES["holy-family"], 8),
    "  with many towers, 8": (replace(RULES["holy-family"], tower_one_in=3), 8),
    "holy-family, 2": (RULES["holy-family"], 2),
}


def judging(say: Callable[..., None], headline: Callable[[str], None]) -> None:
    headline(f"the coach: up to 40 rounds, CPU time from nothing, least of {REPEATS}")
    for name, (rules, players) in MATCHES.items():
        record = by_the_book(rules, players, seed=1)
        took_s = min(_judged_s(record) for _ in range(REPEATS))
        actions = len(record.actions)
        say(name, f"{took_s:.2f} s for {actions} actions")
        if took_s > MOST_S:
            say("MISSED", f"{name}: more than {MOST_S:g} s")


def _judged_s(record) -> float:
    reference.cache_clear()
    match_worth.cache_clear()
    began_s = process_time()
    analyse(record)
    return process_time() - began_s
