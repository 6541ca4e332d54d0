"""Frames of a table that is being made up, to the byte, and the names in them.

Names have a form, fit a frame in part, are drawn, and some look alike.
"""

import struct
import unicodedata
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import example, given
from hypothesis import strategies as some

from firmware.display import screens
from firmware.display.oled.draw import draw
from firmware.display.oled.font import BOLD, HEADING, SMALL, STRONG, load
from firmware.display.screens import Tally
from firmware.display.text.language import LANGUAGES
from firmware.table.protocol import invitations
from firmware.table.protocol.invitations import (
    EVERYBODY,
    Attendee,
    Head,
    InvitationKind,
    TableNotice,
    body_of,
    name_bytes,
    packed,
)
from game import OPTIONS, RULES, TABLES, SetupError, rule_set
from game.names import NAME_BYTES, BadNameError, are_alike, clusters, fitting, name_of
from tests.support.names import ALIKE, APART, EMPTY, HIDDEN, LONG, TAKEN

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
        for value in option.choices or range(option.least, option.greatest + 1):
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


LETTERS = some.characters(categories=("L", "M", "N", "P", "S", "Z", "C"))
EMOJI = some.sampled_from("👩👨🚀❤👍🏽🇩🇪\u200d\ufe0f\u0301\u200b ")


def frame_of(name):
    head = Head(InvitationKind.JOIN, b"device", EVERYBODY, b"sess")
    person = body_of(packed(head, Attendee(b"device", name, False, bytes(32))))
    notice = TableNotice(True, 2, 0, 0, name)
    assert body_of(packed(head._replace(kind=InvitationKind.TABLE), notice)) == notice
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
        name_bytes(name)


@pytest.mark.parametrize("name", LONG)
def test_what_still_fits_is_told_and_is_no_half_of_a_letter(name):
    fits = fitting(name)
    if fits:
        assert name_of(fits) == fits
        assert clusters(name)[: len(clusters(fits))] == clusters(fits)
        with pytest.raises(BadNameError, match=f"{fits!r} fits"):
            name_of(name)
    else:
        assert len(clusters(name)[0].encode()) > NAME_BYTES


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
        assert len(name_bytes(kept)) == NAME_BYTES
        return
    with pytest.raises(BadNameError):
        name_bytes(typed)
    assert "\n" not in told
    assert not fits or name_of(fits) == fits


@pytest.mark.parametrize("name", [name_of(each) for each in TAKEN])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_name_is_seen_on_the_panel(name, language):
    for font in (SMALL, STRONG, BOLD, HEADING):
        assert load(font).width(name) > 0
    assert draw(screens.WaitingPage(name), language) != draw(screens.WaitingPage("·"), language)
    draw(screens.WaitingPage(name, mine=Tally(3)), language)


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


SLAVIC = (
    *("абвгдеёжзийклмнопрстуфхцчшщъыьэюя", "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя"),
    "абвгдђежзијклљмнњопрстћуфхцчџш",
)
GREEK = "αβγδεζηθικλμνξοπρσςτυφχψω"
HEBREW = "".join(map(chr, range(0x05D0, 0x05EB)))
ALPHABETS = (*SLAVIC, *map(str.upper, SLAVIC), GREEK, GREEK.upper(), "αάεέηήιίϊοόυύϋωώ", HEBREW)


@pytest.mark.parametrize("font", [SMALL, STRONG])
def test_the_letters_of_an_alphabet_differ_and_fit_their_line(font):
    for alphabet in ALPHABETS:
        letters = [*dict.fromkeys(alphabet)]
        assert all(map(load(font).shape, letters)), alphabet
        drawn = [load(font).render(letter) for letter in letters]
        assert len({(ink.mask.bits, ink.top) for ink in drawn}) == len(letters), alphabet
        places = {(ink.top, ink.top - ink.mask.height) for ink in drawn}
        assert max(places)[0] <= 9, alphabet
        assert min(low for _, low in places) >= -2, "as j has it"


def test_names_that_look_alike_are_one_and_others_are_not():
    assert [pair for pair in ALIKE if not are_alike(*pair)] == []
    assert [pair for pair in APART if are_alike(*pair)] == []
