"""The first picture of a start: right, early, and only where a service starts."""

import json
import subprocess
import sys

import pytest
from steckbrett.board.bus import SimulatedSMBus
from steckbrett.parts.ssd1306 import SSD1306

from drivers.panel import pack
from firmware.cli.main import main
from firmware.display.oled.draw import draw
from firmware.display.screens import StartingPage
from firmware.display.text.language import ENGLISH, LANGUAGES
from firmware.runtime.splash import DARK_CONTRAST, PICTURES, language_of, show_early

SERVICE = {"NOTIFY_SOCKET": "/run/systemd/notify"}


class Glass:
    """A panel on a bus of its own, whose time is what the bits take."""

    def __init__(self):
        self.display = SSD1306(1, 0)
        self.bus = SimulatedSMBus({0x3C: self.display}, lambda: 0)
        self.bus.bit_ns = 2_500  # 400 kHz, as setup-pi sets it
        self.opened = 0

    def open(self):
        self.opened += 1
        return self.bus


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_the_picture_that_would_be_drawn(language):
    glass = Glass()
    assert show_early(language, glass.open)
    assert glass.display.is_lit
    drawn = language if (PICTURES / f"starting-{language}.bin").is_file() else ENGLISH
    assert glass.display.memory == pack(draw(StartingPage(), drawn).columns), "run make screens"
    assert glass.display.contrast == DARK_CONTRAST
    assert glass.display.violations == []


def test_it_takes_less_than_a_tenth_of_a_second_of_bus():
    glass = Glass()
    show_early("de", glass.open)
    assert glass.bus.elapsed_us < 100_000


def no_bus():
    raise FileNotFoundError("/dev/i2c-1")


def test_without_a_bus_or_a_panel_it_goes_on_quietly(capsys):
    glass = Glass()
    glass.bus.unplug(0x3C)
    assert not show_early("en", glass.open)
    assert not show_early("en", no_bus)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("arguments", "settings", "language"),
    [
        (["run"], "", "en"),
        (["run", "--settings", "{}"], 'language = "de"', "de"),
        (["run", "--settings={}"], 'language = "de"', "de"),
        (["run", "--settings", "{}"], 'language = "tlh"', "en"),
        (["run", "--settings", "{}"], "not TOML", "en"),
        (["run", "--settings", "{}"], "language = [1]", "en"),
        (["run", "--settings", "{}", "--lang", "en"], 'language = "de"', "en"),
        (["run", "--lang=de"], "", "de"),
        (["run", "--settings", "/nowhere"], "", "en"),
        (["run", "--lang"], "", "en"),
    ],
)
def test_it_speaks_the_language_of_the_settings(tmp_path, arguments, settings, language):
    path = tmp_path / "settings.toml"
    path.write_text(settings, encoding="utf-8")
    assert language_of([each.format(path) for each in arguments]) == language


@pytest.mark.parametrize(
    ("arguments", "environment", "opened"),
    [
        (["run", "--settings", "/nowhere"], SERVICE, 1),
        (["run", "--settings", "/nowhere"], {}, 0),
        (["log", "--journal", "/nowhere"], SERVICE, 0),
        ([], SERVICE, 0),
    ],
)
def test_only_a_service_that_starts_has_it(arguments, environment, opened, capsys):
    glass = Glass()
    try:
        status = main(arguments, environment, glass.open)
    except SystemExit as end:
        status = end.code
    assert status == 2
    assert glass.opened == opened
    assert glass.display.is_lit == bool(opened)
    assert capsys.readouterr().err


SCRIPT = """
import json, sys
from steckbrett.board.bus import SimulatedSMBus
from steckbrett.parts.ssd1306 import SSD1306

before = set(sys.modules)
from firmware.cli.main import main

display = SSD1306(1, 0)
loaded = []
def look(_t_us):
    if display.is_lit and not loaded:
        loaded.extend(sorted(set(sys.modules) - before))
display.on_write.append(look)
class Bus(SimulatedSMBus):
    def i2c_rdwr(self, *messages):
        super().i2c_rdwr(*messages)
        look(0)
status = main(["run", "--settings", "/nowhere"], {"NOTIFY_SOCKET": "x"},
              lambda: Bus({0x3C: display}, lambda: 0))
print(json.dumps(loaded))
"""


def test_it_comes_before_what_takes_long_to_load():
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True, timeout=600
    )
    loaded = json.loads(ran.stdout)
    late = {
        "bumble",
        "sqlite3",
        "cryptography",
        "game",
        "firmware.display.screens",
        "firmware.cli.run",
    }
    assert not late & set(loaded)
    assert "drivers.ssd1306" in loaded
