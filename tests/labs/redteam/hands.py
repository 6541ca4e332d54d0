"""Hands that do anything to their handhelds, at every game in both languages: every match ends."""

import time
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.support.random_hand import SHORT, played


def attack(seconds: float, seed: int) -> dict[str, int | float | str]:
    """Play one match after the other until the time is over."""
    end_s = time.monotonic() + seconds
    rng, matches, virtual_s = Random(f"hands {seed}"), 0, 0.0
    while time.monotonic() < end_s:
        game, chance = rng.choice([*SHORT]), rng.randrange(1 << 30)
        with TemporaryDirectory() as folder:
            try:
                virtual_s += played(Path(folder), game, chance)
            except AssertionError as error:
                raise AssertionError(f"played(folder, {game!r}, {chance}): {error}") from error
        matches += 1
    return {"matches": matches, "virtual hours": round(virtual_s / 3600, 2)}
