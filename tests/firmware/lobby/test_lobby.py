"""The lobby, worked with tilt, tap and hold alone, and its questions as values."""

import json
from dataclasses import replace
from random import Random

import pytest

from firmware.device import SeatMaker
from firmware.device.device import Device
from firmware.display.screens import AlertPage, Phrase, QuestionPage
from firmware.display.text.labels import ABOUT, Alert, Text
from firmware.display.text.language import LANGUAGES
from firmware.effects import KeepChoice
from firmware.journal import RULES_KEY, Put
from firmware.lobby import choices as to
from firmware.lobby.questions import LobbyView, question_of
from firmware.table.pairing.state import PairingPhase
from game import OPTIONS, RULES, TABLES, SetupError, nearest_table, rule_set
from tests.labs.redteam.names import besieged
from tests.support.lobbies import Hall, fits
from tests.support.net import S, cut_off, device
from tests.support.rules_table import drawn


@pytest.fixture
def hall():
    """The lobbies of Ana, at whose table all sit, and of Ben and Cem."""
    hall = Hall.of_lobbies(("Ana", "Ben", "Cem"))
    hall.gather((1, 2))
    return hall


def test_names_are_chosen_from_a_list_and_can_be_changed():
    hall = Hall.of_lobbies((None,))
    assert hall.cores[0].screen.title is Text.WHO_ARE_YOU
    hall.choose(0, "Cem")
    assert hall.cores[0].screen.lines == (Phrase(Text.HELLO, name="Cem"),)
    hall.choose(0, Text.OTHER_NAME, "Ana")
    assert hall.cores[0].name == "Ana"


def test_options_change_with_a_tap():
    hall = Hall.of_lobbies(("Ana",))
    hall.choose(0, Text.OPEN_TABLE, Phrase("game_name.class"), Phrase("choice.matches"))
    assert hall.cores[0].rules.stakes == "drinks"
    assert hall.cores[0].screen.dial.current == Phrase("choice.drinks"), "the highlight stays"
    hall.tap(0)
    assert hall.cores[0].rules.stakes == "matches"
    hall.choose(0, Text.BACK)
    assert hall.cores[0].step is to.LobbyStep.GAME


class Keeping(Hall):
    """A hall with one handheld; ``kept`` is what it keeps beyond the next start."""

    def __init__(self, rules=b""):
        self.kept = []
        super().__init__([Device(device(0), SeatMaker(Random(0).randbytes), "Ana", rules=rules)])

    def other(self, at, effect):
        self.kept += [effect] if isinstance(effect, KeepChoice) else []

    @property
    def page(self):
        return self.cores[0].screen


def test_rules_of_our_own_are_kept_and_offered_first_after_the_next_start():
    hall = Keeping()
    hall.choose(0, Text.OPEN_TABLE, "Wikipedia", "6", Phrase("choice.next"), Text.KEEP_RULES)
    (keep,) = hall.kept
    assert keep == KeepChoice(
        Put(RULES_KEY, to.packed(rule_set("wikipedia", {"credit": 7, "opener": "loser"})))
    )
    assert hall.page.dial.current is Text.RULES_KEPT
    hall = Keeping(keep.write.value)
    hall.choose(0, Text.OPEN_TABLE)
    hall.highlight(0, Text.OUR_RULES)
    assert hall.page.title == "Wikipedia"
    assert hall.page.lines == (
        Phrase("short.credit", "7"),
        Phrase("short.opener", Phrase("choice.loser")),
    )
    hall.choose(0, Text.OUR_RULES)
    assert hall.lobby(0).rules == rule_set("wikipedia", {"credit": 7, "opener": "loser"})
    assert hall.page.lines[0] == Phrase("short.credit", "7")
    hall.choose(0, Text.GO_ON)
    assert hall.lobby(0).step is to.LobbyStep.GATHER
    assert hall.kept == []


@pytest.mark.whole
@pytest.mark.parametrize(
    "kept",
    [b"{", b"7", b'{"game": "go", "options": {}}', b'{"game": "class", "options": {"x": 1}}'],
)
def test_rules_that_this_version_lacks_are_told_in_a_line_and_stay_as_they_were(kept):
    assert to.unpacked(kept) is None
    hall = Keeping(kept)
    hall.choose(0, Text.OPEN_TABLE, Text.OUR_RULES)
    assert (hall.page.title, hall.page.about) == (Text.WHICH_GAME, ABOUT[Text.OUR_RULES])
    assert hall.lobby(0).step is to.LobbyStep.GAME
    assert (hall.kept, hall.cores[0].shell.rules) == ([], kept)
    hall.choose(0, Phrase("game_name.class"), Text.KEEP_RULES)
    assert hall.kept == [KeepChoice(Put(RULES_KEY, to.packed(RULES["class"])))]


def test_a_custom_that_is_newer_than_our_rules_has_its_usual_value():
    plain = json.loads(to.packed(rule_set("meyer", {"credit": 5})))
    del plain["options"]["free_doubt"]
    assert to.unpacked(json.dumps(plain).encode()) == rule_set("meyer", {"credit": 5})


