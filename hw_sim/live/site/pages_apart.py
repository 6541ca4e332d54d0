"""Pages that do not reach the table of their browser: each is one script with a way of its own.

In the script, the module of that way takes the place of ``line.js``.

Pages speak to those brokers alone that the builder of a site lists.
"""

import json
import os
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from firmware.display.text.language import LANGUAGES, say
from firmware.lobby.choices import MOST_DIFFERENCES
from hw_sim.live.web.answers import games_json

APART: Final = tuple(
    f"--external:{name}" for name in ("./texts.js", "./games.js", "./brokers.js", "../broker.js")
)
"""Arguments of esbuild: modules that a script loads as they are."""
_TOLD = ("game", "title", "sentence", "fewest_players", "most_players", "options")


class PageApart(NamedTuple):
    """A page: its name, the modules of its script and of its way, and how it is made.

    ``text`` returns the page as a server would have it; it gets the folder of a server's pages.
    """

    name: str
    begins: str
    line: str
    text: Callable[[Path], str]


def gather_modules(page: PageApart, front: Path, static: Path, folder: Path) -> Path:
    """Put all modules of a page's script into a folder, and return the one that begins it.

    Args:
        page: whose script it is.
        front: has its own modules.
        static: the modules of all pages.
        folder: is made anew.
    """
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(static, folder)
    shutil.copy(front / page.line, folder / "line.js")
    return Path(shutil.copy(front / page.begins, folder))


def games_script() -> str:
    """Return ``games.js``: by language what a page tells of the games before it loads anything."""
    games = {
        language: [{name: game[name] for name in _TOLD} for game in games_json(language)]
        for language in LANGUAGES
    }
    agreed = {language: say("listing.HOUSE_RULES", language) for language in LANGUAGES}
    told = {"GAMES": games, "HOUSE_RULES": agreed, "MOST_DIFFERENCES": MOST_DIFFERENCES}
    return "".join(
        f"export const {name} = {json.dumps(value, ensure_ascii=False)};\n"
        for name, value in told.items()
    )


def _friend_page(static: Path) -> str:
    """Return the page of friends: that of a seat, and what comes before a match."""
    page = (static / "seat.html").read_text("utf-8")
    page = page.replace("/static/seat.js", "/static/friend.js")
    page = page.replace('class="seat-page"', 'class="seat-page friend-page"')
    teach = '<button type="button" id="teach"'
    page = page.replace(teach, f'<div id="friend-link"></div>\n      {teach}')
    return page.replace("<main>\n", '<main>\n  <section id="friend" class="lobby"></section>\n')


def _guest_page(static: Path) -> str:
    """Return the page of a guest: the form at a door, and a seat's page to take its place."""
    door, seat = ((static / name).read_text("utf-8") for name in ("join.html", "seat.html"))
    body = re.search(r"<body.*?>\n(.*)</body>", seat, re.DOTALL)
    assert body is not None, "a page has one"
    metas = "".join(re.findall(r'<meta name="(?:theme|mobile|apple).*\n', seat))
    style = '<link rel="stylesheet" href="/static/party.css">'
    looks = f"{metas}{style.replace('party', 'seat')}\n{style}"
    door = door.replace(style, looks)
    return door.replace("</body>", f'<template id="seat">{body[1]}</template>\n</body>')


PAGES_APART: Final = (
    PageApart("friend", "friend.js", "friend_line.js", _friend_page),
    PageApart("join", "invited.js", "room_line.js", _guest_page),
)


POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' data: blob:; media-src blob:; connect-src 'self'; worker-src 'self'; "
    "manifest-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'"
)
"""The policy of the pages of a site without brokers."""
PUBLIC = (
    "wss://broker.hivemq.com:8884/mqtt",
    "wss://broker.emqx.io:8084/mqtt",
    "wss://test.mosquitto.org:8081",
)
"""Public test brokers, which a site lists if its builder names none: they promise nothing.

Their operators document these addresses: hivemq.com/mqtt/public-mqtt-broker,
emqx.com/en/mqtt/public-mqtt5-broker and test.mosquitto.org.
"""
NO_BROKERS = "none"
BROKER = re.compile(r"wss?://[\w.:*\[\]-]+(/[\w./-]*)?")


class BuildError(Exception):
    """The site cannot be built: one line that says why and what to do."""


def policy(brokers: Sequence[str]) -> str:
    """Return what a page may load if it may speak to these brokers, such as ``wss://host:8884``.

    Raises:
        BuildError: one is no address of a WebSocket.
    """
    for each in brokers:
        if not BROKER.fullmatch(each):
            raise BuildError(f"BROKERS: {each!r}: write wss://host:port, with blanks in between")
    return POLICY.replace("connect-src 'self'", " ".join(("connect-src 'self'", *brokers)))


def listed() -> list[str]:
    """Return the addresses in ``BROKERS`` of the environment; a ``*`` is any host or port.

    They are those of `PUBLIC` if it is not set; there are none if it is empty or ``none``.
    """
    named = os.environ.get("BROKERS")
    if named is None:
        return list(PUBLIC)
    return [] if named.strip() == NO_BROKERS else named.split()
