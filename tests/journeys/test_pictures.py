"""The pictures in the documents are what the panels show."""

import subprocess
import sys
from pathlib import Path

from PIL import Image, ImageSequence

ROOT = Path(__file__).parents[2]
LONGEST_S = 600
MOST_BYTES_OF_A_FILM = 300_000


def frames(path):
    with Image.open(path) as film:
        return [
            (frame.info["duration"], frame.convert("RGB").tobytes())
            for frame in ImageSequence.Iterator(film)
        ]


def test_the_film_of_a_round_is_up_to_date_short_and_small(tmp_path):
    drawn, shown = tmp_path / "round.gif", ROOT / "docs" / "round.gif"
    command = [sys.executable, "-m", "tests.labs.pictures.one_round", str(drawn)]
    subprocess.run(command, cwd=ROOT, check=True, timeout=LONGEST_S)
    same = frames(drawn) == frames(shown)
    assert same, "docs/round.gif is out of date: run make screens and look at it"
    assert 10_000 <= sum(ms for ms, _ in frames(shown)) <= 15_000
    assert shown.stat().st_size < MOST_BYTES_OF_A_FILM
