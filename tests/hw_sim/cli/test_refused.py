"""Tests that each row of ``refused.toml`` is refused in one line."""

import shlex
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from firmware.cli.main import main as maexchen
from game import RULES
from game.actions import Announce, Believe, Look, Roll
from game.record import Record, write
from hw_sim.cli.main import main as simulator

ROWS = tomllib.loads(Path(__file__).with_name("refused.toml").read_text(encoding="utf-8"))
REFUSED = [pytest.param(*row, id=row[0]) for rows in ROWS.values() for row in rows.items()]
NAMES = ("Ana", "Ben", "Cem")
BEGUN = Record(RULES["class"], NAMES, 0, (Roll((4, 2)), Look(), Announce(61), Believe()))
MATCH = BEGUN._replace(actions=(*BEGUN.actions, Roll((3, 1)), Look()))
ODD = write(Record(replace(RULES["class"], rolls=3), NAMES, 0, (Roll((3, 1)),)))


@pytest.fixture
def given(tmp_path, monkeypatch):
    """Files of all kinds, in the folder of the command."""
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "match": write(MATCH),
        "begun": write(BEGUN),
        "sevens": write(Record(RULES["sevens"], NAMES, 0, ())),
        "covered": write(BEGUN._replace(actions=(Roll(None),))),
        "odd": ODD,
        "cut": ODD[:20],
        "empty": "",
        "other": '{"format": "chess"}\n',
        "action": write(BEGUN._replace(actions=())) + '{"action": "dance"}\n',
    }.items():
        Path(f"{name}.jsonl").write_text(text, encoding="utf-8")
    Path("binary.jsonl").write_bytes(b"\xff\xfe\x00")
    Path("object.json").write_text("{}", encoding="utf-8")


@pytest.mark.usefixtures("given")
@pytest.mark.parametrize(("line", "told"), REFUSED)
def test_what_is_wrong_is_told_in_one_line(capsys, line, told):
    words = shlex.split(line)
    of_the_handheld = words[:1] == ["maexchen"]
    try:
        status = maexchen(words[1:]) if of_the_handheld else simulator(words)
    except SystemExit as leaving:
        status = leaving.code
    out, err = capsys.readouterr()
    assert (status, err.count("\n")) == (2, 1), err
    assert out == "" or of_the_handheld
    assert err.startswith("maexchen")
    assert told in err
