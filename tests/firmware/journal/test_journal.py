"""A journal over power losses: what it keeps, and that it never goes back to what it was."""

import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
from functools import reduce
from itertools import chain
from pathlib import Path
from random import Random

import pytest

from firmware.journal import Append, BeginLog, Cut, Put, Survived
from firmware.journal.sqlite import Journal, JournalError
from tests.support.old_journals import files_of, losses, mixtures, put, spoilt

BATCHES = (
    (Put("cup", b"one"),),
    (BeginLog(b"match 1"), Put("cup", b"two")),
    (Append(0, b"a"), Append(1, b"b"), Put("cup", b"three")),
    (Append(2, b"c"),),
    (Put("cup", b"four"), Put("seat", b"0")),
    (Append(3, b"d"), Cut(2), Append(2, b"x"), Append(3, b"y")),
    (Cut(3),),
    (Append(3, b"z"), BeginLog(b"match 2"), Append(0, b"e")),
)


def contents(path):
    with Journal(path) as journal:
        return journal.survived


def after(batches):
    """Return the contents of a journal after batches, computed without one."""
    return reduce(Survived.after, chain.from_iterable(batches), Survived.nothing())


def copied(path, folder):
    """The file and those beside it as a power cut would leave them now."""
    put(folder, files_of(path))
    return folder / path.name


def written(path, batches=BATCHES):
    """Write batches; return the bytes of the file."""
    with Journal(path) as journal:
        for batch in batches:
            journal.write(batch)
    return path.read_bytes()


def test_every_commit_is_synced(tmp_path):
    with Journal(tmp_path / "journal") as journal:
        database = journal._open
        assert database.execute("PRAGMA synchronous").fetchone() == (2,)
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_power_cut_after_any_write_loses_nothing(tmp_path):
    path = tmp_path / "journal"
    with Journal(path) as journal:
        for count, batch in enumerate(BATCHES, start=1):
            journal.write(batch)
            cut = copied(path, tmp_path / f"cut {count}")
            assert contents(cut) == after(BATCHES[:count])


def test_a_power_cut_within_a_write_leaves_all_of_it_or_nothing(tmp_path):
    path = tmp_path / "journal"
    with Journal(path) as journal:
        journal.write(BATCHES[0])
        before = (path.parent / "journal-wal").stat().st_size
        counter = (path.parent / "journal-count").read_bytes()
        journal.write(BATCHES[1])
        cut = copied(path, tmp_path / "cut")
    log = (cut.parent / "journal-wal").read_bytes()
    file = cut.read_bytes()
    found = []
    for length in range(before, len(log), 103):
        cut.write_bytes(file)
        (cut.parent / "journal-wal").write_bytes(log[:length])
        (cut.parent / "journal-count").write_bytes(counter)
        found.append(contents(cut))
    (cut.parent / "journal-wal").write_bytes(log)
    (cut.parent / "journal-count").write_bytes(counter)
    cut.write_bytes(file)
    found.append(contents(cut))
    assert found[0] == after(BATCHES[:1])
    assert found[-1] == after(BATCHES[:2])
    assert all(each in (after(BATCHES[:1]), after(BATCHES[:2])) for each in found)


def test_a_failed_write_leaves_nothing_of_itself(tmp_path):
    path = tmp_path / "journal"
    with Journal(path) as journal:
        journal.write(BATCHES[0])
        with pytest.raises(ValueError, match="entry 0 is not the next one"):
            journal.write((Put("cup", b"other"), Append(0, b"a")))
        journal.write((BeginLog(b"match 1"), Append(0, b"a")))
        with pytest.raises(ValueError, match="entry 2 is not the next one, 1"):
            journal.write((Append(2, b"c"),))
    assert contents(path) == ({"cup": b"one"}, 1, b"match 1", (b"a",))


def test_a_full_disk_is_said_loses_nothing_and_is_over_when_there_is_space(tmp_path):
    path = tmp_path / "journal"
    with Journal(path) as journal:
        journal.write(BATCHES[0])
        pages = journal._open.execute("PRAGMA page_count").fetchone()[0]
        journal._open.execute(f"PRAGMA max_page_count = {pages + 1}")
        with pytest.raises(JournalError) as caught:
            journal.write((Put("cup", b"other"), Put("picture", bytes(100_000))))
        assert str(caught.value).startswith(
            f"journal {path}: disk is full: free some space, nothing was lost"
        )
        assert contents(copied(path, tmp_path / "cut")) == after(BATCHES[:1])
        journal._open.execute("PRAGMA max_page_count = 1000000")
        journal.write(BATCHES[1])
    assert contents(path) == after(BATCHES[:2])