@pytest.mark.whole
@pytest.mark.parametrize("table", TABLES)
def test_what_differs_from_a_known_table_fits_in_four_lines(table):
    for option in OPTIONS[rule_set(table, {}).game]:
        for value in option.choices or (option.least, option.greatest):
            try:
                rules = rule_set(table, {option.name: value})
            except SetupError:
                continue
            for language in LANGUAGES:
                fits(QuestionPage(Text.TITLE, to.differences(rules)), language)
    rules = drawn(Random(table), (table,), most=12)
    many = to.differences(rules)
    assert len(many) <= to.MOST_DIFFERENCES
    changes = nearest_table(rules).changes
    assert len(changes) <= to.MOST_DIFFERENCES or many[-1] == f"… +{len(changes) - 3}"


def test_the_seat_circle_can_be_changed(hall):
    hall.choose(0, Text.ALL_HERE, "Ana")
    assert hall.cores[0].screen.dial.current == "Ana", "the highlight goes with her"
    assert hall.cores[0].screen.lines == ("Ben", "Ana", "Cem")
    hall.tap(0)
    assert hall.cores[0].screen.lines == ("Ben", "Cem", "Ana")
    hall.until(lambda: hall.cores[1].screen.lines == ("Ben", "Cem", "Ana"))


def test_a_host_puts_a_guest_out_by_a_hold_who_is_told_so(hall):
    hall.choose(0, Phrase(Text.PUT_OUT, "Ben"))
    hall.until(lambda: hall.cores[1].screen == AlertPage(Alert.NO_PLACE))
    assert hall.cores[0].screen.lines == ("Ana", "Cem", Text.OTHERS_JOIN)
    assert hall.cores[0].pick(Phrase(Text.PUT_OUT, "Ana")) is None


@pytest.mark.parametrize("who", range(3))
def test_who_waits_for_the_others_taps_can_leave_and_all_are_told(hall, who):
    hall.to_the_numbers()
    hall.tap(who)
    assert hall.cores[who].screen.hint is Text.HINT_WAIT
    hall.wait(S)
    assert hall.cores[who].screen.hint is Text.HINT_LEAVE
    hall.tap(who)
    hall.hold(who)
    hall.until(lambda: all(core.screen == AlertPage(Alert.TABLE_GIVEN_UP) for core in hall.cores))


def test_who_waits_for_a_key_that_never_comes_can_leave_or_is_told(hall):
    cut_off(hall, 2)
    hall.choose(0, Text.ALL_HERE, Text.GO_ON, Text.DRAW_LOTS)
    hall.until(lambda: hall.cores[1].screen.hint is Text.HINT_LEAVE)
    hall.hold(1)
    assert hall.cores[1].screen == AlertPage(Alert.TABLE_GIVEN_UP)
    hall.until(lambda: hall.cores[0].screen == AlertPage(Alert.NO_ANSWER), most_s=40)


def test_a_guest_leaves_by_a_hold_and_the_host_goes_back_to_waiting(hall):
    hall.choose(0, Text.ALL_HERE)
    hall.choose(2, Text.LEAVE)
    hall.until(lambda: hall.cores[0].screen.lines == ("Ana", "Ben", Text.OTHERS_JOIN))
    assert hall.cores[0].step is to.LobbyStep.GATHER
    assert hall.cores[2].step is to.LobbyStep.START


def knocks(hall, guest, how=Text.JOIN_TABLE):
    """Let somebody ask for a place at Ana's table."""
    hall.choose(guest, how)
    hall.until(lambda: hall.cores[guest].screen.dial.following is not None)
    hall.choose(guest, Phrase(Text.TABLE_OF, name="Ana"))


@pytest.mark.whole
@pytest.mark.parametrize(
    ("game", "players", "watchers", "how"),
    [
        ("chicago", 5, 1, Text.JOIN_TABLE),
        ("class", 9, 5, Text.WATCH_TABLE),
    ],
)
def test_who_comes_to_a_full_table_is_told_so_and_the_others_play(game, players, watchers, how):
    late = players + watchers
    hall = Hall.of_lobbies(("Ana", *(f"P{at}" for at in range(1, late + 1))))
    hall.gather(range(1, players), game=game, watchers=range(players, late))
    knocks(hall, late, how)
    hall.until(lambda: hall.cores[late].screen == AlertPage(Alert.NO_PLACE), most_s=5)
    hall.tap(late)
    assert hall.cores[late].step is to.LobbyStep.START
    assert hall.to_the_numbers() == list(range(late))


def test_numbers_that_have_just_appeared_cannot_be_tapped_away(hall):
    hall.choose(0, Text.ALL_HERE, Text.GO_ON, Text.DRAW_LOTS)
    hall.until(lambda: hall.cores[1].pairing.state.numbers)
    assert hall.cores[1].screen.hint is Text.HINT_NOT_YET
    hall.tap(1)
    assert hall.cores[1].pairing.state.phase is PairingPhase.COMPARING


