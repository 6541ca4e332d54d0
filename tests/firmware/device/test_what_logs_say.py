"""The log of a service: no covered dice, no opening of theirs, and no key."""

import pytest

from firmware.cli.console import DEFECT, run_command
from firmware.device.open import open_match
from firmware.journal import CUP_KEY, Append, Put
from firmware.journal.sqlite import Journal
from firmware.lobby.one_handheld import OneHandheld
from firmware.settings import SettingsError
from firmware.table.handover.cup import Where
from firmware.table.log.entries import encode_entry
from firmware.table.pairing.state import Agreed
from firmware.table.protocol.messages import Contents, Give
from firmware.table.seat.memory import SeatState
from game.actions import Lift, Roll
from tests.support import core_table as cores
from tests.support.tables import KEY

SECRET = bytes(range(100, 132))


@pytest.fixture
def thrown(tmp_path):
    """A table at which Ana has thrown."""
    table = cores.CoreTable(3, folder=tmp_path)
    table.choose(0, Roll())
    yield table
    table.close()


def forms(secret):
    """Return the texts that would give bytes away: as Python writes them, and in hexadecimals."""
    return repr(secret)[2:-1], secret.hex(), secret.hex(" ")


def test_what_is_kept_and_sent_is_shown_without_its_secrets(thrown):
    ana = thrown[0].handheld.own_seat
    kept = thrown[0].journal
    dice, contents = ana.dice, ana.cup.contents
    state = SeatState.load({**kept.survived.state, **kept._now.state})
    pairs = thrown.settings(0).standing.keys
    said = repr(
        (
            thrown[0].stored, kept.survived, kept._now, state, ana.cup, pairs, thrown.settings(0),
            Give(1, contents),
            Agreed(b"", 0, (), thrown.rules, 0, (), KEY, {1: KEY}, KEY, {}, {1: KEY}),
            OneHandheld(thrown.rules, (), 0, 0, KEY),
        )
    )  # fmt: skip
    secrets = [contents.opening, state.committer.secret, KEY, *pairs.pairs.values()]
    assert all(len(secret) == 32 and any(secret) for secret in secrets)
    assert not [form for secret in secrets for form in forms(secret) if form in said]
    assert str(dice) not in said
    assert "Contents(2 dice)" in said


@pytest.mark.parametrize("broken", ["cup", "entry"])
def test_a_journal_that_is_refused_is_named_without_its_dice(thrown, broken):
    cup = thrown[0].cup._replace(contents=Contents((6, 3), 1, SECRET))
    impossible = cup._replace(where=Where.PROPOSED)
    write = Put(CUP_KEY, impossible.encode())
    if broken == "entry":
        write = Append(1, encode_entry(Lift((6, 3)), None))
    thrown[0].journal.write((write,))
    settings = thrown.settings(0)
    thrown.close()
    with Journal(settings.journal) as journal, pytest.raises(SettingsError) as caught:
        open_match(settings, journal, bytes)
    assert "6, 3" not in str(caught.value)
    assert not [form for form in forms(SECRET) if form in str(caught.value)]


def test_a_defect_is_named_by_its_place_and_not_by_its_text(capsys):
    def defect():
        raise ValueError(f"{SECRET!r}, (6, 3), {SECRET.hex()}")

    assert run_command("maexchen", defect) == DEFECT
    said = capsys.readouterr().err
    assert "ValueError, line" in said
    assert __file__ in said
    assert "6, 3" not in said
    assert not [form for form in forms(SECRET) if form in said]