def complaint(path):
    with pytest.raises(JournalError) as caught:
        Journal(path)
    text = str(caught.value)
    assert str(path) in text
    assert "\n" not in text
    return text


@pytest.mark.parametrize(
    "rubbish", [b"no database", bytes(4096), b"SQLite format 3\0" + b"x" * 4080]
)
def test_a_file_that_is_no_journal_is_refused_and_left_alone(tmp_path, rubbish):
    path = tmp_path / "journal"
    path.write_bytes(rubbish)
    assert "* away and start again" in complaint(path)
    assert path.read_bytes() == rubbish


@pytest.mark.parametrize("value", [b"four", b"match 2", b"cup"])
def test_a_changed_value_header_or_key_is_refused(tmp_path, value):
    path = tmp_path / "journal"
    whole = written(path)
    at = whole.rindex(value)
    path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
    assert "damaged" in complaint(path)


@pytest.mark.parametrize(
    ("is_journal", "change", "problem"),
    [
        (False, "CREATE TABLE cats (name)", "another program's file"),
        (True, "PRAGMA user_version = 3", "version 3, this program writes 2"),
        (True, "INSERT INTO entry VALUES (2, 2, x'66', 0)", "damaged"),
    ],
    ids=["another program", "another version", "an entry that vanished"],
)
def test_a_database_that_is_no_journal_of_ours_is_refused(tmp_path, is_journal, change, problem):
    path = tmp_path / "journal"
    if is_journal:
        written(path)
    with sqlite3.connect(path) as database:
        database.execute(change)
    database.close()
    assert problem in complaint(path)


def test_a_second_program_cannot_open_it(tmp_path):
    path = tmp_path / "journal"
    with Journal(path):
        assert "another program has it open" in complaint(path)
    Journal(path).close()


def test_a_folder_that_does_not_exist_is_named(tmp_path):
    assert "check that its folder exists" in complaint(tmp_path / "nowhere" / "journal")


def test_a_folder_that_cannot_be_written_to_is_named(tmp_path):
    # The rights of a folder do not stop the superuser, but even he cannot make a file in /proc.
    folder = tmp_path if os.geteuid() else Path("/proc")
    if os.geteuid():
        tmp_path.chmod(0o500)
    assert "may be written to" in complaint(folder / "journal")


