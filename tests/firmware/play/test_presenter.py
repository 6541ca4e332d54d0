"""The screen for everything that can stand before a player."""

from dataclasses import replace

import pytest

from firmware.display import screens
from firmware.display.screens import (
    DialStrip,
    DieState,
    Judgement,
    NoteLine,
    Tally,
    ThrowStage,
    shows_dice,
)
from firmware.display.text.labels import VOLUME_TEXTS, Alert, Text
from firmware.display.text.language import say
from firmware.input.controls import DialView, Entry, LocalChoice, Without
from firmware.play.presenter.screen_of import screen_of
from firmware.play.turn.draft import Thrown
from firmware.play.turn.overlays import Notice
from firmware.play.turn.round_end import BluffRoundEnd, OpenRoundEnd
from firmware.table.seat.cup_custody import Accused, Accusing, Charge, Position, StoreFailed
from game import RULES, Phase, Status, Unit, events
from game import actions as do
from game.actions import FaultKind
from tests.support.bots import THREE, after, seen

S = 1_000_000
ALL_IN = Tally(3, Unit.MATCH)
THREW = (do.Roll((6, 3)),)
A_65 = do.Announce(65)
SAID = (*THREW, A_65)
TOOK = (*SAID, do.Believe())
DOUBTED = (*SAID, do.Doubt())
GAVE_IN = (*THREW, do.Announce(21), do.GiveIn())
LEADS = (do.Roll((6, 5, 5)), do.Roll((6, 6, 5)), do.Roll((6, 6, 5)))
"""Throws of open games by which the first seat leads."""
WAITS = screens.WaitingPage("Ben", A_65, "Ana", ALL_IN)
LIE = BluffRoundEnd(Judgement.LIE, 0, 1, 2, Status.IN, (6, 3), 65, 0, 1)
VERDICT = screens.Verdict(Judgement.LIE, "Ana", 1, Tally(2, Unit.MATCH))
REVEALS = screens.RevealPage(VERDICT, (6, 3), 65, "Ana")
LIFTS = screens.LiftingPage("Ana", A_65)
WATCHING, PASSING, TO_PASS = Position.WATCHING, Position.PASSING, Position.TO_PASS


LEVELS = after(*LEADS, game="chicago", levelling=True).replace(
    phase=Phase.LEVELLING, coasters=(4, 1, 1), stage=2
)


def answering(*actions, **fields):
    return seen(after(*(actions or SAID)), 1, Position.OFFERED, **fields)


def watching(*actions, seat=2, game="class", **fields):
    return seen(after(*actions, game=game), seat, WATCHING, **fields)


def closed(kind, dial, *said, **fields):
    return screens.ClosedPage(screens.CupKind[kind], dial, *said, **fields)


