"""Handhelds that lie: each is caught, named on every display, and the match is over.

A player who foresees a bad throw gets no other; `tests/labs/redteam` tries it at length.
"""

from dataclasses import replace
from itertools import count

import pytest

from firmware.display.screens import AlertPage, RevealPage
from firmware.display.text.labels import Alert
from firmware.effects import Tick
from firmware.input.controls import LocalChoice
from firmware.input.gestures import Shaken
from firmware.table.commitment import fair_dice
from firmware.table.commitment.ledger import Cheated, Ledger
from firmware.table.protocol.messages import Caught, Contents, Fresh
from firmware.table.seat import turn
from firmware.table.seat.cup_custody import Position
from game import RULES, Phase, apply, dice_to_roll, new_match
from game.actions import Announce, Believe, Doubt, Fault, FaultKind, Leave, Lift, Roll, ShowTower
from game.bluff.rules import MAEXCHEN, value_of
from tests.labs.redteam.dice import play
from tests.support import core_table as cores
from tests.support.core_table import CoreTable
from tests.support.net import S
from tests.support.seats import all_end, cheat, offer, wish


@pytest.fixture
def table():
    return cores.CoreTable(3, seed=4)


def try_secrets(place, **witness):
    """Try secrets until the throw is a Mäxchen; ``witness``: what is said of who contributed."""
    seat, match = place.own_seat, place.match
    fair = seat.fair.committer
    kept = replace(fair.kept, **witness)
    for number in count(1):
        fair.kept = replace(kept, secret=number.to_bytes(32, "big"))
        fair.begin_throw(match, seat.log.ledger)
        drawn = seat.fair.dice.roll(dice_to_roll(match), match.rules.tower_one_in).dice
        if value_of(drawn) == MAEXCHEN:
            break
    if witness:
        fair._retry = fair._retry.answered()


def load_dice(place, *pips):
    """Have the core throw what its player likes."""
    place.own_seat.fair.dice.entropy = lambda size: bytes(pip - 1 for pip in pips[:size])


@pytest.mark.parametrize("game", ["maxen", "chicago", "sevens"])
def test_loaded_dice_that_lie_open_are_caught_by_everybody(game):
    table = cores.CoreTable(3, game=game, seed=3)
    load_dice(table[0], 6)
    table.choose(0, Roll())
    table.wait_until_quiet()
    if table[0].position is Position.TO_PASS:
        table.choose(0, LocalChoice.GO_ON)
    table.wait(S)
    all_end(table, 0, Alert.CAUGHT_DICE, by=(1, 2))


def proof_kept_back(own_seat):
    own_seat.fair.contents = lambda roll, ledger: Contents(roll.dice, tower=roll.tower)


def another_proof(own_seat):
    own_seat.fair.committer.proof = lambda tenure, throw: bytes(32)


@pytest.mark.parametrize("lie", [proof_kept_back, another_proof])
def test_a_cup_without_its_proof_is_caught(table, lie):
    lie(table[0].own_seat)
    offer(table)
    table.choose(1, Doubt())
    all_end(table, 0, Alert.CAUGHT_PROOF, by=(1,))


def test_a_root_chosen_after_the_contribution_is_caught_by_its_giver(table):
    """The attack that fair dice are for: in some 34 tries there is a Mäxchen."""
    offer(table, 31)
    table.choose(1, Believe())
    try_secrets(table[1])
    table.choose(1, Roll())
    assert table[1].own_seat.dice == (2, 1)
    all_end(table, 1, Alert.CAUGHT_ROOT, by=(0,))


def test_a_second_root_for_one_tenure_is_caught(table):
    cheat(table, 0, Fresh(0, 1, b"another root, 16"), 2)
    all_end(table, 0, Alert.CAUGHT_ROOT, by=(2,))


def test_a_throw_that_was_left_out_is_caught_by_everybody(table):
    table[0].own_seat.fair.committer._made = lambda ledger: 1
    table.choose(0, Roll())
    all_end(table, 0, Alert.CAUGHT_ORDER, by=(1, 2))


