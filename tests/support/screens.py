"""A catalogue of all that a display can show, at its widest, and what can be read of a picture."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product, repeat

from PIL import Image

from firmware.display import screens
from firmware.display.oled import font
from firmware.display.oled.canvas import HEIGHT, WIDTH
from firmware.display.oled.draw import draw
from firmware.display.oled.lettering import image_of
from firmware.display.oled.pages.lists import most_pages
from firmware.display.screens import DialStrip, Item, NoteLine, Phrase, Row, Screen, Tally
from firmware.display.screens import Judgement as Judged
from firmware.display.text.labels import Alert, LessonText, Text
from firmware.display.text.language import ENGLISH, Language, book, key_of, section
from firmware.effects import VOLUMES
from firmware.input.controls import QuestionDial
from firmware.lobby.choices import MOST_NEARBY, Company, LobbyChoice, LobbyStep, TableNearby
from firmware.lobby.choices import NAMES as LOBBY_NAMES
from firmware.lobby.questions import LobbyView, question_of
from firmware.lobby.rematch import Rematch
from firmware.table.pairing.standing import StandingTable
from firmware.table.pairing.state import Agreed
from firmware.table.protocol.invitations import MOST_LOST, MOST_PEOPLE, Attendee
from game import OPTIONS, RULES, TABLES, rule_set
from game.actions import Announce, FaultKind, Flourish, Say, Words
from game.bluff.rules import DICE, RANKING, value_of
from game.status import Status, Unit

UNITS = tuple(unit for unit in Unit if unit is not Unit.ROUND)
"""The units of penalties: nobody pays in lost rounds."""
WIDE = "WWWWWWWWWW"
NAMES = (
    "Ana", "Maximilian", "Œ" * 8, "Özgür", "W W W W W W W W", "日本", "@" * 16,
    "Karl-Friedrich von Weizsäcker", "Ben",
)  # fmt: skip
"""Among them the widest glyphs of every font, as often as 16 bytes take them."""
TEXTS = tuple(Text)
ENTRIES = TEXTS[: TEXTS.index(Text.HINT_TILT)]
"""Every text that an entry of the dial can have."""
SAID: tuple[Announce | Say, ...] = (
    *(Say(words) for words in Words),
    *(Announce(66, flourish) for flourish in Flourish),
)
NOTES = tuple(
    NoteLine(text, name, name, 21)
    for name in NAMES
    for text in TEXTS[TEXTS.index(Text.LEADS) : TEXTS.index(Text.VOIDED) + 1]
)


CHOSEN = (LobbyStep.PLAYERS, LobbyStep.FIRST)
SEATED = (LobbyStep.SEATS, LobbyStep.FIRST)
SENSED_FAULTS = (FaultKind.DROP, FaultKind.MOVE, FaultKind.LOOK)


def dial(
    current: Item = Text.NEUTRAL, *, holds: bool = False, progress: float | None = None
) -> DialStrip:
    return DialStrip(Text.SHOW_MAEXCHEN, current, 66, 2, 23, holds, progress)


def entries() -> Iterator[Item]:
    """Every entry that a dial can have but values, each with every name."""
    yield from NAMES
    yield from (Phrase(key_of(state), pips=6) for state in screens.DieState)
    for text in ENTRIES:
        if "{" not in book(ENGLISH).texts[key_of(text)]:
            yield text
        else:
            yield from (Phrase(text, name, 6) for name in NAMES)


def dials() -> Iterator[DialStrip]:
    yield dial()
    yield DialStrip(None, Text.NEUTRAL, None, 0, 1)
    for entry in entries():
        yield dial(entry)
        yield dial(entry, holds=True)
        yield dial(entry, holds=True, progress=1.0)
    for value in RANKING:
        yield DialStrip(55, value, 66, 20, 23)


def rows(count: int, unit: Unit = Unit.MATCH) -> tuple[Row, ...]:
    statuses = tuple(Status)
    return tuple(
        Row(NAMES[seat], Tally(seat % 4, unit, statuses[seat % len(statuses)]), seat == 1)
        for seat in range(count)
    )


def verdict(judged: Judged = Judged.TRUE, payer: str = "Ben", after: Tally | None = None):
    return screens.Verdict(judged, payer, 1, after or Tally(2))


def closed_cup_screens() -> Iterator[Screen]:
    """Everything that a player may see while his cup is covered."""
    yield screens.StartingPage()
    yield screens.ShakingPage()
    for name in NAMES:
        yield screens.WaitingPage(name)
        yield screens.WaitingPage(name, mine=Tally(3), dial=dial())
        yield screens.WaitingPage(name, mine=Tally(12, Unit.POINT), as_of=99)
        yield screens.WaitingPage(name, mine=Tally(12, Unit.POINT), as_of=99, carrier=name)
        yield from (screens.OnItsWayPage(name, None, way) for way in screens.Delivery)
        yield screens.OnItsWayPage(name, None, screens.Delivery.SILENT, name)
        yield from (screens.ClosedPage(kind, dial()) for kind in screens.CupKind)
        for judged in Judged:
            for after in (Tally(1, unit, status) for unit in UNITS for status in Status):
                told = verdict(judged, name, after)
                yield screens.RevealPage(told, None, 66, name)
                yield screens.RevealPage(replace(told, of_reader=True, also=name), None, 66, name)
                yield screens.RevealPage(told, None, 66, mine_to_go_on=True, may_throw=True)
        yield from (screens.AlertPage(alert, name) for alert in (*Alert, *LessonText))
    for value in RANKING:
        said = Announce(value)
        yield screens.WaitingPage(WIDE, said, WIDE, Tally(0, status=Status.SWIMS), dial=dial())
        yield screens.LiftingPage(WIDE, said, dial())
        yield screens.OfferPage(WIDE, said, dial(), False)
        yield from screens_said(said, WIDE)
        for throws in (0, 1, 2):
            thrown = screens.CupKind.THROWN
            yield screens.ClosedPage(thrown, dial(), said, WIDE, throws, True, True)
    for each in dials():
        yield screens.OfferPage(WIDE, Announce(66), each, True)
        yield screens.OfferPage(WIDE, Announce(66), each, True, doubt=0.75)
        yield screens.OfferPage(WIDE, Announce(66), each, True, too_short=True)
        yield screens.ClosedPage(screens.CupKind.BELIEVED, each, Announce(66), WIDE, 0, True)
        yield screens.RevealPage(verdict(), None, 66, "Maximilian", True, each)
        yield screens.MenuPage(each)
    for said in SAID:
        for name in NAMES:
            yield from screens_said(said, name)
        thrown = screens.CupKind.THROWN
        for each in dials():
            yield screens.ClosedPage(thrown, each, said, WIDE, 3, True, True, choosing=said)
        yield screens.ShakingPage(0.5, True, said, WIDE)
        yield screens.ShakingPage(1.0, True, said, WIDE)
    yield from screens_over_a_match()
    yield from covered_screens_of_open_dice()
    yield from lobby_screens()


def screens_said(said: Announce | Say, name: str) -> Iterator[Screen]:
    """Every screen that tells what was said."""
    yield screens.WaitingPage(name, said, name, Tally(4), as_of=99)
    yield screens.WaitingPage(name, said, name, Tally(4), as_of=99, carrier=name)
    yield screens.AnnouncingPage(said, name)
    yield screens.OfferPage(name, said, dial(), True)
    yield screens.LiftingPage(name, said)
    yield from (screens.OnItsWayPage(name, said, way) for way in screens.Delivery)
    yield screens.OnItsWayPage(name, said, screens.Delivery.SILENT, name)


def screens_over_a_match() -> Iterator[Screen]:
    """Standings, the end, questions and the help."""
    for count in range(1, 10):
        yield screens.StandingsPage(rows(count))
        yield screens.StandingsPage(rows(count, Unit.DRINK))
        pile = (NoteLine(Text.PILE, count=21),)
        yield screens.StandingsPage(rows(count, Unit.COASTER), notes=pile)
        for rule in section("ending", ENGLISH):
            yield screens.MatchOverPage(None, rule, rows(count))
            yield screens.MatchOverPage("Ana", rule, rows(count), of_reader=True)
            yield screens.MatchOverPage("Ana, Ben", rule, rows(count), are_many=True)
    for name in NAMES:
        yield screens.MatchOverPage(name, "R-CLASS-2", rows(9))
        for item in (name, Phrase(Text.TABLE_OF, name=name)):
            yield screens.QuestionPage(item, (name,) * 9, dial=dial())
        for kind in SENSED_FAULTS:
            yield screens.FaultQuestionPage(kind, name)
    for kind in SENSED_FAULTS:
        yield screens.FaultQuestionPage(kind, None, 0.75)
    same = (Text.SAME_NUMBERS, (Text.COMPARE_ALL,))
    numbers, hint = (20, 43, 65, 84, 98), Text.HINT_SAME_NUMBERS
    yield screens.QuestionPage(*same, numbers=numbers, hint=hint, progress=0.5)
    for name in ("about", "game", "option"):
        for key in section(name, ENGLISH):
            yield screens.QuestionPage(Text.WHICH_GAME, about=f"{name}.{key}", dial=dial())
    for rules in map(rule_set, TABLES, repeat({})):
        yield from (screens.HelpPage(rules, page) for page in range(most_pages(rules) + 1))


def lobby_screens() -> Iterator[Screen]:
    """Every page of the lobby, and of what comes between two matches."""
    for view in lobby_views():
        question = question_of(view)
        if question is not None:
            dial = QuestionDial[LobbyChoice]()
            dial.ask(view.step, question, 0)
            dial.move(view.place)
            yield dial.screen(0)
    for count in range(1, 10):
        for want in (0, 1, count):
            yield from rematch_screens(NAMES[:count], want)
    for name in NAMES:
        yield screens.QuestionPage(Text.HAND_TO, hint=Text.HINT_HAND_TO, progress=0.5, large=name)
    numbers = (88, 88, 88, 88, 88)
    yield screens.QuestionPage(Text.WAIT_FOR_TAPS, numbers=numbers, hint=Text.HINT_WAIT)


def lobby_views() -> Iterator[LobbyView]:
    """Every question of the lobby, at every place of the dial, with few people and with many."""
    for name in NAMES:
        for volume, place in product(VOLUMES, range(-2, 6)):
            yield LobbyView(LobbyStep.START, name, volume=volume, place=place)
        people = attendees(MOST_PEOPLE, 1)
        for has_place in (False, True):
            yield LobbyView(LobbyStep.JOINING, name, people=people, host=name, has_place=has_place)
    yield LobbyView(LobbyStep.JOINING, "Ana", host=None)
    yield LobbyView(LobbyStep.JOINING, "Ana", host=NAMES[-1], is_silent=True)
    for rules in map(rule_set, TABLES, repeat({})):
        for place in range(len(OPTIONS[rules.game]) + 2):
            yield LobbyView(LobbyStep.OPTIONS, "Ana", rules, place=place)
    for rules, company in product(RULES.values(), (Company.AROUND, Company.PRACTICE)):
        for step, count in product(CHOSEN, range(rules.most_players + 1)):
            yield LobbyView(step, "Ana", rules, company, players=NAMES[:count])
    for count, watchers in ((1, 0), (2, 1), (MOST_PEOPLE, 0), (MOST_PEOPLE, 3), (MOST_PEOPLE, 8)):
        people = attendees(count, watchers)
        for rules in RULES.values():
            yield LobbyView(LobbyStep.GATHER, "Ana", rules, people=people, place=1)
        for step, place in product(SEATED, range(-1, count - watchers + 2)):
            yield LobbyView(step, "Ana", people=people, place=place)
    yield from (LobbyView(LobbyStep.GAME, "Ana", place=at) for at in range(len(TABLES) + 1))
    yield from (LobbyView(LobbyStep.NAME, place=at) for at in range(len(LOBBY_NAMES) + 1))
    nearby = tuple(
        TableNearby(bytes([at]), b"", NAMES[at % 9], [*RULES][at % len(RULES)], MOST_PEOPLE)
        for at in range(MOST_NEARBY)
    )
    for count in range(MOST_NEARBY + 1):
        for place in range(-1, count + 1):
            yield LobbyView(LobbyStep.TABLES, "Ana", nearby=nearby[:count], place=place)


def attendees(count: int, watchers: int) -> tuple[Attendee, ...]:
    """Return ``count`` people, the last ``watchers`` of whom watch; some have the same name."""
    return tuple(
        Attendee(bytes([at]), NAMES[at % 9], at >= count - watchers, b"") for at in range(count)
    )


def rematch_screens(names: tuple[str, ...], want: int) -> Iterator[Screen]:
    """The page after a match of these people, of whom the first ``want`` want another."""
    people = tuple(Attendee(bytes([at]), name, False, b"") for at, name in enumerate(names))
    lost = tuple((1, 0, 12, MOST_LOST)[at % 4] for at in range(len(names)))
    agreed = Agreed(b"", 0, people, RULES["class"], 0, lost, b"", {}, b"", {}, {})
    rematch = Rematch(StandingTable.of(agreed))
    for seat in range(want):
        rematch.add(seat, rematch.next_one.number, 0)
    rematch.open(0)
    yield rematch.screen(0)


def covered_screens_of_open_dice() -> Iterator[Screen]:
    """The closed cup between throws that lie open, and what a round came to."""
    for game, dice in (("maxen", 3), ("chicago", 3), ("sevens", 7)):
        for stage in screens.ThrowStage:
            for thrown in (False, True):
                for aside in ((), (6,), (6, 6)):
                    yield screens.ThrowClosedPage(
                        game, stage, 3, 3, aside, 3, dial(), thrown, thrown
                    )
        for name in NAMES:
            who = (name, (6, 6, 6, 5, 5, 4, 4)[-dice:])
            yield screens.RoundEndPage(game, who, who, NOTES[:4], dial(), True)
            yield screens.RoundEndPage(game, None, None, NOTES[4:6])
            yield screens.RoundEndPage(game, who, who, NOTES[:4], None, True, True)
    for at in range(0, len(NOTES), 4):
        best, worst = ("Ana", (1, 1, 1)), ("Ben", (6, 6, 6))
        yield screens.RoundEndPage("maxen", best, worst, NOTES[at : at + 4])


def open_cup_screens() -> Iterator[Screen]:
    """Everything with dice in it."""
    for number, who in enumerate((None, *NAMES), start=1):
        each = dial() if who is None else None
        for game, dice, aside in (
            ("maxen", (6, 6, 5), ()),
            ("chicago", (1,), (1, 1)),
            ("sevens", (6,) * 6, ()),
            ("sevens", (6,) * 7, ()),
        ):
            thrown = open_throw(game, dice, who, aside, number, each)
            yield thrown
            yield open_throw(game, (5,) * len(dice), who, aside, number, each, roll_off=True)
    for dice in ((1, 1, 1), (6, 1, 1), (5, 5, 5), (4, 3, 2), (6, 5, 3)):
        yield open_throw("maxen", dice, WIDE)
    yield screens.LookPage((6, 5), 65, tower=True)
    for dice in DICE:
        yield screens.LookPage(dice, value_of(dice))
        for judged in Judged:
            yield screens.RevealPage(verdict(judged), dice, 63, "Ben")
            yield screens.RevealPage(verdict(judged), dice, None, "Ben", True)
    swims = verdict(payer=WIDE, after=Tally(0, status=Status.SWIMS))
    for each in dials():
        yield screens.RevealPage(swims, (6, 6), 66, WIDE, True, each)
    yield screens.RevealPage(swims, (6, 6), 66, WIDE, unchecked=True)


def open_throw(
    game: str,
    dice: tuple[int, ...],
    who: str | None = None,
    aside: tuple[int, ...] = (),
    number: int = 3,
    strip: DialStrip | None = None,
    *,
    first: screens.DieState = screens.DieState.IN_PLAY,
    roll_off: bool = False,
) -> Screen:
    """An open throw in which ``first`` becomes of its first die, and the others stay in play."""
    states = (first, *[screens.DieState.IN_PLAY] * (len(dice) - 1))
    return screens.ThrowOpenPage(
        game, who, dice, aside, states, number, 3, strip, 0 if strip else None, roll_off
    )


def drawn(screen: Screen, language: Language) -> Image.Image:
    """Draw a screen as an image of mode "1"."""
    return image_of(draw(screen, language))


def lit(picture: Image.Image) -> int:
    """Count the lit pixels."""
    return picture.histogram()[255]


def reads(picture: Image.Image, text: str, name: str = font.SMALL) -> bool:
    """Whether a text stands somewhere in the picture in a font, pixel for pixel."""
    mask = image_of(font.load(name).render(text).mask)
    wanted = mask.tobytes()
    return any(
        picture.crop((x, y, x + mask.width, y + mask.height)).tobytes() == wanted
        for y in range(HEIGHT - mask.height + 1)
        for x in range(WIDTH - mask.width + 1)
    )
