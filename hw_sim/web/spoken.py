"""What a display says, in words for those who cannot see it: its own texts, from top to bottom."""

from collections.abc import Sequence

from firmware.screens import Screen
from firmware.screens.canvas import FULL, Align, Canvas, Span
from firmware.screens.drawing import paint
from game.values import Language


class _ReadCanvas(Canvas):
    """Keeps every text that is drawn, with the line it stands in."""

    def __init__(self) -> None:
        super().__init__()
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


def spoken(screen: Screen, language: Language) -> str:
    """Everything that a screen says, sentence by sentence; its dice as digits."""
    canvas = _ReadCanvas()
    paint(canvas, screen, language)
    said = [text.strip() for _, _, text in sorted(canvas.lines) if text.strip()]
    dice = getattr(screen, "dice", None)
    if dice:
        word = "Würfel" if language == "de" else "dice"
        said.insert(0, f"{word}: {' '.join(str(die) for die in dice)}")
    return ". ".join(said)
