"""Covered throws after a match: what an opening proves, and what it keeps to itself."""

from random import Random

import pytest

from firmware.journal import FAIR_KEY
from firmware.table.commitment.fair_dice import CommitterState
from firmware.table.commitment.ledger import Committer
from firmware.table.log.entries import begun, read_entries, short
from firmware.table.log.public_log import CoveredThrows
from game.actions import Believe, Roll
from game.bluff.rules import rank, value_of
from game.events import Announced, Rolled
from tests.support.core_table import SHORT, CoreTable


def bold(rng):
    """Choices of people who believe a lot, and say anything."""

    def pick(choices):
        if Believe() in choices and rng.random() < 0.8:
            return Believe()
        return rng.choice(choices)

    return pick


def walked(folder, game, seed):
    table = CoreTable(3, game=game, folder=folder, seed=seed)
    table.walk(Random(seed), pick=bold(Random(f"picks {seed}")))
    return table


def log_at(table, seat):
    return table[seat].handheld.own_seat.log


def committer_of(table, seat):
    state = CommitterState.decode(table[seat].journal._now.state[FAIR_KEY])
    return Committer(seat, short(begun(log_at(table, seat).header)), state)


@pytest.mark.parametrize(
    ("game", "seed"),
    [("class", 0), ("class", 1), ("physicist", 1), ("holy-family", 1), ("holy-family", 2)],
)
def test_an_opening_proves_the_lies_of_its_throw_to_all_and_nothing_else(tmp_path, game, seed):
    table = walked(tmp_path, game, seed)
    opened = 0
    for seat in range(3):
        own, other = log_at(table, seat), log_at(table, (seat + 1) % 3)
        covered = CoveredThrows.of(own, seat)
        assert covered == CoveredThrows.of(other, seat), "everybody knows which are covered"
        committer = committer_of(table, seat)
        local = read_entries(b"".join(own.since(0)))
        known = read_entries(b"".join(other.since(0)))
        said = said_by(seat, other)
        for each in covered.throws:
            assert all(
                known in (None, value)
                for known, value in zip(said[each.place], each.announced, strict=True)
            )
            opening = committer.proof(each.tenure, each.throw)
            dice = local[each.place].action.dice
            lies = [rank(value) > rank(value_of(dice)) for value in each.announced]
            assert covered.lies(each, opening) == sum(lies)
            assert known[each.place].action == Roll(None)
            assert not any(
                covered.lies(one, opening) is not None for one in covered.throws if one != each
            )
            opened += 1
        check_alone(covered, known)
    table.close()
    assert opened


def said_by(seat, log):
    """What a seat has announced, None for words, by the place of the newest throw."""
    said, throw = {}, None
    for place, (_, step) in enumerate(log.steps()):
        for event in step.events:
            if isinstance(event, Rolled):
                throw = place
            elif isinstance(event, Announced) and event.seat == seat:
                said.setdefault(throw, []).append(event.value)
    return said


def check_alone(covered, entries):
    """Nothing in a tenure lies open before its announced throw, and nothing is thrown after it."""
    tenure, seen = None, {}
    for entry in entries:
        note = entry.proof
        if note is not None and isinstance(entry.action, Roll):
            tenure = note.tenure or tenure
            seen.setdefault(tenure, []).append((note.throw, note.opening))
    for each in covered.throws:
        assert seen[each.tenure][-1] == (each.throw, None)
        assert not any(opening for _, opening in seen[each.tenure])


def test_an_opening_that_is_not_that_of_the_throw_proves_nothing(tmp_path):
    table = walked(tmp_path, "class", 1)
    covered = CoveredThrows.of(log_at(table, 1), 0)
    committer, each = committer_of(table, 0), covered.throws[0]
    table.close()
    opening = committer.proof(each.tenure, each.throw)
    assert covered.lies(each, opening) is not None
    for wrong in (bytes([opening[0] ^ 1]) + opening[1:], opening[:-1] + b"0", opening[:-1], b""):
        assert covered.lies(each, wrong) is None
    elsewhere = each._replace(throw=each.throw % 8 + 1)
    assert covered.lies(elsewhere, opening) is None
    assert covered.lies(elsewhere, committer.proof(each.tenure, elsewhere.throw)) is not None
    assert covered.lies(each._replace(tenure=each.tenure._replace(hop=9)), opening) is None
    assert covered._replace(seat=2).lies(each, opening) is None


def test_a_game_without_announcements_has_no_covered_lies(tmp_path):
    table = CoreTable(2, game="maxen", folder=tmp_path, seed=1, **SHORT["maxen"])
    table.walk(Random(1))
    assert Roll(None) in table[0].actions, "a third throw is covered"
    assert CoveredThrows.of(log_at(table, 0), 1).throws == ()
    table.close()
