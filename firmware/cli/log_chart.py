"""The picture of ``maexchen log``: the penalties of each player."""

from collections.abc import Mapping

from PIL import Image, ImageDraw

from firmware.display.oled.lettering import write
from firmware.display.text.language import Language, say


def chart(summed: Mapping[str, Mapping[str, int]], language: Language) -> Image.Image:
    """Draw all penalties as bars: 640 pixels wide, 40 for each player."""
    image = Image.new("RGB", (640, 60 + 40 * len(summed)), "white")
    pen = ImageDraw.Draw(image)
    write(image, (20, 30), say("past.CHART", language))
    most = max([1, *(numbers["penalties"] for numbers in summed.values())])
    for row, (name, numbers) in enumerate(summed.items()):
        top = 52 + 40 * row
        write(image, (20, top + 18), name)
        right = 170 + round(400 * numbers["penalties"] / most)
        pen.rectangle((170, top, max(right, 171), top + 26), fill="#1565c0")
        write(image, (right + 8, top + 18), str(numbers["penalties"]))
    return image
