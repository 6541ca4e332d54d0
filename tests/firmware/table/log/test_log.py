"""The public log, the receivers of its entries, and what an opening of a covered throw proves."""

import random
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from firmware.journal import FAIR_KEY
from firmware.table.commitment.fair_dice import CommitterState
from firmware.table.commitment.ledger import Committer
from firmware.table.log import entries as log_entries
from firmware.table.log import public_log as logs
from firmware.table.protocol import ENTRIES_AT_ONCE, LogPosition
from firmware.table.protocol.messages import Log
from game import RULES, Reason, public
from game.actions import Announce, Believe, Doubt, EndMatch, Look, Roll
from game.bluff.rules import rank, value_of
from tests.support.core_table import CoreTable
from tests.support.nights import lengthy
from tests.support.own_table import credulous
from tests.support.rules_table import playout

PLAYERS = ("Ana", "Ben", "Cem")
LIVELY = {"holy-family": {"tower_one_in": 3}, "maxen": {"coasters": 4}}
OPENING = (Roll((6, 3)), Look(), Announce(62), Believe(), Announce(65), Doubt())


def new_log(players=PLAYERS, rules=RULES["class"], first=0):
    return logs.PublicLog(rules, players, first)


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


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("game", RULES)
def test_a_journal_and_a_watcher_who_is_told_everything_know_the_same(game, seed):
    log = played(seed, game)
    again = logs.PublicLog.restored(log.header, log.since(0))
    assert (again.match, again.at, again.since(0)) == (log.match, log.at, log.since(0))
    watcher, chance, steps = new_log(rules=log.match.rules), random.Random(seed), []
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


def test_digests_differ_for_other_rules_players_and_first_openers():
    others = {"first": 1}, {"players": ("Ana", "Ben", "Dora")}, {"rules": RULES["physicist"]}
    digests = {new_log(**other).digest for other in ({}, *others)}
    assert len(digests) == 1 + len(others)


# Adopting


def test_the_own_dice_stay_when_the_same_entries_are_told_by_others():
    log, watcher = log_of(*OPENING), new_log()
    watcher.adopt(log.part(0))
    log.adopt(watcher.part(0))
    assert log.match.dice == (6, 3)
    assert log_entries.decode_entries(log.since(0)[0]) == (Roll((6, 3)),)


def test_the_same_entries_are_told_with_the_same_bytes_in_however_many_parts_they_came():
    log = new_log()
    for seat, action in zip((0, 0, 0, 1), OPENING):
        log.append(
            action, sign=lambda index, digest, seat=seat: log_entries.Signature(seat, 0, digest * 2)
        )
    for parts in ((0, 4), (0, 1, 4), (0, 1, 3, 4), (0, 2, 3, 4)):
        watcher = new_log()
        for first, end in pairwise(parts):
            watcher.adopt(log.part(first, end - first))
        assert watcher.part(0) == log.part(0)


def test_entries_that_are_known_are_compared_and_the_rest_is_new():
    log, watcher = log_of(*OPENING), log_of(*OPENING[:3])
    assert len(watcher.adopt(log.part(1))) == 3
    assert watcher.at == log.at
    assert watcher.adopt(log.part(0)) == ()


def conflict_of(log, told):
    before = (log.match, log.at, log.since(0))
    with pytest.raises(logs.LogConflict) as caught:
        log.adopt(told)
    assert (log.match, log.at, log.since(0)) == before
    return caught.value


def test_an_illegal_entry_is_named_with_its_reason_and_nothing_is_adopted():
    actions = Roll(None), Announce(62), Roll(None)
    entries = b"".join(map(log_entries.encode_entry, actions))
    conflict = conflict_of(new_log(), Log(0, 3, entries, bytes(8)))
    assert conflict.index == 2
    assert "entry 2" in str(conflict)
    assert Reason.ANSWER_DUE.sentence in str(conflict)


