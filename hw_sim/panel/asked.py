"""A screen's prompt to its player in plain words, with the gestures that do something there.

All of it is on the screen already: the prompt puts it into whole sentences, for a page beside the
display.
"""

from functools import lru_cache
from typing import Literal

import msgspec
from msgspec import structs

from firmware.display import screens
from firmware.display.oled.dial_strip import brief_text, item_text
from firmware.display.screens import CupKind, DialStrip, Screen, ThrowStage
from firmware.display.screens.lessons import learned_by, lessons_at
from firmware.display.text.alerts import hint_of
from firmware.display.text.labels import Text
from firmware.display.text.language import Language, key_of, say
from firmware.display.text.lessons import LessonText
from game import actions
from game.actions import Announce

_WORDS = {actions.Words.SAME: Text.SAME, actions.Words.ONE_MORE: Text.ONE_MORE}

_MAEXCHEN = ((2, 1), (1, 2))
"""A screen with these dice teaches what a Mäxchen is. A first match on a handheld does so, too."""

Gesture = Literal["shake", "lift", "open", "cover", "tilt", "tap", "hold"]
"""``open``: lift, and leave it open: the next choice is among the dice that all see."""
Occasion = Literal["", "turn", "offer", "end"]


class Way(msgspec.Struct, frozen=True):
    """A gesture, and what it does now.

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


class Lesson(msgspec.Struct, frozen=True):
    """Something that can be learned now: its name, and what is to be known of it.

    ``by_reading``: it is enough to have read it; else it is learned by what it is about.
    """

    name: str
    title: str
    says: str
    by_reading: bool


class Asked(msgspec.Struct, frozen=True):
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
    ways: tuple[Way, ...]
    shows: str = ""
    dial: Strip | None = None
    lessons: tuple[Lesson, ...] = ()
    learned: tuple[str, ...] = ()


class _Told:
    """Words in one language."""

    def __init__(self, language: Language) -> None:
        self.language = language

    def __call__(self, key: str, **places: str) -> str:
        return say(f"prompt.{key}", self.language, **places)

    def said(self, said: screens.Said) -> str:
        """Return the announcement as digits, or its words."""
        if isinstance(said, Announce):
            return str(said.value)
        return say(_WORDS[said.words], self.language)

    def dial(self, dial: DialStrip | None, what: str = "") -> tuple[Way, ...]:
        """The ways of a dial; ``what`` does its entry, in other words than its own."""
        if dial is None:
            return ()
        ways: list[Way] = []
        if not dial.neutral:
            does = what or item_text(dial.current, self.language)
            ways.append(Way("hold" if dial.holds else "tap", does))
        following = dial.following
        if dial.neutral and following is not None and not isinstance(following, int):
            ways.append(Way("tap", item_text(following, self.language), turn=1))
        if dial.count > 1:
            ways.append(Way("tilt", self("CHOOSE")))
        return tuple(ways)

    def strip(self, dial: DialStrip) -> Strip:
        """A dial in words."""
        left, at, right = (
            "" if item is None else brief_text(item, self.language)
            for item in (dial.previous, dial.current, dial.following)
        )
        return Strip(left, "" if dial.neutral else at, right, dial.index, dial.count)

    def shown(self, screen: Screen | None) -> str:
        """Return the large digits of a screen."""
        match screen:
            case screens.LookPage(value=value):
                return str(value)
            case screens.RevealPage(dice=dice) | screens.ThrowOpenPage(dice=dice) if dice:
                return " ".join(map(str, dice))
            case screens.ClosedPage(choosing=said) | screens.WaitingPage(said=said):
                return "" if said is None else self.said(said)
            case screens.OfferPage(said=said) | screens.AnnouncingPage(said=said):
                return self.said(said)
            case _:
                return ""


@lru_cache(maxsize=64)
def asked(screen: Screen | None, language: Language) -> Asked:
    """Return the prompt of ``screen``; None, a screen that is off, prompts for nothing."""
    told = _Told(language)
    dial = getattr(screen, "dial", None)
    strip = told.strip(dial) if isinstance(dial, DialStrip) else None
    due = () if screen is None else lessons_at(screen)
    if getattr(screen, "dice", None) not in _MAEXCHEN:
        due = tuple(each for each in due if each.text is not LessonText.MAEXCHEN)
    return structs.replace(
        _asked(screen, told),
        shows=told.shown(screen),
        dial=strip,
        lessons=tuple(
            Lesson(
                each.name,
                title=say(key_of(each.text, "title"), language),
                says=say(key_of(each.text, "body"), language),
                by_reading=each.done is None,
            )
            for each in due
        ),
        learned=() if screen is None else tuple(each.name for each in learned_by(screen)),
    )


def _asked(screen: Screen | None, told: _Told) -> Asked:
    match screen:
        case screens.OfferPage():
            return _offered(screen, told)
        case screens.ClosedPage():
            return _covered(screen, told)
        case screens.ThrowClosedPage():
            return _to_throw(screen, told)
        case screens.ThrowOpenPage():
            return _thrown(screen, told)
        case screens.RevealPage() | screens.RoundEndPage():
            return _round_end(screen, told)
        case screens.WaitingPage():
            return _waiting(screen, told)
        case screens.LiftingPage(lifter=str(), dial=None):
            return Asked(told("CUP_IS_LIFTED"), "", ())
        case screens.LiftingPage(dial=None):
            says = told("DOUBTED_CUP_COMES")
            return Asked(says, "", ())
        case screens.LiftingPage():
            lift = Way("lift", told("SHOW_DICE"))
            says = told("DOUBTED_LIFT")
            return Asked(says, "turn", (lift, *told.dial(screen.dial)))
        case _:
            return _aside(screen, told)


def _offered(screen: screens.OfferPage, told: _Told) -> Asked:
    said, name = told.said(screen.said), screen.announcer
    if not screen.armed:
        says = told("OFFERED", name=name)
        return Asked(says, "offer", ())
    doubt = Way("lift", told("DOUBT"))
    if screen.doubt is not None:
        says = told("KEEP_LIFTED")
        take_back = Way("cover", told("TAKE_BACK"), due=False)
        return Asked(says, "offer", (doubt, take_back))
    says = told(
        "BELIEVE_IT",
        name=name, said=said,
    )  # fmt: skip
    if screen.too_short:
        short = told("TOO_SHORT")
        says = f"{short} {says}"
    return Asked(says, "offer", (doubt, *told.dial(screen.dial)))


def _covered(screen: screens.ClosedPage, told: _Told) -> Asked:
    ways: list[Way] = []
    if screen.may_throw:
        first = screen.kind is not CupKind.THROWN
        ways.append(Way("shake", told("THROW"), due=first))
    if screen.may_look:
        ways.append(Way("lift", told("LOOK")))
    match screen.kind:
        case _ if screen.choosing is not None:
            says = told("ADD_SOMETHING")
        case CupKind.OPENING:
            says = told("OPEN_ROUND")
        case CupKind.AGAIN:
            says = told("THROW_AGAIN")
        case CupKind.BELIEVED:
            says = told(
                "BELIEVED",
            )
        case CupKind.THROWN:
            says = told(
                "LOOK_THEN_SAY",
            ) if screen.may_look else told(
                "NO_MORE_LOOKING"
            )  # fmt: skip
    return Asked(says, "turn", (*ways, *told.dial(screen.dial)))


def _to_throw(screen: screens.ThrowClosedPage, told: _Told) -> Asked:
    ways: list[Way] = []
    if screen.thrown or screen.stage is ThrowStage.LIFT:
        ways.append(Way("open", told("SHOW")))
    still = screen.stage not in (ThrowStage.LIFT, ThrowStage.LEVELLING) and not screen.thrown
    if screen.may_throw or still:
        ways.append(Way("shake", told("THROW"), due=still))
    match screen.stage:
        case ThrowStage.LEVELLING:
            says = told("WHO_GETS_COASTER")
        case _ if ways and ways[0].gesture == "open":
            says = told("LIFT_FOR_ALL")
        case ThrowStage.ROLL_OFF:
            says = told("THROW_FOR_LEAD")
        case _:
            says = told("YOUR_THROW_DUE")
    return Asked(says, "turn", (*ways, *told.dial(screen.dial)))


def _thrown(screen: screens.ThrowOpenPage, told: _Told) -> Asked:
    if screen.who is not None:
        return Asked(told("HAS_THROWN", name=screen.who), "", ())
    if screen.dial is None:
        return Asked(told("YOUR_THROW"), "", ())
    toggle = ""
    if screen.selected is not None:
        die = str(screen.dice[screen.selected])
        toggle = told("TOGGLE_DIE", die=die)
    hide = Way("cover", told("HIDE"), due=False)
    if screen.roll_off:
        says = told("HAND_ON_THROW")
    else:
        says = told("SET_ASIDE")
    return Asked(says, "turn", (*told.dial(screen.dial, toggle), hide))


def _round_end(screen: screens.RevealPage | screens.RoundEndPage, told: _Told) -> Asked:
    over = told("ROUND_OVER")
    if isinstance(screen, screens.RevealPage) and screen.unchecked:
        why = told(
            "UNCHECKED",
        )
        over = f"{over} {why}"
    if screen.dial is not None:
        says = told("LOOK_THEN_PASS")
        return Asked(f"{over} {says}", "turn", told.dial(screen.dial))
    if screen.mine_to_go_on:
        go_on = Way("tap", told("OPEN_NEXT"))
        throw = Way("shake", told("THROW_AT_ONCE"))
        says = told("YOU_OPEN_NEXT")
        return Asked(f"{over} {says}", "turn", (throw, go_on) if screen.may_throw else (go_on,))
    return Asked(over, "end", ())


def _waiting(screen: screens.WaitingPage, told: _Told) -> Asked:
    name = screen.turn_of
    if screen.dial is not None:
        says = told("HAND_ON_TO", name=name)
        return Asked(says, "turn", told.dial(screen.dial))
    scores = Way("tap", told("SCORES"), due=False)
    if screen.carrier is not None:
        return Asked(_without(screen.carrier, told), "", (scores,))
    return Asked(told("TURN_OF", name=name), "", (scores,))


def _without(carrier: str, told: _Told) -> str:
    return told(
        "WAITING_FOR_CARRIER",
        name=carrier,
    )


def _aside(screen: Screen | None, told: _Told) -> Asked:
    """Return the prompt of a screen over a game, or between two positions of it."""
    back = told("BACK")
    match screen:
        case screens.LookPage():
            says = told("ONLY_YOU_SEE")
            return Asked(says, "turn", (Way("cover", told("HIDE")),))
        case screens.ShakingPage():
            says = told("RATTLES")
            return Asked(says, "turn", ())
        case screens.AnnouncingPage(said, to):
            what = told.said(said)
            says = told("YOU_SAY", to=to, said=what)
            take_back = Way("tilt", told("TAKE_BACK"), due=False)
            return Asked(says, "", (take_back,))
        case screens.OnItsWayPage(carrier=str(name)):
            return Asked(_without(name, told), "", ())
        case screens.OnItsWayPage(to):
            says = told("CUP_GOES_TO", to=to)
            return Asked(says, "", ())
        case screens.StandingsPage():
            more = Way("hold", told("MENU"), due=False)
            return Asked(told("THE_SCORES"), "", (Way("tap", back), more))
        case screens.MenuPage(dial):
            home = (Way("tap", back, turn=-dial.index),) if dial.index > 0 else ()
            return Asked(told("THE_MENU"), "", (*told.dial(dial), *home))
        case screens.HelpPage():
            pages = Way("tilt", told("TURN_PAGES"))
            return Asked(told("THE_RULES"), "", (Way("tap", back), pages))
        case screens.FaultQuestionPage(who=None):
            yes, no = Way("hold", told("NO")), Way("tilt", told("IT_COUNTS"))
            return Asked(told("WAS_IT_A_MISTAKE"), "turn", (yes, no))
        case screens.FaultQuestionPage(who=str(name)):
            says = told("IS_ASKED", name=name)
            return Asked(says, "", ())
        case screens.MatchOverPage():
            return Asked(told("MATCH_OVER"), "", ())
        case screens.AlertPage(alert, name):
            title, body = (
                say(key_of(alert, part), told.language, name=name) for part in ("title", "body")
            )
            cover = Way("cover", told("COVER"))
            asks = (screen.hint or hint_of(alert)) is Text.HINT_COVER
            says = told("ALERT_ASKS" if title.endswith("?") else "ALERT", title=title, body=body)
            return Asked(says, "", (cover,) if asks else ())
        case screens.QuestionPage():
            return Asked(told("READ_DISPLAY"), "", ())
        case _:
            return Asked("", "", ())
