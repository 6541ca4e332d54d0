"""The table of a page: its match in a folder, its lines, and the answers to requests.

A record or a session that somebody opens in a page is judged by the coach, or played again.
"""

import logging
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from firmware.cli.console import CommandError
from firmware.display.text.language import Language
from game.record import Record, RecordError, read
from hw_sim.live.page.link_setup import LinkError, link_of, setup_of, usual_setup
from hw_sim.live.page.streams import PageLines, Post
from hw_sim.live.web.answers import FOUND, TEXT, WRONG, Asker
from hw_sim.live.web.client import serve
from hw_sim.live.web.match_store import STORE_ERRORS, MatchStore, NewerStoreError
from hw_sim.live.web.pages_table import SEATS, PagesTable, open_table
from hw_sim.live.world import setup
from hw_sim.live.world.replay import Replay, is_session, load_bounded
from hw_sim.live.world.session import RecordedSession
from hw_sim.live.world.setup import FORMAT
from hw_sim.table.headless import journal_folder

MOST_LETTERS = 4_000_000
"""The most letters of a file that is opened."""
MOST_ACTIONS = 5_000
"""The most actions of a record that is judged: a browser takes up to half a minute."""
_GLANCED_ACTIONS, _GLANCED_LETTERS = 50, 2_000


class DroppedError(ValueError):
    """A file that is neither a record nor a session: one line that says why."""


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


def judge(
    text: str, language: Language, tell: Callable[[float], None] = lambda _share: None
) -> bytes:
    """Return the coach's report of a match as JSON, from the text of a record or a session.

    A session is played again, which takes a fraction of the time it took. ``tell`` gets how far
    that is, from 0 to 1.

    Raises:
        DroppedError: as `opened` does.
    """
    from hw_sim.live.web.matches_over import coach_report

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
    from hw_sim.live.web.matches_over import record_of

    with journal_folder() as journals:
        replay = Replay(found, journals)
        try:
            for share in replay.shares(found.end_us):
                tell(share)
            record = record_of(replay.world)
        finally:
            replay.world.close()
    _check_actions(len(record.actions))
    return record


REFUSALS: tuple[type[BaseException], ...] = (CommandError, *STORE_ERRORS)
"""The errors of a kept table that this version cannot go on with."""
log = logging.getLogger(__name__)


@dataclass
class PageTable:
    """A table on the running loop, and its lines by name.

    ``told`` says what went wrong as the table began: the name of a text of the pages, and a detail;
    None if nothing did.
    """

    table: PagesTable
    post: Post
    told: tuple[str, str] | None = None

    def __post_init__(self) -> None:
        self._lines = PageLines(self.post)

    def open(self, line: str) -> None:
        """Open a line of this name for a page that asks for one."""
        self._lines.open(line, partial(serve, self.table, is_host=self.table.seats.is_party))

    def take(self, line: str, text: str | None) -> None:
        """Take a message of a page; None when the page is gone."""
        self._lines.take(line, text)

    def ask(self, address: str) -> tuple[int, str, bytes]:
        """Return the status of an answer as in HTTP, its media type and its bytes.

        ``address`` is a path with a query, as an `Asker` has them.
        """
        table, seats = self.table, self.table.seats
        rights, is_passed = table.asking, not seats.is_alone
        folder = table.store.folder
        party = seats.is_party
        asker = Asker(table.match, folder, rights, party, is_passed, is_own=True, link=self._link())
        return asker.answer(address)

    def _link(self) -> str:
        """Return the link that begins the same match; empty without one."""
        match = self.table.match
        return "" if match is None else link_of(match.world.setup)

    def read(self, text: str) -> tuple[int, str, bytes]:
        """Return the kind of a file, as `kind_answer` does."""
        return kind_answer(text)

    def close(self) -> None:
        """Put the table away; its match goes on from its journals."""
        self.table.close()


def kind_answer(text: str) -> tuple[int, str, bytes]:
    """Return the answer "record" or "session" to the text of a file, as `PageTable.ask` answers."""
    try:
        return FOUND, TEXT, kind_of(text).encode()
    except DroppedError as error:
        return WRONG, TEXT, str(error).encode()


def open_page_table(folder: Path, link: str, language: Language, post: Post) -> PageTable:
    """Return the table of a page: of a link, or the one that is kept, or a usual one.

    Args:
        folder: keeps matches. A folder that cannot be read is put aside, but for its tally. One of
            a newer version is left as it is, for that. A line says so.
        link: a set-up as in `setup_of`; an empty one goes on with what is kept. A link that is
            none leaves the table as it would be without, and a line says so.
        language: of the panels.
        post: gets what is sent to the pages.
    """
    told = None
    wanted, any_seed = None, True
    try:
        if (carried := setup_of(link, language)) is not None:
            wanted, any_seed = carried
    except LinkError as error:
        told = ("site_badLink", str(error))
    try:
        return PageTable(_table(folder, wanted, any_seed, language), post, told)
    except NewerStoreError:
        older = folder.with_name(f"{folder.name}-{setup.TABLE_VERSION}")
        told = ("site_newerStore", "")
        return PageTable(_table(older, wanted, any_seed, language), post, told)
    except REFUSALS as error:
        log.warning("the kept table is put aside: %s", error)
        aside = put_aside(folder)
        with suppress(OSError):
            shutil.copy(aside / SEATS, folder)
        told = ("site_badStore", "")
        return PageTable(_table(folder, wanted, any_seed, language), post, told)


def put_aside(folder: Path) -> Path:
    """Put a folder aside, in place of one that was, and make an empty one; return where it is."""
    aside = folder.with_name(f"{folder.name}-aside")
    shutil.rmtree(aside, ignore_errors=True)
    shutil.move(folder, aside)
    folder.mkdir()
    return aside


def _table(folder: Path, wanted: Any, any_seed: bool, language: Language) -> PagesTable:
    if wanted is None and not (folder / "table.json").exists():
        wanted = usual_setup(language)
    return open_table(MatchStore(folder, wanted, any_seed=any_seed))
