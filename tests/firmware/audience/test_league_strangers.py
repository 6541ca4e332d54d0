"""A league and those who may write at its broker without a key of the table; and hostile files."""

import sqlite3
from contextlib import closing
from functools import cache

import pytest

from firmware.audience.league import League, keys_of
from firmware.audience.store import LeagueStore, StoreError
from firmware.device.feed import Result
from firmware.link.broker import topics
from tests.support.feeds import TAG, altered, played

FIRST, SECOND = (each for each in played("class", (0, 2))[1] if "/result/" in each.topic)
TRUE = keys_of(Result.decode(FIRST.payload))
OTHER_TAG = "f" * 32


@pytest.fixture
def path(tmp_path):
    return tmp_path / "league.sqlite"


@pytest.fixture
def league(path):
    store = LeagueStore(path)
    yield League(store, lambda: "2030-01-02T03:04:05+00:00")
    store.close()


@cache
def made_up():
    """A whole match with keys of its own, told as if it were of the same table and number."""
    told = played("class", (1,), seed=7, key=b"\x07" * 32)[1]
    return next(each for each in told if "/result/" in each.topic)._replace(
        topic=topics.result(TAG, 1)
    )


def rated(league):
    return [(each.player, each.rank) for each in league.rated()]


def test_a_made_up_match_of_other_keys_disputes_nothing_and_is_kept_apart(league):
    league.take(FIRST)
    before = rated(league)
    line = league.take(made_up())
    assert line.startswith(f"kept apart, {TAG[:8]}, seat 1: match 1, Ana, Ben, Cem, of keys ")
    assert league.take(SECOND) == f"taken, {TAG[:8]}, seat 2: match 1, the same"
    assert [each.disputed for each in league.matches] == [False, False]
    assert [each.apart for each in league.matches] == [False, True]
    assert rated(league) == before


@pytest.mark.parametrize("seat", [3, 9, 15])
def test_a_seat_without_a_key_is_refused(league, seat):
    for told in (FIRST, made_up()):
        line = league.take(told._replace(topic=topics.result(TAG, seat)))
        assert line in (f"refused, {TAG[:8]}, seat {seat}: that seat has no key", None)
    assert league.matches == []


def test_who_tells_first_takes_no_place_of_keys_that_are_named(league, path):
    league.take(made_up())
    line = league.take(FIRST)
    assert f"of keys {TRUE}, not {keys_of(Result.decode(made_up().payload))}: " in line
    store = LeagueStore(path)
    named = League(store, lambda: "later", (f"{TAG}:{TRUE}",))
    assert named.topics == (topics.result(TAG, "+"),)
    assert [each.apart for each in named.matches] == [True, False]
    assert {each.match.number for each in named.rated()} == {2}
    assert named.take(SECOND) == f"taken, {TAG[:8]}, seat 2: match 1, the same"
    store.close()


def test_a_copy_under_another_tag_cannot_be_made_disputed_there(league):
    league.take(FIRST._replace(topic=topics.result(OTHER_TAG, 0)))
    league.take(made_up()._replace(topic=topics.result(OTHER_TAG, 1)))
    league.take(FIRST)
    assert not any(each.disputed for each in league.matches)
    assert len({each.match for each in league.rated()}) == 1


def test_keys_of_who_does_not_play_make_no_second_match(league):
    league.take(FIRST)
    more = [*Result.decode(FIRST.payload).signers, "ab" * 32]
    line = league.take(altered(SECOND, signers=more))
    assert line == f"taken, {TAG[:8]}, seat 2: match 1, the same"
    assert len(league.matches) == 1


BEFORE = """
CREATE TABLE told (
    tag TEXT NOT NULL, match INTEGER NOT NULL, seat INTEGER NOT NULL, digest TEXT NOT NULL,
    PRIMARY KEY (tag, match, seat)
);
CREATE TABLE matches (
    id INTEGER PRIMARY KEY, tag TEXT NOT NULL, match INTEGER NOT NULL, digest TEXT NOT NULL,
    at TEXT NOT NULL, game TEXT NOT NULL, players TEXT NOT NULL, ranks TEXT NOT NULL,
    record TEXT NOT NULL, disputed INTEGER NOT NULL DEFAULT 0,
    UNIQUE (tag, match)
);
INSERT INTO told VALUES ('a', 1, 0, '00');
INSERT INTO matches
    VALUES (1, 'a', 1, '00', '2030', 'class', '["Ana","Ben","Cem"]', '[1,2,1]', '', 0);
PRAGMA user_version = 1;
"""


def test_a_file_of_before_is_taken_over(path):
    with closing(sqlite3.connect(path)) as disk:
        disk.executescript(BEFORE)
    for _ in range(2):
        store = LeagueStore(path)
        league = League(store, lambda: "later")
        assert [each.players for each in league.matches] == [("Ana", "Ben", "Cem")]
        assert {each.player for each in league.rated()} == {"Ana", "Ben", "Cem"}
        store.close()


HOSTILE = {
    "players": "UPDATE matches SET players = '[1, 2]'",
    "nobody": "UPDATE matches SET players = '[]'",
    "deep": f"UPDATE matches SET players = '{'[' * 5000}'",
    "a name that hides": """UPDATE matches SET players = '["Ana","\\u202e","Cem"]'""",
    "ranks": "UPDATE matches SET ranks = '[1]'",
    "huge ranks": "UPDATE matches SET ranks = '[1e999, 1, 2]'",
    "no game": "UPDATE matches SET game = 'poker'",
    "bytes": "UPDATE matches SET at = x'ff00'",
    "bytes for players": "UPDATE matches SET players = x'ff00'",
    "a view": "DROP TABLE told; CREATE VIEW told AS WITH RECURSIVE n(x) AS "
    "(SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT * FROM n",
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON told BEGIN DELETE FROM matches; END",
    "another column": "ALTER TABLE matches ADD COLUMN x",
    "no table": "DROP TABLE matches",
}


@pytest.mark.parametrize("harm", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_file_is_one_line(league, path, harm):
    league.take(FIRST)
    with closing(sqlite3.connect(path)) as disk:
        disk.executescript(harm)
    with pytest.raises(StoreError) as told:
        read_all(path)
    assert "\n" not in str(told.value)
    assert str(path) in str(told.value)


def read_all(path):
    store = LeagueStore(path)
    try:
        return League(store, lambda: "later").csv()
    finally:
        store.close()
