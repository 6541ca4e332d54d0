"""Modules that a start loads: few, and those of a medium or a server only where it is made."""

import json
import subprocess
import sys

import pytest

NEVER = {"PIL", "aiohttp", "argparse_manpage", "bumble", "paho", "segno", "shtab"}
"""What only some commands and media need."""
SOLVERS = {"firmware.bots", "game.coach", "game.strategy"}
"""Modules of bots, hints and the coach. A table of people needs none of them."""
CORE = {"firmware.device.open", "firmware.runtime.runtime"}
PICTURES = {"firmware.cli.main", "firmware.runtime.splash"}


def loaded(program, *given):
    """What a program of its own prints as JSON."""
    command = [sys.executable, "-c", program, *given]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    return json.loads(ran.stdout.splitlines()[-1])


IMPORTS = """
import json, sys
from importlib import import_module
for name in sys.argv[1:]:
    import_module(name)
print(json.dumps(sorted(sys.modules)))
"""


@pytest.mark.parametrize(
    ("modules", "most", "never"),
    [
        (["firmware.cli.run"], 535, NEVER | SOLVERS | {"email", "multiprocessing", "reedsolo"}),
        (sorted(CORE), 480, NEVER | SOLVERS),
        (sorted(PICTURES), 230, NEVER | {"cryptography", "game", "sqlite3"}),
        (["hw_sim.live.world.world"], 720, NEVER | {"argparse", "multiprocessing", "reedsolo"}),
    ],
    ids=["run", "device and runtime", "early picture", "world"],
)
def test_a_start_loads_few_modules(modules, most, never):
    found = loaded(IMPORTS, *modules)
    assert len(found) <= most
    assert never.isdisjoint(found)


SERVES = """
import asyncio, json, sys
from pathlib import Path
from firmware.cli.run import serve
from firmware.link import RadioError
from firmware.settings import Settings
from tests.support.rigs import assembled

told = []

class Watch:
    def __init__(self, display):
        self.display = display
    def find_spec(self, name, path, target=None):
        if name == "bumble":
            is_shown = self.display.is_lit and any(self.display.memory)
            told.append("loaded, lit" if is_shown else "loaded, dark")

async def no_controller():
    told.append("opened" if "bumble" in sys.modules else "not loaded")
    raise RadioError("there is none")

async def main(folder):
    with assembled("serves") as (board, parts):
        sys.meta_path.insert(0, Watch(board.display))
        try:
            await serve(Settings(journal=Path(folder) / "journal.sqlite"), parts, no_controller)
        except RadioError:
            told.append("dark" if not board.display.is_on else "on")

asyncio.run(main(sys.argv[1]))
print(json.dumps(told))
"""


def test_a_medium_is_loaded_after_the_first_screen(tmp_path):
    assert loaded(SERVES, str(tmp_path)) == ["loaded, lit", "opened", "dark"]
