"""The pages, pixel for pixel."""

import pytest

from firmware.display.oled import font
from firmware.display.oled.canvas import WIDTH
from firmware.display.oled.dice_faces import SMALL_DIE_FACES
from firmware.display.oled.draw import DoesNotFitError, readable
from firmware.display.oled.lettering import image_of
from firmware.display.oled.page import BIG_TOP, VALUE_LEFT, PageCanvas
from firmware.display.oled.pages import help as help_pages
from firmware.display.screens import (
    DieState,
    Judgement,
    MatchOverPage,
    Phrase,
    QuestionPage,
    RevealPage,
    StandingsPage,
    Tally,
    Verdict,
    WaitingPage,
)
from firmware.display.text.labels import Text
from firmware.display.text.language import LANGUAGES, Language, say
from firmware.display.text.rulebook import GAME_TEXTS
from game import RULES
from game.actions import Say, Words
from game.status import Status, Unit
from tests.support.screens import drawn, lit, open_throw, reads, rows

SWIMS = Tally(0, status=Status.SWIMS)


def revealed(
    judgement: Judgement, payer: str, cost: int = 1, after: Tally | None = None, also: str = ""
) -> Verdict:
    return Verdict(judgement, payer, cost, after or Tally(2), also or None)


@pytest.mark.parametrize(
    ("screen", "language", "verdict", "notes"),
    [
        (
            RevealPage(revealed(Judgement.LIE, "Ben"), (5, 1), 63, "Ben", "Ana"),
            "de", "Ben hat gelogen", ("51 < 63", "−1 Streichholz"),
        ),
        *(
            (
                RevealPage(revealed(Judgement.TRUE, "Ana", after=SWIMS), dice, 63, "Ben", "Ana"),
                "de", "Es stimmt: Ana zahlt", (compared, "und schwimmt"),
            )
            for dice, compared in (
                ((6, 4), "64 > 63"), ((6, 3), "63 = 63"), ((1, 1), "11 > 63")
            )
        ),
        *(
            (
                RevealPage(revealed(Judgement.GAVE_IN, "Cem", cost, Tally(2, unit)), None, 21),
                "en", "Cem gives in", (told,),
            )
            for unit, cost, told in (
                (Unit.MATCH, 1, "−1 match"), (Unit.DRINK, 2, "+2 drinks"),
                (Unit.POINT, 1, "+1 point"),
            )
        ),
        (  # R-HF-7
            RevealPage(
                revealed(Judgement.TRUE, "Ben", 1, Tally(2, Unit.POINT)), (2, 1), 62, "Ana", "Ben",
                reversed=True,
            ),
            "de", "Es stimmt: Ben zahlt", ("andersherum", "+1 Punkt"),
        ),
        (  # R-HF-5
            RevealPage(revealed(Judgement.WRONG_WAY, "Ana", also="Cem")),
            "en", "Ana: wrong way", ("and Cem",),
        ),
    ],
)  # fmt: skip
def test_a_verdict_says_who_pays_why_and_what(
    screen: RevealPage, language: Language, verdict: str, notes: tuple[str, ...]
) -> None:
    picture = drawn(screen, language)
    assert reads(picture, verdict, font.STRONG)
    assert all(reads(picture, note) for note in notes)
    if screen.announced is not None:
        lied = screen.verdict.judgement is Judgement.LIE
        assert reads(picture, str(screen.announced), font.DIGITS) is not lied, "struck out if so"


@pytest.mark.parametrize(
    ("said", "told"), [(Say(Words.SAME), "mitgehen"), (Say(Words.ONE_MORE), "um 1 höher")]
)
def test_words_stand_large_as_signs_and_beside_as_words(said: Say, told: str) -> None:
    picture = drawn(WaitingPage("Ben", said, "Ana"), "de")
    assert reads(picture, told)
    box = picture.crop((VALUE_LEFT, BIG_TOP, WIDTH, BIG_TOP + 32)).getbbox()
    assert box is not None
    assert box[2] - box[0] >= 32


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
    assert reads(drawn(open_throw(game, dice, number=1), "de"), worth, font.STRONG)


