"""The picture in the documents is what the panels show."""

import subprocess
import sys
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).parents[2]
LONGEST_S = 600


def pixels(path):
    with Image.open(path) as image:
        return image.size, image.convert("RGB").tobytes()


def test_the_picture_of_the_screens_is_up_to_date(tmp_path):
    drawn = tmp_path / "screens.png"
    command = [sys.executable, "-m", "tests.pictures.panels", str(drawn)]
    subprocess.run(command, cwd=ROOT, check=True, timeout=LONGEST_S)
    same = pixels(drawn) == pixels(ROOT / "docs" / "screens.png")
    assert same, "docs/screens.png is out of date: run make screens and look at it"
