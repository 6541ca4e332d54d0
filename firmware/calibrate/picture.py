"""The guide on the panel and in the terminal: what to do, how far it has got, what is felt."""

from collections.abc import Sequence
from typing import Final

from PIL import Image

from firmware.calibrate.guide import Complaint, Step
from firmware.calibrate.sayings import COMPLAINTS, STEPS
from firmware.screens import font
from firmware.screens.canvas import FULL, Align, Canvas, wrapped
from game.values import Language

_BLOCKS: Final = " ▁▂▃▄▅▆▇█"
PLOT_COLUMNS: Final = 60
_TITLE_BASELINE, _BODY_BASELINE, _LINE = 14, 28, 10
_BAR_TOP, _BAR_HEIGHT = 55, 8


def panel_picture(
    step: Step, complaint: Complaint | None, progress: float, language: Language
) -> Image.Image:
    """Draw a step for the panel: mode "1", 128×64."""
    canvas = Canvas()
    instruction = STEPS[step]
    title = getattr(instruction.title, language)
    canvas.text(title, _TITLE_BASELINE, (font.HEADING, font.SMALL), align=Align.CENTRE)
    words = COMPLAINTS[complaint] if complaint is not None else instruction.body
    lines = wrapped(getattr(words, language), font.SMALL, FULL)
    for number, line in enumerate(lines[:3]):
        canvas.text(line, _BODY_BASELINE + number * _LINE, (font.SMALL,))
    if progress > 0:
        canvas.frame(0, _BAR_TOP, 128, _BAR_HEIGHT)
        canvas.bar(1, _BAR_TOP + 1, round(126 * min(1.0, progress)), _BAR_HEIGHT - 2)
    return canvas.image


def plot(levels: Sequence[float]) -> str:
    """Draw the newest levels as a line of blocks, scaled to the highest of them."""
    shown = levels[-PLOT_COLUMNS:]
    highest = max(shown, default=0.0)
    if highest <= 0:
        return " " * len(shown)
    most = len(_BLOCKS) - 1
    return "".join(_BLOCKS[round(most * max(0.0, level) / highest)] for level in shown)


def terminal_line(step: Step, levels: Sequence[float], progress: float) -> str:
    """Draw what is felt, for one line of the terminal that is written over."""
    unit = " lx" if step in (Step.UNCOVER, Step.COVER, Step.LIFT) else " g"
    now = f"{levels[-1]:7.2f}{unit}" if levels else ""
    return f"  {plot(levels):{PLOT_COLUMNS}} {now} {min(1.0, progress):4.0%}"
