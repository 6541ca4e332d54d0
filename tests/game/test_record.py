"""Records as text: what is written, and one clear error for what cannot be read.

Statistics of a match are counted from what everybody may know of it.
"""

import doctest
import json
from dataclasses import replace

import pytest

import game.record
from game import RULES, SetupError
from game.actions import (
    Announce,
    Believe,
    Doubt,
    Fault,
    FaultKind,
    Keep,
    Leave,
    Lift,
    Look,
    Refuse,
    Roll,
    Say,
    Stop,
    Words,
)
from game.record import (
    Record,
    RecordError,
    Statistics,
    public_record,
    read,
    replay,
    statistics,
    write,
)

NAMES = ("Ana", "Jörg", "Cem")
ACTIONS = (Roll((6, 3)), Look(), Announce(64), Believe(), Roll((6, 5)), Announce(65), Doubt())
RECORD = Record(RULES["class"], NAMES, 1, (*ACTIONS, Lift((6, 5))))


def header(**changes):
    return {**json.loads(write(RECORD).splitlines()[0]), **changes}


def text(*lines):
    return "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)


def failure(record_text):
    with pytest.raises(RecordError) as caught:
        read(record_text)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(f"line {caught.value.line}: ")
    return caught.value


def test_a_record_is_a_header_and_a_line_for_each_action():
    lines = write(RECORD).splitlines()
    assert json.loads(lines[0]) == {
        "format": "maexchen-record",
        "version": 1,
        "rules": {
            "game": "class",
            **{"fewest_players": 3, "most_players": 8, "credit": 3, "rolls": 2, "looks": 1},
            **{"ends": "first_out", "stakes": "matches", "understating": "no_lie"},
            **{"points": 0, "losers": 0, "tower_one_in": 0},
        },
        "players": ["Ana", "Jörg", "Cem"],
        "first": 1,
    }
    assert lines[1:] == [
        '{"action": "roll", "dice": [6, 3]}',
        '{"action": "look"}',
        '{"action": "announce", "value": 64}',
        '{"action": "believe"}',
        '{"action": "roll", "dice": [6, 5]}',
        '{"action": "announce", "value": 65}',
        '{"action": "doubt"}',
        '{"action": "lift", "dice": [6, 5]}',
    ]
    assert "Jörg" in lines[0]


def test_a_header_tells_nine_players_only_where_nine_sit():
    """Digests of logs begin with the header: those of up to eight stay as they were."""
    for players, most, told in ((8, 9, 8), (9, 9, 9), (3, 5, 5)):
        rules = replace(RULES["class"], most_players=most)
        record = Record(rules, tuple("ABCDEFGHI"[:players]), 0, ())
        assert json.loads(write(record))["rules"]["most_players"] == told
        assert read(write(record)) == record


def test_the_public_record_has_no_covered_dice_and_can_be_played():
    public = public_record(RECORD)
    assert public.actions[0] == public.actions[4] == Roll(None)
    assert read(write(public)) == public
    assert [s.events for s in replay(public)] == [s.events for s in replay(RECORD)]


