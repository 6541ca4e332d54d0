"""The screens: drawn in both languages, nothing clipped, closed cups dark, dice to be found."""

from collections.abc import Iterator
from typing import get_args

import pytest
from PIL import Image

from firmware.display.oled import font
from firmware.display.oled.canvas import HEIGHT, WIDTH, Canvas, DoesNotFitError, shortened
from firmware.display.oled.dice_faces import DIE_FACES, SMALL_DIE_FACES
from firmware.display.oled.draw import draw
from firmware.display.oled.lines import BIG_TOP, VALUE_LEFT
from firmware.display.oled.pages.help import most_pages
from firmware.display.oled.pages.help import pages as help_pages
from firmware.display.screens import (
    AlertPage,
    AnnouncingPage,
    ClosedPage,
    CupKind,
    DialStrip,
    DieState,
    FaultQuestionPage,
    HelpPage,
    Item,
    Judgement,
    LiftingPage,
    LookPage,
    MatchOverPage,
    MenuPage,
    NoteLine,
    OfferPage,
    OnItsWayPage,
    Phrase,
    QuestionPage,
    RevealPage,
    RoundEndPage,
    Row,
    Said,
    Screen,
    ShakingPage,
    StandingsPage,
    StartingPage,
    Tally,
    ThrowClosedPage,
    ThrowOpenPage,
    ThrowStage,
    Unit,
    Verdict,
    WaitingPage,
    Way,
)
from firmware.display.text.alerts import Alert
from firmware.display.text.labels import ENDINGS, Text
from firmware.display.text.rulebook import GAME_TEXTS
from firmware.display.text.words import LANGUAGES, words
from firmware.display.text.words import Words as InBothWords
from game import RULES
from game.actions import Announce, FaultKind, Flourish, Say, Words
from game.bluff.values import DICE, RANKING, value_of
from game.spoken import Language
from game.status import Status

DARK_LIMIT = WIDTH * HEIGHT // 5
"""Closed-cup screens light at most a fifth of the pixels, so that they cannot fake a lift."""
HINT_TOP = 56
VALUE_WIDTH = 32
"""Two digits of 14 columns and the gap of 4 between them."""
TENS = (VALUE_LEFT, BIG_TOP, VALUE_LEFT + 14, BIG_TOP + 32)
NAMES = (
    "Ana",
    "Maximilian",
    "WWWWWWWWWW",
    "Özgür",
    "Łukasz",
    "日本",
    "jjjjjjjjjj",
    "Karl-Friedrich von Weizsäcker",
)
WORDS = (
    Text.THROW,
    Text.THROW_AGAIN,
    Text.LOOK,
    Text.BELIEVE,
    Text.DOUBT,
    Text.GIVE_IN,
    Text.SHOW_MAEXCHEN,
    Text.OWN_UP,
    Text.LIFT,
    Text.GO_ON,
    Text.END_MATCH,
    Text.STOP,
    Text.SHOW_THROW,
    Text.SHOW_TOWER,
    Text.SAME,
    Text.ONE_MORE,
    Text.PLAIN,
    Text.AIR,
    Text.MUCH_AIR,
    Text.DRAWN_OUT,
    Text.NOBODY,
    Text.MORE,
    Text.BACK,
    *(
        Phrase(text, name=name)
        for text in (
            Text.FORWARD,
            Text.BACKWARD,
            Text.FORWARD_DRAWN_OUT,
            Text.BACKWARD_DRAWN_OUT,
        )
        for name in NAMES
    ),
    *NAMES,
)
MENU = (
    Text.SCORES,
    Text.HELP,
    Text.BACK,
    Text.LEAVE,
    Text.VOID_ROUND,
    Text.STOP_MATCH,
)
SPOKEN: tuple[Said, ...] = (
    *(Say(words) for words in Words),
    *(Announce(66, flourish) for flourish in Flourish),
)
ANSWERS = (
    Text.BELIEVE,
    Text.DOUBT,
    Text.GIVE_IN,
    Text.NOT_MINE,
    Text.MORE,
)


def dial(
    current: Item = Text.NEUTRAL, *, holds: bool = False, progress: float | None = None
) -> DialStrip:
    return DialStrip(Text.SHOW_MAEXCHEN, current, 66, 2, 23, holds, progress)


