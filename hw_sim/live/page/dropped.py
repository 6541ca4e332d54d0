"""A record or a session that somebody opens in a page: judged by the coach, or played again."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from firmware.cli.console import CommandError
from firmware.display.text.language import Language
from game.record import Record, RecordError, read
from hw_sim.live.world.replay import is_session, replayed
from hw_sim.live.world.session import RecordedSession, load
from hw_sim.table.headless import journal_folder

MOST_LETTERS = 4_000_000
"""The most letters of a file that is opened."""


class DroppedError(ValueError):
    """A file that is neither a record nor a session: one line that says why."""


@contextmanager
def opened(text: str) -> Iterator[Record | RecordedSession]:
    """Return a record or a session from its text; a session is read as long as this lasts.

    Raises:
        DroppedError: it is neither, or too long; or it cannot be played again or judged.
    """
    if len(text) > MOST_LETTERS:
        raise DroppedError(f"the file is longer than {MOST_LETTERS:,} letters")
    with TemporaryDirectory() as folder:
        path = Path(folder, "session.jsonl")
        path.write_text(text, "utf-8", errors="replace")
        try:
            yield load(path) if is_session(path) else read(text)
        except (RecordError, CommandError) as error:
            raise DroppedError(str(error).replace(f"{folder}/", "")) from None


def judge(text: str, language: Language) -> bytes:
    """Return the coach's report of a match as JSON, from the text of a record or a session.

    A session is played again, which takes a fraction of the time it took.

    Raises:
        DroppedError: as `opened` does.
    """
    from hw_sim.live.web.coach_report import coach_report  # many modules, which few pages ask for

    with opened(text) as found:
        return msgspec.json.encode(coach_report(_record(found), language))


def _record(found: Record | RecordedSession) -> Record:
    if isinstance(found, Record):
        return found
    from hw_sim.live.web.coach_report import record_of

    with journal_folder() as journals:
        world = replayed(found, journals)
        try:
            return record_of(world)
        finally:
            world.close()
