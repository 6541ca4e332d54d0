"""The panel's letters in pictures for people, which Pillow draws."""

from PIL import Image

from firmware.display.oled.bitmap import STRIDE, Bitmap
from firmware.display.oled.font import load


def image_of(bitmap: Bitmap) -> Image.Image:
    """Return a bitmap as an image of mode "1" and the same size."""
    # A column is a row of the first image, with its lowest bit leftmost.
    lying = Image.frombytes("1", (STRIDE, bitmap.width), bitmap.columns, "raw", "1;R")
    upright = lying.transpose(Image.Transpose.TRANSPOSE)
    return upright.crop((0, 0, bitmap.width, bitmap.height))


def write(image: Image.Image, at: tuple[int, int], text: str, name: str = "bold") -> None:
    """Write black text into a picture of any size: ``at`` is where its baseline begins."""
    ink = load(name).render(text)
    image.paste("black", (at[0] + ink.left, at[1] - ink.top), image_of(ink.mask))
