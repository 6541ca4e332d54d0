"""A screen in words: a prompt to its player, with the gestures that do something there.

All of it is on the screen already: the prompt puts it into whole sentences, for a page beside the
display. For those who cannot see it, the display's own texts are read from top to bottom.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

import msgspec

from firmware.display import screens
from firmware.display.oled import canvas
from firmware.display.oled.canvas import FULL, Align, PageCanvas, Span
from firmware.display.oled.draw import paint
from firmware.display.oled.marks import brief_text, item_text
from firmware.display.screens import CupKind, DialStrip, GestureOption, Meaning, Screen, ThrowStage
from firmware.display.screens.gesture_options import gesture_options
from firmware.display.screens.lessons import learned_by, lessons_at
from firmware.display.text.labels import LessonText, Text
from firmware.display.text.language import Language, key_of, say
from game.actions import Announce

_MAEXCHEN = ((2, 1), (1, 2))
"""A screen with these dice teaches what a Mäxchen is. A first match on a handheld does so, too."""

Gesture = Literal["shake", "lift", "open", "cover", "tilt", "tap", "hold"]
"""``open``: lift, and leave it open: the next choice is among the dice that all see."""
Occasion = Literal["", "turn", "offer", "end"]


class SpokenWay(msgspec.Struct, frozen=True):
    """A gesture, and what it does now, in words.

    ``due``: the screen waits for it. ``turn``: the entries by which the dial has to be moved first:
    to the right, or (negative) to the left.
    """

    gesture: Gesture
    does: str
    due: bool = True
    turn: int = 0


class Strip(msgspec.Struct, frozen=True):
    """The dial: the entry that is highlighted, and the next ones; "" where there is none.

    ``index``: the place of the highlighted one, from 0, of ``count``.
    """

    left: str
    at: str
    right: str
    index: int
    count: int


class SpokenLesson(msgspec.Struct, frozen=True):
    """Something that can be learned now: its name, and what is to be known of it.

    ``by_reading``: it is enough to have read it; else it is learned by what it is about.
    """

    name: str
    title: str
    says: str
    by_reading: bool


class Prompt(msgspec.Struct, frozen=True):
    """A prompt to a player.

    Attributes:
        says: whose turn it is, and for what: a sentence or two.
        occasion: "turn" or "offer" while everybody waits for the player, "end" while they may read
            the end of a round, else "".
        ways: the gestures that do something now.
        shows: the large text: dice or the announcement, else "".
        dial: the dial, if there is one.
        lessons: the lessons here for a first game, first things first.
        learned: the names of the lessons that the player has learned.
    """

    says: str
    occasion: Occasion
    ways: tuple[SpokenWay, ...]
    shows: str = ""
    dial: Strip | None = None
    lessons: tuple[SpokenLesson, ...] = ()
    learned: tuple[str, ...] = ()


def prompt_of(screen: Screen | None, language: Language) -> Prompt:
    """Return the prompt of ``screen``; None, a screen that is off, prompts for nothing."""
    if screen is None:
        return Prompt("", "", ())
    return _asked(screen, language, gesture_options(screen))


@lru_cache(maxsize=64)
def _asked(screen: Screen, language: Language, listed: tuple[GestureOption, ...]) -> Prompt:
    """Equal screens over different pages have different ways, so those are an argument."""
    dial = getattr(screen, "dial", None)
    due = lessons_at(screen)
    if getattr(screen, "dice", None) not in _MAEXCHEN:
        due = tuple(each for each in due if each.text is not LessonText.MAEXCHEN)
    occasion, says = _says(screen, language)
    return Prompt(
        says,
        occasion,
        ways=tuple(_ways(screen, language, listed)),
        shows=_shown(screen, language),
        dial=_strip(dial, language) if isinstance(dial, DialStrip) else None,
        lessons=tuple(
            SpokenLesson(
                each.name,
                title=say(key_of(each.text, "title"), language),
                says=say(key_of(each.text, "body"), language),
                by_reading=each.done is None,
            )
            for each in due
        ),
        learned=tuple(each.name for each in learned_by(screen)),
    )


def _ways(
    screen: Screen, language: Language, listed: tuple[GestureOption, ...]
) -> Iterator[SpokenWay]:
    """The ways of a screen in words, and two that begin with a turn of its dial."""
    dial = getattr(screen, "dial", None)
    for gesture, meaning, due in listed:
        entry = meaning is Meaning.ENTRY
        does = _entry(screen, language) if entry else say(meaning, language)
        yield SpokenWay("open" if meaning is Meaning.SHOW else gesture.value, does, due)
    chooses = any(each.meaning is Meaning.CHOOSE and each.due for each in listed)
    if isinstance(dial, DialStrip) and chooses:
        following = dial.following
        if dial.neutral and following is not None and not isinstance(following, int):
            yield SpokenWay("tap", item_text(following, language), turn=1)
        if isinstance(screen, screens.MenuPage) and dial.index > 0:
            yield SpokenWay("tap", say(Meaning.CLOSE, language), turn=-dial.index)


def _entry(screen: Screen, language: Language) -> str:
    """Return what the highlighted entry of a screen's dial does."""
    if isinstance(screen, screens.ThrowOpenPage) and screen.selected is not None:
        return say("prompt.TOGGLE_DIE", language, die=screen.dice[screen.selected])
    dial = getattr(screen, "dial", None)
    assert isinstance(dial, DialStrip), "an entry is on a dial"
    return item_text(dial.current, language)