def test_a_tenure_that_is_begun_again_is_caught(table):
    table.choose(0, Roll())
    fair = table[0].own_seat.fair.committer
    made = fair._made
    fair._made = lambda ledger: made(ledger) - 1
    table.choose(0, Roll())
    all_end(table, 0, Alert.CAUGHT_ROOT)


def test_who_tells_other_dice_than_he_lifted_is_caught_by_everybody(table):
    offer(table)
    ben = table[1].own_seat.sync
    append = ben.append
    lifted = []

    def lie(action, note):
        if isinstance(action, Lift):
            lifted.append(action.dice)
            action = Lift((2, 1) if action.dice != (2, 1) else (6, 6))
        return append(action, note)

    ben.append = lie
    table.choose(1, Doubt())
    assert lifted
    all_end(table, 1, Alert.CAUGHT_DICE, by=(0, 2))


def test_an_illegal_record_is_told_to_everybody(table):
    table.choose(0, Roll())
    log = table[0].own_seat.log.part(0)
    cheat(table, 0, replace(log, count=2, entries=log.entries + b"\x03"), 1)
    assert table[1].actions == (Roll(None),)
    table.wait(10 * S)
    assert {place.screen for place in table.places} == {AlertPage(Alert.RECORDS_DIFFER)}


def test_who_takes_loaded_dice_says_so_until_it_is_heard(kept):
    table = kept(seed=4)
    load_dice(table[0], 2)
    offer(table, 31)
    deaf = 4
    heard = []

    def lost(sender, receiver, message):
        if isinstance(message, Caught):
            heard.append(receiver)
        return isinstance(message, Caught) and len(heard) < deaf

    table.lost = lost
    table.choose(1, Believe())
    all_end(table, 0, Alert.CAUGHT_DICE, by=(1,))
    assert not table[1].own_seat.holding
    for place in table.places:
        table.restart(place)
    all_end(table, 0, Alert.CAUGHT_DICE, by=(1,))


# Not lies


def test_a_power_cut_brings_no_other_dice(kept):
    """A roller that vanishes before his throw is told must not get a new one."""
    table = kept(seed=4)
    thrown = []

    def cut(place):
        if place.seat == 0 and place.handheld.match.phase is Phase.THROWN and len(thrown) < 3:
            thrown.append(place.own_seat.dice)
            table.restart(place)
            return True
        return False

    table.before_write = cut
    for _ in range(4):
        table.do(0, Shaken(0, S))
    table.before_write = None
    assert len(thrown) == 3, "three cuts, each before the throw was on the disk"
    assert {table[0].own_seat.dice} == set(thrown)
    table.choose(0, Announce(65), wait_us=S)
    table.choose(1, Doubt(), wait_us=S)
    assert all(place.own_seat.log.ledger.checked for place in table.places)


def test_dice_thrown_before_anybody_could_contribute_are_shown_as_unchecked(table):
    lonely = cores.CoreTable(3, seed=4)
    for some in (table, lonely):
        if some is lonely:
            fair = some[0].own_seat.fair.committer
            fair.kept = fair_dice.CommitterState(fair.kept.secret, (16, 0, 1))
        offer(some)
        some.choose(1, Doubt())
        for place in some.places:
            assert isinstance(place.screen, RevealPage)
            assert place.screen.unchecked is (some is lonely)


def test_a_tenure_that_is_used_up_is_followed_by_another():
    """Faults can make one player open again and again: more than eight throws with one cup."""
    table = cores.CoreTable(3, game="physicist", seed=5)
    for _ in range(12):
        table.choose(0, Roll())
        turn.enter_fault(table[0].own_seat, Fault(FaultKind.DROP, 0), table.now_us)
        table.do(0, Tick())
        table.wait(2 * S)
    tenure, made = table[1].own_seat.log.ledger.tenures[0]
    assert (tenure.attempt, made) == (2, 4)
    assert tenure.contributor == 2
    offer(table)
    table.choose(1, Doubt())
    assert all(place.own_seat.log.ledger.checked for place in table.places)


@pytest.mark.parametrize("contributor", [7, 0])
def test_a_witness_that_cannot_be_is_no_witness(table, contributor):
    try_secrets(table[0], contributor=contributor, contribution=b"whatever")
    table.choose(0, Roll())
    all_end(table, 0, Alert.CAUGHT_ROOT)


