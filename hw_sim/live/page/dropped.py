"""A record or a session that somebody drops onto a page, judged by the coach."""

from pathlib import Path
from tempfile import TemporaryDirectory

from firmware.cli.console import CommandError
from firmware.display.text.language import Language
from game.record import Record, RecordError, read
from hw_sim.live.web.coach_report import CoachReport, coach_report, record_of
from hw_sim.live.world.replay import is_session, replayed
from hw_sim.live.world.session import load
from hw_sim.table.headless import journal_folder

MOST_LETTERS = 4_000_000
"""The most letters of a file that is judged."""


class DroppedError(ValueError):
    """A file that is neither a record nor a session: one line that says why."""


def judge(text: str, language: Language) -> CoachReport:
    """Return the coach's report of a match, from the text of a record or a session.

    A session is played again, which takes a fraction of the time it took.

    Raises:
        DroppedError: it is neither, or too long.
    """
    if len(text) > MOST_LETTERS:
        raise DroppedError(f"the file is longer than {MOST_LETTERS:,} letters")
    try:
        return coach_report(_record(text), language)
    except (RecordError, CommandError) as error:
        raise DroppedError(str(error)) from None


def _record(text: str) -> Record:
    with TemporaryDirectory() as folder:
        path = Path(folder, "session.jsonl")
        path.write_text(text, "utf-8")
        if not is_session(path):
            return read(text)
        with journal_folder() as journals:
            world = replayed(load(path), journals)
            try:
                return record_of(world)
            finally:
                world.close()
