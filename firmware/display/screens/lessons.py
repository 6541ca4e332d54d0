"""A first match that teaches itself: one new thing at a time, as a list beside the usual screens.

Its words are for the panel and for a page beside it.
"""

from collections.abc import Callable
from typing import NamedTuple

from firmware.display import screens
from firmware.display.screens import Meaning, Screen
from firmware.display.screens.gesture_options import gesture_options
from firmware.display.text.labels import LessonText


class Lesson(NamedTuple):
    """One thing to learn.

    Attributes:
        text: its words.
        due: whether it can be learned at a screen.
        done: whether a screen shows that it has been learned; None if reading it is enough.
    """

    text: LessonText
    due: Callable[[Screen], bool]
    done: Callable[[Screen], bool] | None = None

    @property
    def name(self) -> str:
        """The name of the lesson for programs."""
        return self.text.name.lower()


def _due(screen: Screen, meaning: Meaning) -> bool:
    return any(each.meaning is meaning and each.due for each in gesture_options(screen))


def _throws(screen: Screen) -> bool:
    opens = isinstance(screen, screens.ClosedPage) and screen.kind is not screens.CupKind.THROWN
    return opens and _due(screen, Meaning.THROW)


def _says(screen: Screen) -> bool:
    return isinstance(screen, screens.ClosedPage) and screen.kind is screens.CupKind.THROWN


def _waits(screen: Screen) -> bool:
    return isinstance(screen, screens.WaitingPage) and screen.said is not None


def _has_answered(screen: Screen) -> bool:
    return isinstance(screen, screens.LiftingPage) or (
        isinstance(screen, screens.ClosedPage) and screen.kind is screens.CupKind.BELIEVED
    )


def _throws_openly(screen: Screen) -> bool:
    return isinstance(screen, screens.ThrowClosedPage) and _due(screen, Meaning.THROW)


def _shows(screen: Screen) -> bool:
    return isinstance(screen, screens.ThrowClosedPage) and _due(screen, Meaning.SHOW)


def _may_throw_on(screen: Screen) -> bool:
    return isinstance(screen, screens.ThrowOpenPage) and screen.may_throw and not screen.roll_off


def _sets_aside(screen: Screen) -> bool:
    return _may_throw_on(screen) and not _has_many_dice(screen)


def _takes_sevens(screen: Screen) -> bool:
    return _may_throw_on(screen) and _has_many_dice(screen)


def _has_many_dice(screen: Screen) -> bool:
    """Return whether more dice lie there than can be set aside: pairs of seven are taken away."""
    return isinstance(screen, screens.ThrowOpenPage) and len(screen.dice) + len(screen.aside) > 3


def _compares(page: Screen) -> bool:
    """Return whether the worst throw takes coasters: with more dice it loses a round."""
    return (
        isinstance(page, screens.RoundEndPage)
        and page.worst is not None
        and len(page.worst[1]) <= 3
    )


BLUFF_LESSONS = (
    Lesson(LessonText.SHAKE, _throws, lambda screen: isinstance(screen, screens.ShakingPage)),
    Lesson(
        LessonText.PEEK,
        lambda screen: _due(screen, Meaning.LOOK),
        lambda screen: isinstance(screen, screens.LookPage),
    ),
    Lesson(LessonText.SAY, _says, lambda screen: isinstance(screen, screens.AnnouncingPage)),
    Lesson(LessonText.PASS, _waits),
    Lesson(LessonText.DOUBT, lambda screen: _due(screen, Meaning.DOUBT), _has_answered),
    Lesson(LessonText.MAEXCHEN, lambda screen: isinstance(screen, screens.RevealPage)),
)
"""The lessons of the games of lies, in their order; the first one that is due is shown."""
OPEN_LESSONS = (
    Lesson(
        LessonText.THROW, _throws_openly, lambda screen: isinstance(screen, screens.ShakingPage)
    ),
    Lesson(
        LessonText.SHOW,
        _shows,
        lambda screen: isinstance(screen, screens.ThrowOpenPage) and screen.who is None,
    ),
    Lesson(LessonText.ASIDE, _sets_aside),
    Lesson(LessonText.SEVENS, _takes_sevens),
    Lesson(LessonText.TAKES, _compares),
)
"""The lessons of the games of open dice, in their order."""
LESSONS = (*BLUFF_LESSONS, *OPEN_LESSONS)
"""All lessons; a game of one kind has no screen that another kind's lessons are due at."""


def lessons_at(screen: Screen) -> tuple[Lesson, ...]:
    """Return the lessons that can be learned at a screen."""
    return tuple(each for each in LESSONS if each.due(screen))


def learned_by(screen: Screen) -> tuple[Lesson, ...]:
    """Return the lessons that a screen shows to have been learned."""
    return tuple(each for each in LESSONS if each.done is not None and each.done(screen))