def test_a_hold_says_that_the_numbers_differ_on_all(hall):
    hall.to_the_numbers()
    hall.hold(1)
    hall.until(lambda: all(core.screen == AlertPage(Alert.DICE_DIFFER) for core in hall.cores))
    assert all(core.agreed is None for core in hall.cores)


def test_a_handicap_is_agreed_on_by_all_handhelds(hall):
    hall.choose(0, Text.ALL_HERE, Text.GO_ON, Text.HANDICAP)
    hall.choose(0, "Ben", "Ben: 1", "Ben: 2", "Ben", "Cem")  # with the third, none is left
    assert hall.cores[0].screen.lines == ("Ana", "Ben: 1", "Cem: 1")
    hall.choose(0, Text.GO_ON)
    assert hall.cores[0].screen.title is Text.WHO_OPENS
    hall.choose(0, "Ben")
    hall.until(lambda: all(core.screen.hint is Text.HINT_SAME_NUMBERS for core in hall.cores))
    for who in range(3):
        hall.tap(who)
    hall.until(lambda: all(core.agreed for core in hall.cores))
    assert {core.agreed.rules.handicap for core in hall.cores} == {(0, 1, 1)}
    assert [(core.agreed.me, core.agreed.first) for core in hall.cores] == [(0, 1), (1, 1), (2, 1)]
    assert len({core.agreed.key for core in hall.cores}) == 1


def test_one_handheld_for_all_asks_who_plays():
    hall = Hall.of_lobbies(("Ana",))
    hall.choose(0, Text.ONE_HANDHELD, "Wikipedia", Text.GO_ON)
    assert hall.cores[0].screen.title is Text.WHO_PLAYS
    hall.choose(0, "Ana", "Cem", "Dea", "Zoe", Text.BACK, Text.ALL_HERE, "Cem")
    wanted = hall.cores[0].one_handheld
    rules = rule_set("wikipedia", {})
    assert wanted == to.OneHandheld(rules, ("Ana", "Cem", "Dea"), 1, 3, wanted.key)


def test_practice_begins_with_as_many_opponents_as_the_game_needs():
    hall = Hall.of_lobbies(("Ben",))
    hall.choose(0, Text.PRACTICE, Phrase("game_name.class"), Text.GO_ON)
    assert hall.cores[0].screen.title is Text.AGAINST
    assert hall.cores[0].screen.lines == ("Ana", "Cem"), "not oneself"
    hall.choose(0, Text.BACK)
    assert hall.cores[0].screen.dial.following != Text.ALL_HERE, "one is too few"
    hall.choose(0, "Zoe", Text.ALL_HERE, "Ben")
    names = ("Ben", "Ana", "Zoe")
    wanted = hall.cores[0].one_handheld
    assert wanted == to.OneHandheld(RULES["class"], names, 0, 1, wanted.key)
    assert len(wanted.key) == 32


def test_a_first_match_begins_with_one_tap():
    hall = Hall.of_lobbies(("Ben",))
    hall.choose(0, Text.FIRST_MATCH)
    wanted = hall.cores[0].one_handheld
    names = ("Ben", "Ana", "Cem")
    assert wanted == to.OneHandheld(RULES["class"], names, 0, 1, wanted.key, learns=True)
    assert to.OneHandheld.decode(wanted.encode()) == wanted


@pytest.mark.whole
def test_whatever_strangers_say_is_drawn():
    hall = besieged("test 0")
    assert hall.frames == 150
    assert max(len(page.lines) for page in hall.shown[0] if isinstance(page, QuestionPage)) > 5


@pytest.mark.parametrize(
    ("game", "number"), [(game, at) for game in RULES for at in range(len(OPTIONS[game]))]
)
def test_taps_lead_through_every_value_and_round(game, number):
    option, rules = OPTIONS[game][number], RULES[game]
    if option.name in ("free_doubt", "mexican") and game == "class":
        rules = replace(rules, stakes="drinks")  # they contradict matches
    seen = []
    while (value := getattr(rules, option.name)) not in seen:
        assert to.option_item(value) is not None
        seen.append(value)
        rules = to.changed(rules, number)
    assert seen[0] == option.default == value
    assert set(seen) == set(option.choices) if option.choices else len(seen) > 1


@pytest.mark.parametrize(("game", "offered"), [("class", True), ("physicist", False)])
def test_a_handicap_is_offered_where_there_is_something_to_start_with(game, offered):
    view = LobbyView(
        to.LobbyStep.FIRST,
        rules=RULES[game],
        company=to.Company.AROUND,
        players=to.NAMES[:3],
        place=-2,
    )
    asked = question_of(view)
    assert (to.GoTo(to.LobbyStep.HANDICAP) in [each.choice for each in asked.left]) is offered
    assert (asked.about is not None) is offered
