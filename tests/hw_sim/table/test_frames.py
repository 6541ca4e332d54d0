"""Pictures of the panels: taken from the memory, when it has settled, and not without end."""

import asyncio
import re
import shutil
from itertools import pairwise

import pytest

from firmware.cli.console import CommandError
from game import RULES
from hw_sim.panel import panel, png
from hw_sim.table import TableSetup
from hw_sim.table.headless import FrameWriter
from tests.support.matches import playing

NAME = re.compile(r"(\d{6}\.\d{3})-seat(\d)-(ana|ben|cem)\.png")
SETTLED_S = 0.15
"""A picture is kept when nothing has been written for so long."""
STILL_S = 2 * SETTLED_S


@pytest.fixture
def watched(tmp_path):
    """Plays the beginning of a match before a writer."""

    def watched(writer):
        return playing(TableSetup(RULES["class"], seed=1), tmp_path, writer.follow)

    return watched


async def test_a_panel_that_has_settled_on_something_new_is_kept(tmp_path, watched):
    folder = tmp_path / "deep" / "frames"
    writer = FrameWriter(folder)
    async with watched(writer) as table:
        await asyncio.sleep(25.0)
        memories = None  # until no panel has changed for a while, as all players think at times
        while memories != (memories := [seat.board.display.memory for seat in table.seats]):
            await asyncio.sleep(STILL_S)
    files = sorted(folder.iterdir())
    assert writer.count == len(files) > 10
    assert all(NAME.fullmatch(file.name) for file in files)
    for seat, name in enumerate(("ana", "ben", "cem")):
        mine = [file for file in files if file.name.endswith(f"-seat{seat}-{name}.png")]
        times_s = [float(file.name[:10]) for file in mine]
        assert all(b - a > SETTLED_S for a, b in pairwise(times_s))
        pictures = [file.read_bytes() for file in mine]
        assert all(a != b for a, b in pairwise(pictures))
        assert pictures[-1] == png(panel(memories[seat]))
    assert writer.summary() == f"frames: {len(files)} pictures in {folder}"


async def test_no_more_pictures_than_the_limit(tmp_path, watched):
    writer = FrameWriter(tmp_path / "frames", most=4)
    async with watched(writer):
        await asyncio.sleep(20.0)
    assert writer.count == len(list((tmp_path / "frames").iterdir())) == 4
    assert re.search(r"4 pictures in .*, the limit; none after \d+\.\d{3} s$", writer.summary())


async def test_a_disk_that_takes_no_more_is_told_and_the_match_goes_on(tmp_path, watched):
    writer = FrameWriter(tmp_path / "frames")
    async with watched(writer) as table:
        await asyncio.sleep(5.0)
        kept = writer.count
        shutil.rmtree(tmp_path / "frames")
        await asyncio.sleep(20.0)
        assert writer.count == kept
        assert max(seat.handheld.match.turn for seat in table.seats) > 3
    assert re.fullmatch(r"frames .*\.png: No such file or directory: make room, .*", writer.trouble)


def test_a_folder_that_cannot_be_one(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(CommandError, match="name a folder that may be written to"):
        FrameWriter(tmp_path / "file")
