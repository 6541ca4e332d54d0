import random
from dataclasses import replace
from itertools import pairwise

import pytest

from firmware.table.log.entries import EntryError, Signature, decode_entries, encode_entry
from firmware.table.log.public_log import LogConflict, PublicLog
from firmware.table.protocol import LogPosition
from firmware.table.protocol.messages import Log
from game import RULES, Reason, public
from game.actions import Announce, Believe, Doubt, EndMatch, Lift, Look, Roll
from tests.support.rules_table import playout

PLAYERS = ("Ana", "Ben", "Cem")
GAMES = ("class", "physicist", "holy-family")
LIVELY = {"holy-family": {"tower_one_in": 3}, "maxen": {"coasters": 4}}
OPENING = (Roll((6, 3)), Look(), Announce(62), Believe(), Announce(65), Doubt())


def new_log(players=PLAYERS, rules=RULES["class"], first=0):
    return PublicLog(rules, players, first)


def log_of(*actions):
    log = new_log()
    for action in actions:
        log.append(action)
    return log


def played(seed, game="class"):
    """A random match, with the dice known as the one table that plays it knows them."""
    rules = replace(RULES[game], **LIVELY.get(game, {}))
    log = new_log(rules=rules)
    for action in playout(rules, PLAYERS, random.Random(seed))[0]:
        log.append(action)
    return log


def games_and_seeds(test):
    return pytest.mark.parametrize("seed", range(5))(pytest.mark.parametrize("game", GAMES)(test))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("game", RULES)
def test_a_log_restored_from_what_the_journal_kept_is_the_same(game, seed):
    log = played(seed, game)
    again = PublicLog.restored(log.header, log.since(0))
    assert (again.match, again.at, again.since(0)) == (log.match, log.at, log.since(0))


@games_and_seeds
def test_a_watcher_who_is_told_everything_follows_with_equal_digests_at_every_index(game, seed):
    log = played(seed, game)
    watcher = new_log(rules=log.match.rules)
    chance = random.Random(seed)
    steps = []
    while watcher.index < log.index:
        steps += watcher.adopt(log.part(watcher.index, chance.randint(1, 9)))
        assert watcher.at == LogPosition(watcher.index, log.part(0, watcher.index).digest)
    assert len(steps) == log.index
    assert (watcher.match.tally, watcher.match.outcome) == (log.match.tally, log.match.outcome)


def test_what_is_told_never_depends_on_the_dice_of_a_roll():
    known, other = log_of(*OPENING), log_of(Roll((2, 1)), *OPENING[1:])
    watcher = log_of(*(public(action) for action in OPENING))
    assert known.part(0) == other.part(0) == watcher.part(0)
    assert known.digest == other.digest == watcher.digest
    assert known.since(0) != other.since(0)


def test_a_lift_is_entered_with_the_dice_it_showed():
    log = log_of(*OPENING)
    log.append(Lift())
    assert decode_entries(log.part(6).entries) == (Lift((6, 3)),)


def test_digests_differ_for_other_rules_players_and_first_openers():
    logs = [
        new_log(),
        new_log(first=1),
        new_log(players=("Ana", "Ben", "Dora")),
        new_log(rules=replace(RULES["class"], stakes="drinks")),
    ]
    assert len({log.digest for log in logs}) == len(logs)


# Adopting


def test_entries_that_are_known_are_compared_and_the_rest_is_new():
    log, watcher = log_of(*OPENING), log_of(*OPENING[:3])
    assert len(watcher.adopt(log.part(1))) == 3
    assert watcher.at == log.at
    assert watcher.adopt(log.part(0)) == ()


def test_the_own_dice_stay_when_the_same_entries_are_told_by_others():
    log, watcher = log_of(*OPENING), new_log()
    watcher.adopt(log.part(0))
    log.adopt(watcher.part(0))
    assert log.match.dice == (6, 3)
    assert decode_entries(log.since(0)[0]) == (Roll((6, 3)),)


def test_the_same_entries_are_told_with_the_same_bytes_in_however_many_parts_they_came():
    log = new_log()
    for seat, action in zip((0, 0, 0, 1), OPENING):
        log.append(action, sign=lambda index, digest, seat=seat: Signature(seat, 0, digest * 2))
    for parts in ((0, 4), (0, 1, 4), (0, 1, 3, 4), (0, 2, 3, 4)):
        watcher = new_log()
        for first, end in pairwise(parts):
            watcher.adopt(log.part(first, end - first))
        assert watcher.part(0) == log.part(0)


def conflict_of(log, told):
    before = (log.match, log.at, log.since(0))
    with pytest.raises(LogConflict) as caught:
        log.adopt(told)
    assert (log.match, log.at, log.since(0)) == before
    return caught.value


def test_an_illegal_entry_is_named_with_its_reason_and_nothing_is_adopted():
    entries = encode_entry(Roll(None)) + encode_entry(Announce(62)) + encode_entry(Roll(None))
    conflict = conflict_of(new_log(), Log(0, 3, entries, bytes(8)))
    assert (conflict.index, conflict.reason) == (2, Reason.ANSWER_DUE)
    assert "entry 2" in str(conflict)
    assert Reason.ANSWER_DUE.sentence in str(conflict)


def test_legal_entries_after_a_different_past_are_refused_by_their_digest():
    mine, theirs = log_of(*OPENING[:3]), log_of(*OPENING[:2], Announce(61), *OPENING[3:])
    told = theirs.part(3)
    conflict = conflict_of(mine, told)
    assert (conflict.theirs, conflict.mine) == (told.digest, log_of(*OPENING).digest)


def test_a_told_roll_with_dice_is_refused():
    conflict = conflict_of(new_log(), Log(0, 1, encode_entry(Roll((6, 3))), bytes(8)))
    assert conflict.index == 0


# Restoring


@pytest.mark.parametrize("entry", [b"\xff", encode_entry(EndMatch())])
def test_a_kept_entry_that_cannot_be_played_is_named(entry):
    log = log_of(Roll((6, 3)))
    with pytest.raises(LogConflict, match="entry 1"):
        PublicLog.restored(log.header, (*log.since(0), entry))


@pytest.mark.parametrize("told", [Log(0, 1, b"\xff", bytes(8)), Log(0, 2, b"\x01", bytes(8))])
def test_entries_that_cannot_be_read_are_refused(told):
    assert conflict_of(new_log(), told).index == 0


def test_more_than_there_is_cannot_be_told():
    with pytest.raises(EntryError, match="beyond"):
        new_log().part(1)
