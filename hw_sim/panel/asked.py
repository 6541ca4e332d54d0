"""A screen's prompt to its player in plain words, with the gestures that do something there.

All of it is on the screen already: the prompt puts it into whole sentences, for a page beside the
display.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

import msgspec

from firmware.display import screens
from firmware.display.oled.dial_strip import brief_text, item_text
from firmware.display.screens import CupKind, DialStrip, Screen, ThrowStage
from firmware.display.screens.lessons import learned_by, lessons_at
from firmware.display.screens.way import Meaning
from firmware.display.screens.ways import ways
from firmware.display.text.labels import Text, say
from firmware.display.text.lessons import LessonText
from firmware.display.text.words import Words, words
from game import actions
from game.actions import Announce
from game.spoken import Language

_WORDS = {actions.Words.SAME: Text.SAME, actions.Words.ONE_MORE: Text.ONE_MORE}

_MAEXCHEN = ((2, 1), (1, 2))
"""A screen with these dice teaches what a Mäxchen is. A first match on a handheld does so, too."""

_MEANINGS = {
    Meaning.THROW: Words("würfeln", "throw"),
    Meaning.LOOK: Words("nachsehen", "look"),
    Meaning.LIFT: Words("aufdecken", "show the dice"),
    Meaning.SHOW: Words("zeigen", "show"),
    Meaning.DOUBT: Words("zweifeln", "doubt"),
    Meaning.HIDE: Words("verbergen", "hide"),
    Meaning.TAKE_BACK: Words("zurücknehmen", "take it back"),
    Meaning.COVER: Words("zudecken", "cover"),
    Meaning.CHOOSE: Words("wählen", "choose"),
    Meaning.PAGES: Words("blättern", "turn pages"),
    Meaning.GO_ON: Words("weiter", "go on"),
    Meaning.SCORES: Words("Spielstand", "scores"),
    Meaning.MENU: Words("Menü", "menu"),
    Meaning.CLOSE: Words("zurück", "back"),
    Meaning.COUNT: Words("zählt", "it counts"),
    Meaning.DENY: Words("nein", "no"),
}

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
    ways: tuple[SpokenWay, ...]
    shows: str = ""
    dial: Strip | None = None
    lessons: tuple[Lesson, ...] = ()
    learned: tuple[str, ...] = ()


@lru_cache(maxsize=64)
def asked(screen: Screen | None, language: Language) -> Asked:
    """Return the prompt of ``screen``; None, a screen that is off, prompts for nothing."""
    if screen is None:
        return Asked("", "", ())
    dial = getattr(screen, "dial", None)
    due = lessons_at(screen)
    if getattr(screen, "dice", None) not in _MAEXCHEN:
        due = tuple(each for each in due if each.text is not LessonText.MAEXCHEN)
    occasion, *sentences = _says(screen, language)
    return Asked(
        " ".join(words(each, language) for each in sentences),
        occasion,
        ways=tuple(_ways(screen, language)),
        shows=_shown(screen, language),
        dial=_strip(dial, language) if isinstance(dial, DialStrip) else None,
        lessons=tuple(
            Lesson(each.name, *words(each.text.value, language), by_reading=each.done is None)
            for each in due
        ),
        learned=tuple(each.name for each in learned_by(screen)),
    )


def _ways(screen: Screen, language: Language) -> Iterator[SpokenWay]:
    """The ways of a screen in words, and two that begin with a turn of its dial."""
    dial = getattr(screen, "dial", None)
    listed = ways(screen)
    for gesture, meaning, due in listed:
        if meaning is Meaning.ENTRY:
            does = _entry(screen, language)
        else:
            does = words(_MEANINGS[meaning], language)
        yield SpokenWay("open" if meaning is Meaning.SHOW else gesture.value, does, due)
    if isinstance(dial, DialStrip) and any(
        each.meaning is Meaning.CHOOSE and each.due for each in listed
    ):
        following = dial.following
        if dial.neutral and following is not None and not isinstance(following, int):
            yield SpokenWay("tap", item_text(following, language), turn=1)
        if isinstance(screen, screens.MenuPage) and dial.index > 0:
            yield SpokenWay("tap", words(_MEANINGS[Meaning.CLOSE], language), turn=-dial.index)


def _entry(screen: Screen, language: Language) -> str:
    """Return what the highlighted entry of a screen's dial does."""
    if isinstance(screen, screens.ThrowOpenPage) and screen.selected is not None:
        die = screen.dice[screen.selected]
        return words(
            Words(f"die {die}: im Spiel oder nicht", f"the {die}: in play or aside"), language
        )
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
    return str(said.value) if isinstance(said, Announce) else say(_WORDS[said.words], language)


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


