"""With the core of the package alone, commands work or name the extra that they need."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from random import Random

import pytest
from packaging.requirements import Requirement

from firmware.cli.console import EXTRAS
from game import rule_set
from game.record import Record, write
from tests.support.rules_table import playout

ROOT = Path(__file__).parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WITHOUT = """
import contextlib, io, json, sys

extras, *commands = json.load(sys.stdin)
sys.modules.update(dict.fromkeys(extras))  # an import of any of them fails from now on

from firmware.cli.main import main as maexchen
from hw_sim.cli.main import main as simulator

for program, *arguments in commands:
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            status = (simulator if program == "maexchen-sim" else maexchen)(arguments)
        except SystemExit as ended:
            status = ended.code
    print(json.dumps([status, said.getvalue()]))
"""
WORKS = (
    "maexchen-sim match --link ir --game sevens --option rounds=1 --players 2 --seed 10 --json",
    "maexchen-sim games",
    "maexchen-sim soak --hops 5 --link ir",
    "maexchen-sim party --help",
    "maexchen --help",
    "maexchen watch --help",
)
NEEDS = {
    "maexchen-sim serve --site SITE": "pages",
    "maexchen-sim party --site SITE --no-tls": "pages",
    "maexchen-sim match": "bluetooth",
    "maexchen-sim soak --hops 5": "bluetooth",
    "maexchen-sim match --link mqtt --broker mqtt://127.0.0.1:9": "broker",
    "maexchen-sim --print-manual": "shell",
    "maexchen --print-completion bash": "shell",
    "maexchen-sim analyse RECORD --picture /dev/null": "pictures",
    "maexchen watch mqtt://127.0.0.1:9 0123456789abcdef0123456789abcdef": "pages",
}


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """Status and output of every command, run where no extra is installed."""
    path = tmp_path_factory.mktemp("ran") / "match.jsonl"
    rules, names = rule_set("class", {}), ("Ana", "Ben", "Cem")
    path.write_text(write(Record(rules, names, 0, tuple(playout(rules, names, Random(1))[0]))))
    (path.parent / "_headers").touch()
    given = {"RECORD": str(path), "SITE": str(path.parent)}
    commands = [[given.get(word, word) for word in line.split()] for line in (*WORKS, *NEEDS)]
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT],
        input=json.dumps([list(EXTRAS), *commands]),
        cwd=ROOT, text=True, capture_output=True, check=True,
    )  # fmt: skip
    return dict(zip((*WORKS, *NEEDS), map(json.loads, run.stdout.splitlines())))


@pytest.mark.parametrize("command", WORKS)
def test_the_core_alone_is_enough(ran, command):
    assert ran[command][0] == 0


@pytest.mark.parametrize("command", NEEDS)
def test_a_command_names_the_extra_it_needs_in_one_line(ran, command):
    status, said = ran[command]
    assert (status, said.count("\n")) == (2, 1)
    assert f"pip install 'maexchen-handheld[{NEEDS[command]}]'" in said


def test_every_package_of_an_extra_is_named_with_it():
    extras = PROJECT["optional-dependencies"]
    for package, extra in EXTRAS.items():
        names = [Requirement(line).name.partition("-mqtt")[0] for line in extras[extra]]
        assert {"PIL": "pillow"}.get(package, package).replace("_", "-") in names
