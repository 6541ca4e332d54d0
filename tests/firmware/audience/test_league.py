"""A league keeps what holds, once, whatever is told how often, and rates who played."""

import csv
import io

import pytest

from firmware.audience.league import League
from firmware.audience.rating import ranks, results, standings
from firmware.audience.store import LeagueMatch, LeagueStore, MatchSource, StoreError
from firmware.device.feed import Result
from firmware.link.broker import topics
from firmware.link.broker.session import Message
from firmware.table.log.entries import read_entries
from firmware.table.log.public_log import PublicLog
from game import Outcome
from game.record import read
from tests.support.feeds import TAG, altered, played

CLASS = played("class", (0, 2))
(FIRST, SECOND) = (message for message in CLASS[1] if "/result/" in message.topic)
OTHER_TAG = "f" * 32


@pytest.fixture
def league(tmp_path):
    store = LeagueStore(tmp_path / "league.sqlite")
    yield League(store, lambda: "2030-01-02T03:04:05+00:00")
    store.close()


def match(number, players, by_seat, game="class", **more):
    return LeagueMatch(number, "2030", game, players, by_seat, **more)


def test_a_result_that_holds_is_kept_once_and_a_second_seat_bears_it_out(league):
    assert league.take(FIRST) == f"taken, {TAG[:8]}, seat 0: match 1, class, Ana, Ben, Cem"
    assert league.take(FIRST) is None
    assert league.take(SECOND) == f"taken, {TAG[:8]}, seat 2: match 1, the same"
    (kept,) = league.matches
    outcome = CLASS[0][0].handheld.own_seat.match.outcome
    assert kept == match(1, ("Ana", "Ben", "Cem"), ranks(outcome, 3))._replace(at=kept.at)
    assert read(league.record(1)).players == kept.players
    assert league.record(2) is None
    assert {each.player for each in league.rated()} == set(kept.players)
    assert league.rated("chicago") == []


def test_two_that_keep_one_file_show_the_same(league, tmp_path):
    store = LeagueStore(tmp_path / "league.sqlite")
    other = League(store, lambda: "later")
    assert other.csv() == league.csv()
    league.take(FIRST)
    assert other.take(FIRST) is None
    assert (other.matches, other.csv()) == (league.matches, league.csv())
    other.take(SECOND)
    assert (len(league.matches), len(other.matches)) == (1, 1)
    store.close()


def test_different_stories_of_a_match_make_it_count_for_nobody(league):
    league.take(FIRST)
    other = next(m for m in played("class", (2,), seed=5)[1] if "/result/" in m.topic)
    assert league.take(other).endswith("match 1, another story: the match is disputed")
    assert league.rated() == []
    assert league.take(other._replace(topic=FIRST.topic)).startswith("refused")
    assert [each.disputed for each in league.matches] == [True]


def signed_anew(message, change):
    """The result with every signature changed: entry, and how it was signed, to another one."""
    told = Result.decode(message.payload)
    entries = read_entries(bytes.fromhex(told.entries))
    changed = [
        entry if entry.signature is None else entry._replace(signature=change(entry))
        for entry in entries
    ]
    return altered(message, entries=b"".join(entry.encode() for entry in changed).hex())


def of_another(entry):
    """A seat claims what the next one has signed."""
    return entry.signature._replace(seat=(entry.signature.seat + 1) % 3)


REFUSED = {
    "rubbish": (lambda m: m._replace(payload=b"\xff"), "refused"),
    "cut": (lambda m: m._replace(payload=m.payload[:-9]), "refused"),
    "header": (lambda m: altered(m, header="{}"), "its header is none"),
    "too few": (lambda m: altered(m, count=3), "entry 0"),
    "none": (lambda m: altered(m, count=0, entries="", digest="00" * 8), "entry 0"),
    "digest": (lambda m: altered(m, digest="00" * 8), "the logs differ"),
    "of nobody": (lambda m: altered(m, entries="02" * 3, count=3), "the logs differ"),
    "unsigned": (lambda m: signed_anew(m, lambda entry: None), "entry 0 is not signed"),
    "another's": (lambda m: signed_anew(m, of_another), "is not signed by who made it"),
    "another match": (lambda m: altered(m, match=2), "is not signed by who made it"),
    "other keys": (lambda m: altered(m, signers=["00" * 32] * 3), "is not signed by who made it"),
    "long": (lambda m: m._replace(payload=m.payload + b" " * 300_000), "are more than"),
}


