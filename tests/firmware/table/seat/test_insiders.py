"""A seat of the table that wants harm: it never makes a second cup, loses one, or is believed."""

from dataclasses import replace

import pytest

from firmware.display.screens import AlertPage
from firmware.display.text.labels import Alert
from firmware.effects import Received
from firmware.journal import Append
from firmware.table.log.entries import Wished
from firmware.table.log.public_log import PublicLog
from firmware.table.protocol import LogPosition
from firmware.table.protocol import messages as cups
from firmware.table.protocol.messages import EMPTY, Vote, Want
from firmware.table.seat import voting
from firmware.table.seat.cup_custody import Accusing, Charge, LogsDiffer
from firmware.table.seat.cup_custody import Position as Where
from game.actions import Announce, Believe, Leave, Roll, StopMatch, VoidRound
from tests.support import core_table as cores
from tests.support.net import S, cut_off, drop
from tests.support.seats import all_end, cast_votes, cheat, log_like, offer, signed, signing, wish

ANA, BEN, CEM = range(3)


@pytest.fixture
def table():
    return cores.CoreTable(3, seed=4)


def tells(table, seat, to, *actions):
    """A seat tells entries that nobody has made, and signs them."""
    log = table[to].own_seat.log
    made_up = log_like(log, *actions, sign=signing(table[seat]))
    cheat(table, seat, made_up.part(log.index), to)


def goes_on(table):
    """Ana has thrown, and her announcement reaches Ben."""
    table.choose(ANA, Announce(65), wait_us=S)
    assert table[BEN].position is Where.OFFERED


@pytest.mark.parametrize("said", [Announce(21), StopMatch(), Leave(ANA)], ids=str)
def test_nobody_speaks_for_who_has_the_cup(table, said):
    table.choose(ANA, Roll(), wait_us=S)
    for to in (ANA, BEN):
        tells(table, CEM, to, said)
        assert said not in table[to].actions
    goes_on(table)


def test_nobody_answers_for_who_is_offered_the_cup(table):
    offer(table)
    for to in (ANA, BEN):
        tells(table, CEM, to, Believe())
        assert Believe() not in table[to].actions
    table.choose(BEN, Believe(), wait_us=S)
    assert table[BEN].position is Where.MINE


