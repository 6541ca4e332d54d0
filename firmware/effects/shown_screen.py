"""The screen that a core has on the panel, and the blank before dice leave it."""

from collections.abc import Iterable

from firmware.display.screens import Screen
from firmware.display.screens.screen import shows_dice
from firmware.effects.effects import Blank, Effect, Show


class ShownScreen:
    """The screen that a core has on the panel, and the generation of its picture."""

    def __init__(self) -> None:
        self.screen: Screen | None = None
        """None before the first one."""
        self._generation = 0

    def to(self, screen: Screen, effects: Iterable[Effect] = ()) -> list[Effect]:
        """Put ``screen`` on the panel, unless it is there already.

        Returns ``effects``, and after them a ``Show``. If dice leave the panel, a ``Blank`` of a
        new generation comes first.
        """
        before, self.screen = self.screen, screen
        if screen == before:
            return [*effects]
        if before is None or not shows_dice(before) or shows_dice(screen):
            return [*effects, Show(screen, self._generation)]
        self._generation += 1
        return [Blank(self._generation), *effects, Show(screen, self._generation)]
