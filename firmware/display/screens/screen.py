"""Every screen of a panel, as one type."""

from firmware.display.screens.cup import CupScreen, LookPage, RevealPage
from firmware.display.screens.open_dice import OpenDiceScreen, ThrowOpenPage
from firmware.display.screens.overlays import Overlay
from firmware.display.screens.question import QuestionPage

Screen = CupScreen | OpenDiceScreen | Overlay | QuestionPage


def shows_dice(screen: Screen) -> bool:
    """Return whether the screen shows dice; ``RoundEndPage`` counts as none."""
    if isinstance(screen, RevealPage):
        return screen.dice is not None
    return isinstance(screen, LookPage | ThrowOpenPage)