def offered_on(table):
    """Ana has given the cup, Ben has answered for it, and it does not arrive."""
    table.choose(ANA, Roll())
    drop(table, cups.Give)
    table.choose(ANA, Announce(65), wait_us=S)
    table.choose(BEN, Believe(), wait_us=S // 5)
    return table[ANA].cup.last


@pytest.mark.parametrize("to", [ANA, BEN])
def test_a_proposal_by_a_seat_that_cannot_have_the_cup_is_no_proposal(table, to):
    hop = offered_on(table)
    at = table[to].own_seat.log.at
    cheat(table, CEM, cups.Propose(hop + 1, at, True, 65), to)
    all_end(table, CEM, Alert.CAUGHT_CUP)


def cups_of(table):
    return [place.seat for place in table.places if place.cup.is_here]


@pytest.mark.whole
@pytest.mark.parametrize("unheard", [(), (BEN,)], ids=["heard", "unheard"])
@pytest.mark.parametrize("by", [None, Wished(((BEN, bytes(64)),))], ids=["unsigned", "forged"])
def test_a_holder_cannot_say_that_another_has_left_to_give_the_cup_twice(table, by, unheard):
    offer(table)
    table.choose(BEN, Believe(), wait_us=S)
    hop = table[ANA].cup.last
    forged = log_like(table[CEM].own_seat.log, entries=2)
    forged.append(Leave(BEN), by, signing(table[ANA]))
    cut_off(table, *unheard, wait_us=30 * S)
    for _ in range(3):
        cheat(table, ANA, forged.part(0), CEM)
        cheat(table, ANA, cups.Propose(hop + 1, forged.at, True, 65), CEM)
        table.wait(3 * S)
    assert cups_of(table) == [BEN]
    assert Leave(BEN) not in table[CEM].actions
    found = [place.own_seat.trouble for place in table.places]
    assert set(found) <= {None, LogsDiffer(), Accusing(ANA, Charge.CUP)}


def test_nobody_is_told_what_others_did_by_who_had_no_cup():
    table = cores.CoreTable(4, seed=4)
    table.lost = lambda _sender, to, _message: to == 3
    offer(table)
    told = Roll(), Announce(31), Believe(), Roll(), Announce(41), Believe()
    unsigned = log_like(PublicLog(table.rules, table.names, table.first), *told)
    made_up = log_like(unsigned, Roll(), Announce(51), sign=signing(table[CEM]))
    table.lost = lambda sender, to, _message: to == 3 and sender != CEM
    cheat(table, CEM, made_up.part(0), 3)
    cheat(table, CEM, cups.Propose(9, made_up.at, True, 51), 3)
    table.wait(S)
    assert table[3].position is Where.WATCHING
    assert table[3].actions == (Roll(), Announce(65)), "as Ana has signed it"
    table.lost = None
    table.choose(BEN, Believe(), wait_us=20 * S)
    assert cups_of(table) == [BEN]
    assert {place.own_seat.log.at for place in table.places} == {table[BEN].own_seat.log.at}


def two_stories(table):
    """Ana tells Ben that she has announced a 65, and Cem something else. Returns that log."""
    table.choose(ANA, Roll(), wait_us=S)
    other = log_like(table[ANA].own_seat.log, Announce(61), sign=signing(table[ANA]))
    table.lost = lambda _sender, to, _message: to == CEM
    table.choose(ANA, Announce(65), wait_us=S)
    table.lost = lambda sender, to, _message: ANA in (sender, to)
    cheat(table, ANA, other.part(0), CEM)
    assert table[CEM].actions[-1] == Announce(61)
    return other


@pytest.fixture(params=[False, True], ids=["", "after a power cut"])
def comes_back(request, table):
    """Lets a seat say to others that it had no power, where that is the case."""

    def say(seat, *others):
        for other in others if request.param else ():
            cheat(table, seat, Want(table[seat].own_seat.log.index, nonce=5), other)

    return say


def test_who_signs_two_stories_is_named_by_all_who_see_both(table, comes_back):
    comes_back(ANA, BEN, CEM)
    two_stories(table)
    cheat(table, BEN, table[BEN].own_seat.log.part(0), CEM)
    table.wait(S)
    assert {table[BEN].screen, table[CEM].screen} == {AlertPage(Alert.CAUGHT_TWICE, "Ana")}


def test_two_stories_are_found_far_back(table):
    """Each of two has gone on with another story, and what they tell at the end is the same."""
    two_stories(table)
    for place in table[BEN], table[CEM]:
        story = place.own_seat.log
        for value in (11, 22, 33, 44, 55, 66):
            for action in (Believe(), Roll(), Announce(value)):
                story.append(action, sign=signing(table[story.match.to_act]))
                place.write([Append(story.index - 1, story.since(0)[-1])])
    cheat(table, BEN, table[BEN].own_seat.log.part(19), CEM)
    table.wait(10 * S)
    assert table[CEM].screen == AlertPage(Alert.CAUGHT_TWICE, "Ana")


def test_what_nobody_has_signed_stops_nobody(table):
    offer(table)
    other = log_like(PublicLog(table.rules, table.names, table.first), Roll(), Announce(61))
    for forged in (other.part(0), replace(other.part(0), entries=b"\xff"), other.part(1)):
        cheat(table, CEM, forged, BEN)
    assert table[BEN].position is Where.OFFERED
    assert table[BEN].actions == (Roll(), Announce(65))


def test_a_cup_on_its_way_is_not_lost_to_a_made_up_log(table):
    hop = offered_on(table)
    made_up = log_like(table[CEM].own_seat.log, Believe(), Roll(), Announce(66))
    cheat(table, CEM, made_up.part(0), ANA)
    cheat(table, CEM, cups.Propose(hop + 1, made_up.at, True, 66), ANA)
    table.wait(S)
    assert table[ANA].position is Where.PASSING
    table.lost = None
    table.wait(10 * S)
    assert cups_of(table) == [BEN]


def begun_unheard(table):
    """Let four go on without seat 0; seat 3 hears their votes alone, and not how they began."""
    table.choose(0, Roll())
    unheard = {1, 2, 4}
    table.lost = lambda sender, to, message: (
        0 in (sender, to) or (to == 3 and sender in unheard and not isinstance(message, Vote))
    )
    table.wait(25 * S)
    cast_votes(table, 1, 2, 3, 4, gone=0)
    table.wait(5 * S)
    return table


def test_who_comes_into_an_epoch_is_told_what_it_began_with_by_its_keeper():
    table = begun_unheard(cores.CoreTable(5, seed=4))
    own_seat = table[CEM].own_seat
    begins = VoidRound(), Leave(ANA), Leave(BEN), Roll(), Announce(31)
    made_up = log_like(own_seat.log, *begins, entries=1)
    sealer = table[CEM].sealer.at(own_seat.epoch)
    for message in (made_up.part(0), cups.Propose(1, made_up.at, True, 31)):
        table.do(3, Received(sealer.seal(message, 3)))
    assert table[3].own_seat.epoch == own_seat.epoch
    assert table[3].position is Where.WATCHING
    table.lost = lambda sender, to, _message: ANA in (sender, to)
    table.wait(10 * S)
    assert cups_of(table) == [ANA, BEN]  # that of the epoch before, and that of this one
    assert table[3].own_seat.log.at == table[BEN].own_seat.log.at


def test_who_was_away_learns_what_somebody_did_who_is_not_there_any_more():
    table = cores.CoreTable(4, seed=4)
    cut_off(table, 3)
    offer(table, 31)
    table.choose(BEN, Believe(), wait_us=S)
    wish(table, ANA, Leave(ANA))
    table.wait(S)
    cut_off(table, ANA, wait_us=15 * S)
    assert table[3].own_seat.log.at == table[BEN].own_seat.log.at


UNKNOWN = LogPosition(65_535, bytes(8))


@pytest.mark.parametrize("at", [None, UNKNOWN], ids=["known", "unknown"])
def test_a_hop_that_the_log_cannot_have_led_to_burns_nothing(table, at):
    at = at or table[BEN].own_seat.log.at
    cheat(table, CEM, cups.Propose(0xFFFFFF, at, True, 65), BEN)
    cheat(table, CEM, cups.Cancel(0xFFFFFF), BEN)
    assert table[BEN].cup.last == 0
    offer(table)
    assert table[BEN].position is Where.OFFERED


def test_an_old_frame_that_is_sent_again_is_no_sign_of_life(table):
    offer(table)
    frame = next(frame for to, _, frame in reversed(table[BEN].left) if to == ANA)
    cut_off(table, BEN)
    for _ in range(4):
        table.wait(10 * S)
        table.do(ANA, Received(frame))
    assert BEN in voting.gone(table[ANA].own_seat, table.now_us)


@pytest.mark.parametrize("game", ["maxen", "chicago", "sevens"])
def test_a_forged_cup_is_not_taken_where_nothing_hidden_travels(game):
    table = cores.CoreTable(4, game=game, seed=4)
    drop(table, cups.Propose)
    holder = next(place.seat for place in table.places if place.cup.is_here)
    wish(table, holder, Leave(holder))
    table.wait(S)
    victim = table[holder].match.to_act
    liar = next(seat for seat in range(4) if seat not in (holder, victim))
    hop = table[holder].cup.last
    at = table[victim].own_seat.log.at
    cheat(table, liar, cups.Propose(hop, at, False, None), victim)
    cheat(table, liar, cups.Give(hop, EMPTY, bytes(8)), victim)
    assert [place.cup.is_here for place in table.places].count(True) == 1
    all_end(table, liar, Alert.CAUGHT_CUP)


def test_who_has_seen_the_dice_cannot_take_the_answer_back(table):
    table.choose(ANA, Roll())
    table.lost = lambda _sender, to, message: (
        to == BEN and isinstance(message, cups.Propose | cups.Give)
    )
    table.choose(ANA, Announce(65), wait_us=S)
    (hop, at), root = (table[ANA].cup.last, table[ANA].own_seat.log.at), bytes(16)
    cheat(table, BEN, cups.Answer(hop, cups.CupAnswer.DOUBT, at, root), ANA)
    cheat(table, BEN, cups.Nak(hop), ANA)
    table.wait(10 * S)
    assert table[ANA].screen == AlertPage(Alert.CAUGHT_ANSWER, "Ben")
    assert table[CEM].screen == AlertPage(Alert.ACCUSED, "Ana: Ben")


def test_who_signs_two_votes_for_one_epoch_is_caught(table, comes_back):
    comes_back(CEM, ANA, BEN)
    at = table[ANA].own_seat.log.at
    for gone in (ANA, BEN):
        vote = Vote(17, frozenset({gone}), BEN if gone == ANA else ANA, 16, at, CEM)
        told = signed(table[CEM].sealer, vote)
        table.do(ANA, Received(table[BEN].sealer.at(17).seal(told, ANA)))  # passed on by another
    assert table[ANA].screen == AlertPage(Alert.CAUGHT_TWICE, "Cem")


START = LogPosition(0, bytes(8))
WITHOUT_BEN = frozenset({BEN})
NO_VOTES = {
    "no seat": Vote(17, frozenset({5}), ANA, 16, START),
    "no keeper": Vote(17, WITHOUT_BEN, 7, 16, START),
    "gone keeper": Vote(17, WITHOUT_BEN, BEN, 16, START),
    "not the lowest": Vote(17, WITHOUT_BEN, CEM, 16, START),
    "nobody": Vote(17, frozenset(), ANA, 16, START),
    "later": Vote(17, WITHOUT_BEN, ANA, 17, START),
    "next match": Vote(32, WITHOUT_BEN, ANA, 16, START),
    "no epoch": Vote(70_000, WITHOUT_BEN, ANA, 16, START),
}


@pytest.mark.whole
@pytest.mark.parametrize("vote", NO_VOTES.values(), ids=NO_VOTES)
def test_a_vote_that_cannot_be_counts_for_nothing(table, vote):
    cheat(table, CEM, signed(table[CEM].sealer, vote), ANA)
    assert table[ANA].own_seat.open_votes == ()
    offer(table)
    assert table[BEN].position is Where.OFFERED
