"""Setups of tables, and pictures of the panels while a table plays."""

import asyncio
import re
import shutil
from itertools import pairwise

import pytest

from drivers.light_sensor import LIGHT_SENSORS
from firmware.cli.console import CommandError
from firmware.display.text.language import LANGUAGES
from firmware.runtime.board import light_part
from firmware.settings import Settings
from game import RULES, SetupError
from hw_sim.live.page.link_setup import LinkError, setup_of
from hw_sim.live.world.setup import WorldSetup
from hw_sim.panel import panel, png
from hw_sim.players.bot_kinds import KINDS, personality_of
from hw_sim.table import Carriage, Conditions, TableSetup
from hw_sim.table.headless import FrameWriter
from tests.support.matches import playing


def table(**changed):
    return TableSetup(RULES["class"], **changed)


LIGHTS = f"one of {', '.join(LIGHT_SENSORS)}"
WRONG = {
    "bots of a world": (lambda: WorldSetup(table(), 1, ("usual", "usual")), "bot usual: .*honest"),
    "too few bots": (lambda: WorldSetup(table(), 1, KINDS[:1]), "1 people and 1 bots .* 3 seats"),
    "bots": (lambda: table(bots=("grandma",)), "bot grandma: .*honest, trusting"),
    "a bot of two lines": (lambda: table(bots=("a\nb",)), r"bot 'a\\nb': "),
    "bot": (lambda: personality_of("usual"), "bot usual: choose of honest"),
    "link": (lambda: table(link=("smoke",)), "bluetooth, ir, mqtt"),
    "link as one word": (lambda: table(link="ir"), "bluetooth, ir, mqtt"),
    "links": (lambda: Carriage(links=(("ir",), ())), "bluetooth, ir, mqtt"),
    "scene": (lambda: Conditions(scene="moon"), "one of pub, day"),
    "faults": (lambda: Conditions(faults="none"), "one of ask, strict, off"),
    "controller": (lambda: Carriage(controller="best"), "one of ideal, pi"),
    "language": (lambda: table(language="xx"), "one of de, en, fr"),
    "a handheld's light": (lambda: Settings(light="tsl2561"), LIGHTS),
    "a driver's light": (lambda: light_part(None, "tsl2561"), LIGHTS),
    "a handheld's language": (lambda: Settings(language="xx"), "one of de, en, fr"),
    "a handheld's link": (lambda: Settings(link=("both",)), "bluetooth, ir, mqtt"),
    "a handheld's faults": (lambda: Settings(faults="none"), "one of ask, strict, off"),
    "an opponent": (lambda: Settings(opponent="cheeky"), "one of usual, honest"),
}


@pytest.mark.parametrize(("make", "told"), WRONG.values(), ids=WRONG)
def test_a_word_that_there_is_not_is_told_in_one_line(make, told):
    with pytest.raises(ValueError, match=told) as refused:
        make()
    assert "\n" not in str(refused.value)


def test_a_stored_setup_has_bots_that_there_are():
    plain = WorldSetup(table(), 1, KINDS[:2]).to_json()
    with pytest.raises(SetupError, match="bot usual: "):
        WorldSetup.from_json(plain | {"bots": ["usual", "honest"]})


@pytest.mark.parametrize("link", ["lang=xx", "lang=", "lang=xx&game=class", "game=", "poker"])
def test_a_link_with_a_word_that_there_is_not_is_told_of(link):
    with pytest.raises(LinkError, match="choose from"):
        setup_of(link, "en")


def test_a_link_of_a_language_alone_is_no_table():
    assert [setup_of(f"lang={each}", "en") for each in LANGUAGES] == [None] * len(LANGUAGES)


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