def dials() -> Iterator[DialStrip]:
    yield dial()
    yield DialStrip(None, Text.NEUTRAL, None, 0, 1)
    for word in WORDS:
        yield dial(word)
        yield dial(word, holds=True)
        yield dial(word, holds=True, progress=1.0)
    for value in RANKING:
        yield DialStrip(55, value, 66, 20, 23)


def rows(count: int, unit: Unit = Unit.MATCH) -> tuple[Row, ...]:
    statuses = tuple(Status)
    return tuple(
        Row(
            NAMES[seat % len(NAMES)],
            Tally(seat % 4, unit, statuses[seat % len(statuses)]),
            seat == 1,
        )
        for seat in range(count)
    )


def closed_cup_screens() -> Iterator[Screen]:
    """Everything that a player may see while his cup is covered."""
    yield StartingPage()
    yield ShakingPage()
    yield ShakingPage(0.5, again=True)
    yield ShakingPage(1.0, again=True)
    for name in NAMES:
        yield WaitingPage(name)
        yield WaitingPage(name, mine=Tally(3), dial=dial())
        yield WaitingPage(name, mine=Tally(12, Unit.POINT), as_of=99)
        for way in Way:
            yield OnItsWayPage(name, None, way)
        for kind in CupKind:
            yield ClosedPage(kind, dial())
        for judgement in Judgement:
            for unit in Unit:
                for status in Status:
                    verdict = Verdict(judgement, name, 2, Tally(1, unit, status))
                    yield RevealPage(verdict, None, 66, name, name)
        yield MatchOverPage(name, "R-CLASS-2", rows(8))
        for message in Alert:
            yield AlertPage(message, name)
        for item in (name, Phrase(Text.TABLE_OF, name=name)):
            yield QuestionPage(item, (name,) * 8, dial=dial())
        yield QuestionPage(
            Text.SAME_DICE, dice=(1, 2, 4, 5, 6), hint=Text.HINT_SAME_DICE, progress=0.5
        )
        for texts in GAME_TEXTS.values():
            for about in (texts.sentence, *texts.options.values()):
                yield QuestionPage(Text.WHICH_GAME, about=about, dial=dial())
    for value in RANKING:
        name = "WWWWWWWWWW"
        yield WaitingPage(name, Announce(value), name, Tally(4), as_of=99)
        yield WaitingPage(name, Announce(value), name, Tally(0, status=Status.SWIMS), dial=dial())
        yield AnnouncingPage(Announce(value), name)
        yield LiftingPage(name, Announce(value))
        yield LiftingPage(name, Announce(value), name, dial())
        for armed in (False, True):
            yield OfferPage(name, Announce(value), dial(), armed)
        for way in Way:
            yield OnItsWayPage(name, Announce(value), way)
        for throws in (0, 1, 2):
            yield ClosedPage(CupKind.THROWN, dial(), Announce(value), name, throws, True, True)
    for word in ANSWERS:
        for each in (dial(word), dial(word, holds=True), dial(word, holds=True, progress=1.0)):
            yield OfferPage("WWWWWWWWWW", Announce(66), each, True)
    for each in dials():
        yield ClosedPage(CupKind.BELIEVED, each, Announce(66), "WWWWWWWWWW", 0, True)
        verdict = Verdict(Judgement.TRUE, "Wilhelmina", 1, Tally(2))
        yield RevealPage(verdict, None, 66, "Maximilian", "Wilhelmina", True, each)
    for count in range(1, 9):
        yield StandingsPage(rows(count))
        yield StandingsPage(rows(count, Unit.DRINK), "Bisher getrunken")
        yield StandingsPage(rows(count, Unit.COASTER), notes=(NoteLine(Text.PILE, count=21),))
        for rule in ENDINGS:
            yield MatchOverPage(None, rule, rows(count))

    yield from screens_of_words()
    yield from screens_of_open_dice_while_covered()