def test_a_witness_that_has_left_proves_nothing():
    table = cores.CoreTable(4, seed=4)
    wish(table, 2, Leave(2))
    table.wait(3 * S)
    table.lost = lambda sender, receiver, _: 2 in (sender, receiver)
    roller = table.acting.seat
    try_secrets(table[roller], contributor=2, contribution=b"whatever")
    offer(table, 21, seat=roller)
    (doubter,) = (place.seat for place in table.places if place.position is Position.OFFERED)
    table.choose(doubter, Doubt(), wait_us=3 * S)
    for place in (table[roller], table[doubter]):
        assert place.own_seat.unchecked


NAMES = ("Ana", "Ben", "Cem", "Dora")


@pytest.mark.whole
@pytest.mark.parametrize("game", ["holy-family", "chicago"])
def test_who_asks_for_another_tenure_early_has_nothing_to_choose_from(game):
    thrown, chosen, caught = play(game, 0, late=False)
    assert len(thrown) >= 10
    assert (chosen, caught) == (0, False)


@pytest.mark.whole
@pytest.mark.parametrize(("game", "seed"), [("physicist", 0), ("maxen", 0), ("sevens", 0)])
def test_who_goes_on_in_a_tenure_of_before_is_caught(game, seed):
    _, chosen, caught = play(game, seed, late=True)
    assert chosen
    assert caught


# The ledger alone


def tenure(hop=7, attempt=0, epoch=16):
    return fair_dice.DiceCommitment(epoch, hop, attempt, 3, b"r" * 16, b"8 bytes!")


def played(*told, game="class"):
    """The ledger, and the match, after actions and what is told beside them."""
    match, ledger = new_match(RULES[game], NAMES, 0), Ledger(b"a header")
    for action, note in told:
        ledger, match = ledger.after(match, action, note), apply(match, action).match
    return ledger, match


ROLLED = (Roll(None), fair_dice.ProofNote(1, tenure()))


@pytest.mark.parametrize("follows", [tenure(7, 1), tenure(9, 0)])
def test_no_tenure_follows_one_that_is_not_over(follows):
    ledger, match = played(ROLLED)
    assert not ledger.is_over(0)
    with pytest.raises(Cheated, match="ORDER"):
        ledger.after(match, Roll(None), fair_dice.ProofNote(1, follows))
    assert ledger.after(match, Roll(None), fair_dice.ProofNote(1, tenure(0, 1, epoch=17))), (
        "a new epoch"
    )


def test_a_tenure_is_over_when_somebody_leaves():
    """He may be its contributor, and its dice are worth nothing then: another one may follow."""
    ledger, match = played(ROLLED, (Leave(2), None))
    assert ledger.is_over(0)
    with pytest.raises(Cheated, match="ORDER"):
        ledger.after(match, Roll(None), fair_dice.ProofNote(2))
    assert not ledger.after(match, Roll(None), fair_dice.ProofNote(1, tenure(7, 1))).is_over(0)


def test_a_tenure_is_over_with_a_shown_tower():
    match = new_match(RULES["holy-family"], NAMES, 0)
    ledger = Ledger(b"a header").after(match, Roll(None), fair_dice.ProofNote(1, tenure()))
    match = apply(match, Roll((3, 3), tower=True)).match
    shown = ledger.after(
        match, ShowTower((3, 3)), fair_dice.ProofNote(1, None, bytes(32)), trusted=True
    )
    assert shown.is_over(0)
    assert not ledger.is_over(0)


def test_who_gave_the_cup_knows_which_tenure_is_thrown_in():
    table = CoreTable(3, seed=4)
    ben = table[1].own_seat.fair.committer
    ben.remember_root(0, 16, 9, b"r" * 16)
    assert ben.check_commitment(0, tenure(7, 1), 16) is fair_dice.Charge.ROOT
    assert ben.check_commitment(0, tenure(7, 1), 17) is None, "told again of an epoch before"
    assert ben.check_commitment(0, tenure(10, 0), 16) is None
