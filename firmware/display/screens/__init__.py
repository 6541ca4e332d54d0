"""The screens of a panel as frozen values, no pixels.

May import: text, game.
Begin with ``cup``, the pages of a cup that goes round.
"""

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
from firmware.display.screens.dial import DialStrip, Item, Phrase, Said
from firmware.display.screens.dice import CupKind, Delivery, DieState, NoteLine, ThrowStage
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
from firmware.display.screens.screen import Screen
from firmware.display.screens.tally import Row, Tally, Unit
from firmware.display.screens.verdict import Judgement, Verdict
from firmware.display.screens.way import GestureKind, Meaning, Way

__all__ = [
    "AlertPage",
    "AnnouncingPage",
    "ClosedPage",
    "CupKind",
    "Delivery",
    "DialStrip",
    "DieState",
    "FaultQuestionPage",
    "GestureKind",
    "HelpPage",
    "Item",
    "Judgement",
    "LiftingPage",
    "LookPage",
    "MatchOverPage",
    "Meaning",
    "MenuPage",
    "NoteLine",
    "OfferPage",
    "OnItsWayPage",
    "Phrase",
    "QuestionPage",
    "RevealPage",
    "RoundEndPage",
    "Row",
    "Said",
    "Screen",
    "ShakingPage",
    "StandingsPage",
    "StartingPage",
    "Tally",
    "ThrowClosedPage",
    "ThrowOpenPage",
    "ThrowStage",
    "Unit",
    "Verdict",
    "WaitingPage",
    "Way",
]