def _strip(dial: DialStrip, language: Language) -> Strip:
    """A dial in words."""
    left, at, right = (
        "" if item is None else brief_text(item, language)
        for item in (dial.previous, dial.current, dial.following)
    )
    return Strip(left, "" if dial.neutral else at, right, dial.index, dial.count)


def _said(said: screens.Said, language: Language) -> str:
    """Return the announcement as digits, or its words."""
    return str(said.value) if isinstance(said, Announce) else say(Text[said.words.name], language)


def _shown(screen: Screen, language: Language) -> str:
    """Return the large digits of a screen."""
    match screen:
        case screens.LookPage(value=value):
            return str(value)
        case screens.RevealPage(dice=dice) | screens.ThrowOpenPage(dice=dice) if dice:
            return " ".join(map(str, dice))
        case (
            screens.ClosedPage(choosing=said) | screens.WaitingPage(said=said)
            | screens.OfferPage(said=said) | screens.AnnouncingPage(said=said)
        ) if said is not None:  # fmt: skip
            return _said(said, language)
        case _:
            return ""


def _says(screen: Screen, language: Language) -> tuple[Occasion, str]:
    """Return what the screen wants of its player, and the sentences that say it."""

    def tell(key: str, **places: str) -> str:
        return say(f"prompt.{key}", language, **places)

    match screen:
        case screens.OfferPage(name, armed=False):
            return "offer", tell("OFFERED", name=name)
        case screens.OfferPage(doubt=float()):
            return "offer", tell("KEEP_LIFTED")
        case screens.OfferPage(name, said):
            short = f"{tell('TOO_SHORT')} " if screen.too_short else ""
            return "offer", short + tell("BELIEVE_IT", name=name, said=_said(said, language))
        case screens.ClosedPage():
            return "turn", tell(_covered(screen))
        case screens.ThrowClosedPage():
            return "turn", tell(_to_throw(screen))
        case screens.ThrowOpenPage(who=str(name)):
            return "", tell("HAS_THROWN", name=name)
        case screens.ThrowOpenPage(dial=None):
            return "", tell("YOUR_THROW")
        case screens.ThrowOpenPage():
            return "turn", tell("HAND_ON_THROW" if screen.roll_off else "SET_ASIDE")
        case screens.RevealPage() | screens.RoundEndPage():
            return "turn" if screen.mine_to_go_on else "end", " ".join(_ended(screen, language))
        case screens.WaitingPage(name, dial=DialStrip()):
            return "turn", tell("HAND_ON_TO", name=name)
        case screens.WaitingPage(carrier=str(name)) | screens.OnItsWayPage(carrier=str(name)):
            return "", tell("WAITING_FOR_CARRIER", name=name)
        case screens.WaitingPage(name):
            return "", tell("TURN_OF", name=name)
        case screens.OnItsWayPage(name):
            return "", tell("CUP_GOES_TO", to=name)
        case screens.LiftingPage(dial=None):
            return "", tell("DOUBTED_CUP_COMES")
        case screens.LiftingPage():
            return "turn", tell("DOUBTED_LIFT")
        case screens.LookPage():
            return "turn", tell("ONLY_YOU_SEE")
        case screens.ShakingPage():
            return "turn", tell("RATTLES")
        case screens.AnnouncingPage(said, name):
            return "", tell("YOU_SAY", to=name, said=_said(said, language))
        case screens.FaultQuestionPage(who=None):
            return "turn", tell("WAS_IT_A_MISTAKE")
        case screens.FaultQuestionPage(who=str(name)):
            return "", tell("IS_ASKED", name=name)
        case screens.AlertPage():
            return "", _alert(screen, language)
        case screens.MatchOverPage():
            return "", f"{tell('MATCH_OVER')} {_lost(screen, language)}"
        case screens.QuestionPage(title, lines):
            told = (item_text(each, language).rstrip(".") for each in (title, *lines))
            return "", " ".join(
                each if each.endswith(("?", "!", "…")) else f"{each}." for each in told
            )
        case _:
            return "", tell(_PAGES[type(screen)]) if type(screen) in _PAGES else ""


