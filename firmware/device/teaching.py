"""A first match on one handheld: a page explains each new thing beforehand. Pure."""

from firmware.display.screens import AlertPage, Screen
from firmware.display.screens.lessons import LESSONS, Lesson, learned_by, lessons_at
from firmware.input.gestures.gesture import Gesture, Held, Pose, Pressed, Released, Tap


class Teaching:
    """Lays lessons over a match's screens until all are learned or the player declines more."""

    def __init__(self) -> None:
        self._todo = list(LESSONS)
        self._shown: Lesson | None = None

    def page(self, screen: Screen | None) -> AlertPage | None:
        """Return the lesson to read before ``screen``; None if there is none."""
        if screen is None:
            return None
        learned = learned_by(screen)
        self._todo = [each for each in self._todo if each not in learned]
        due = lessons_at(screen)
        self._shown = next((each for each in self._todo if each in due), None)
        return None if self._shown is None else AlertPage(self._shown.text)

    def takes(self, what: Gesture) -> bool:
        """Return whether a gesture was for the shown lesson; any but a tilt puts it away.

        A tap goes on, a hold ends the lessons. Every other gesture counts for the game, too.
        """
        if self._shown is None:
            return False
        match what:
            case Pose() | Pressed() | Released():
                return True
            case Held():
                self._todo.clear()
            case _:
                self._todo.remove(self._shown)
        self._shown = None
        return isinstance(what, Tap | Held)
