import doctest
import random
import re
from dataclasses import replace

import pytest

from firmware.table.log import entries as entries_module
from firmware.table.log.entries import (
    EntryError,
    Wished,
    decode_entries,
    encode_entry,
    read_entries,
)
from game import RULES
from game import actions as act
from game.bluff.rules import RANKING
from tests.support.rules_table import playout

PLAYERS = ("Ana", "Ben", "Cem")
LIVELY = {
    "holy-family": {"tower_one_in": 3},
    "chicago": {"levelling": True},
    "sevens": {"seven_dice": True},
}


def first_bytes_in_the_table():
    """What the table of the docstring lists in its first column."""
    table = entries_module.__doc__.split("=\n")[2]
    for line in table.splitlines():
        cell = line[:15].split()
        if cell[1:2] == ["…"]:
            yield from range(int(cell[0], 16), int(cell[2], 16) + 1)
        else:
            yield from (int(byte, 16) for byte in cell if re.fullmatch("[0-9a-f]{2}", byte))


def begins_an_entry(first):
    follows = ("", "00", "10", "11 10", "11 11", "11 11 10", "11 11 11", "11 11 11 10")
    follows += (
        "00 02",
        33 * "00" + "02",
        32 * "00" + "f1 00 02",
        "01" + 64 * "00" + "10",
        "0100" + 64 * "00" + "10",
    )
    return any(decoded_or_none(bytes([first]) + bytes.fromhex(rest)) for rest in follows)


def ends_an_entry(first):
    return decoded_or_none(bytes([1, first]) + bytes(67)) is not None


def decoded_or_none(entry):
    try:
        (action,) = decode_entries(entry)
    except (EntryError, ValueError):
        return None
    return action


def test_the_worked_examples_of_the_docstring_are_true():
    assert doctest.testmod(entries_module) == (0, 4)


def test_the_table_of_the_docstring_lists_exactly_the_bytes_that_begin_an_entry():
    listed = set(first_bytes_in_the_table()) - {0xC2, 0xD2}  # two dice have entries of their own
    assert listed == {n for n in range(256) if begins_an_entry(n) or ends_an_entry(n)}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game", RULES)
def test_whole_matches_of_every_game_can_be_told(game, seed):
    rules = replace(RULES[game], **LIVELY.get(game, {}))
    actions, _ = playout(rules, PLAYERS, random.Random(seed))
    told = [encode_entry(action) for action in actions]
    assert decode_entries(b"".join(told)) == tuple(actions)
    if game == "class":
        assert set(map(len, told)) == {1}


RARE = [
    *(act.Announce(v, f, w) for v in RANKING for f in (None, *act.Flourish) for w in (False, True)),
    *(act.Say(words, wrong_way) for words in act.Words for wrong_way in (False, True)),
    *(act.Fault(kind, seat) for kind in act.FaultKind for seat in range(9)),
    *(
        kind((die,) * n)
        for die in (1, 6)
        for kind, n in ((act.Roll, 1), (act.Roll, 7), (act.Lift, 3))
    ),
    act.Roll((4, 4), tower=True),
    act.Lift((4, 4), tower=True),
    act.ShowTower((1, 2)),
    act.Refuse(),
    act.Keep((), 2),
    act.Keep((5,), 1),
    act.Keep((5, 2)),
    act.Give(None),
    act.Give(7),
]


@pytest.mark.parametrize(("seats", "first"), [((0, 7), "f3 81"), ((0, 7, 8), "f5 01 81")])
def test_the_wish_of_a_ninth_seat_takes_another_byte(seats, first):
    wished = Wished(tuple((seat, bytes([seat]) * 64) for seat in seats))
    entry = encode_entry(act.StopMatch(), wished)
    assert entry.hex(" ").startswith(first)
    assert read_entries(entry)[0][:2] == (act.StopMatch(), wished)
    with pytest.raises(EntryError, match="0x0081 needs no second byte"):
        read_entries(bytes.fromhex("f5 00 81") + entry[2:])


def test_what_is_done_rarely_has_an_entry_too():
    assert decode_entries(b"".join(map(encode_entry, RARE))) == tuple(RARE)
    assert len(set(map(encode_entry, RARE))) == len(RARE)


@pytest.mark.parametrize(
    "action",
    [
        act.Lift(None),
        act.ShowTower(None),
        act.Announce(36),
        act.Leave(16),
        act.Give(16),
        act.Roll((7, 1)),
        act.Roll((6, 5, 4), tower=True),
        act.Roll(()),
        act.Roll((1,) * 8),
        act.Roll((1,) * 17),
        act.Lift((1,) * 4),
        act.Roll((6, 7, 4)),
        act.Keep((1, 2)),
        act.Keep((6, 5, 4)),
    ],
    ids=str,
)
def test_an_action_without_an_entry_is_refused(action):
    with pytest.raises(EntryError, match="no entry"):
        encode_entry(action)


@pytest.mark.parametrize(
    ("entries", "named"),
    [
        ("01 ff", "0xff"),
        ("39 15", "0x3915"),
        ("3c 17", "0x3c17"),
        ("39", "0x39"),
        ("a4 10", "0xa410"),
        ("c3 65", "0xc365"),
        ("c3 65 41", "0xc36541"),
        ("c3 67 40", "0xc36740"),
        ("c2 66", "0xc2"),
        ("e0 16", "0xe016"),
    ],
)
def test_bytes_that_are_no_entry_are_named(entries, named):
    with pytest.raises(EntryError, match=f"^{named} is no entry of a log$"):
        decode_entries(bytes.fromhex(entries))
