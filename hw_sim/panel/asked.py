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
from firmware.display.text.labels import Text, say
from firmware.display.text.lessons import LessonText
from firmware.display.text.words import Words, words
from game import actions
from game.actions import Announce
from game.spoken import Language

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

    def __call__(self, de: str, en: str, **places: str) -> str:
        return words(Words(de, en), self.language).format(**places)

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
            ways.append(Way("tilt", self("wählen", "choose")))
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
            Lesson(each.name, *words(each.text.value, language), by_reading=each.done is None)
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
            return Asked(told("Der Becher wird gehoben.", "The cup is lifted."), "", ())
        case screens.LiftingPage(dial=None):
            says = told("Du zweifelst: der Becher kommt.", "You doubt: the cup comes to you.")
            return Asked(says, "", ())
        case screens.LiftingPage():
            lift = Way("lift", told("aufdecken", "show the dice"))
            says = told("Du zweifelst: heb den Becher.", "You doubt: lift the cup.")
            return Asked(says, "turn", (lift, *told.dial(screen.dial)))
        case _:
            return _aside(screen, told)


def _offered(screen: screens.OfferPage, told: _Told) -> Asked:
    said, name = told.said(screen.said), screen.announcer
    if not screen.armed:
        says = told("{name} bietet dir den Becher an.", "{name} offers you the cup.", name=name)
        return Asked(says, "offer", ())
    doubt = Way("lift", told("zweifeln", "doubt"))
    if screen.doubt is not None:
        says = told("Halt den Becher offen: dann zweifelst du.", "Keep it lifted: then you doubt.")
        take_back = Way("cover", told("zurücknehmen", "take it back"), due=False)
        return Asked(says, "offer", (doubt, take_back))
    says = told(
        "{name} sagt {said}. Glaubst du das?", "{name} says {said}. Do you believe it?",
        name=name, said=said,
    )  # fmt: skip
    if screen.too_short:
        short = told("Zu kurz gehoben: halt ihn länger offen.", "Too short: keep it lifted longer.")
        says = f"{short} {says}"
    return Asked(says, "offer", (doubt, *told.dial(screen.dial)))


def _covered(screen: screens.ClosedPage, told: _Told) -> Asked:
    ways: list[Way] = []
    if screen.may_throw:
        first = screen.kind is not CupKind.THROWN
        ways.append(Way("shake", told("würfeln", "throw"), due=first))
    if screen.may_look:
        ways.append(Way("lift", told("nachsehen", "look")))
    match screen.kind:
        case _ if screen.choosing is not None:
            says = told("Nur den Wert, oder mit Zusatz?", "Just the value, or add something?")
        case CupKind.OPENING:
            says = told("Du beginnst die Runde: würfle.", "You open the round: throw.")
        case CupKind.AGAIN:
            says = told("Würfle noch einmal.", "Throw again.")
        case CupKind.BELIEVED:
            says = told(
                "Du hast den Becher: würfle, oder sag gleich mehr.",
                "You have the cup: throw, or say more at once.",
            )
        case CupKind.THROWN:
            says = told(
                "Sieh nach, dann sag, was du hast – oder mehr.",
                "Look, then say what you have – or more.",
            ) if screen.may_look else told(
                "Nachsehen geht nicht mehr: sag einen Wert.", "No more looking: say a value."
            )  # fmt: skip
    return Asked(says, "turn", (*ways, *told.dial(screen.dial)))


def _to_throw(screen: screens.ThrowClosedPage, told: _Told) -> Asked:
    ways: list[Way] = []
    if screen.thrown or screen.stage is ThrowStage.LIFT:
        ways.append(Way("open", told("zeigen", "show")))
    still = screen.stage not in (ThrowStage.LIFT, ThrowStage.LEVELLING) and not screen.thrown
    if screen.may_throw or still:
        ways.append(Way("shake", told("würfeln", "throw"), due=still))
    match screen.stage:
        case ThrowStage.LEVELLING:
            says = told("Wem gibst du einen Deckel?", "Who gets a coaster of yours?")
        case _ if ways and ways[0].gesture == "open":
            says = told("Heb den Becher: alle sehen deinen Wurf.", "Lift: all see your throw.")
        case ThrowStage.ROLL_OFF:
            says = told("Würfle darum, wer beginnt.", "Throw for the lead.")
        case _:
            says = told("Du bist dran: würfle.", "Your turn: throw.")
    return Asked(says, "turn", (*ways, *told.dial(screen.dial)))


def _thrown(screen: screens.ThrowOpenPage, told: _Told) -> Asked:
    if screen.who is not None:
        return Asked(told("{name} hat geworfen.", "{name} has thrown.", name=screen.who), "", ())
    if screen.dial is None:
        return Asked(told("Dein Wurf.", "Your throw."), "", ())
    toggle = ""
    if screen.selected is not None:
        die = str(screen.dice[screen.selected])
        toggle = told("die {die}: im Spiel oder nicht", "the {die}: in play or aside", die=die)
    hide = Way("cover", told("verbergen", "hide"), due=False)
    if screen.roll_off:
        says = told("Dein Wurf: gib den Becher weiter.", "Your throw: hand the cup on.")
    else:
        says = told(
            "Leg Würfel beiseite, wirf weiter oder hör auf.", "Set dice aside, throw on, or stop."
        )
    return Asked(says, "turn", (*told.dial(screen.dial, toggle), hide))


