"""Frames of a table that is being formed, to the byte, and the names in them.

Names have a form, fit a frame in part, are drawn, and some look alike.
"""

import struct
import unicodedata
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import example, given
from hypothesis import strategies as some

from firmware.display.oled.font import SMALL, STRONG, load
from firmware.table.protocol import invitations as wire
from game import OPTIONS, RULES, TABLES, SetupError, rule_set
from game.names import NAME_BYTES, BadNameError, are_alike, clusters, fitting, name_of
from tests.support.names import ALIKE, APART, EMPTY, HIDDEN, LONG, TAKEN

HEAD = wire.Head(wire.InvitationKind.TERMS, b"device", wire.EVERYBODY, b"sess")


@pytest.mark.parametrize("game", RULES)
@pytest.mark.parametrize("lost", [(0, 0, 0), (1, 0, 255), tuple(range(wire.MOST_PEOPLE))])
@pytest.mark.parametrize("carrier", [None, 0, 7])
def test_terms_tell_the_tally_by_place_and_the_carrier(game, lost, carrier):
    terms = wire.Terms(7, len(lost), 2, RULES[game], lost, carrier)
    frame = wire.packed(HEAD, terms)
    assert wire.head_of(frame) == HEAD
    assert wire.body_of(frame) == terms
    assert len(frame) == 18 + 5 + 16 + wire.MOST_PEOPLE
    assert frame[21] == (2 if carrier is None else 2 + 16 * (carrier + 1))


@pytest.mark.parametrize(("game", "handicap"), [("class", (0, 2)), ("maxen", (3, 0, 17))])
def test_a_handicap_travels_behind_the_terms(game, handicap):
    terms = terms_of(replace(RULES[game], handicap=handicap))
    frame = wire.packed(HEAD, terms)
    assert wire.body_of(frame) == terms
    assert frame[: -2 * len(handicap)] == wire.packed(HEAD, terms_of(RULES[game]))
    for wrong in (b"\0\0", b"\0", b"\0\x15"):
        with pytest.raises(wire.InvitationError):
            wire.body_of(frame + wrong)


def test_a_tally_of_people_who_are_not_there_is_refused():
    frame = bytearray(wire.packed(HEAD, wire.Terms(7, 3, 0, RULES["class"], (1, 2, 3))))
    frame[-1] = 1
    assert wire.is_invitation(bytes(frame))
    with pytest.raises(wire.InvitationError, match="3 people cannot have lost"):
        wire.body_of(bytes(frame))


@pytest.mark.parametrize(("people", "game"), [(wire.MOST_PEOPLE + 1, 0), (2, len(RULES))])
def test_a_table_of_too_many_people_or_an_unknown_game_is_refused(people, game):
    head = HEAD._replace(kind=wire.InvitationKind.TABLE)
    notice = wire.TableNotice(True, people, 0, game, "Ana")
    with pytest.raises(wire.InvitationError, match="no table has"):
        wire.body_of(wire.packed(head, notice))
    wire.body_of(wire.packed(head, notice._replace(people=2, game=0)))


def terms_of(rules):
    return wire.Terms(7, 3, 0, rules, (0, 0, 0))


@pytest.mark.whole
@pytest.mark.parametrize("table", TABLES)
def test_every_option_travels_with_the_terms(table):
    usual = rule_set(table, {})
    assert wire.body_of(wire.packed(HEAD, terms_of(usual))) == terms_of(usual)
    frames = set()
    for option in OPTIONS[usual.game]:
        for value in option.choices or range(option.least, option.greatest + 1):
            try:
                rules = replace(usual, **{option.name: value})
            except SetupError:
                continue
            frame = wire.packed(HEAD, terms_of(rules))
            assert wire.body_of(frame) == terms_of(rules)
            frames.add(frame)
    assert len(frames) > len(OPTIONS[usual.game])


def test_usual_terms_have_the_bytes_that_they_always_had():
    options = {
        **{"class": (0, 0, 0), "physicist": (0,), "holy-family": (10, 1, 200)},
        **{"maxen": (), "chicago": (0,), "sevens": (0, 5)},
    }
    for game, numbers in options.items():
        own = struct.pack(f">{len(numbers)}H", *numbers).ljust(wire.OPTION_BYTES, b"\0")
        assert wire.packed(HEAD, terms_of(RULES[game]))[23:39] == own


