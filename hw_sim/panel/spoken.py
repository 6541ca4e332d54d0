"""A display in words for those who cannot see it: its own texts, from top to bottom."""

from collections.abc import Sequence
from functools import lru_cache

from firmware.display.oled.canvas import FULL, HINT_BASELINE, Align, Span
from firmware.display.oled.draw import paint
from firmware.display.oled.marks import item_text
from firmware.display.oled.page import STRIP_BASELINE, PageCanvas
from firmware.display.screens import DialStrip, Screen
from firmware.display.text.language import Language, say


class _ReadPage(PageCanvas):
    """Keeps every text that is drawn, with the line it stands in."""

    def __init__(self, language: Language) -> None:
        super().__init__(language)
        self.lines: list[tuple[int, int, str]] = []

    def text(
        self,
        text: str,
        baseline: int,
        fonts: Sequence[str],
        span: Span = FULL,
        align: Align = Align.LEFT,
    ) -> Span:
        taken = super().text(text, baseline, fonts, span, align)
        self.lines.append((baseline, taken[0], text))
        return taken


@lru_cache(maxsize=64)
def spoken(screen: Screen, language: Language) -> str:
    """Return all texts of a screen as sentences; its dice as digits, its dial in words.

    The dial's highlight is called the choice; the entries beside it are called left and right.
    """
    page = _ReadPage(language)
    paint(page, screen)
    dial = getattr(screen, "dial", None)
    lines = sorted(page.lines)
    if isinstance(dial, DialStrip):
        lines = [line for line in lines if line[0] != STRIP_BASELINE]
    said = [text.strip(" .…") for _, _, text in lines]
    hint = said[-1:] if lines and lines[-1][0] == HINT_BASELINE else []
    said = said[: len(said) - len(hint)]
    dice = getattr(screen, "dice", None)
    if dice:
        said.insert(0, say("read_out.DICE", language, dice=" ".join(map(str, dice))))
    if isinstance(dial, DialStrip):
        current = "–" if dial.neutral else item_text(dial.current, language)
        said.append(say("read_out.CHOICE", language, item=current))
        for side, item in (("LEFT", dial.previous), ("RIGHT", dial.following)):
            if item is not None:
                said.append(say(f"read_out.{side}", language, item=item_text(item, language)))
    return ". ".join(text for text in (*said, *hint) if text)