NEUTRAL, ON = Text.NEUTRAL, DialStrip(Text.MORE, Text.NEUTRAL, Text.GO_ON, 1, 3)
ANSWERS = DialStrip(Text.DOUBT, NEUTRAL, Text.BELIEVE, 2, 4)
OFFER = screens.OfferPage("Ana", A_65, ANSWERS, armed=True)
COVERED = [
    (seen(after(), may_throw=True),
     closed("OPENING", DialStrip(Text.THROW, NEUTRAL, None, 2, 3), may_throw=True)),
    (seen(after(*THREW), may_throw=True),
     closed("THROWN", DialStrip(Text.THROW_AGAIN, NEUTRAL, 31, 3, 25), throws=1, may_throw=True,
            may_look=True)),
    (seen(after(*THREW, do.Roll((5, 4)))),
     closed("THROWN", DialStrip(Text.MORE, NEUTRAL, 31, 1, 23), throws=2)),
    (seen(after(*TOOK), 1, may_throw=True),
     closed("BELIEVED", DialStrip(Text.THROW, NEUTRAL, 11, 2, 10), A_65, "Ana",
            may_throw=True)),
    (seen(after(*THREW), announcing=A_65), screens.AnnouncingPage(A_65, "Ben")),
    (answering(offer_armed=True), OFFER),
    (answering(offer_armed=True, doubt=0.5), replace(OFFER, doubt=0.5)),
    (answering(offer_armed=True, doubt_fell_short=True), replace(OFFER, too_short=True)),
    (seen(after(*SAID), 1, Position.TAKING, answered=do.Believe()), WAITS),
    (seen(after(*SAID), 1, Position.TAKING, answered=do.Doubt()), LIFTS),
    (seen(after(*DOUBTED), 1), replace(LIFTS, dial=DialStrip(Text.LIFT, NEUTRAL, None, 2, 3))),
    (watching(), screens.WaitingPage("Ana", mine=ALL_IN)),
    (watching(*SAID), WAITS),
    (watching(*SAID, behind=True), replace(WAITS, as_of=1)),
    (watching(seat=3), screens.WaitingPage("Ana")),
    (watching(*SAID, leaving=True), screens.AlertPage(Alert.MEMORY_LOST)),
    (watching(*SAID, returning=True), screens.AlertPage(Alert.RETURNING)),
    (seen(after(*THREW), own_dice=(6, 3), tower=True), screens.LookPage((6, 3), 63, tower=True)),
    (seen(after(*THREW), shaking_us=799_999), screens.ShakingPage(0.75, again=True)),
    (seen(after(), shaking_us=900_000), screens.ShakingPage()),
    (watching(*DOUBTED, round_end=LIE, reads_end=True), REVEALS),
    (watching(*GAVE_IN, round_end=LIE), screens.WaitingPage("Ben", mine=ALL_IN)),
    (seen(after(*GAVE_IN), 0, TO_PASS, round_end=LIE, unchecked=True),
     replace(REVEALS, verdict=replace(VERDICT, of_reader=True), dice=None, mine_to_go_on=True,
             dial=ON, unchecked=True)),
    (watching(*DOUBTED, round_end=LIE._replace(dice=None, also=2, reversed=True), reads_end=True),
     replace(REVEALS, verdict=replace(VERDICT, also="Cem"), dice=None, reversed=True)),
]  # fmt: skip


@pytest.mark.parametrize(("view", "screen"), COVERED)
def test_the_screens_of_a_covered_cup(view, screen):
    assert screen_of(view) == screen
    assert shows_dice(screen) is (getattr(screen, "dice", None) is not None)


@pytest.mark.parametrize("ended", [LIE, OpenRoundEnd((0, (1,) * 6), None, ())])
def test_who_opens_the_next_round_is_told_to_tap_and_nobody_else(ended):
    """The cup stays with him: a display that says "wait" waits for him."""
    game = "class" if isinstance(ended, BluffRoundEnd) else "sevens"
    told = {
        position: screen_of(
            seen(after(game=game), 0, position, round_end=ended, reads_end=True)
        ).mine_to_go_on
        for position in (Position.MINE, WATCHING, TO_PASS)
    }
    assert told == {Position.MINE: True, WATCHING: False, TO_PASS: True}


def test_of_all_that_is_to_be_said_the_most_urgent_is_shown():
    """Each of these hides those that come after it."""
    names = ("Ana", "Maximilian", "Cem")
    question = screens.FaultQuestionPage
    rows = tuple(screens.Row(name, ALL_IN, name == "Ana") for name in names)
    urgent = [
        ({"trouble": Accused(0, 1, Charge.DICE)}, screens.AlertPage(Alert.ACCUSED, "Ana: Maxim.")),
        ({"part_alert": screens.AlertPage(Alert.DISPLAY)}, screens.AlertPage(Alert.DISPLAY)),
        ({"prompt": FaultKind.DROP, "hold_progress": 0.5}, question(FaultKind.DROP, None, 0.5)),
        ({"own_dice": (2, 1)}, screens.LookPage((2, 1), 21)),
        ({"notice": Notice(Alert.WISHED, S, "Cem")}, screens.AlertPage(Alert.WISHED, "Cem")),
        ({"open_question": (2, FaultKind.MOVE)}, question(FaultKind.MOVE, "Cem")),
        ({"help_page": 2}, screens.HelpPage(RULES["class"], 2)),
        ({"scores": True}, screens.StandingsPage(rows)),
        ({"menu_open": True}, screens.MenuPage(DialStrip(Text.MORE, Text.NEUTRAL, None, 1, 2))),
        ({"shaking_us": 0}, screens.ShakingPage()),
    ]
    fields = {"dial": DialView((Entry(LocalChoice.MORE), Entry(None)), 1)}
    for field, screen in reversed(urgent):
        fields |= field
        found = screen_of(seen(after(names=names), 0, Position.STOPPED, **fields))
        assert found == screen


