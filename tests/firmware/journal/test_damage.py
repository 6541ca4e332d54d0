"""A journal is what it was when it was last written, or it is refused: it never goes back."""

from itertools import chain
from random import Random

import pytest

from firmware.journal import Append, BeginLog, Put, Survived
from firmware.journal.sqlite import Journal, JournalError
from tests.support.old_journals import files_of, losses, mixtures, put, spoilt

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
