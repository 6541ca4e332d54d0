"""Dice that nobody can choose: the arithmetic of it."""

from collections import Counter
from dataclasses import replace
from functools import partial
from hashlib import sha256

import pytest

from firmware.table.commitment import fair_dice as fair
from firmware.table.commitment.ledger import Committed, Committer, Ledger
from firmware.table.protocol.messages import Contents, Fresh
from game import RULES, dice_to_roll, new_match
from game.dice import throws

PLACE = fair.CommitmentPlace(b"a header", 1, 16, 7, 0)
MATCH = new_match(RULES["class"], ("Ana", "Ben", "Cem"), 0)
SEED, ADDED = bytes(range(32)), b"8 bytes!"
CRITICAL = 45.31
"""Chi-square with 20 degrees of freedom is above this once in a thousand (p = 0.001)."""


def fell(seed=SEED, added=ADDED, throw=1, place=PLACE, match=MATCH):
    dice = fair.UnbiasedDice(fair.source_of(fair.opening_of(seed, throw), added, throw, place))
    return dice.roll(*thrown(match))


def thrown(match):
    return dice_to_roll(match), match.rules.tower_one_in


def judged(
    dice, *, tower=False, throw=1, opening=None, place=PLACE, root=None, added=ADDED, match=MATCH
):
    root = fair.root_of(SEED, PLACE) if root is None else root
    opening = fair.opening_of(SEED, throw) if opening is None else opening
    tenure = fair.DiceCommitment(*place[2:], 2, root, added)
    ledger = Ledger(place.match, newest=Committed(place.seat, tenure, throw, match))
    return ledger.problem(Contents(dice, throw, opening, tower=tower))


@pytest.mark.parametrize("throw", range(1, fair.THROWS + 1))
def test_every_throw_of_a_tenure_is_proven_by_its_own_opening_alone(throw):
    assert judged(fell(throw=throw).dice, throw=throw) is None
    for other in range(1, fair.THROWS + 1):
        if other != throw:
            opening = fair.opening_of(SEED, other)
            assert judged(fell(throw=throw).dice, throw=throw, opening=opening) is fair.Charge.PROOF


def test_a_tower_is_proven_too():
    match = new_match(replace(RULES["holy-family"], tower_one_in=2), ("Ana", "Ben"), 0)
    towers = set()
    for throw in range(1, fair.THROWS + 1):
        roll = fell(throw=throw, match=match)
        proven = partial(judged, roll.dice, throw=throw, match=match)
        assert proven(tower=roll.tower) is None
        assert proven(tower=not roll.tower) is fair.Charge.DICE
        towers.add(roll.tower)
    assert towers == {False, True}


def test_other_dice_another_root_and_another_place_are_noticed():
    dice = fell().dice
    other = next(those for those, _ in throws(2) if those != dice)
    assert judged(other) is fair.Charge.DICE
    assert judged(dice, root=bytes(16)) is fair.Charge.PROOF
    assert judged(dice, opening=b"short") is fair.Charge.PROOF
    assert judged(dice, throw=0, opening=fair.opening_of(SEED, 1)) is fair.Charge.ORDER
    assert (
        judged(dice, throw=fair.THROWS + 1, opening=fair.opening_of(SEED, 8)) is fair.Charge.ORDER
    )
    for name, value in zip(fair.CommitmentPlace._fields, (b"another!", 2, 17, 8, 1)):
        assert judged(dice, place=PLACE._replace(**{name: value})) is fair.Charge.PROOF


def test_an_opening_tells_no_other_throw_of_its_tenure():
    """From throw 4 on hashing leads to the ends of both chains, never to another pair."""
    reached = {fair.opening_of(SEED, 4)[:16]}, {fair.opening_of(SEED, 4)[16:]}
    for half in (0, 1):
        value = fair.opening_of(SEED, 4)[16 * half : 16 * half + 16]
        for _ in range(fair.THROWS):
            value = sha256(b"maexchen chain" + value).digest()[:16]
            reached[half].add(value)
    for throw in (1, 2, 3, 5, 6, 7, 8):
        opening = fair.opening_of(SEED, throw)
        assert (opening[:16] in reached[0], opening[16:] in reached[1]) != (True, True)


def chi_square(rolls):
    count, total = Counter(rolls), len(rolls)
    return sum((count[dice] - chance * total) ** 2 / (chance * total) for dice, chance in throws(2))