@pytest.mark.parametrize(
    ("trouble", "screen"),
    [
        (StoreFailed(), screens.AlertPage(Alert.STORE)),
        (Accusing(1, Charge.PROOF), screens.AlertPage(Alert.CAUGHT_PROOF, "Ben")),
    ],
)
def test_what_has_stopped_a_handheld(trouble, screen):
    assert screen_of(seen(after(), 0, Position.STOPPED, trouble=trouble)) == screen


def test_the_words_of_a_menu():
    words = {
        LocalChoice.SCORES: Text.SCORES, LocalChoice.HELP: Text.HELP,
        LocalChoice.BACK: Text.BACK, do.Leave(0): Text.LEAVE,
        do.StopMatch(): Text.STOP_MATCH, LocalChoice.LOUDER: VOLUME_TEXTS[3],
        Without(2): screens.Phrase(Text.WITHOUT, name="Cem"),
    }  # fmt: skip
    for choice, item in words.items():
        view = seen(
            after(), dial=DialView((Entry(choice),), 0), menu_open=True, volume=3, hold_progress=0.5
        )
        assert screen_of(view) == screens.MenuPage(DialStrip(None, item, None, 0, 1, progress=0.5))


@pytest.mark.parametrize(
    ("match", "tally"),
    [
        (after(*GAVE_IN), Tally(2, Unit.MATCH)),
        (after(*GAVE_IN, stakes="drinks"), Tally(1, Unit.DRINK)),
        (after(game="physicist"), Tally(0, Unit.GLASS)),
        (after(*THREW, do.Announce(62), game="holy-family"), Tally(0, Unit.POINT)),
        (after(game="chicago").replace(coasters=(1, 2, 3)), Tally(2, Unit.COASTER)),
        (
            after(game="maxen").replace(lost=(1,), coasters=(0, 13, 0)),
            Tally(13, Unit.COASTER, halves=1),
        ),
        (after(do.Leave(1)), Tally(3, Unit.MATCH, Status.LEFT)),
    ],
)
def test_how_a_player_stands(match, tally):
    assert screen_of(seen(match, 1, WATCHING)).mine == tally


def test_equals_share_the_loss():
    """B-8: most glasses has lost, equals share it."""
    pays = (*GAVE_IN, do.Roll((2, 1)), do.Announce(21), do.GiveIn(), do.EndMatch())
    view = seen(after(*pays, stakes="drinks"), 0, Position.OVER)
    tallies = (Tally(count, Unit.DRINK) for count in (0, 1, 1))
    rows = tuple(screens.Row(name, tally, name == "Ana") for name, tally in zip(THREE, tallies))
    assert screen_of(view) == screens.MatchOverPage("Ben, Cem", "B-8", rows, are_many=True)
    assert say(screen_of(view).lost, "de", name="Ben, Cem") == "Ben, Cem verlieren"
    assert isinstance(
        screen_of(view._replace(round_end=LIE, reads_end=True)), screens.RevealPage
    ), "its last round is read before"


# ---- dice that lie open --------------------------------------------------------------------------


def turn(*actions, game="chicago", seat=0, position=Position.MINE, **fields):
    return seen(after(*LEADS, *actions, game=game), seat, position, **fields)


