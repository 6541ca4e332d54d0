"""The lines between pages and the table that runs beside them, in the same browser."""

from collections.abc import Callable, Coroutine
from typing import Any

from hw_sim.live.page.streams import RunningTasks
from hw_sim.live.web.client import GONE, LineConnection

Post = Callable[[str, str, Any], None]
"""Gets the name of a line, the kind of a message and its content: ``text`` with JSON, ``panel``
with bytes, ``ended`` with a code and a reason."""
Serve = Callable[[LineConnection], Coroutine[Any, Any, None]]
"""Serves a line until it ends."""


class PageLines:
    """The lines of all pages, by name.

    Args:
        post: gets what is sent to the pages.
    """

    def __init__(self, post: Post) -> None:
        self._post = post
        self._lines: dict[str, LineConnection] = {}
        self._tasks = RunningTasks()

    def open(self, line: str, serve: Serve) -> None:
        """Open a line of this name for a page, and serve it."""

        def send(message: str | bytes) -> None:
            self._post(line, "text" if isinstance(message, str) else "panel", message)

        def ended(code: int, reason: str) -> None:
            if line in self._lines:
                self.end(line, code, reason)

        connection = LineConnection(send, ended)
        self._lines[line] = connection
        self._tasks.run(serve(connection))

    def take(self, line: str, text: str | None) -> None:
        """Take a message of a page; None when the page is gone."""
        connection = self._lines.get(line)
        if connection is not None:
            connection.take(text)
            if text is None:
                del self._lines[line]
        elif text is not None:
            self.end(line, GONE, "")

    def close(self) -> None:
        """Let go of all lines; nothing is said."""
        for line in tuple(self._lines):
            self.take(line, None)

    def end(self, line: str, code: int, reason: str) -> None:
        """Tell a page that its line has ended, or never began."""
        self._lines.pop(line, None)
        self._post(line, "ended", (code, reason))
