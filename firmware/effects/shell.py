"""The global state of a handheld, whichever core it is in: volume, failed parts, and screen."""

from collections.abc import Iterable

from firmware.display.screens import Screen
from firmware.display.screens.screen import shows_dice
from firmware.effects.effects import Blank, Effect, KeepVolume, Show
from firmware.effects.part_alerts import PartAlerts
from firmware.effects.sounds import USUAL_VOLUME, VOLUMES


class Shell:
    """Cores read it and may raise the volume; their owner reports parts and shows screens.

    ``volume``: of the sounds, 0, silence, to 3, as the journal or the settings have it.
    """

    def __init__(self, volume: int = USUAL_VOLUME) -> None:
        self.part_alerts = PartAlerts()
        """The parts that do not answer."""
        self.volume = volume
        self.screen: Screen | None = None
        """The screen on the panel; None before the first one."""
        self._kept_volume = volume
        self._generation = 0

    def raise_volume(self) -> None:
        """Make the sounds louder by one step; silence follows the loudest."""
        self.volume = (self.volume + 1) % len(VOLUMES)

    def show(self, screen: Screen, effects: Iterable[Effect] = ()) -> list[Effect]:
        """Keep a new volume, and put ``screen`` on the panel, unless it is there already.

        Returns ``effects``, and after them a ``KeepVolume`` and a ``Show``. If dice leave the
        panel, a ``Blank`` of a new generation comes first.
        """
        effects = [*effects]
        if self.volume != self._kept_volume:
            self._kept_volume = self.volume
            effects.append(KeepVolume(self.volume))
        before, self.screen = self.screen, screen
        if screen == before:
            return effects
        if before is not None and shows_dice(before) and not shows_dice(screen):
            self._generation += 1
            effects.insert(0, Blank(self._generation))
        return [*effects, Show(screen, self._generation)]