def test_a_number_that_is_no_option_is_refused():
    frame = bytearray(wire.packed(HEAD, terms_of(RULES["class"])))
    frame[29:39] = b"\xff" * 10
    with pytest.raises(wire.InvitationError, match="class has 19 options"):
        wire.body_of(bytes(frame))


LETTERS = some.characters(categories=("L", "M", "N", "P", "S", "Z", "C"))
EMOJI = some.sampled_from("👩👨🚀❤👍🏽🇩🇪\u200d\ufe0f\u0301\u200b ")


def frame_of(name):
    head = wire.Head(wire.InvitationKind.JOIN, b"device", wire.EVERYBODY, b"sess")
    person = wire.body_of(wire.packed(head, wire.Attendee(b"device", name, False, bytes(32))))
    notice = wire.TableNotice(True, 2, 0, 0, name)
    assert (
        wire.body_of(wire.packed(head._replace(kind=wire.InvitationKind.TABLE), notice)) == notice
    )
    return person.name


@pytest.mark.parametrize("name", TAKEN)
def test_a_frame_bears_every_name(name):
    assert frame_of(name_of(name)) == name_of(name)


@pytest.mark.parametrize("name", [*LONG, *HIDDEN, *EMPTY])
def test_what_is_no_name_is_refused_for_what_it_is(name):
    with pytest.raises(BadNameError) as refused:
        name_of(name)
    fault = dict.fromkeys(LONG, "long") | dict.fromkeys(HIDDEN, "hidden")
    assert refused.value.fault == fault.get(name, "empty")
    with pytest.raises(BadNameError):
        wire.name_bytes(name)


def test_a_cut_name_ends_where_a_reader_expects_it():
    ends = {"Анастасия": "Анастаси", "Anna Katharina Müller": "Anna Katharina", "नंदिनी": "नंदि"}
    assert {name: fitting(name) for name in ends} == ends
    counts = {"👨‍👩‍👧‍👦": 1, "🇩🇪🇫🇷": 2, "e\u0301": 1, "ที่": 1, "क्षत्रिय": 3}
    assert {each: len(clusters(each)) for each in counts} == counts


@given(some.text(LETTERS | EMOJI, max_size=20))
@example("\u2000")
@example("e\u0301" * 8)
def test_a_door_takes_what_a_frame_bears_and_nothing_else(typed):
    try:
        kept = name_of(typed)
    except BadNameError as refused:
        told, fits = str(refused), refused.fits
    else:
        assert frame_of(kept) == kept == name_of(kept)
        assert len(wire.name_bytes(kept)) == NAME_BYTES
        return
    with pytest.raises(BadNameError):
        wire.name_bytes(typed)
    assert "\n" not in told
    assert not fits or name_of(fits) == fits


SHAPED = {"LATIN", "CYRILLIC", "GREEK", "HEBREW", "DIGIT", "SPACE", "HYPHEN-MINUS", "APOSTROPHE"}
OWN_NAMES = list(dict.fromkeys(map(name_of, TAKEN)))


@pytest.mark.parametrize("font", [SMALL, STRONG])
def test_each_name_is_read_on_the_panel_or_has_a_picture_of_its_own(font):
    pictures = {}
    for name in OWN_NAMES:
        scripts = {unicodedata.name(each[0]).split()[0] for each in clusters(name)}
        assert all(map(load(font).shape, clusters(name))) == (scripts <= SHAPED), name
        if not scripts & SHAPED:
            pictures[name] = load(font).render(name).mask.bits
    assert len(pictures) == 33
    apart = [(one ^ other).bit_count() for one, other in combinations(pictures.values(), 2)]
    assert min(apart) >= 10, "px of 49"


def test_names_that_look_alike_are_one_and_others_are_not():
    assert [pair for pair in ALIKE if not are_alike(*pair)] == []
    assert [pair for pair in APART if are_alike(*pair)] == []
