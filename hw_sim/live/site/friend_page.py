"""The page of friends: that of a seat, with a script of its own that takes no table for granted."""

import json
import shutil
from pathlib import Path
from typing import Final

from firmware.display.text.language import LANGUAGES
from hw_sim.live.web.answers import games_json

FRIENDS: Final = ("friend.js", "friend_line.js")
"""Modules of this page alone: one script, in which the second one is in place of ``line.js``."""
APART: Final = tuple(f"--external:{name}" for name in ("./texts.js", "./games.js", "../broker.js"))
"""Arguments of esbuild: modules that the script loads as they are."""
_TOLD = ("game", "title", "sentence", "fewest_players", "most_players", "options")


def games_script() -> str:
    """Return ``games.js``: by language what a page tells of the games before it loads anything."""
    games = {
        language: [{name: game[name] for name in _TOLD} for game in games_json(language)]
        for language in LANGUAGES
    }
    return f"export const GAMES = {json.dumps(games, ensure_ascii=False)};\n"


def gather_modules(front: Path, static: Path, folder: Path) -> Path:
    """Put all modules of the script into a folder, and return the one that begins it.

    Args:
        front: has `FRIENDS`.
        static: the modules of all pages.
        folder: is made anew.
    """
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(static, folder)
    begins, line = FRIENDS
    shutil.copy(front / line, folder / "line.js")
    return Path(shutil.copy(front / begins, folder))


def friend_page(seat: str) -> str:
    """Return the page as a server would have it; ``seat`` is the page of a seat."""
    page = seat.replace("/static/seat.js", "/static/friend.js")
    page = page.replace('class="seat-page"', 'class="seat-page friend-page"')
    teach = '<button type="button" id="teach"'
    page = page.replace(teach, f'<div id="friend-link"></div>\n      {teach}')
    return page.replace("<main>\n", '<main>\n  <section id="friend" class="lobby"></section>\n')
