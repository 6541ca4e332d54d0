"""A judged match as a picture."""

from itertools import pairwise

from PIL import Image, ImageDraw

from firmware.display.oled.font import load
from firmware.display.oled.lettering import write
from firmware.display.text.language import Language, say
from game.coach import Analysis
from game.coach.analysis import FREE
from hw_sim.story.card import COLOURS
from hw_sim.story.judging import part_told, parts_of, unit

_WIDE, _LEFT, _BAR, _HEAD = 640, 20, 15, 24
_LONGEST = 220
_COLOURS = {
    "start": "#1565c0",
    "luck": "#90a4ae",
    "skill": "#c62828",
    "faults": "#ef6c00",
    "others": "#2e7d32",
    "table": "#6a1b9a",
}
_CURVE, _DOT = 180, 5
"""The height of the curve and the radius of a dot, in pixels."""


def chart(analysis: Analysis, language: Language) -> Image.Image:
    """Draw the curve of the match, and the parts of everybody's result as bars below it."""
    below = _bars(analysis, language)
    if len(analysis.curve) <= 1:
        return below
    above = _curve(analysis, language)
    image = Image.new("RGB", (_WIDE, above.height + below.height), "white")
    image.paste(above)
    image.paste(below, (0, above.height))
    return image


def _curve(analysis: Analysis, language: Language) -> Image.Image:
    """Draw everybody's worth from action to action, with the dearest decisions as dots."""
    image = Image.new("RGB", (_WIDE, _CURVE + 90), "white")
    pen, points = ImageDraw.Draw(image), analysis.curve
    write(image, (_LEFT, 25), say("judged.CURVE", language))
    every = [worth for point in points for worth in point.worths]
    least, most = (0.0, 1.0) if analysis.unit == "chance" else (min(every), max(every))
    high = max(FREE, most - least)

    def at(place: int, worth: float) -> tuple[int, int]:
        across = (_WIDE - 2 * _LEFT) * place // (len(points) - 1)
        return _LEFT + across, 70 + round(_CURVE * (most - worth) / high)

    for place, (before, now) in enumerate(pairwise(points), start=1):
        if before.round != now.round:
            pen.line((at(place, most), at(place, least)), fill="#eeeeee")
    pen.rectangle((at(0, most), at(len(points) - 1, least)), outline="#cccccc")
    for seat, name in enumerate(analysis.players):
        colour, left = COLOURS[seat % len(COLOURS)], _LEFT + 75 * seat
        pen.rectangle((left, 36, left + 12, 48), fill=colour)
        write(image, (left + 18, 47), name, "small")
        line = [at(place, point.worths[seat]) for place, point in enumerate(points)]
        pen.line(line, fill=colour, width=2)
    places = {point.line: place for place, point in enumerate(points)}
    for number, judged in enumerate(analysis.dearest, start=1):
        place = places[judged.line]
        x, y = at(place, points[place].worths[judged.seat])
        pen.ellipse(
            (x - _DOT, y - _DOT, x + _DOT, y + _DOT), fill=COLOURS[judged.seat % len(COLOURS)]
        )
        write(image, (x + _DOT + 2, y + _DOT), str(number), "small")
    return image


def _bars(analysis: Analysis, language: Language) -> Image.Image:
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
