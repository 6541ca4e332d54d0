"""From settings and journal to a handheld: a new match, or one that a power cut interrupted."""

from dataclasses import replace

import pytest

from firmware.device.open import open_match
from firmware.journal import CUP_KEY, Append, Put
from firmware.journal.sqlite import Journal
from firmware.settings import SettingsError
from firmware.table.seat.cup_custody import Position
from game.actions import Roll
from tests.support import core_table as cores


@pytest.fixture
def table(tmp_path):
    table = cores.CoreTable(3, dice={0: [(6, 3)]}, folder=tmp_path)
    yield table
    table.close()


def reopened(settings, begin=True):
    with Journal(settings.journal) as journal:
        return open_match(settings, journal, bytes, begin=begin)


def with_table(settings, **changes):
    return replace(settings, standing=replace(settings.standing, **changes))


# ---- a new match ---------------------------------------------------------------------------------


def test_a_new_epoch_begins_a_new_match_and_keeps_the_old_record(tmp_path):
    old = cores.CoreTable(3, folder=tmp_path)
    old.choose(0, Roll())
    old.close()
    new = cores.CoreTable(3, folder=tmp_path, epoch=2, first=1, stakes="drinks")
    assert all(place.actions == () for place in new.places)
    assert new[1].position is Position.MINE
    assert len(new[0].journal.matches()) == 2
    assert len(new[0].journal.entries(1)) == 1
    new.close()


def test_a_match_that_was_begun_at_the_displays_goes_on_whatever_epoch_the_settings_have(tmp_path):
    table = cores.CoreTable(3, folder=tmp_path, epoch=7)
    settings = table.settings(0)
    table.close()
    assert reopened(with_table(settings, number=6)).standing.number == 7


def test_a_new_epoch_is_begun_on_command_alone(table):
    settings = with_table(table.settings(0), number=2)
    table.close()
    with pytest.raises(SettingsError, match="knows no match of epoch 2: begin it with --begin, "):
        reopened(settings, begin=False)


@pytest.mark.parametrize(
    "change",
    [
        lambda agreed: {"first": 1},
        lambda agreed: {"rules": replace(agreed.rules, understating="lie")},
        lambda agreed: {"people": agreed.people[::-1]},
        lambda agreed: {"me": 1},
        lambda agreed: {"key": bytes(32)},
    ],
    ids=["first", "rules", "players", "seat", "table"],
)
def test_another_match_or_seat_under_the_same_epoch_is_refused(table, change):
    settings = table.settings(0)
    agreed = settings.standing.agreed
    table.close()
    changed = with_table(settings, agreed=replace(agreed, **change(agreed)))
    with pytest.raises(SettingsError, match=r"or has other rules or .* raise table\.epoch"):
        reopened(changed)
    assert reopened(replace(changed, standing=None)) is None, "without its table it meets others"


@pytest.mark.parametrize(
    ("write", "problem"),
    [
        (Put(CUP_KEY, b"nothing"), "no state of a cup"),
        (Append(0, b"\x03"), "move it away"),
        (Append(0, b"\xff"), "no entry of a log"),
    ],
    ids=["cup", "illegal", "no entry"],
)
def test_a_journal_that_makes_no_sense_is_refused_in_one_line(table, write, problem):
    settings = table.settings(0)
    table[0].journal.write((write,))
    table.close()
    with pytest.raises(SettingsError, match=problem) as caught:
        reopened(settings)
    assert str(settings.journal) in str(caught.value)
    assert "join the table anew" in str(caught.value)
    assert "\n" not in str(caught.value)