IN_PLAY = (DieState.IN_PLAY,) * 3


THROWN = Thrown(0, (6, 4, 1), (1,), 2, 3, False)


@pytest.mark.parametrize(
    ("view", "told"),
    [
        (seen(after(game="chicago")), {"stage": ThrowStage.ROLL_OFF, "to_throw": 3}),
        (turn(may_throw=True), {"stage": ThrowStage.TURN, "number": 0, "may_throw": True}),
        (turn(do.Roll((6, 4, 1)), draft=IN_PLAY), {"number": 1, "thrown": False}),
        (turn(do.Roll((6, 4, 1)), thrown=THROWN, fresh=True, draft=IN_PLAY),
         {"thrown": True, "number": 2, "aside": (1,)}),
        (turn(*[do.Roll((6, 4, 2))] * 3, position=TO_PASS, thrown=THROWN._replace(number=4),
              fresh=True),
         {"stage": ThrowStage.BONUS, "to_throw": 0}),
        (seen(after(game="chicago"), thrown=THROWN._replace(for_the_lead=True), fresh=True),
         {"stage": ThrowStage.ROLL_OFF}),
        (seen(after(game="maxen").replace(phase=Phase.TO_LIFT)), {"stage": ThrowStage.LIFT}),
        (seen(LEVELS), {"stage": ThrowStage.LEVELLING}),
    ],
)  # fmt: skip
def test_the_closed_cup_of_an_open_game(view, told):
    screen = screen_of(view)
    assert isinstance(screen, screens.ThrowClosedPage)
    assert {name: getattr(screen, name) for name in told} == told


@pytest.mark.parametrize(
    ("told", "note"),
    [
        (events.Tied((0, 1)), NoteLine(Text.TIED, count=2)),
        (events.RoundBegan(1, 2), NoteLine(Text.LEADS, "Cem")),
        (events.CoastersMoved(None, 1, 2), NoteLine(Text.WORST_TAKES, "Ben", count=2)),
        (events.CoastersMoved(1, None, 2), NoteLine(Text.BEST_GIVES_AWAY, "Ben", count=2)),
        (events.CoastersMoved(0, 1, 2), NoteLine(Text.BEST_GIVES, "Ana", "Ben", count=2)),
        (events.PhaseTwoBegan(), NoteLine(Text.PHASE_TWO)),
        (events.LevellingDeclined(1), NoteLine(Text.DECLINED, "Ben")),
        (events.HalfLost(1, 2, ""), NoteLine(Text.HALF_LOST, "Ben", count=2)),
        (events.HalfBegan(2, ()), NoteLine(Text.HALF_BEGINS, count=2)),
        (events.DecidingRound(()), NoteLine(Text.DECIDING)),
        (events.LeftTable(1), NoteLine(Text.LEFT_TABLE, "Ben")),
        (events.RoundVoided(1), NoteLine(Text.VOIDED)),
        (events.GotSafe(1), NoteLine(Text.GOT_SAFE, "Ben")),
    ],
)
def test_what_a_round_of_open_dice_came_to(told, note):
    ended = OpenRoundEnd((0, (1, 1, 2)), (2, (5, 4, 3)), (told,))
    screen = screen_of(turn(seat=0, position=WATCHING, round_end=ended, reads_end=True))
    best, worst = ("Ana", (1, 1, 2)), ("Cem", (5, 4, 3))
    assert screen == screens.RoundEndPage("chicago", best, worst, (note,))


@pytest.mark.parametrize(
    ("match", "notes"),
    [
        (after(game="chicago").replace(pile=6), (NoteLine(Text.PILE, count=6),)),
        (after(game="chicago").replace(stage=2), (NoteLine(Text.PHASE_TWO),)),
        (after(game="sevens"), ()),
    ],
)
def test_the_standings_tell_how_far_the_match_is(match, notes):
    assert screen_of(seen(match, scores=True)).notes == notes
