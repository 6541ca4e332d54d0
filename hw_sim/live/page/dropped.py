"""A record or a session that somebody opens in a page: judged by the coach, or played again."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from firmware.cli.console import CommandError
from firmware.display.text.language import Language
from game.record import Record, RecordError, read
from hw_sim.live.world.replay import Replay, is_session, load_bounded
from hw_sim.live.world.session import RecordedSession
from hw_sim.live.world.stored_files import FORMAT
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
    from hw_sim.live.web.coach_report import coach_report  # many modules, which few pages ask for

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
    from hw_sim.live.web.coach_report import record_of

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
