"""The HTML page of a watched table."""

from html import escape
from importlib.resources import files

from firmware.display.text.language import Language, say


def _file(name: str) -> str:
    return (files(__package__) / "static" / name).read_text(encoding="utf-8")


STYLE = _file("style.css")
WATCH_SCRIPT = _file("watch.js")
_PAGE = _file("page.html")


def watch_page(language: Language) -> str:
    """Return the page of a watched table; its script fills it."""
    body = (
        f'<p id="standings" role="status">{escape(say("audience.WAITS", language))}</p>'
        '<ol id="told" role="log"></ol><script src="watch.js"></script>'
    )
    title = escape(say("audience.WATCHED", language))
    return _PAGE.format(language=language, title=title, body=body)