def test_six_and_seven_dice_stand_small_in_two_rows_and_can_be_told_apart() -> None:
    dice = (1, 2, 3, 4, 5, 6, 1)
    picture = drawn(open_throw("sevens", dice, number=1), "de")
    for place, pips in enumerate(dice):
        left, top = 1 + 19 * (place % 4), 8 + 16 * (place // 4)
        face = picture.crop((left, top, left + 16, top + 16))
        assert face.tobytes() == image_of(SMALL_DIE_FACES[pips]).tobytes()
    assert len({face.columns for face in SMALL_DIE_FACES.values()}) == 6
    assert reads(picture, "1", font.DIGITS), "6-1, 5-2 and 4-3 go, a one is left (S-3)"


def test_dice_that_stay_are_marked() -> None:
    marked = [lit(drawn(open_throw("maxen", (6, 6, 5), first=each), "de")) for each in DieState]
    assert marked[0] < marked[1] < marked[2]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", RULES)
def test_the_help_tells_all_rules_of_a_game(game: str, language: Language) -> None:
    told = " ".join(line for page in help_pages.pages(game, language) for line in page)
    for rule in GAME_TEXTS[game].rules:
        assert say(rule.key, language) in told


def test_a_long_name_is_cut_and_a_short_one_is_not() -> None:
    picture = drawn(WaitingPage("Maximilian", mine=Tally(3)), "de")
    assert reads(picture, "Maximilian ist dran", font.STRONG)
    assert reads(drawn(WaitingPage("W" * 20, mine=Tally(3)), "de"), "… ist dran")


def test_a_tall_accent_at_the_top_edge_is_not_cut_off() -> None:
    picture = drawn(MatchOverPage("Özgür", "R-CLASS-2", rows(3)), "de")
    assert reads(picture, "Özgür verliert", font.BOLD), "the heading's accents are too tall"
    picture = drawn(StandingsPage(rows(3), "Ốm"), "de")
    assert reads(picture, "Ốm", font.BOLD), "it stands lower"


@pytest.mark.parametrize(
    ("text", "why"), [("check its plug " * 12, "no room"), ("x" * 60, "wider")]
)
def test_running_text_that_is_too_long_is_a_misfit(text: str, why: str) -> None:
    page = PageCanvas("en")
    page.paragraph(text, 26, 10)
    assert why in page.misfits[0]


def test_more_than_eight_rows_are_refused() -> None:
    with pytest.raises(DoesNotFitError, match="9 rows"):
        drawn(StandingsPage(rows(8) + rows(1)), "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_screen_that_does_not_fit_is_cut_and_told_of(language: Language) -> None:
    whole = drawn(StandingsPage(rows(8)), language)
    drawing = readable(StandingsPage(rows(8) + rows(1)), language)
    assert image_of(drawing.image).tobytes() == whole.tobytes(), "as much of it as fits"
    assert drawing.flaw == "StandingsPage does not fit: report it"
    assert readable(StandingsPage(rows(8)), language).flaw is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_screen_with_a_defect_says_so_without_its_dice(language: Language) -> None:
    drawing = readable(MatchOverPage("Ana", "no such rule", rows(3)), language)
    assert reads(
        image_of(drawing.image), say("Alert.CANNOT_BE_DRAWN.title", language), font.HEADING
    )
    assert drawing.flaw == "MatchOverPage cannot be drawn (KeyError): report it"
    with pytest.raises(ValueError, match="use one of de, en"):
        readable(MatchOverPage("Ana", "R-CLASS-2", rows(3)), "tlh")


@pytest.mark.parametrize("language", LANGUAGES)
def test_columns_of_people_keep_their_words(language: Language) -> None:
    """With eight people, each line says who watches, wants another match or has lost."""
    for text in (Text.WATCHES, Text.WANTS_AGAIN, Text.HAS_LOST):
        end = say(text, language, name="", pips=12)
        lines = tuple(Phrase(text, "Katharina", 12) for _ in range(8))
        picture = drawn(QuestionPage(Text.SEATS, lines), language)
        assert reads(picture, end.strip())
        assert reads(drawn(QuestionPage(Text.SEATS, lines[:4]), language), f"Katharina{end}")
