"""Names at the doors of a handheld: command, settings, record and hot seat."""

from pathlib import Path

import pytest

from firmware.cli.main import main
from firmware.lobby.choices import OneHandheld
from firmware.settings import SettingsError
from firmware.settings import load as load_settings
from game import RULES
from game.names import name_of
from game.record import Record, RecordError, read, write
from tests.support.names import EMPTY, HIDDEN, LONG, TAKEN

SETTINGS = """journal = "{journal}"
name = "{name}"
"""


def recorded(name):
    return read(write(Record(RULES["class"], (name_of(name), "Cy", "Di"), 0, ()))).players[0]


def alone(name):
    match = OneHandheld(RULES["class"], (name_of(name), "Cy", "Di"), 0, 1, bytes(32))
    return OneHandheld.decode(match.encode()).names[0]


def settled(folder, name):
    file = Path(folder, "settings.toml")
    written = "".join(f"\\U{ord(each):08X}" for each in name)
    file.write_text(SETTINGS.format(journal=folder / "j.sqlite", name=written))
    return load_settings(file).name


def commanded(name, capsys):
    """What ``maexchen run`` says to a name, and to a medium that there is not."""
    assert main(["run", "--name", name, "--link", "smoke"]) == 2
    return capsys.readouterr().err


@pytest.mark.parametrize("name", TAKEN)
def test_what_one_door_takes_all_take(name, tmp_path, capsys):
    kept = name_of(name)
    assert {recorded(name), alone(name), settled(tmp_path, name)} == {kept}
    assert "smoke" in (line := commanded(name, capsys))
    assert kept not in line


@pytest.mark.parametrize("name", [*LONG, *HIDDEN, *EMPTY])
def test_what_one_door_refuses_all_refuse_in_a_line(name, tmp_path, capsys):
    with pytest.raises(RecordError):
        read(write(Record(RULES["class"], (name, "Cy", "Di"), 0, ())))
    line = commanded(name, capsys)
    assert (line.count("\n"), "--name" in line) == (1, True)
    if name and "\ud800" not in name:  # no name is one chosen at the display; TOML has no halves
        with pytest.raises(SettingsError):
            settled(tmp_path, name)
