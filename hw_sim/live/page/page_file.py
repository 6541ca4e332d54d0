"""A file that somebody has opened, in a worker of its own: judged, or shown on the bench."""

from collections.abc import Callable
from urllib.parse import parse_qsl, urlsplit

from firmware.display.text.language import preferred
from hw_sim.live.page.dropped import DroppedError, judge
from hw_sim.live.page.line_connection import PageLines, Post
from hw_sim.live.page.page_table import FOUND, TEXT, WRONG, kind_answer
from hw_sim.live.page.session_table import SessionTable
from hw_sim.live.web.answers import NOT_FOUND
from hw_sim.live.web.incoming import MALFORMED
from hw_sim.live.web.page_session import PageSessions

JSON = "application/json"


class PageFile:
    """The text of a file, and the page that shows it. It may take long: no table waits for it.

    Args:
        text: of a record or a session.
        post: gets what is sent to the page.
        tell: gets how far a replay is, from 0 to 1.
    """

    def __init__(self, text: str, post: Post, tell: Callable[[float], None]) -> None:
        self._text = text
        self._lines = PageLines(post)
        self._tell = tell
        self._shown: SessionTable | None = None

    def open(self, line: str) -> None:
        """Open a line of this name for the bench, which shows the session."""
        try:
            self._shown = SessionTable(self._text, self._tell)
        except DroppedError as error:
            self._lines.end(line, MALFORMED, str(error))
        else:
            self._lines.open(line, PageSessions(self._shown))

    def take(self, line: str, text: str | None) -> None:
        """Take a message of the page; None when it is gone."""
        self._lines.take(line, text)

    def read(self, text: str) -> tuple[int, str, bytes]:
        """Return the kind of another file, as `kind_answer` does."""
        return kind_answer(text)

    def ask(self, address: str, _token: str) -> tuple[int, str, bytes]:
        """Return the status of an answer as in HTTP, its media type and its bytes.

        ``address``: ``/judged.json`` for the coach's report, or an export of the bench.
        """
        asked = urlsplit(address)
        query, path = dict(parse_qsl(asked.query)), asked.path.removeprefix("/")
        if path == "judged.json":
            try:
                return FOUND, JSON, judge(self._text, preferred(query.get("language")), self._tell)
            except DroppedError as error:
                return WRONG, TEXT, str(error).encode()
        if self._shown is not None and path.startswith("export/"):
            seat = query.get("seat", "0")
            seat_number = int(seat) if seat.isdecimal() else -1
            if found := self._shown.export(path.removeprefix("export/"), seat_number):
                return FOUND, *found
        return NOT_FOUND, TEXT, b""
