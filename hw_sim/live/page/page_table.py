"""The table of a page: its match in a folder, its lines, and the answers to requests.

A record or a session that somebody opens in a page is judged by the coach, or played again.
"""

import logging
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from firmware.cli.console import CommandError
from firmware.display.text.language import Language, preferred
from game.record import Record, RecordError, read
from hw_sim.live.page.link_setup import LinkError, link_of, setup_of, usual_setup
from hw_sim.live.page.streams import PageLines, Post
from hw_sim.live.web import incoming, outgoing
from hw_sim.live.web.answers import FOUND, JSON, NOT_FOUND, TEXT, WRONG, Asker, Query, answered
from hw_sim.live.web.bench import PLOTTED_US
from hw_sim.live.web.client import Client, NoAnswerError, Rights, serve
from hw_sim.live.web.coach_pages import coach_report, record_of
from hw_sim.live.web.incoming import MALFORMED
from hw_sim.live.web.live_match import LiveMatch, welcome_to
from hw_sim.live.web.match_plan import Claims
from hw_sim.live.web.match_store import STORE_ERRORS, MatchStore, NewerStoreError
from hw_sim.live.web.pages_table import SEATS, PagesTable
from hw_sim.live.web.seats import OpenSeats
from hw_sim.live.world import setup
from hw_sim.live.world.running import Replay, is_session, load_bounded
from hw_sim.live.world.session import RecordedSession
from hw_sim.live.world.setup import FORMAT

MOST_LETTERS = 4_000_000
"""The most letters of a file that is opened; chosen."""
MOST_ACTIONS = 5_000
"""The most actions of a record that is judged: a browser takes up to half a minute; chosen."""
_GLANCED_ACTIONS, _GLANCED_LETTERS = 50, 2_000


class DroppedError(NoAnswerError):
    """A file that is neither a record nor a session: one line that says why."""

    def __init__(self, why: str) -> None:
        super().__init__(WRONG, why)


@contextmanager
def opened(text: str) -> Iterator[Record | RecordedSession]:
    """Return a record or a session from its text; a session is read as long as this lasts.

    Raises:
        DroppedError: it is neither, or too long; or it cannot be played again or judged.
    """
    _check_length(text)
    with TemporaryDirectory() as folder:
        path = Path(folder, "session.jsonl")
        path.write_text(text, "utf-8", errors="replace")
        try:
            yield load_bounded(path) if is_session(path) else _bounded(text)
        except (RecordError, CommandError) as error:
            raise DroppedError(str(error).replace(f"{folder}/", "")) from None


def kind_of(text: str) -> str:
    """Return "record" or "session" at a glance: at a file's beginning and, of a session, its end.

    Raises:
        DroppedError: as `opened` does, as far as a glance shows it.
    """
    _check_length(text)
    first, _, rest = text.partition("\n")
    if f'"{FORMAT}"' in first:
        if len(rest) > _GLANCED_LETTERS:
            _, _, rest = rest[-_GLANCED_LETTERS:].partition("\n")
    else:
        _check_actions(text.count("\n"))
        rest = "\n".join(rest.split("\n", _GLANCED_ACTIONS)[:_GLANCED_ACTIONS])
    with opened(f"{first}\n{rest}") as found:
        return "record" if isinstance(found, Record) else "session"


def kind_answer(text: str) -> tuple[int, str, bytes]:
    """Return "record" or "session" for the text of a file, as `WorkerTable.ask` answers."""
    try:
        return FOUND, TEXT, kind_of(text).encode()
    except DroppedError as error:
        return error.status, TEXT, str(error).encode()


def judge(
    text: str, language: Language, tell: Callable[[float], None] = lambda _share: None
) -> bytes:
    """Return the coach's report of a match as JSON, from the text of a record or a session.

    A session is played again, which takes a fraction of the time it took. ``tell`` gets how far
    that is, from 0 to 1.

    Raises:
        DroppedError: as `opened` does.
    """
    with opened(text) as found:
        return msgspec.json.encode(coach_report(_record(found, tell), language))