def screens_of_words() -> Iterator[Screen]:
    """What is said in words or with a flourish, questions, the menu and the help."""
    for said in SPOKEN:
        for name in NAMES:
            yield WaitingPage(name, said, name, Tally(4), as_of=99)
            yield AnnouncingPage(said, name)
            yield OnItsWayPage(name, said, Way.SILENT)
            yield OfferPage(name, said, dial(), True)
            yield LiftingPage(name, said)
        for each in dials():
            yield ClosedPage(CupKind.THROWN, each, said, "WWWWWWWWWW", 3, True, True, choosing=said)
        yield ShakingPage(0.5, True, said, "WWWWWWWWWW")
    for kind in FaultKind:
        for name in (None, *NAMES):
            yield FaultQuestionPage(kind, name)
            yield FaultQuestionPage(kind, name, 0.75)
    for word in MENU:
        yield MenuPage(dial(word))
        yield MenuPage(dial(word, holds=True, progress=0.5))
    for game in RULES:
        for page in range(most_pages(game) + 1):
            yield HelpPage(game, page)


NOTES = tuple(
    NoteLine(text, name, name, 21)
    for name in NAMES
    for text in (
        Text.LEADS,
        Text.TIED,
        Text.WORST_TAKES,
        Text.BEST_GIVES,
        Text.BEST_GIVES_AWAY,
        Text.GOT_SAFE,
        Text.PHASE_TWO,
        Text.HALF_LOST,
        Text.HALF_BEGINS,
        Text.ROUND_LOST,
        Text.DECIDING,
        Text.DECLINED,
        Text.LEFT_TABLE,
        Text.VOIDED,
    )
)


def screens_of_open_dice_while_covered() -> Iterator[Screen]:
    """The closed cup between throws that lie open, and what a round came to."""
    for game in ("maxen", "chicago", "sevens"):
        for stage in ThrowStage:
            for thrown in (False, True):
                for aside in ((), (6,), (6, 6)):
                    yield ThrowClosedPage(game, stage, 3, 3, aside, 3, dial(), thrown, thrown)
        for name in NAMES:
            dice = (6, 5, 4) if game != "sevens" else (6, 6, 6, 5, 5, 4, 4)
            who = (name, dice)
            yield RoundEndPage(game, who, who, NOTES[:4], dial(), True)
            yield RoundEndPage(game, None, None, NOTES[4:6])
    for at in range(0, len(NOTES), 4):
        yield RoundEndPage("maxen", ("Ana", (1, 1, 1)), ("Ben", (6, 6, 6)), NOTES[at : at + 4])


def open_cup_screens() -> Iterator[Screen]:
    """Everything with dice in it."""
    states = tuple(DieState)
    for number, who in enumerate((None, *NAMES), start=1):
        each = dial() if who is None else None
        yield ThrowOpenPage("maxen", who, (6, 6, 5), (), states, number, 3, each, 1)
        yield ThrowOpenPage("chicago", who, (1,), (1, 1), states[:1], 4, 3, each)
        yield ThrowOpenPage("sevens", who, (6,) * 6, (), states[:1] * 6, 1, 3, each)
        yield ThrowOpenPage("sevens", who, (6,) * 7, (), states[:1] * 7, 1, 2, each)
        yield ThrowOpenPage("sevens", who, (5,) * 6, (), states[:1] * 6, 1, 3, each, roll_off=True)
    for dice in ((1, 1, 1), (6, 1, 1), (5, 5, 5), (4, 3, 2), (6, 5, 3)):
        yield ThrowOpenPage("maxen", "WWWWWWWWWW", dice, (), states[:1] * 3, 3, 3)
    yield LookPage((6, 5), 65, tower=True)
    for dice in DICE:
        yield LookPage(dice, value_of(dice))
        for judgement in Judgement:
            verdict = Verdict(judgement, "Ben", 1, Tally(2))
            yield RevealPage(verdict, dice, 63, "Ben", "Ana")
            yield RevealPage(verdict, dice, None, "Ben", "Ana", True)
    for each in dials():
        verdict = Verdict(Judgement.TRUE, "WWWWWWWWWW", 1, Tally(0, status=Status.SWIMS))
        yield RevealPage(verdict, (6, 6), 66, "WWWWWWWWWW", "WWWWWWWWWW", True, each)


def lit(picture: Image.Image) -> int:
    return picture.histogram()[255]


def reads(picture: Image.Image, text: str, name: str) -> bool:
    """Whether a text stands somewhere in the picture in a font, pixel for pixel."""
    mask = font.load(name).render(text).mask
    wanted = mask.tobytes()
    return any(
        picture.crop((x, y, x + mask.width, y + mask.height)).tobytes() == wanted
        for y in range(HEIGHT - mask.height + 1)
        for x in range(WIDTH - mask.width + 1)
    )