def test_legal_entries_after_a_different_past_are_refused_by_their_digest():
    mine, theirs = log_of(*OPENING[:3]), log_of(*OPENING[:2], Announce(61), *OPENING[3:])
    told = theirs.part(3)
    conflict = conflict_of(mine, told)
    here = log_of(*OPENING).digest
    assert f"{here.hex()} here, {told.digest.hex()} there" in str(conflict)


# Restoring


@pytest.mark.parametrize("entry", [b"\xff", log_entries.encode_entry(EndMatch())])
def test_a_kept_entry_that_cannot_be_played_is_named(entry):
    log = log_of(Roll((6, 3)))
    with pytest.raises(logs.LogConflict, match="entry 1"):
        logs.PublicLog.restored(log.header, (*log.since(0), entry))


DICE_TOLD = log_entries.encode_entry(Roll((6, 3)))


@pytest.mark.parametrize(("count", "entries"), [(1, b"\xff"), (2, b"\x01"), (1, DICE_TOLD)])
def test_entries_that_cannot_be_read_or_tell_dice_are_refused(count, entries):
    assert conflict_of(new_log(), Log(0, count, entries, bytes(8))).index == 0


def test_more_than_there_is_cannot_be_told():
    with pytest.raises(log_entries.EntryError, match="beyond"):
        new_log().part(1)


S = 1_000_000


@pytest.fixture
def gossip():
    return logs.PeerProgress(4, me=1)


def test_it_is_repeated_ever_more_slowly_until_it_is_answered(gossip):
    for seat in (0, 2):
        gossip.wanted(seat, 9, 3, 0)
    assert gossip.appended(3, 0) == [3]
    times, now_us = [], 0
    for _ in range(6):
        assert gossip.due(3, gossip.next_timer_us - 1) == []
        waited_us, now_us = gossip.next_timer_us - now_us, gossip.next_timer_us
        times.append(waited_us)
        assert gossip.due(3, now_us) == [3]
    first_us, last_us = logs.FIRST_RESEND_US, logs.LAST_RESEND_US
    assert times == [first_us, 2 * first_us, 4 * first_us, last_us, last_us, last_us]
    gossip.wanted(3, 3, 3, now_us)
    assert gossip.next_timer_us is None
    assert gossip.due(3, now_us + 60 * S) == []


def test_an_answer_to_an_older_telling_asks_for_nothing_while_a_newer_is_under_way(gossip):
    for index, now_us in ((3, 0), (4, 100)):
        gossip.appended(index, now_us)
        gossip.note_sent([0], 0, index)
    assert not gossip.wanted(0, 3, 4, 200)
    assert gossip.lacks[0] == 3
    assert gossip.wanted(0, 3, 4, 100 + logs.FIRST_RESEND_US), "it asks still"


@pytest.fixture
def lit():
    """Return the progress at a table with infrared alone."""
    return logs.PeerProgress(4, me=1, by_light=True)


def told(gossip, index, now_us):
    """Yield what is sent after entries up to ``index``: the first entry, and the receivers."""
    groups = gossip.groups(gossip.appended(index, now_us), index)
    for first, seats in groups:
        gossip.note_sent(seats, first, index)
        yield first, tuple(seats)


def test_each_is_told_alone_but_by_light_all_at_once(gossip, lit):
    assert list(told(gossip, 3, 0)) == [(0, (0,)), (0, (2,)), (0, (3,))]
    assert list(told(lit, 3, S)) == [(0, (0, 2, 3))]


def test_what_was_told_by_light_is_not_told_with_what_comes_later(lit):
    assert list(told(lit, 3, S)) == [(0, (0, 2, 3))]
    assert list(told(lit, 4, S + logs.QUEUED_US)) == [(0, (0, 2, 3))], (
        "it waits still, and is replaced"
    )
    assert list(told(lit, 5, 2 * S + logs.QUEUED_US)) == [(4, (0, 2, 3))]


