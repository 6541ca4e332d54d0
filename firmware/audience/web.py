"""The read-only page of a watched table."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from html import escape
from importlib.resources import files

from aiohttp import web

from firmware.audience import Watching
from firmware.display.text.language import Language, say


def _file(name: str) -> str:
    return (files(__package__) / "static" / name).read_text(encoding="utf-8")


STYLE = _file("style.css")
WATCH_SCRIPT = _file("watch.js")
_PAGE = _file("page.html")
MOST_READERS = 200
"""At most so many pages follow a table at one time; chosen."""
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class WatchPages:
    """The page of a watched table, and its updates.

    Args:
        watching: the table whose lines are shown; its language is the page's.
        language: the language of the page.
    """

    def __init__(self, watching: Watching, language: Language) -> None:
        self._watching = watching
        self._readers: set[asyncio.Event] = set()
        self._ends = False
        self.app = web.Application(middlewares=[_dressed])
        self.app.router.add_get("/", _to_watch)
        self.app.router.add_get("/watch", _text(_page(language), "text/html"))
        self.app.router.add_get("/watch.js", _text(WATCH_SCRIPT, "text/javascript"))
        self.app.router.add_get("/style.css", _text(STYLE, "text/css"))
        self.app.router.add_get("/watch/events", self._events)
        self.app.on_shutdown.append(self._end)

    def tell(self) -> None:
        """Tell the pages that there is news."""
        for reader in self._readers:
            reader.set()

    async def _events(self, request: web.Request) -> web.StreamResponse:
        if len(self._readers) >= MOST_READERS:
            raise web.HTTPServiceUnavailable(text="So many watch already: come back later.\n")
        news = asyncio.Event()
        self._readers.add(news)
        try:
            response = web.StreamResponse(headers={"Content-Type": "text/event-stream", **_HEADERS})
            await response.prepare(request)
            said = 0
            while not self._ends:
                news.clear()
                lines, said = self._watching.since(said)
                told = json.dumps({"lines": lines, "standings": self._watching.standings})
                await response.write(f"data: {told}\n\n".encode())
                await news.wait()
        finally:
            self._readers.discard(news)
        return response

    async def _end(self, _app: web.Application) -> None:
        self._ends = True
        self.tell()


@web.middleware
async def _dressed(request: web.Request, handler: _Handler) -> web.StreamResponse:
    response = await handler(request)
    if not response.prepared:
        response.headers.update(_HEADERS)
    return response


def _page(language: Language) -> str:
    """Return the page of a watched table; its script fills it."""
    title, waits = (say(f"audience.{key}", language) for key in ("WATCHED", "WAITS"))
    return _PAGE.format(language=language, title=escape(title), waits=escape(waits))


def _text(text: str, kind: str) -> _Handler:
    async def answer(_request: web.Request) -> web.Response:
        return web.Response(text=text, content_type=kind)

    return answer


async def _to_watch(_request: web.Request) -> web.StreamResponse:
    raise web.HTTPFound("watch")