def _check_length(text: str) -> None:
    if len(text) > MOST_LETTERS:
        raise DroppedError(f"the file is longer than {MOST_LETTERS:,} letters")


def _check_actions(count: int) -> None:
    if count > MOST_ACTIONS:
        raise DroppedError(f"the record is longer than {MOST_ACTIONS:,} actions: open another")


def _bounded(text: str) -> Record:
    _check_actions(text.count("\n"))
    return read(text)


def _record(found: Record | RecordedSession, tell: Callable[[float], None]) -> Record:
    if isinstance(found, Record):
        return found
    replay = Replay(found)
    try:
        for share in replay.shares(found.end_us):
            tell(share)
        record = record_of(replay)
    finally:
        replay.close()
    _check_actions(len(record.actions))
    return record


log = logging.getLogger(__name__)


@dataclass
class WorkerTable(PagesTable):
    """The table of a worker: its pages come on lines by name.

    ``post`` gets what is sent to the pages. ``told`` says what went wrong as the table began: the
    name of a text of the pages, and a detail; None if nothing did.
    """

    post: Post = field(kw_only=True)
    told: tuple[str, str] | None = field(kw_only=True, default=None)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._lines = PageLines(self.post)
        self.take, self.read = self._lines.take, kind_answer

    def open(self, line: str) -> None:
        """Open a line of this name for a page that asks for one."""
        self._lines.open(line, partial(serve, self, is_host=self.seats.is_party))

    def ask(self, address: str) -> tuple[int, str, bytes]:
        """Return the status of an answer as in HTTP, its media type and its bytes.

        ``address`` is a path with a query, as an `Asker` has them.
        """
        folder, seats = self.store.folder, self.seats
        asker = Asker(
            *(self.match, folder, self.asking, seats.is_party, not seats.is_alone),
            is_own=True,
            link=self._link(),
        )
        return asker.answer(address)

    def _link(self) -> str:
        """Return the link that begins the same match; empty without one."""
        return "" if self.match is None else link_of(self.match.world.setup)


def open_table(store: MatchStore, post: Post) -> WorkerTable:
    """Return a table whose match has begun; see `WorkerTable`."""
    seats = OpenSeats(store.folder / SEATS, store.setup)
    return WorkerTable(store, seats, store.setup.table, post=post)


def open_page_table(folder: Path, link: str, language: Language, post: Post) -> WorkerTable:
    """Return the table of a page: of a link, or the one that is kept, or a usual one.

    Args:
        folder: keeps matches. A folder that cannot be read is put aside, but for its tally. One of
            a newer version is left as it is, for that. A line says so.
        link: a set-up as in `setup_of`; an empty one goes on with what is kept. A link that is
            none leaves the table as it would be without, and a line says so.
        language: of the panels.
        post: gets what is sent to the pages.
    """
    told, wanted, any_seed = None, None, True
    try:
        wanted, any_seed = setup_of(link, language) or (None, True)
    except LinkError as error:
        told = ("site_badLink", str(error))

    def table_in(place: Path) -> WorkerTable:
        is_first = wanted is None and not (place / "table.json").exists()
        first = usual_setup(language) if is_first else wanted
        return open_table(MatchStore(place, first, any_seed=any_seed), post)

    try:
        table = table_in(folder)
    except NewerStoreError:
        told = ("site_newerStore", "")
        table = table_in(folder.with_name(f"{folder.name}-{setup.TABLE_VERSION}"))
    except STORE_ERRORS as error:
        told = put_aside(folder, error, SEATS)
        table = table_in(folder)
    table.told = told
    return table


def put_aside(folder: Path, error: BaseException, *names: str) -> tuple[str, str]:
    """Put a folder that cannot be read aside, in place of one that was, but for files of names.

    Returns what is told of it; see `WorkerTable`.
    """
    log.warning("the kept table is put aside: %s", error)
    aside = folder.with_name(f"{folder.name}-aside")
    shutil.rmtree(aside, ignore_errors=True)
    shutil.move(folder, aside)
    folder.mkdir()
    for name in names:
        with suppress(OSError):
            shutil.copy(aside / name, folder)
    return "site_badStore", ""


