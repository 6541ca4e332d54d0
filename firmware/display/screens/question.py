"""The page of a question with answers, as the lobby asks them."""

from dataclasses import dataclass

from firmware.display.screens.dial import DialStrip, Item, check_share
from firmware.display.screens.page import Page
from firmware.display.text.labels import Text


@dataclass(frozen=True, slots=True)
class QuestionPage(Page):
    """A question or state of the lobby, before and between matches.

    Below the title are ``lines``, or instead the text of the key ``about``, or a name in ``large``
    letters. ``numbers`` of two digits, up to five, stand below one line: players compare them.
    ``dial`` None: there is nothing to choose. ``hint`` None: the hint of the dial. ``progress`` is
    how far a hold has come, 0 to 1; None while the pad is free.
    """

    title: Item
    lines: tuple[Item, ...] = ()
    about: str | None = None
    numbers: tuple[int, ...] = ()
    dial: DialStrip | None = None
    hint: Text | None = None
    progress: float | None = None
    large: str = ""

    def __post_init__(self) -> None:
        check_share(self.progress)