def test_who_has_missed_something_asks_and_is_told_it(lit):
    lit.sent_to_all(0, 7)
    list(told(lit, 8, S))
    assert not lit.wanted(2, 7, 8, S + logs.UNDER_WAY_US - 1), "it is still on the air"
    assert lit.wanted(2, 5, 8, S + 1) == [0, 2, 3], "the others may have missed it, too"
    assert lit.groups([0, 2, 3], 8) == [(5, [0, 2, 3])]


def test_by_light_the_repeat_waits_until_each_can_have_answered(lit):
    list(told(lit, 3, S))
    first_us = lit.next_timer_us
    assert first_us >= S + logs.UNDER_WAY_US + logs.answer_later_us(logs.turn_of(2, 1, 4))
    assert lit.wanted(2, 3, 3, 2 * S) == []
    assert lit.next_timer_us > first_us + logs.OTHERS_LATER_US, "the first has answered"
    assert lit.due(3, lit.next_timer_us) == [3, 0]
    assert lit.groups([3, 0], 3) == [(0, [3, 0])]


def test_who_lacks_much_does_not_keep_the_others_from_what_is_new(lit):
    end = 2 * ENTRIES_AT_ONCE
    for seat in (0, 3, 2):
        lit.wanted(seat, 0 if seat == 2 else end, end, 0)
    assert lit.groups([2], end) == [(0, [2])]
    assert lit.groups([0, 2, 3], end + 1) == [(end, [0, 3]), (0, [2])]
    lit.note_sent([2], 0, ENTRIES_AT_ONCE)
    assert lit.wanted(2, ENTRIES_AT_ONCE, end, 1) == [2], "portion by portion"


def walked(folder, game, seed):
    table = CoreTable(3, game=game, folder=folder, seed=seed)
    table.walk(Random(seed), pick=credulous(Random(f"picks {seed}")))
    return table


def log_at(table, seat):
    return table[seat].own_seat.log


def committer_of(table, seat):
    state = CommitterState.decode(table[seat].journal._now.state[FAIR_KEY])
    return Committer(seat, log_entries.short(log_entries.begun(log_at(table, seat).header)), state)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("game", "seed"),
    lengthy(
        (("class", 0), ("holy-family", 1)),
        ("class", 0),
    ),
)
def test_an_opening_proves_the_lies_of_its_throw_to_all_and_nothing_else(tmp_path, game, seed):
    table = walked(tmp_path, game, seed)
    opened = 0
    for seat in range(3):
        own, other = log_at(table, seat), log_at(table, (seat + 1) % 3)
        covered, committer = logs.CoveredThrows.of(own, seat), committer_of(table, seat)
        assert covered == logs.CoveredThrows.of(other, seat), "everybody knows which are covered"
        local, known = (log_entries.read_entries(b"".join(log.since(0))) for log in (own, other))
        for each in covered.throws:
            opening = committer.proof(each.tenure, each.throw)
            dice = local[each.place].action.dice
            lies = [rank(value) > rank(value_of(dice)) for value in each.announced]
            assert covered.lies(each, opening) == sum(lies)
            assert known[each.place].action == Roll(None)
            others = (covered.lies(one, opening) for one in covered.throws if one != each)
            assert {None, *others} == {None}
            check_wrong_openings(covered, each, opening)
            opened += 1
    table.close()
    assert opened


def check_wrong_openings(covered, each, opening):
    """Nothing but the opening proves a throw, and it proves no other throw and nobody else's."""
    changed = bytes([opening[0] ^ 1]) + opening[1:], opening[:-1] + bytes([opening[-1] ^ 1])
    for wrong in (*changed, opening[:-1], b""):
        assert covered.lies(each, wrong) is None
    assert covered.lies(each._replace(throw=each.throw % 8 + 1), opening) is None
    elsewhere = each.tenure._replace(hop=each.tenure.hop + 1)
    assert covered.lies(each._replace(tenure=elsewhere), opening) is None
    assert covered._replace(seat=(covered.seat + 1) % 3).lies(each, opening) is None