@pytest.mark.parametrize(("change", "why"), REFUSED.values(), ids=REFUSED)
def test_what_does_not_hold_is_refused_in_one_line_and_told_once(league, change, why):
    line = league.take(change(FIRST))
    assert line.startswith(f"refused, {TAG[:8]}, seat 0: ")
    assert why in line
    assert "\n" not in line
    assert league.take(change(FIRST)) is None
    assert league.matches == []


def test_a_match_that_goes_on_is_refused(league):
    told = Result.decode(FIRST.payload)
    record = read(told.header)
    log = PublicLog(record.rules, record.players, record.first)
    log.adopt(told.log)
    signed = (at for at, each in enumerate(read_entries(told.log.entries), 1) if each.signature)
    part = log.part(0, next(signed))
    line = league.take(
        altered(FIRST, count=part.count, entries=part.entries.hex(), digest=part.digest.hex())
    )
    assert line.endswith("its match is not over")


def test_the_same_match_under_another_table_is_no_second_one(league):
    league.take(FIRST)
    line = league.take(FIRST._replace(topic=topics.result(OTHER_TAG, 0)))
    assert line.endswith("match 1 was told of another table")
    assert len(league.matches) == 1


def test_what_is_no_result_is_ignored(league):
    for topic in (topics.public_match(TAG, 0), topics.result(TAG, 16), "x", topics.result("", "+")):
        assert league.take(Message(topic, FIRST.payload)) is None
    assert league.take(FIRST._replace(payload=b"")) is None


def test_who_loses_falls_and_later_losers_fall_less():
    names = ("Ana", "Ben", "Cem", "Dea")
    told = results([match(1, names, (1, 2, 3, 4)), match(2, names, (1, 2, 3, 4))])
    assert [each.player for each in standings(told)] == list(names)
    assert [each.matches for each in standings(told)] == [2] * 4
    assert [each.lost for each in standings(told)] == [0, 2, 2, 2]
    unrated = [match(1, names, None), match(2, names, (1, 1, 1, 2), disputed=True)]
    assert results(unrated) == []


def test_ranks_follow_who_lost_in_which_order():
    def outcome(losers, out=(), left=()):
        return Outcome("R", losers, out, left, (0,) * 4)

    assert ranks(outcome((2,)), 4) == (1, 1, 2, 1)
    assert ranks(outcome((3, 0, 1), out=(3, 0, 1)), 4) == (3, 2, 1, 4)
    assert ranks(outcome((1,), out=(1,), left=(3,)), 4) == (1, 2, 1, 3)
    assert ranks(outcome((), left=(3,)), 4) == (1, 1, 1, 2)
    assert ranks(outcome((0,), out=(3, 1, 2)), 4) == (2, 1, 1, 1), "out of danger, all others"
    assert ranks(outcome(()), 4) is None
    assert ranks(outcome((0, 1, 2, 3)), 4) is None


def test_no_name_is_a_formula(tmp_path):
    store = LeagueStore(tmp_path / "league.sqlite")
    played_so = match(0, ("=1+1", "-x", "Ana"), (1, 2, 2))
    store.keep(MatchSource(TAG, 1, 0), "00" * 8, played_so, "")
    (first, *_, last) = csv.DictReader(io.StringIO(League(store, lambda: "").csv()))
    assert (first["player"], last["others"]) == ("'=1+1", "'=1+1 -x")
    store.close()


def test_a_file_that_cannot_be_used_is_told_of(tmp_path):
    foreign = tmp_path / "notes.txt"
    foreign.write_text("dear diary " * 200)
    for path in (foreign, tmp_path / "no" / "league.sqlite", tmp_path):
        with pytest.raises(StoreError, match="name a file of a league"):
            LeagueStore(path)
    newer = LeagueStore(tmp_path / "newer.sqlite")
    newer._disk.execute("PRAGMA user_version = 9")
    newer.close()
    with pytest.raises(StoreError, match="version 9"):
        LeagueStore(tmp_path / "newer.sqlite")
