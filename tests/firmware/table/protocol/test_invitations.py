"""Frames of a table that is being made up, to the byte."""

import struct
from dataclasses import replace

import pytest

from firmware.table.protocol import invitations
from game import OPTIONS, RULES, TABLES, SetupError, rule_set

HEAD = invitations.Head(invitations.InvitationKind.TERMS, b"device", invitations.EVERYBODY, b"sess")


@pytest.mark.parametrize("game", RULES)
@pytest.mark.parametrize("lost", [(0, 0, 0), (1, 0, 255), tuple(range(invitations.MOST_PEOPLE))])
@pytest.mark.parametrize("carrier", [None, 0, 7])
def test_terms_tell_the_tally_by_place_and_the_carrier(game, lost, carrier):
    terms = invitations.Terms(7, len(lost), 2, RULES[game], lost, carrier)
    frame = invitations.packed(HEAD, terms)
    assert invitations.head_of(frame) == HEAD
    assert invitations.body_of(frame) == terms
    assert len(frame) == 18 + 5 + 16 + invitations.MOST_PEOPLE
    assert frame[21] == (2 if carrier is None else 2 + 16 * (carrier + 1))


@pytest.mark.parametrize(("game", "handicap"), [("class", (0, 2)), ("maxen", (3, 0, 17))])
def test_a_handicap_travels_behind_the_terms(game, handicap):
    terms = terms_of(replace(RULES[game], handicap=handicap))
    frame = invitations.packed(HEAD, terms)
    assert invitations.body_of(frame) == terms
    assert frame[: -2 * len(handicap)] == invitations.packed(HEAD, terms_of(RULES[game]))
    for wrong in (b"\0\0", b"\0", b"\0\x15"):
        with pytest.raises(invitations.InvitationError):
            invitations.body_of(frame + wrong)


def test_a_tally_of_people_who_are_not_there_is_refused():
    frame = bytearray(
        invitations.packed(HEAD, invitations.Terms(7, 3, 0, RULES["class"], (1, 2, 3)))
    )
    frame[-1] = 1
    assert invitations.is_invitation(bytes(frame))
    with pytest.raises(invitations.InvitationError, match="3 people cannot have lost"):
        invitations.body_of(bytes(frame))


@pytest.mark.parametrize(("people", "game"), [(invitations.MOST_PEOPLE + 1, 0), (2, len(RULES))])
def test_a_table_of_too_many_people_or_an_unknown_game_is_refused(people, game):
    head = HEAD._replace(kind=invitations.InvitationKind.TABLE)
    notice = invitations.TableNotice(True, people, 0, game, "Ana")
    with pytest.raises(invitations.InvitationError, match="no table has"):
        invitations.body_of(invitations.packed(head, notice))
    invitations.body_of(invitations.packed(head, notice._replace(people=2, game=0)))


def terms_of(rules):
    return invitations.Terms(7, 3, 0, rules, (0, 0, 0))


@pytest.mark.parametrize("table", TABLES)
def test_every_option_travels_with_the_terms(table):
    usual = rule_set(table, {})
    assert invitations.body_of(invitations.packed(HEAD, terms_of(usual))) == terms_of(usual)
    frames = set()
    for option in OPTIONS[usual.game]:
        for value in option.choices or range(option.least, (option.greatest or 99) + 1):
            try:
                rules = replace(usual, **{option.name: value})
            except SetupError:
                continue
            frame = invitations.packed(HEAD, terms_of(rules))
            assert invitations.body_of(frame) == terms_of(rules)
            frames.add(frame)
    assert len(frames) > len(OPTIONS[usual.game])


def test_usual_terms_have_the_bytes_that_they_always_had():
    options = {
        **{"class": (0, 0, 0), "physicist": (0,), "holy-family": (10, 1, 200)},
        **{"maxen": (), "chicago": (0,), "sevens": (0, 5)},
    }
    for game, numbers in options.items():
        own = struct.pack(f">{len(numbers)}H", *numbers).ljust(invitations.OPTION_BYTES, b"\0")
        assert invitations.packed(HEAD, terms_of(RULES[game]))[23:39] == own


def test_a_number_that_is_no_option_is_refused():
    frame = bytearray(invitations.packed(HEAD, terms_of(RULES["class"])))
    frame[29:39] = b"\xff" * 10
    with pytest.raises(invitations.InvitationError, match="class has 19 options"):
        invitations.body_of(bytes(frame))