_PAGES: dict[type[Screen], str] = {
    screens.StandingsPage: "THE_SCORES",
    screens.MenuPage: "THE_MENU",
    screens.HelpPage: "THE_RULES",
}
_KINDS = {
    CupKind.OPENING: "OPEN_ROUND",
    CupKind.AGAIN: "THROW_AGAIN",
    CupKind.BELIEVED: "BELIEVED",
    CupKind.THROWN: "NO_MORE_LOOKING",
}


def _covered(screen: screens.ClosedPage) -> str:
    if screen.choosing is not None:
        return "ADD_SOMETHING"
    looks = screen.kind is CupKind.THROWN and screen.may_look
    return "LOOK_THEN_SAY" if looks else _KINDS[screen.kind]


def _to_throw(screen: screens.ThrowClosedPage) -> str:
    if screen.stage is ThrowStage.LEVELLING:
        return "WHO_GETS_COASTER"
    if screen.thrown or screen.stage is ThrowStage.LIFT:
        return "LIFT_FOR_ALL"
    return "THROW_FOR_LEAD" if screen.stage is ThrowStage.ROLL_OFF else "YOUR_THROW_DUE"


def _ended(screen: screens.RevealPage | screens.RoundEndPage, language: Language) -> Iterator[str]:
    """Yield what ended, and what follows. Throws for the lead are no round: their note is said."""
    match screen:
        case screens.RoundEndPage(best=None, notes=(note, *_)):
            yield f"{say(note.text, language, name=note.name, other=note.other, count=note.count)}."
        case _:
            yield say("prompt.ROUND_OVER", language)
    if isinstance(screen, screens.RevealPage) and screen.unchecked:
        yield say("prompt.UNCHECKED", language)
    if screen.dial is not None:
        yield say("prompt.LOOK_THEN_PASS", language)
    elif screen.mine_to_go_on:
        yield say("prompt.YOU_OPEN_NEXT", language)


def _lost(screen: screens.MatchOverPage, language: Language) -> str:
    return say(screen.lost, language, name=screen.loser or "") + "."


def _alert(screen: screens.AlertPage, language: Language) -> str:
    title, body = (
        say(key_of(screen.alert, part), language, name=screen.name) for part in ("title", "body")
    )
    key = "prompt.ALERT_ASKS" if title.endswith("?") else "prompt.ALERT"
    return say(key, language, title=title, body=body)


class _ReadPage(PageCanvas):
    """Keeps every text that is drawn, with the line it stands in."""

    def __init__(self, language: Language) -> None:
        super().__init__(language)
        self.lines: list[tuple[int, int, str]] = []

    def text(
        self,
        text: str,
        baseline: int,
        fonts: Sequence[str],
        span: Span = FULL,
        align: Align = Align.LEFT,
    ) -> Span:
        taken = super().text(text, baseline, fonts, span, align)
        self.lines.append((baseline, taken[0], text))
        return taken


@lru_cache(maxsize=64)
def spoken(screen: Screen, language: Language) -> str:
    """Return all texts of a screen as sentences; its dice as digits, its dial in words.

    The dial's highlight is called the choice; the entries beside it are called left and right.
    """
    page = _ReadPage(language)
    paint(page, screen)
    dial = getattr(screen, "dial", None)
    lines = sorted(each for each in page.lines if not dial or each[0] != canvas.STRIP_BASELINE)
    said = [text.strip(" .…") for _, _, text in lines]
    hint = said[-1:] if lines and lines[-1][0] == canvas.HINT_BASELINE else []
    said = said[: len(said) - len(hint)]
    dice = getattr(screen, "dice", None)
    if dice:
        said.insert(0, say("read_out.DICE", language, dice=" ".join(map(str, dice))))
    if isinstance(dial, DialStrip):
        current = "–" if dial.neutral else item_text(dial.current, language)
        said.append(say("read_out.CHOICE", language, item=current))
        for side, item in (("LEFT", dial.previous), ("RIGHT", dial.following)):
            if item is not None:
                said.append(say(f"read_out.{side}", language, item=item_text(item, language)))
    return ". ".join(text for text in (*said, *hint) if text)