@pytest.mark.whole
@pytest.mark.parametrize("what", ["seeds", "contributions", "throws and hops"])
def test_dice_are_fair_whatever_changes(what):
    rolls = []
    for number in range(4_000):
        key = sha256(b"%d" % number).digest()
        if what == "seeds":
            rolls.append(fell(seed=key).dice)
        elif what == "contributions":
            rolls.append(fell(added=key[:8]).dice)
        else:
            place = PLACE._replace(hop=1 + number // 8)
            rolls.append(fell(throw=1 + number % 8, place=place).dice)
    assert chi_square(rolls) < CRITICAL


def test_dice_depend_on_the_roller_and_on_the_contribution():
    """With one of the two fixed, the other alone brings every throw."""
    every = {dice for dice, _ in throws(2)}
    assert {fell(seed=sha256(b"%d" % n).digest()).dice for n in range(400)} == every
    assert {fell(added=b"%8d" % number).dice for number in range(400)} == every


def test_what_is_kept_is_what_its_bytes_say():
    kept = fair.CommitterState(SEED, (16, 7, 1), 2, ADDED, ((0, (16, 5, 0), bytes(16)),))
    assert fair.CommitterState.decode(kept.encode()) == kept
    for wrong in (b"", kept.encode()[:-1], kept.encode() + bytes(24)):
        with pytest.raises(fair.CommitterError):
            fair.CommitterState.decode(wrong)


# The contributors


def contributor():
    return Committer(2, b"a header", fair.CommitterState(SEED))


def test_a_witness_contributes_to_one_root_of_a_tenure_alone():
    ledger, ben = Ledger(b"a header"), contributor()
    first = ben.contribute(0, 16, Fresh(0, 1, b"r" * 16), ledger, first=True)
    assert ben.contribute(0, 16, Fresh(0, 1, b"r" * 16), ledger, first=True) == first
    again = Committer(2, b"a header", fair.CommitterState.decode(ben.kept.encode()))
    assert again.contribute(0, 16, Fresh(0, 1, b"r" * 16), ledger, first=True) == first
    assert again.contribute(0, 16, Fresh(0, 1, b"s" * 16), ledger, first=True) is fair.Charge.ROOT


@pytest.mark.parametrize("attempt", [0, 2, 3])
def test_a_witness_contributes_to_no_tenure_before_the_last_one_is_used(attempt):
    """Else a roller could ask until he likes what will fall: a Mäxchen takes 34 tries."""
    ledger, ben = Ledger(b"a header"), contributor()
    for epoch in (0, 16):
        assert ben.contribute(0, epoch, Fresh(0, attempt, b"r" * 16), ledger, first=True) is None
    ben.remember_root(0, 16, 7, b"r" * 16)
    assert ben.contribute(0, 16, Fresh(7, 1, b"s" * 16), ledger, first=False) is None
    used = fair.DiceCommitment(16, 7, 0, 2, b"r" * 16, ADDED)
    ledger = replace(ledger, tenures={0: (used, fair.THROWS - 1)})
    assert ben.contribute(0, 16, Fresh(7, 1, b"s" * 16), ledger, first=False) is None
    ledger = replace(ledger, tenures={0: (used, fair.THROWS)})
    assert ben.contribute(0, 16, Fresh(7, 1, b"s" * 16), ledger, first=False) is not None
    assert ben.contribute(0, 16, Fresh(7, 2, b"s" * 16), ledger, first=False) is None


def test_a_witness_knows_its_own_contribution_and_its_newest_root():
    ben = contributor()
    ben.remember_root(0, 16, 7, b"r" * 16)
    added = ben.contribution(16, 0, 7, b"r" * 16)
    agreed = fair.DiceCommitment(16, 7, 0, 2, b"r" * 16, added)
    assert ben.check_commitment(0, agreed, 16) is None
    assert ben.check_commitment(0, agreed._replace(contributor=1), 16) is None, (
        "not this one's to say"
    )
    assert ben.check_commitment(0, agreed._replace(contribution=ADDED), 16) is fair.Charge.ROOT
    other = b"s" * 16
    changed = ben.contribution(16, 0, 7, other)
    assert (
        ben.check_commitment(0, agreed._replace(root=other, contribution=changed), 16)
        is fair.Charge.ROOT
    )
    ben.remember_root(0, 16, 9, other)
    assert ben.check_commitment(0, agreed, 16) is fair.Charge.ROOT, (
        "tenures cannot be saved up to choose from"
    )
