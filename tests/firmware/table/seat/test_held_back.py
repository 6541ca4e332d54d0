"""Frames that were on the air when the power went, and come after the return: none of them harms.

The journals here are old copies: what was written last is lost, as by a card that lies about it.
"""

from collections import Counter
from random import Random

import pytest

from firmware.display.screens import AlertPage
from firmware.display.text.labels import Alert
from firmware.effects import Received
from firmware.table.crypto import seal
from firmware.table.protocol import HEADER_BYTES
from firmware.table.protocol.messages import Log, Recall, Vote, Want
from game import RULES
from game.actions import Announce, Believe, Roll
from tests.support import chaos
from tests.support.net import cut_off
from tests.support.seats import S, cast_votes, go_on_without

ANA, BEN, CEM, DORA = range(4)


BEN_HAS_THE_CUP = (ANA, Roll()), (ANA, Announce(65)), (BEN, Believe())


def said(table, sender, kind, since=0):
    """Return the frames of a kind that a seat has sent: receiver and frame."""
    left = table[sender].left[since:]
    return [(to, frame) for to, message, frame in left if isinstance(message, kind)]


def on_the_air(table, sender, kind, moment):
    """Return the frames of a kind that a seat sends while nothing arrives."""
    before = len(table[sender].left)
    table.lost = lambda *_: True
    moment()
    table.lost = None
    return said(table, sender, kind, before)


def arrive(table, frames):
    for to, frame in frames:
        table.do(to, Received(frame))


def returned(table, seat):
    """Whether a seat goes on from its journal."""
    own_seat = table[seat].own_seat
    return not own_seat.lost and table[seat].screen != AlertPage(Alert.RETURNING)


def recorded_answers(table, seat):
    """Return the answers of all others to a seat that comes back with its newest journal."""
    assert table.come_back(seat, table.disks[seat][-1]) is None
    table.wait(S)
    assert returned(table, seat)
    others = (place.seat for place in table.places if place.seat != seat)
    answers = [said(table, other, Recall)[-1:] for other in others]
    assert all(answers)
    return [answer for (answer,) in answers]


@pytest.mark.whole
def test_an_answer_to_an_old_question_is_none(watched):
    """Ana has voted, and comes back without that; no answer reaches her but recorded ones."""
    table = watched(BEN_HAS_THE_CUP, 4)
    answers = recorded_answers(table, ANA)
    before = table.disks[ANA][-1]
    cut_off(table, BEN, wait_us=30 * S)
    go_on_without(table, ANA, gone=BEN)
    table.lost = lambda *_: True
    assert table.come_back(ANA, before) is None
    arrive(table, answers)
    table.wait(30 * S)
    assert table[ANA].screen == AlertPage(Alert.RETURNING)
    table.lost = None
    table.wait(5 * S)
    assert table[ANA].own_seat.lost, "the others know of its vote"
    assert not table.accusers


@pytest.mark.whole
def test_an_old_frame_is_no_sign_that_anybody_is_there_to_answer(watched):
    table = watched(BEN_HAS_THE_CUP, 4)
    before = table.disks[ANA][-1]
    told = [(to, frame) for to, frame in said(table, BEN, Log) if to == ANA]
    cut_off(table, BEN, wait_us=30 * S)
    go_on_without(table, ANA, gone=BEN)
    table.lost = lambda *_: True
    assert table.come_back(ANA, before) is None
    arrive(table, told)
    table.wait(60 * S)
    assert not returned(table, ANA)


def test_a_question_of_an_older_epoch_that_none_can_ask_is_passed_over(watched):
    table = watched(BEN_HAS_THE_CUP, 4)
    ana = table[ANA].sealer.at(15)
    header = bytearray(ana.seal(Want(0), BEN)[:HEADER_BYTES])
    header[-1] = 1
    frame = bytes(header) + seal(ana._pairs[BEN], bytes(header) + bytes(2), b"", bytes(header))
    table.do(BEN, Received(frame))
    assert not table.accusers


def entry_held_back(table):
    """Ana announces, her power goes before anybody hears it, and she comes back before it."""
    before = table.disks[ANA][-1]
    held = on_the_air(table, ANA, Log, lambda: table.choose(ANA, Announce(51)))
    assert held
    table.bodies.clear()  # nobody has heard it: she cannot but say it anew
    assert table.come_back(ANA, before) is None
    table.wait(S)
    assert returned(table, ANA), "nobody knows of the announcement"
    return held


def test_an_entry_that_arrives_before_its_maker_enters_another_is_a_lost_memory(watched):
    table = watched([(ANA, Roll())])
    arrive(table, entry_held_back(table))
    table.wait(5 * S)
    assert table[ANA].own_seat.lost
    assert not table.accusers
    table.lost = lambda *_: True
    table.restart(table[ANA])
    assert table[ANA].own_seat.lost, "its journal says so, whatever the others say"


def test_an_entry_that_arrives_after_its_maker_has_entered_another_names_nobody(watched):
    table = watched([(ANA, Roll())])
    held = entry_held_back(table)
    table.choose(ANA, Announce(65), wait_us=S)
    arrive(table, held)
    table.wait(5 * S)
    assert not table.accusers
    table.wait_until_quiet()
    assert table[BEN].match.said == Announce(65)


def test_a_vote_that_arrives_after_the_return_of_its_voter_is_a_lost_memory(watched):
    table = watched(BEN_HAS_THE_CUP, 4)
    before = table.disks[CEM][-1]
    held = on_the_air(table, CEM, Vote, lambda: cast_votes(table, CEM, gone=BEN))
    assert table.come_back(CEM, before) is None
    table.wait(S)
    assert returned(table, CEM), "nobody knows of the vote"
    arrive(table, held)
    assert table[CEM].own_seat.lost
    assert not table.accusers


# Anything at any time


def walk(game, seeds):
    """Walks in which a seat comes back with old copies, and is not led astray by old frames."""
    ends = Counter()
    for seed in seeds:
        table = chaos.played(game, Random(f"{game} old copies/{seed}"))
        ends["old copies"] += table.count["old copies"]
        ends["lost"] += table[table.victim].own_seat.lost
    return ends


def test_old_copies_and_old_frames_lead_nobody_astray():
    assert sum((walk(game, range(2, 4)) for game in RULES), Counter())["lost"]