def _says(screen: Screen, language: Language) -> tuple[Occasion, *tuple[Words, ...]]:
    """Return what the screen wants of its player, and the sentences that say it."""
    match screen:
        case screens.OfferPage(name, armed=False):
            return "offer", Words(
                f"{name} bietet dir den Becher an.", f"{name} offers you the cup."
            )
        case screens.OfferPage(doubt=float()):
            return "offer", Words(
                "Halt den Becher offen: dann zweifelst du.", "Keep it lifted: then you doubt."
            )
        case screens.OfferPage(name, said):
            what = _said(said, language)
            believes = Words(
                f"{name} sagt {what}. Glaubst du das?", f"{name} says {what}. Do you believe it?"
            )
            if not screen.too_short:
                return "offer", believes
            return (
                "offer",
                Words(
                    "Zu kurz gehoben: halt ihn länger offen.", "Too short: keep it lifted longer."
                ),
                believes,
            )
        case screens.ClosedPage():
            return "turn", _covered(screen)
        case screens.ThrowClosedPage():
            return "turn", _to_throw(screen)
        case screens.ThrowOpenPage(who=str(name)):
            return "", Words(f"{name} hat geworfen.", f"{name} has thrown.")
        case screens.ThrowOpenPage(dial=None):
            return "", Words("Dein Wurf.", "Your throw.")
        case screens.ThrowOpenPage(roll_off=True):
            return "turn", Words(
                "Dein Wurf: gib den Becher weiter.", "Your throw: hand the cup on."
            )
        case screens.ThrowOpenPage():
            return "turn", Words(
                "Leg Würfel beiseite, wirf weiter oder hör auf.",
                "Set dice aside, throw on, or stop.",
            )
        case screens.RevealPage() | screens.RoundEndPage():
            return _round_end(screen)
        case screens.WaitingPage(name, dial=DialStrip()):
            return "turn", Words(f"Gib den Becher an {name} weiter.", f"Hand the cup on to {name}.")
        case screens.WaitingPage(carrier=str(name)) | screens.OnItsWayPage(carrier=str(name)):
            return "", Words(
                f"Warten auf {name}: dieses Handgerät verbindet die anderen.",
                f"Waiting for {name}, whose handheld links the others.",
            )
        case screens.WaitingPage(name):
            return "", Words(f"{name} ist dran.", f"It is {name}’s turn.")
        case screens.OnItsWayPage(name):
            return "", Words(f"Der Becher geht an {name}.", f"The cup goes to {name}.")
        case screens.LiftingPage(lifter=str(), dial=None):
            return "", Words("Der Becher wird gehoben.", "The cup is lifted.")
        case screens.LiftingPage(dial=None):
            return "", Words("Du zweifelst: der Becher kommt.", "You doubt: the cup comes to you.")
        case screens.LiftingPage():
            return "turn", Words("Du zweifelst: heb den Becher.", "You doubt: lift the cup.")
        case screens.LookPage():
            return "turn", Words("Nur du siehst das. Deck zu.", "Only you see this. Cover it.")
        case screens.ShakingPage():
            return "turn", Words(
                "Es klappert. Dann ruhig halten.", "It rattles. Then hold it still."
            )
        case screens.AnnouncingPage(said, name):
            what = _said(said, language)
            return "", Words(f"Du sagst {name} {what}.", f"You say {what} to {name}.")
        case screens.FaultQuestionPage(who=None):
            return "turn", Words("War das ein Fehler?", "Was that a mistake?")
        case screens.FaultQuestionPage(who=name):
            return "", Words(f"{name} wird gefragt.", f"{name} is asked.")
        case screens.AlertPage(alert, name):
            return "", Words(*(_alert(each, name) for each in (alert.value.de, alert.value.en)))
        case _:
            return "", _PAGES.get(type(screen), Words("", ""))


_PAGES: dict[type[Screen], Words] = {
    screens.StandingsPage: Words("Der Spielstand.", "The scores."),
    screens.MenuPage: Words("Das Menü.", "The menu."),
    screens.HelpPage: Words("Die Regeln.", "The rules."),
    screens.MatchOverPage: Words("Das Spiel ist aus.", "The match is over."),
    screens.QuestionPage: Words("Lies die Anzeige.", "Read the display."),
}


def _alert(alert: tuple[str, str], name: str) -> str:
    title, body = alert
    return f"{title}{'' if title.endswith('?') else ':'} {body}".format(name=name)


def _covered(screen: screens.ClosedPage) -> Words:
    match screen.kind:
        case _ if screen.choosing is not None:
            return Words("Nur den Wert, oder mit Zusatz?", "Just the value, or add something?")
        case CupKind.OPENING:
            return Words("Du beginnst die Runde: würfle.", "You open the round: throw.")
        case CupKind.AGAIN:
            return Words("Würfle noch einmal.", "Throw again.")
        case CupKind.BELIEVED:
            return Words(
                "Du hast den Becher: würfle, oder sag gleich mehr.",
                "You have the cup: throw, or say more at once.",
            )
        case CupKind.THROWN if screen.may_look:
            return Words(
                "Sieh nach, dann sag, was du hast – oder mehr.",
                "Look, then say what you have – or more.",
            )
        case CupKind.THROWN:
            return Words(
                "Nachsehen geht nicht mehr: sag einen Wert.", "No more looking: say a value."
            )


def _to_throw(screen: screens.ThrowClosedPage) -> Words:
    match screen.stage:
        case ThrowStage.LEVELLING:
            return Words("Wem gibst du einen Deckel?", "Who gets a coaster of yours?")
        case stage if screen.thrown or stage is ThrowStage.LIFT:
            return Words("Heb den Becher: alle sehen deinen Wurf.", "Lift: all see your throw.")
        case ThrowStage.ROLL_OFF:
            return Words("Würfle darum, wer beginnt.", "Throw for the lead.")
        case _:
            return Words("Du bist dran: würfle.", "Your turn: throw.")


def _round_end(
    screen: screens.RevealPage | screens.RoundEndPage,
) -> tuple[Occasion, *tuple[Words, ...]]:
    sentences = [Words("Die Runde ist aus.", "The round is over.")]
    if isinstance(screen, screens.RevealPage) and screen.unchecked:
        sentences.append(
            Words(
                "Für diese Würfel gibt es keinen Beleg: kein anderes Handgerät hat mitgemischt.",
                "Nothing proves these dice: no other handheld had a share in them.",
            )
        )
    if screen.dial is not None:
        sentences.append(
            Words(
                "Sieh es dir an, dann gib den Becher weiter.", "Have a look, then pass the cup on."
            )
        )
    elif screen.mine_to_go_on:
        sentences.append(Words("Du beginnst die nächste.", "You open the next one."))
    return "turn" if screen.mine_to_go_on else "end", *sentences
