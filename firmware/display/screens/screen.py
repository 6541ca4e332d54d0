"""Everything a panel can show, as one type."""

from firmware.display.screens.cup import (
    AnnouncingPage,
    ClosedPage,
    LiftingPage,
    LookPage,
    OfferPage,
    OnItsWayPage,
    RevealPage,
    ShakingPage,
    StartingPage,
    WaitingPage,
)
from firmware.display.screens.open_dice import RoundEndPage, ThrowClosedPage, ThrowOpenPage
from firmware.display.screens.overlays import (
    AlertPage,
    FaultQuestionPage,
    HelpPage,
    MatchOverPage,
    MenuPage,
    StandingsPage,
)
from firmware.display.screens.question import QuestionPage

Screen = (
    StartingPage
    | WaitingPage
    | OfferPage
    | ClosedPage
    | ShakingPage
    | LookPage
    | AnnouncingPage
    | OnItsWayPage
    | LiftingPage
    | RevealPage
    | ThrowClosedPage
    | ThrowOpenPage
    | RoundEndPage
    | MenuPage
    | HelpPage
    | FaultQuestionPage
    | StandingsPage
    | MatchOverPage
    | AlertPage
    | QuestionPage
)


def shows_dice(screen: Screen) -> bool:
    """Whether there are dice in the screen."""
    if isinstance(screen, RevealPage):
        return screen.dice is not None
    return isinstance(screen, LookPage | ThrowOpenPage)
