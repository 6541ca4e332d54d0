"""A first match on one handheld: before each new thing a page says what it is. Pure."""

from firmware.display.screens import AlertPage, Screen
from firmware.display.screens.lessons import LESSONS, Lesson, learned_by, lessons_at
from firmware.input.gestures.gesture import Gesture, Held, Pose, Pressed, Released, Tap


class Teaching:
    """Lays lessons over the screens of a match until all are learned, or nobody wants more."""

    def __init__(self) -> None:
        self._todo = list(LESSONS)
        self._said: Lesson | None = None

    def page(self, screen: Screen | None) -> AlertPage | None:
        """The lesson to be read before ``screen``; None where there is none."""
        if screen is None:
            return None
        learned = learned_by(screen)
        self._todo = [each for each in self._todo if each not in learned]
        due = lessons_at(screen)
        self._said = next((each for each in self._todo if each in due), None)
        return None if self._said is None else AlertPage(self._said.text)

    def takes(self, what: Gesture) -> bool:
        """Whether a gesture was for the lesson that is shown; any but a tilt puts it away.

        A tap goes on, a hold wants no more lessons. All else counts for the game, too.
        """
        if self._said is None:
            return False
        match what:
            case Pose() | Pressed() | Released():
                return True
            case Held():
                self._todo.clear()
            case _:
                self._todo.remove(self._said)
        self._said = None
        return isinstance(what, Tap | Held)
