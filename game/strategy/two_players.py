"""Shipped results of matches between two, read from ``two_players.json``.

``coasters`` has for each coaster game the leader's chance not to lose in each of
``coasters.standings``, in that order. ``points`` has the opener's chance to win ``holy-family``, by
the points, 1 to 10, that the opener and then the other player may still take, with a tower in 200
rolls (R-HF-4, R-HF-8). ``python -m tests.game.strategy.two_players`` writes the former; tests check
both against the rules.
"""

import json
from functools import cache
from typing import Any


@cache
def results() -> dict[str, Any]:
    """Return the content of the file."""
    from importlib.resources import files  # many modules, for a reader that few need

    text = (files("game.strategy") / "two_players.json").read_text(encoding="utf-8")
    return json.loads(text)  # type: ignore[no-any-return]