class SessionTable:
    """Plays a session again for one page of the bench, which may see all and change nothing.

    It stands still at first. It is a `PageHandler`.

    Args:
        text: of the session's file.
        tell: gets how far a moment is that is looked for, from 0 to 1.

    Attributes:
        clients: the page, as it comes and goes.
        match: the session, as the page looks at it.

    Raises:
        DroppedError: it is no session that can be played again.
    """

    def __init__(self, text: str, tell: Callable[[float], None]) -> None:
        self.clients: list[Client] = []
        self._text, self._tell = text, tell
        with ExitStack() as files:
            session = files.enter_context(opened(text))
            if not isinstance(session, RecordedSession):
                raise DroppedError("a record has no sensors: open a session on the bench")
            self._session = session
            begun = self.again()
            self._files = files.pop_all()
        everybody = Claims([True] * begun.setup.people)
        self.match = LiveMatch(
            self.again, begun, self.clients, lambda: everybody, self._stepped, screens=lambda: 0
        )
        self.match.runner.paused, self.match.runner.speed = True, 1.0

    def again(self) -> Replay:
        """Play the session from its beginning."""
        self._replay = Replay(self._session)
        return self._replay

    def handle(self, client: Client, message: incoming.AnyIncoming) -> None:
        """Do what the page asks for, in the past alone; anything else is refused."""
        match message:
            case incoming.Hello():
                setup = self.match.world.setup
                everybody = frozenset(range(setup.table.players))
                client.rights = Rights("bench", message.language, None, everybody, bench=True)
                client.send(welcome_to(setup, client.rights))
                self.match.wake()
            case incoming.StayAwake():
                pass
            case incoming.Seek(s):
                self.match.runner.do(lambda: self._seek(round(s * 1e6)))
            case incoming.Pause() | incoming.SetSpeed() | incoming.StepTime():
                self.match.runner.do(lambda: self.match.change(message))
            case _:
                client.send(outgoing.RequestRefused("rights"))

    def leave(self, client: Client) -> None:
        """Remove the page, and put the session away."""
        self.clients.remove(client)
        self.match.close()
        self._files.close()

    def export(self, what: str, seat: int) -> tuple[str, bytes] | None:
        """Return the type and the bytes of a file of a seat, as `Bench.export` does."""
        if what == "session.jsonl":
            return "application/jsonl", self._text.encode()
        return self.match.bench.export(what, seat)

    def _stepped(self) -> None:
        self.match.runner.paused |= self._replay.now_us >= self._replay.ends_us

    def _seek(self, wanted_us: int) -> None:
        self.match.runner.paused = True
        if wanted_us - PLOTTED_US < self._replay.now_us:
            self.match.play(self.again())
        for share in self._replay.shares(min(wanted_us, self._replay.ends_us) - PLOTTED_US):
            self._tell(share)
        self.match.bench.look(self._replay, wanted_us)


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
        self.take, self.read = self._lines.take, kind_answer
        self._tell = tell
        self._shown: SessionTable | None = None

    def open(self, line: str) -> None:
        """Open a line of this name for the bench, which shows the session."""
        try:
            self._shown = SessionTable(self._text, self._tell)
        except DroppedError as error:
            self._lines.end(line, MALFORMED, str(error))
        else:
            self._lines.open(line, partial(serve, self._shown))

    def ask(self, address: str) -> tuple[int, str, bytes]:
        """Return the status of an answer as in HTTP, its media type and its bytes.

        ``address``: ``/judged.json`` for the coach's report, or an export of the bench.
        """
        return answered(address, self._work)

    def _work(self, path: str, query: Query) -> tuple[str, bytes]:
        if path == "judged.json":
            return JSON, judge(self._text, preferred(query.get("language")), self._tell)
        seat = query.get("seat", "0")
        number = int(seat) if seat.isdecimal() else -1
        what = path.removeprefix("export/")
        found = None if self._shown is None else self._shown.export(what, number)
        if found is None:
            raise NoAnswerError(NOT_FOUND, "")
        return found