def test_options_a_header_leaves_out_are_the_games_own():
    short = header(rules={"game": "class", "stakes": "drinks"})
    assert read(text(short)).rules == replace(RULES["class"], stakes="drinks")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("", "line 1: a JSON object is needed, not ''"),
        ("Mäxchen", "line 1: a JSON object is needed, not 'Mäxchen'"),
        ("[" * 100_000, f"line 1: a JSON object is needed, not '{'[' * 40}'"),
        ("[1]", "line 1: a JSON object is needed, not '[1]'"),
        ("{}", "line 1: no record of this game: a header has the format 'maexchen-record'"),
        (header(version=2), "line 1: version 1 can be read, this record is version 2"),
        (header(version=True), "line 1: version 1 can be read, this record is version True"),
        (header(players=["Ana", "Ben", "\u2800"]), "line 1: seat 2 needs a name that can be shown"),
        (header(players=["Ana", "Ben", ["Cem"]]), "line 1: seat 2 needs a name that can be shown"),
        (
            header(colour="red"),
            "line 1: a header has format, version, rules, players, first, "
            "not format, version, rules, players, first, colour",
        ),
        (header(players="Ana"), "line 1: players are a list of names, not 'Ana'"),
        (
            header(players=["A", "B"], first=0),
            "line 1: class is for 3 to 9 players, not 2",
        ),
        (header(first=3), "line 1: the first opener is a seat from 0 to 2: 3"),
        (header(rules=[]), "line 1: rules are an object that names its game, not []"),
        (header(rules={"game": 1}), "line 1: rules are an object that names its game, not "),
        (header(rules={"game": "chess"}), "line 1: unknown game 'chess', known: class"),
        (
            header(rules={"game": "class", "luft": True}),
            "line 1: unknown rule option 'luft', known: game, fewest_players",
        ),
        (
            header(rules={"game": "class", "credit": "3"}),
            "line 1: credit is a whole number from 1 to 20, not '3'",
        ),
        (
            header(rules={"game": "class", "stakes": ["drinks"]}),
            "line 1: stakes is one of matches, drinks, not ['drinks']",
        ),
        (
            header(rules={"game": "chicago", "towers": 1}),
            "line 1: unknown rule option 'towers', known: game, ",
        ),
    ],
)
def test_a_bad_header_is_named(line, says):
    error = failure(text(line))
    assert str(error).startswith(says)
    assert error.rule is None


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("", "a JSON object is needed, not ''"),
        ('{"action": "roll", "di', "a JSON object is needed, not"),
        ({"dice": [6, 3]}, "unknown action None, known: roll, look, announce, "),
        ({"action": ["roll"]}, "unknown action ['roll'], known: roll"),
        ({"action": "juggle"}, "unknown action 'juggle', known: roll"),
        ({"action": "roll"}, "roll takes dice, tower, not nothing"),
        ({"action": "look", "dice": [1, 2]}, "look takes nothing, not dice"),
        ({"action": "announce", "value": "64"}, "value is a whole number, not '64'"),
        ({"action": "announce", "value": True}, "value is a whole number, not True"),
        ({"action": "announce", "value": None}, "value is a whole number, not None"),
        ({"action": "roll", "dice": "63"}, "dice is a list of whole numbers or null, not '63'"),
        ({"action": "roll", "dice": [6.0, 3]}, "dice is a list of whole numbers or null, not [6.0"),
        ({"action": "keep", "aside": [3]}, "keep takes aside, turned, not aside"),
        ({"action": "keep", "aside": None, "turned": 0}, "aside is a list of whole numbers, not"),
        ({"action": "keep", "aside": [], "turned": True}, "turned is a whole number, not True"),
        ({"action": "give", "to": "Ana"}, "to is a whole number or null, not 'Ana'"),
        ({"action": "give"}, "give takes to, not nothing"),
        ({"action": "roll", "dice": [6], "tower": 1}, "tower is true or false, not 1"),
        (
            {"action": "announce", "value": 31, "flourish": "smoke"},
            "flourish is one of air, much_air, drawn_out, not 'smoke'",
        ),
        ({"action": "say", "words": []}, "words is one of same, one_more, not []"),
        (
            {"action": "fault", "kind": 1, "seat": 0},
            "kind is one of drop, move, look, other, not 1",
        ),
    ],
)
def test_a_line_that_is_no_action_is_named(line, says):
    error = failure(text(header(), {"action": "roll", "dice": [6, 3]}, line))
    assert str(error).startswith(f"line 3: {says}")
    assert (error.line, error.rule) == (3, None)


OFFERED = (Roll((6, 3)), Announce(63), Doubt())


@pytest.mark.parametrize(
    ("actions", "rule", "says"),
    [
        ((Announce(31),), "B-6", "the cup is empty, its opener must roll"),
        ((Roll((6, 7)),), "V-1", "two dice of 1 to 6 are needed"),
        ((Roll((6, 3)), Announce(36)), "V-2", "no two dice have this value"),
        ((*OFFERED, Lift((6, 6))), "B-4", "these are not the dice that were rolled"),
        ((Roll(), *OFFERED[1:], Lift()), "B-4", "the dice are not known here, a lift must say"),
        ((Leave(3),), "B-10", "nobody who is still in has this seat"),
    ],
)
def test_a_line_against_the_rules_is_named_with_its_rule(actions, rule, says):
    error = failure(write(RECORD._replace(actions=actions)))
    line = len(actions) + 1
    assert str(error).startswith(f"line {line}: {actions[-1]} is not possible: {says}")
    assert str(error).endswith(f" ({rule})")
    assert (error.line, error.rule) == (line, rule)


CHICAGO = Record(
    replace(RULES["chicago"], levelling=True),
    ("Ana", "Ben"),
    0,
    (*map(Roll, ((1, 1, 2), (6, 6, 6), (6, 6, 3))), Keep((3,), 1), Roll((2,)), Stop(), Leave(1)),
)


