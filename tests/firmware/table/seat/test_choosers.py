"""A player who foresees a bad throw gets no other; `tests/labs/redteam` tries it at length."""

import pytest

from firmware.table.commitment.fair_dice import THROWS, Charge, DiceCommitment, ProofNote
from firmware.table.commitment.ledger import Cheated, Ledger
from game import RULES, apply, new_match
from game.actions import Announce, Believe, Doubt, Leave, Roll, ShowTower
from tests.labs.redteam.dice import play
from tests.support.core_table import CoreTable

NAMES = ("Ana", "Ben", "Cem", "Dora")


@pytest.mark.parametrize(("game", "seed"), [("class", 0), ("holy-family", 0), ("chicago", 0)])
def test_who_asks_for_another_tenure_early_has_nothing_to_choose_from(game, seed):
    thrown, chosen, caught = play(game, seed, late=False)
    assert len(thrown) >= 10
    assert (chosen, caught) == (0, False)


@pytest.mark.parametrize(("game", "seed"), [("physicist", 0), ("maxen", 0), ("sevens", 0)])
def test_who_goes_on_in_a_tenure_of_before_is_caught(game, seed):
    _, chosen, caught = play(game, seed, late=True)
    assert chosen
    assert caught


# The ledger alone


def tenure(hop=7, attempt=0, epoch=16):
    return DiceCommitment(epoch, hop, attempt, 3, b"r" * 16, b"8 bytes!")


def played(*told, game="class"):
    """The ledger, and the match, after actions and what is told beside them."""
    match, ledger = new_match(RULES[game], NAMES, 0), Ledger(b"a header")
    for action, note in told:
        ledger, match = ledger.after(match, action, note), apply(match, action).match
    return ledger, match


ROLLED = (Roll(None), ProofNote(1, tenure()))


@pytest.mark.parametrize("follows", [tenure(7, 1), tenure(9, 0)])
def test_no_tenure_follows_one_that_is_not_over(follows):
    ledger, match = played(ROLLED)
    assert not ledger.is_over(0)
    with pytest.raises(Cheated, match="ORDER"):
        ledger.after(match, Roll(None), ProofNote(1, follows))
    assert ledger.after(match, Roll(None), ProofNote(1, tenure(0, 1, epoch=17))), "a new epoch"


def test_a_tenure_is_over_when_another_seat_was_to_act():
    ledger, _ = played(ROLLED, (Announce(65), None), (Believe(), None))
    assert ledger.is_over(0)
    assert ledger.tenures == {0: (tenure(), THROWS)}
    told = ((Roll(None), ProofNote(1, tenure(8))), (Announce(11), None), (Doubt(), None))
    ledger, _ = played(ROLLED, (Announce(65), None), (Believe(), None), *told)
    assert (ledger.is_over(0), ledger.is_over(1)) == (True, True)


def test_a_tenure_is_over_when_somebody_leaves():
    """He may be its contributor, and its dice are worth nothing then: another one may follow."""
    ledger, match = played(ROLLED, (Leave(2), None))
    assert ledger.is_over(0)
    with pytest.raises(Cheated, match="ORDER"):
        ledger.after(match, Roll(None), ProofNote(2))
    assert not ledger.after(match, Roll(None), ProofNote(1, tenure(7, 1))).is_over(0)


def test_a_tenure_is_over_with_a_shown_tower():
    match = new_match(RULES["holy-family"], NAMES, 0)
    ledger = Ledger(b"a header").after(match, Roll(None), ProofNote(1, tenure()))
    match = apply(match, Roll((3, 3), tower=True)).match
    shown = ledger.after(match, ShowTower((3, 3)), ProofNote(1, None, bytes(32)), trusted=True)
    assert shown.is_over(0)
    assert not ledger.is_over(0)


def test_who_gave_the_cup_knows_which_tenure_is_thrown_in():
    table = CoreTable(3, seed=4)
    ben = table[1].handheld.own_seat.fair.committer
    ben.remember_root(0, 16, 9, b"r" * 16)
    assert ben.check_commitment(0, tenure(7, 1), 16) is Charge.ROOT
    assert ben.check_commitment(0, tenure(7, 1), 17) is None, "told again of an epoch before"
    assert ben.check_commitment(0, tenure(10, 0), 16) is None