def _round_end(screen: screens.RevealPage | screens.RoundEndPage, told: _Told) -> Asked:
    over = told("Die Runde ist aus.", "The round is over.")
    if isinstance(screen, screens.RevealPage) and screen.unchecked:
        why = told(
            "Für diese Würfel gibt es keinen Beleg: kein anderes Handgerät hat mitgemischt.",
            "Nothing proves these dice: no other handheld had a share in them.",
        )
        over = f"{over} {why}"
    if screen.dial is not None:
        says = told(
            "Sieh es dir an, dann gib den Becher weiter.", "Have a look, then pass the cup on."
        )
        return Asked(f"{over} {says}", "turn", told.dial(screen.dial))
    if screen.mine_to_go_on:
        go_on = Way("tap", told("die nächste beginnen", "open the next one"))
        throw = Way("shake", told("gleich würfeln", "throw at once"))
        says = told("Du beginnst die nächste.", "You open the next one.")
        return Asked(f"{over} {says}", "turn", (throw, go_on) if screen.may_throw else (go_on,))
    return Asked(over, "end", ())


def _waiting(screen: screens.WaitingPage, told: _Told) -> Asked:
    name = screen.turn_of
    if screen.dial is not None:
        says = told("Gib den Becher an {name} weiter.", "Hand the cup on to {name}.", name=name)
        return Asked(says, "turn", told.dial(screen.dial))
    scores = Way("tap", told("Spielstand", "scores"), due=False)
    if screen.carrier is not None:
        return Asked(_without(screen.carrier, told), "", (scores,))
    return Asked(told("{name} ist dran.", "It is {name}’s turn.", name=name), "", (scores,))


def _without(carrier: str, told: _Told) -> str:
    return told(
        "Warten auf {name}: dieses Handgerät verbindet die anderen.",
        "Waiting for {name}, whose handheld links the others.",
        name=carrier,
    )


def _aside(screen: Screen | None, told: _Told) -> Asked:
    """Return the prompt of a screen over a game, or between two positions of it."""
    back = told("zurück", "back")
    match screen:
        case screens.LookPage():
            says = told("Nur du siehst das. Deck zu.", "Only you see this. Cover it.")
            return Asked(says, "turn", (Way("cover", told("verbergen", "hide")),))
        case screens.ShakingPage():
            says = told("Es klappert. Dann ruhig halten.", "It rattles. Then hold it still.")
            return Asked(says, "turn", ())
        case screens.AnnouncingPage(said, to):
            what = told.said(said)
            says = told("Du sagst {to} {said}.", "You say {said} to {to}.", to=to, said=what)
            take_back = Way("tilt", told("zurücknehmen", "take it back"), due=False)
            return Asked(says, "", (take_back,))
        case screens.OnItsWayPage(carrier=str(name)):
            return Asked(_without(name, told), "", ())
        case screens.OnItsWayPage(to):
            says = told("Der Becher geht an {to}.", "The cup goes to {to}.", to=to)
            return Asked(says, "", ())
        case screens.StandingsPage():
            more = Way("hold", told("Menü", "menu"), due=False)
            return Asked(told("Der Spielstand.", "The scores."), "", (Way("tap", back), more))
        case screens.MenuPage(dial):
            home = (Way("tap", back, turn=-dial.index),) if dial.index > 0 else ()
            return Asked(told("Das Menü.", "The menu."), "", (*told.dial(dial), *home))
        case screens.HelpPage():
            pages = Way("tilt", told("blättern", "turn pages"))
            return Asked(told("Die Regeln.", "The rules."), "", (Way("tap", back), pages))
        case screens.FaultQuestionPage(who=None):
            yes, no = Way("hold", told("zählt", "it counts")), Way("tilt", told("nein", "no"))
            return Asked(told("War das ein Fehler?", "Was that a mistake?"), "turn", (yes, no))
        case screens.FaultQuestionPage(who=str(name)):
            says = told("{name} wird gefragt.", "{name} is asked.", name=name)
            return Asked(says, "", ())
        case screens.MatchOverPage():
            return Asked(told("Das Spiel ist aus.", "The match is over."), "", ())
        case screens.AlertPage(alert, name):
            title, body = words(alert.value, told.language)
            cover = Way("cover", told("zudecken", "cover"))
            asks = (screen.hint or alert.value.hint) is Text.HINT_COVER
            says = f"{title}{'' if title.endswith('?') else ':'} {body}".format(name=name)
            return Asked(says, "", (cover,) if asks else ())
        case screens.QuestionPage():
            return Asked(told("Lies die Anzeige.", "Read the display."), "", ())
        case _:
            return Asked("", "", ())