def test_every_kind_of_action_is_written_with_all_it_takes():
    lines = write(CHICAGO).splitlines()
    assert json.loads(lines[0])["rules"] == {
        **{"game": "chicago", "fewest_players": 2, "most_players": 5},
        **{"coasters": 6, "levelling": True},
    }
    assert lines[4:7] == [
        '{"action": "keep", "aside": [3], "turned": 1}',
        '{"action": "roll", "dice": [2]}',
        '{"action": "stop"}',
    ]
    assert read(write(CHICAGO)) == CHICAGO
    assert public_record(CHICAGO) == CHICAGO


def test_every_kind_of_action_has_the_name_it_has_always_had():
    error = failure(text(header(), {"action": "juggle"}))
    assert error.reason == (
        "unknown action 'juggle', known: roll, look, announce, say, believe, doubt, refuse, lift, "
        "show_maexchen, show_tower, give_in, own_up, keep, stop, give, end_match, leave, "
        "void_round, stop_match, fault"
    )


def test_covered_throws_of_maxen_are_not_in_the_public_record():
    throws = [Roll((6, 5, 3)), Roll((6, 5, 3)), Roll((6, 5, 2))]
    lead = [Roll((1, 1, 1)), Roll((2, 2, 2))]
    rest = [Roll((6, 5, 3)), Stop(), Lift((6, 5, 2))]
    record = Record(RULES["maxen"], ("Ana", "Ben"), 0, (*lead, *throws, *rest))
    public = public_record(record)
    assert public.actions == (*lead, *throws[:2], Roll(None), *rest)
    assert read(write(public)) == public


def test_replay_stops_at_the_line_that_is_illegal():
    steps = replay(RECORD._replace(actions=(Roll((6, 3)), Believe())))
    assert next(steps).match.dice == (6, 3)
    with pytest.raises(RecordError, match=r"^line 3: Believe\(\) is not possible: .* \(B-2\)$"):
        next(steps)


def test_replay_names_a_table_that_cannot_play():
    with pytest.raises(RecordError, match="line 1: class is for 3 to 9 players, not 1") as caught:
        next(replay(RECORD._replace(players=("Ana",))))
    assert isinstance(caught.value.__cause__, SetupError)


PLAYERS = ("Ana", "Ben", "Cem")


def counted(game, *actions):
    return statistics(len(PLAYERS), replay(Record(RULES[game], PLAYERS, 0, actions)))


def test_the_example_is_true():
    assert doctest.testmod(game.record).failed == 0


def test_a_lie_that_was_caught_and_a_truth_that_was_doubted():
    lie = (Roll((3, 1)), Look(), Announce(62), Believe(), Roll((6, 4)), Announce(64), Doubt())
    ana, ben, cem = counted("class", *lie, Lift())
    assert ana == Statistics(throws=1, looks=1, announcements=1)
    assert ben == Statistics(throws=1, announcements=1, truths_doubted=1)
    assert cem == Statistics(doubts=1, penalties=1)
    ana, ben, _ = counted("class", Roll((3, 1)), Announce(62), Doubt(), Lift())
    assert ana == Statistics(throws=1, announcements=1, lies_caught=1, penalties=1)
    assert ben == Statistics(doubts=1, right_doubts=1)


def test_faults_of_every_kind_count():
    ana, ben, cem = counted(
        "holy-family",
        Roll((3, 1)), Announce(62, wrong_way=True), Refuse(),
        Roll((3, 1)), Announce(62), Believe(), Roll(), Say(Words.SAME), Believe(), Announce(31),
        Roll((3, 1)), Fault(FaultKind.DROP, 2),
    )  # fmt: skip
    assert (ana.faults, ben.faults, cem.faults) == (1, 0, 2)
    assert (ana.penalties, ben.penalties, cem.penalties) == (1, 0, 2)


def test_open_rounds_are_won_and_lost():
    lead = (Roll((1, 1, 1)), Roll((6, 6, 5)), Roll((6, 5, 5)))
    rounds = (Roll((6, 1, 1)), Stop(), Roll((3, 2, 1)), Roll((5, 4, 2)))
    ana, ben, cem = counted("chicago", *lead, *rounds)
    assert (ana.rounds_won, ana.rounds_lost, ana.throws) == (1, 0, 2)
    assert (ben.rounds_won, ben.rounds_lost) == (0, 0)
    assert (cem.rounds_won, cem.rounds_lost) == (0, 1)