def pages(picture: Image.Image) -> bytes:
    """The picture in the display's page format."""
    return bytes(
        sum(bool(picture.getpixel((x, 8 * page + bit))) << bit for bit in range(8))
        for page in range(HEIGHT // 8)
        for x in range(WIDTH)
    )


def test_the_catalogue_has_every_kind_of_screen() -> None:
    kinds = {type(screen) for screen in (*closed_cup_screens(), *open_cup_screens())}
    assert kinds == set(get_args(Screen))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_closed_cup_screen_fits_has_a_hint_and_stays_dark(language: Language) -> None:
    for screen in closed_cup_screens():
        picture = draw(screen, language)
        assert (picture.mode, picture.size) == ("1", (128, 64))
        assert lit(picture) <= DARK_LIMIT, screen
        assert lit(picture) + picture.histogram()[0] == WIDTH * HEIGHT, "pixels are 0 or 255"
        assert picture.crop((0, HINT_TOP, WIDTH, HEIGHT)).getbbox() is not None, screen


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_open_cup_screen_fits_and_has_a_hint(language: Language) -> None:
    for screen in open_cup_screens():
        picture = draw(screen, language)
        assert picture.crop((0, HINT_TOP, WIDTH, HEIGHT)).getbbox() is not None, screen


def test_a_screen_is_drawn_alike_every_time() -> None:
    for screen in open_cup_screens():
        assert draw(screen, "de").tobytes() == draw(screen, "de").tobytes()


def test_dice_stand_on_pages_of_the_memory_and_show_their_pips() -> None:
    for dice in DICE:
        verdict = Verdict(Judgement.LIE, "Ben", 1, Tally(2))
        look = draw(LookPage(dice, value_of(dice)), "de")
        reveal = draw(RevealPage(verdict, dice, 66, "Ben", "Ana"), "de")
        for picture in (look, reveal):
            for place, pips in enumerate(dice):
                left, top = 1 + 35 * place, 8
                face = picture.crop((left, top, left + 32, top + 32))
                assert face.tobytes() == DIE_FACES[pips].tobytes()


def test_six_and_seven_dice_stand_small_in_two_rows_and_can_be_told_apart() -> None:
    dice = (1, 2, 3, 4, 5, 6, 1)
    picture = draw(ThrowOpenPage("sevens", None, dice, (), (DieState.IN_PLAY,) * 7, 1, 2), "de")
    for place, pips in enumerate(dice):
        left, top = 1 + 19 * (place % 4), 8 + 16 * (place // 4)
        face = picture.crop((left, top, left + 16, top + 16))
        assert face.tobytes() == SMALL_DIE_FACES[pips].tobytes()
    assert len({face.tobytes() for face in SMALL_DIE_FACES.values()}) == 6
    assert reads(picture, "1", font.DIGITS), "6-1, 5-2 and 4-3 go, a one is left (S-3)"


@pytest.mark.parametrize(
    ("game", "dice", "worth"),
    [
        ("maxen", (1, 1, 1), "General"),
        ("maxen", (5, 1, 1), "Max 5"),
        ("maxen", (6, 6, 6), "Pasch"),
        ("maxen", (4, 3, 2), "Straße"),
        ("maxen", (6, 5, 3), "Schiet 653"),
        ("chicago", (6, 3, 1), "163"),
        ("chicago", (5, 4, 2), "11"),
        ("chicago", (1, 1, 1), "Chicago"),
        ("sevens", (6, 6, 5, 3, 2, 1), "Punkte 9"),
    ],
)
def test_an_open_throw_says_what_it_is_worth(game: str, dice: tuple[int, ...], worth: str) -> None:
    states = (DieState.IN_PLAY,) * len(dice)
    assert reads(draw(ThrowOpenPage(game, None, dice, (), states, 1, 3), "de"), worth, font.STRONG)


def test_a_turned_direction_is_told_beside_the_penalty() -> None:
    """R-HF-7."""
    verdict = Verdict(Judgement.TRUE, "Ben", 1, Tally(2, Unit.POINT))
    picture = draw(RevealPage(verdict, (2, 1), 62, "Ana", "Ben", reversed=True), "de")
    assert reads(picture, "andersherum", font.SMALL)
    assert reads(picture, "+1 Punkt", font.SMALL)


def test_two_who_pay_are_both_named() -> None:
    """R-HF-5."""
    verdict = Verdict(Judgement.WRONG_WAY, "Ana", 1, Tally(2, Unit.POINT), also="Cem")
    picture = draw(RevealPage(verdict), "en")
    assert reads(picture, "Ana: wrong way", font.STRONG)
    assert reads(picture, "and Cem", font.SMALL)


def test_dice_that_stay_are_marked() -> None:
    def marked(state: DieState) -> int:
        states = (state, DieState.IN_PLAY, DieState.IN_PLAY)
        return lit(draw(ThrowOpenPage("maxen", None, (6, 6, 5), (), states, 1, 3), "de"))

    assert marked(DieState.IN_PLAY) < marked(DieState.ASIDE) < marked(DieState.TURNED)


@pytest.mark.parametrize("said", [Say(words) for words in Words])
def test_words_stand_large_as_signs_and_beside_as_words(said: Say) -> None:
    picture = draw(WaitingPage("Ben", said, "Ana"), "de")
    words = "mitgehen" if said.words is Words.SAME else "um 1 höher"
    assert reads(picture, words, font.SMALL)
    box = picture.crop((VALUE_LEFT, BIG_TOP, WIDTH, BIG_TOP + 32)).getbbox()
    assert box is not None
    assert box[2] - box[0] >= 32


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", RULES)
def test_the_help_tells_all_rules_of_a_game(game: str, language: Language) -> None:
    told = " ".join(line for page in help_pages(game, language) for line in page)
    for rule in GAME_TEXTS[game].rules:
        assert " ".join(words(rule.words, language).split()) in told


@pytest.mark.parametrize("pips", range(1, 7))
def test_a_face_is_32_rows_high_and_has_its_pips(pips: int) -> None:
    face = DIE_FACES[pips]
    assert face.getbbox() == (0, 0, 32, 32)
    assert _islands(face) == 1 + pips, "the border and the pips"
    for turn in (Image.Transpose.ROTATE_180,):
        assert face.transpose(turn).tobytes() == face.tobytes(), "the pips are centred"


def _islands(picture: Image.Image) -> int:
    left = {(x, y) for x in range(32) for y in range(32) if picture.getpixel((x, y))}
    islands = 0
    while left:
        islands += 1
        border = [min(left)]
        while border:
            x, y = border.pop()
            if (x, y) in left:
                left.discard((x, y))
                border += [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
    return islands


def test_no_closed_cup_screen_has_a_strip_of_a_die_with_pips() -> None:
    strips = {
        pages(_padded(face))[128 * page : 128 * page + 32]
        for face in DIE_FACES.values()
        for page in range(4)
    }
    without_pips = {pages(_padded(DIE_FACES[1]))[at : at + 32] for at in (0, 384)}
    telling = strips - without_pips
    assert len(telling) == len(strips) - 2
    for screen in list(closed_cup_screens())[::11]:
        memory = pages(draw(screen, "de"))
        assert not any(strip in memory for strip in telling), screen


def _padded(face: Image.Image) -> Image.Image:
    picture = Image.new("1", (WIDTH, HEIGHT))
    picture.paste(face, (0, 0))
    return picture


@pytest.mark.parametrize("value", RANKING)
def test_values_are_32_rows_of_ink_high_wherever_they_stand(value: int) -> None:
    verdict = Verdict(Judgement.TRUE, "Ben", 1, Tally(2))
    for screen in (
        WaitingPage("Ben", Announce(value), "Ana"),
        OfferPage("Ana", Announce(value), dial(), True),
        ClosedPage(CupKind.THROWN, dial(), Announce(value), "Ana"),
        ClosedPage(CupKind.THROWN, dial(value)),
        AnnouncingPage(Announce(value), "Ben"),
        OnItsWayPage("Ben", Announce(value), Way.CALLING),
        LiftingPage("Ana", Announce(value)),
        LookPage((value // 10, value % 10), value),
        RevealPage(verdict, (2, 1), value, "Ana", "Ben"),
        RevealPage(verdict, None, value, "Ana", "Ben"),
    ):
        assert reads(draw(screen, "en"), str(value), font.DIGITS), screen


def test_every_digit_has_ink_in_its_first_and_its_last_of_32_rows() -> None:
    for digit in "0123456789":
        mask = font.load(font.DIGITS).render(digit).mask
        assert mask.height == 32
        assert mask.getbbox() == (0, 0, mask.width, 32)


@pytest.mark.parametrize("value", RANKING)
def test_a_value_has_one_place_on_every_screen(value: int) -> None:
    box = (VALUE_LEFT, BIG_TOP, VALUE_LEFT + VALUE_WIDTH, BIG_TOP + 32)
    verdict = Verdict(Judgement.TRUE, "Ben", 1, Tally(2))
    dice = (value // 10, value % 10)
    wanted = draw(WaitingPage("Ben", Announce(value), "Ana"), "en").crop(box).tobytes()
    assert BIG_TOP % 8 == 0, "the first row of a page"
    for screen in (
        OfferPage("Ana", Announce(value), dial(), True),
        ClosedPage(CupKind.THROWN, dial(Text.THROW, holds=True), Announce(value), "Ana"),
        ClosedPage(CupKind.THROWN, dial(value)),
        AnnouncingPage(Announce(value), "Ben"),
        OnItsWayPage("Ben", Announce(value), Way.GIVING),
        LiftingPage("Ana", Announce(value)),
        LookPage(dice, value),
        RevealPage(verdict, dice, value, "Ana", "Ben"),
    ):
        assert draw(screen, "en").crop(box).tobytes() == wanted, screen
        assert draw(screen, "de").crop(box).tobytes() == wanted, screen


def test_a_digit_stays_when_the_other_one_changes() -> None:
    for tens, ones in ((6, (1, 2, 3, 4, 5, 6)), (3, (1, 2, 3))):
        pictures = {
            draw(AnnouncingPage(Announce(10 * tens + each), ""), "en").crop(TENS).tobytes()
            for each in ones
        }
        assert len(pictures) == 1


def test_a_verdict_says_who_lied_and_strikes_the_announcement_out() -> None:
    lie = RevealPage(Verdict(Judgement.LIE, "Ben", 1, Tally(2)), (5, 1), 63, "Ben", "Ana")
    picture = draw(lie, "de")
    assert reads(picture, "Ben hat gelogen", font.STRONG)
    assert reads(picture, "51 < 63", font.SMALL)
    assert reads(picture, "−1 Streichholz", font.SMALL)
    assert not reads(picture, "63", font.DIGITS), "struck out"


@pytest.mark.parametrize(
    ("dice", "compared"), [((6, 4), "64 > 63"), ((6, 3), "63 = 63"), ((1, 1), "11 > 63")]
)
def test_a_verdict_compares_by_rank(dice: tuple[int, int], compared: str) -> None:
    verdict = Verdict(Judgement.TRUE, "Ana", 1, Tally(0, status=Status.SWIMS))
    picture = draw(RevealPage(verdict, dice, 63, "Ben", "Ana"), "de")
    assert reads(picture, "Es stimmt: Ana zahlt", font.STRONG)
    assert reads(picture, compared, font.SMALL)
    assert reads(picture, "und schwimmt", font.SMALL)


@pytest.mark.parametrize(
    ("unit", "cost", "words"),
    [
        (Unit.MATCH, 1, "−1 match"),
        (Unit.DRINK, 2, "+2 drinks"),
        (Unit.POINT, 1, "+1 point"),
    ],
)
def test_a_verdict_names_the_penalty(unit: Unit, cost: int, words: str) -> None:
    verdict = Verdict(Judgement.GAVE_IN, "Cem", cost, Tally(2, unit))
    picture = draw(RevealPage(verdict, None, 21, "Ben"), "en")
    assert reads(picture, "Cem gives in", font.STRONG)
    assert reads(picture, words, font.SMALL)


@pytest.mark.parametrize(
    ("screen", "hint"),
    [
        (ClosedPage(CupKind.OPENING, dial(), may_throw=True), "shake · tilt"),
        (ClosedPage(CupKind.THROWN, dial(), None, None, 1, True, True), "shake · lift · tilt"),
        (ClosedPage(CupKind.THROWN, dial(), None, None, 2, False, True), "lift · tilt"),
        (ClosedPage(CupKind.THROWN, dial(), None, None, 2), "tilt"),
        (ClosedPage(CupKind.THROWN, dial(63)), "tilt · tap"),
        (ClosedPage(CupKind.THROWN, dial(Text.THROW, holds=True)), "tilt · hold"),
        (ClosedPage(CupKind.THROWN, DialStrip(None, Text.GO_ON, None, 0, 1)), "tap"),
        (OfferPage("Ana", Announce(63), dial(), True), "lift = doubt · tilt"),
        (OfferPage("Ana", Announce(63), dial(), False), "wait"),
        (ShakingPage(0.5, again=True), "keep shaking"),
        (ShakingPage(1.0, again=True), "then hold it still"),
        (LookPage((6, 3), 63), "cover"),
        (AnnouncingPage(Announce(63), "Ben"), "tilt = take it back"),
        (LiftingPage("Ana", Announce(63)), "lift"),
        (LiftingPage("Ana", Announce(63), "Ben"), "wait"),
        (WaitingPage("Ben"), "wait"),
        (AlertPage(Alert.COVER_CUP), "cover"),
    ],
)
def test_the_hint_names_what_works_now(screen: Screen, hint: str) -> None:
    bottom = draw(screen, "en").crop((0, HINT_TOP, WIDTH, HEIGHT)).getbbox()
    ink = font.load(font.SMALL).render(hint)
    assert reads(draw(screen, "en"), hint, font.SMALL)
    assert bottom is not None
    assert bottom[2] - bottom[0] == ink.width, "and nothing else is on that line"


def test_a_hold_fills_its_bar() -> None:
    amounts = [
        lit(draw(ClosedPage(CupKind.THROWN, dial(Text.THROW, holds=True, progress=share)), "de"))
        for share in (0.0, 0.5, 1.0)
    ]
    assert amounts[0] < amounts[1] < amounts[2]


def test_a_long_name_is_cut_and_a_short_one_is_not() -> None:
    assert reads(
        draw(WaitingPage("Maximilian", mine=Tally(3)), "de"), "Maximilian ist dran", font.STRONG
    )
    picture = draw(WaitingPage("W" * 20, mine=Tally(3)), "de")
    assert reads(picture, "… ist dran", font.SMALL)


def test_a_character_that_no_font_has_is_a_box() -> None:
    small = font.load(font.SMALL)
    assert small.render("日").mask.tobytes() == small.render(font.REPLACEMENT).mask.tobytes()


def test_a_tall_accent_at_the_top_edge_is_not_cut_off() -> None:
    picture = draw(MatchOverPage("Özgür", "R-CLASS-2", rows(3)), "de")
    assert reads(picture, "Özgür verliert", font.BOLD), "the heading's accents are too tall"
    picture = draw(StandingsPage(rows(3), "Ốm"), "de")
    assert reads(picture, "Ốm", font.BOLD), "it stands lower"


@pytest.mark.parametrize(
    ("text", "why"), [("check its plug " * 12, "no room"), ("x" * 60, "wider")]
)
def test_running_text_that_is_too_long_is_refused(text: str, why: str) -> None:
    with pytest.raises(DoesNotFitError, match=why):
        draw(QuestionPage(Text.TITLE, about=InBothWords(text, text)), "en")


def test_more_than_eight_rows_are_refused() -> None:
    with pytest.raises(DoesNotFitError, match="9 rows"):
        draw(StandingsPage(rows(9)), "en")


def test_ink_outside_the_panel_is_refused() -> None:
    canvas = Canvas()
    for left, top in ((-1, 0), (0, -1), (97, 0), (0, 33)):
        with pytest.raises(DoesNotFitError, match="do not fit"):
            canvas.paste(DIE_FACES[1], left, top)
    canvas.paste(DIE_FACES[1], 96, 32)
    assert lit(canvas.image) == lit(DIE_FACES[1])


def test_a_text_wider_than_its_place_is_refused() -> None:
    with pytest.raises(DoesNotFitError, match="wider than 20 px"):
        Canvas().text("Mäxchen", 20, (font.BOLD, font.SMALL), (0, 20))
    with pytest.raises(DoesNotFitError, match="no room"):
        shortened("Mäxchen", (font.SMALL,), (0, 3))


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="use one of de, en"):
        draw(StartingPage(), "fr")  # type: ignore[arg-type]


def test_an_impossible_dial_or_share_is_refused() -> None:
    with pytest.raises(ValueError, match="index 3 of 3"):
        DialStrip(None, Text.NEUTRAL, None, 3, 3)
    with pytest.raises(ValueError, match="progress"):
        ShakingPage(1.5)
