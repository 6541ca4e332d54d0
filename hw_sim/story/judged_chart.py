"""A judged match as a picture."""

from PIL import Image, ImageDraw

from firmware.display.oled.font import load
from firmware.display.oled.lettering import write
from firmware.display.text.language import Language, say
from game.coach import Analysis
from game.coach.analysis import FREE
from hw_sim.story.judging import part_told, parts_of, unit

_WIDE, _LEFT, _BAR, _HEAD = 640, 20, 15, 24
_LONGEST = 220
_COLOURS = {
    "start": "#1565c0",
    "luck": "#90a4ae",
    "skill": "#c62828",
    "others": "#2e7d32",
    "table": "#6a1b9a",
}


def chart(analysis: Analysis, language: Language) -> Image.Image:
    """Draw the parts of everybody's result as bars from a middle line."""
    parts = parts_of(analysis)[:-1]
    tall = _HEAD + _BAR * len(parts) + 10
    image = Image.new("RGB", (_WIDE, 70 + tall * len(analysis.accounts)), "white")
    pen = ImageDraw.Draw(image)
    for column, part in enumerate(parts):
        left = _LEFT + 110 * column
        pen.rectangle((left, 14, left + 12, 26), fill=_COLOURS[part])
        write(image, (left + 18, 25), say(f"part.{part}.name", language))
    write(image, (_LEFT, 50), unit(analysis, language))
    worths = [getattr(each, part) for each in analysis.accounts for part in parts]
    most, middle, top = max([FREE, *map(abs, worths)]), _WIDE // 2, 62
    for name, account in zip(analysis.players, analysis.accounts):
        result = part_told(account, "result", analysis.unit, language)
        pen.line((_LEFT, top, _WIDE - _LEFT, top), fill="#cccccc")
        whole = f"{say('part.result.name', language)} {result}"
        line = say("judged.ACTOR", language, name=name, done=whole)
        write(image, (_LEFT, top + 17), line)
        for row, part in enumerate(parts):
            worth = getattr(account, part)
            end, low = middle + round(_LONGEST * worth / most), top + _HEAD + _BAR * row
            pen.rectangle((min(middle, end), low, max(middle, end), low + 10), fill=_COLOURS[part])
            number = part_told(account, part, analysis.unit, language)
            beside = end + 6 if worth >= 0 else end - 6 - load("small").width(number)
            write(image, (beside, low + 9), number, "small")
        pen.line((middle, top + _HEAD, middle, top + tall - 10), fill="black")
        top += tall
    return image