OPENED_BY_SOMEBODY_ELSE = """
import os, sys
from pathlib import Path
from firmware.journal.sqlite import Journal, JournalError
os.setuid(65534)
try:
    Journal(Path(sys.argv[1]))
except JournalError as problem:
    print(problem)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_a_journal_that_can_only_be_read_is_named_so_and_stays_as_it_is():
    with tempfile.TemporaryDirectory() as folder:  # pytest's own are closed to others
        Path(folder).chmod(0o755)
        path = Path(folder) / "journal"
        before = written(path)
        path.chmod(0o644)
        ran = subprocess.run(
            [sys.executable, "-c", OPENED_BY_SOMEBODY_ELSE, str(path)],
            capture_output=True, text=True, timeout=60, check=True,
        )  # fmt: skip
        assert "whether the disk is read-only; nothing was lost" in ran.stdout
        assert path.read_bytes() == before


def test_closing_waits_for_a_write_that_goes_on(tmp_path):
    journal = Journal(tmp_path / "journal")
    busy, asked, ended = journal._busy, threading.Event(), []

    class Watched:
        def __enter__(self):
            asked.set()
            busy.acquire()
            ended.append(journal._database is not None)

        def __exit__(self, *_):
            busy.release()

    journal._busy = Watched()
    with busy:
        closing = threading.Thread(target=journal.close)
        closing.start()
        assert asked.wait(60.0), "closing asks for the turn of the write"
        ended.append("write")
    closing.join()
    assert ended == ["write", True]


MATCH = (
    (Put("device", b"\xc0\1\2\3\4\5"),),
    (BeginLog(b"match 1"), Put("cup", b"holding 0")),
    (Append(0, b"a"), Append(1, b"b")),
    (Put("cup", b"proposed 1"),),
    (Put("cup", b"offered 1"),),
    (Put("cup", b"idle 1"), Append(2, b"c")),
)


@pytest.fixture(params=["power cut", "closed", "closed, then a power cut"])
def times(request, tmp_path):
    """After each batch: the files, and what they hold."""
    path = tmp_path / "kept" / "journal"
    path.parent.mkdir()
    journal = Journal(path)
    states = []
    for number, batch in enumerate(MATCH):
        journal.write(batch)
        if request.param == "closed" or (request.param != "power cut" and number == 3):
            journal.close()
            states.append((files_of(path), journal._now))
            journal = Journal(path)
        else:
            states.append((files_of(path), journal._now))
    journal.close()
    return states


def opened(folder, files):
    """Return the contents of a journal of these files; None if it is refused."""
    put(folder, files)
    try:
        with Journal(folder / "journal") as journal:
            return journal.survived
    except JournalError as error:
        problem = error
    assert problem.damaged or "version" in str(problem) or "another program" in str(problem)
    assert "\n" not in str(problem)
    return None


def test_damage_is_noticed_or_does_not_matter(times, tmp_path):
    files, newest = times[-1]
    assert opened(tmp_path / "tried", files) == newest
    changes = chain(losses(files), spoilt(files, Random(1), 40))
    outcomes = [(how, opened(tmp_path / "tried", changed)) for how, changed in changes]
    for how, held in outcomes:
        assert held in (None, newest, Survived.nothing()), how
    forgot = [how for how, held in outcomes if held == Survived.nothing()]
    assert all(how.startswith("lost ['journal") and "-count'" in how for how in forgot)
    assert any(held is None for _, held in outcomes)


def test_files_of_two_times_are_refused_or_are_the_newest(times, tmp_path):
    """An older counter with an older write-ahead log is all that the older journal was."""
    files, newest = times[-1]
    for older, held in times[:-1]:
        for how, mixed in mixtures(files, older):
            counts = mixed["journal-count"] == files["journal-count"]
            allowed = (None, newest) if counts else (None, newest, held)
            assert opened(tmp_path / "tried", mixed) in allowed, how


def test_what_was_refused_once_is_refused_again(times, tmp_path):
    files = {**times[-1][0], "journal-count": times[0][0]["journal-count"]}
    folder = tmp_path / "tried"
    assert opened(folder, files) is None
    assert opened(folder, files_of(folder / "journal")) is None


def test_a_counter_of_another_journal_is_refused(tmp_path):
    folders = [tmp_path / name for name in ("ana", "ben")]
    for folder in folders:
        folder.mkdir()
        with Journal(folder / "journal") as journal:
            journal.write(MATCH[0])
    ana, ben = (files_of(folder / "journal") for folder in folders)
    assert opened(tmp_path / "tried", ana) is not None
    assert opened(tmp_path / "tried", {**ana, "journal-count": ben["journal-count"]}) is None


def test_a_power_cut_before_a_write_was_counted_leaves_it_whole(tmp_path):
    path = tmp_path / "journal"
    with Journal(path) as journal:
        before = None
        for batch in MATCH:
            counter = files_of(path)["journal-count"]
            journal.write(batch)
            cut = files_of(path)
            torn = {**cut, "journal-count": counter}
            assert opened(tmp_path / "tried", torn) == journal._now
            if before is not None:
                assert opened(tmp_path / "tried", {**cut, "journal-count": before}) is None
            before = counter


def test_a_torn_count_leaves_the_one_before(tmp_path):
    path = tmp_path / "journal"
    with Journal(path) as journal:
        journal.write(MATCH[0])
        before = files_of(path)["journal-count"]
        journal.write(MATCH[1])
        cut, newest = files_of(path), journal._now
    after = cut["journal-count"]
    (first, *_, last) = (at for at, pair in enumerate(zip(before, after)) if pair[0] != pair[1])
    for end in range(first, last + 1, 4):
        torn = after[:end] + before[end:]
        assert opened(tmp_path / "tried", {**cut, "journal-count": torn}) == newest


def test_nothing_is_written_any_more_once_a_write_could_not_be_counted(tmp_path):
    path = tmp_path / "journal"
    with Journal(path) as journal:
        journal.write(MATCH[0])
        journal._counter.close()
        journal._counter._path = tmp_path / "nowhere" / "journal-count"
        with pytest.raises(JournalError, match="its counter journal-count cannot be used"):
            journal.write(MATCH[1])
        with pytest.raises(JournalError, match="it is closed"):
            journal.write(MATCH[2])
    with Journal(path) as journal:
        assert journal.survived.header == b"match 1"


def test_a_journal_that_cannot_be_written_is_refused_when_it_is_opened(tmp_path):
    path = tmp_path / "journal"
    with Journal(path) as journal:
        journal.write(MATCH[0])
    damaged = bytearray(path.read_bytes())
    damaged[18] = 9  # SQLite: a later format, which it may only read
    path.write_bytes(damaged)
    with pytest.raises(JournalError, match="may not be written to"):
        Journal(path)
