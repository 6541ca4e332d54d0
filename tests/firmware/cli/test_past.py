"""Past matches: listed, counted, drawn; and never a covered die among them."""

import json
from random import Random

import pytest
from PIL import Image

from firmware.cli.log import past_matches, totals
from firmware.cli.main import main
from firmware.journal import Append, BeginLog
from firmware.journal.sqlite import Journal
from firmware.table.log.public_log import PublicLog
from game import RULES
from game.actions import Announce, Roll
from tests.support.rules_table import playout

PLAYERS = ("Ana", "Ben", "Cem")


@pytest.fixture
def path(tmp_path):
    """A journal with a whole match of each of three games, and one that has only begun."""
    path = tmp_path / "journal.sqlite"
    with Journal(path) as journal:
        for game in ("class", "chicago", "maxen"):
            keep(journal, game, playout(RULES[game], PLAYERS, Random(game))[0])
        keep(journal, "class", [Roll((6, 5)), Announce(63)])
    return path


def keep(journal, game, actions):
    log = PublicLog(RULES[game], PLAYERS, 0)
    for action in actions:
        log.append(action)
    entries = log.since(0)
    journal.write((BeginLog(log.header), *(Append(n, one) for n, one in enumerate(entries))))


def test_every_match_is_listed_with_its_end(path, capsys):
    assert main(["log", "--journal", str(path), "--lang", "en"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines[:4]] == [
        ["1", "class"],
        ["2", "chicago"],
        ["3", "maxen"],
        ["4", "class"],
    ]
    assert lines[0].endswith(" lost")
    assert lines[3].endswith("not ended")
    assert lines[5].split()[:3] == ["player", "games", "lost"]
    assert [line.split()[0] for line in lines[6:9]] == list(PLAYERS)


def test_totals_add_up(path):
    with Journal(path) as journal:
        matches = past_matches(journal)
    summed = totals(matches)
    for seat, name in enumerate(PLAYERS):
        assert summed[name]["matches"] == 4
        assert summed[name]["throws"] == sum(match.counted[seat].throws for match in matches)
    assert sum(one["lost"] for one in summed.values()) == sum(
        len(match.losers) for match in matches if match.losers
    )


def test_a_throw_that_is_still_covered_is_told_nowhere(tmp_path, capsys):
    told = []
    for dice in ((6, 5), (2, 1)):
        path = tmp_path / f"{dice}.sqlite"
        with Journal(path) as journal:
            keep(journal, "class", [Roll(dice), Announce(63)])
        for more in ([], ["--json"]):
            assert main(["log", "--journal", str(path), *more]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]


def test_json_and_picture(path, tmp_path, capsys):
    picture = tmp_path / "penalties.png"
    assert main(["log", "--journal", str(path), "--json", "--png", str(picture)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told["matches"]) == 4
    assert told["matches"][3]["losers"] is None
    assert set(told["totals"]) == set(PLAYERS)
    with Image.open(picture) as image:
        assert image.size == (640, 180)
        assert len(image.getcolors(65536)) > 2


@pytest.mark.parametrize(("language", "none"), [("de", "Noch kein Spiel."), ("en", "No game yet.")])
def test_an_empty_journal_has_no_match(tmp_path, capsys, language, none):
    path = tmp_path / "empty.sqlite"
    Journal(path).close()
    assert main(["log", "--journal", str(path), "--lang", language]) == 0
    assert capsys.readouterr().out.strip() == none


def test_what_cannot_be_read_or_written_is_one_line(path, tmp_path, capsys):
    for arguments, told in (
        (["--journal", str(tmp_path / "none")], "there is none: name one with --journal"),
        (["--journal", str(path), "--png", str(tmp_path / "no" / "x.png")], "name a file that"),
    ):
        assert main(["log", *arguments]) == 2
        error = capsys.readouterr().err
        assert told in error
        assert error.count("\n") == 1
    assert not (tmp_path / "none").exists()


def test_an_entry_against_the_rules_is_named(tmp_path, capsys):
    path = tmp_path / "bad.sqlite"
    with Journal(path) as journal:
        log = PublicLog(RULES["class"], PLAYERS, 0)
        journal.write((BeginLog(log.header), Append(0, b"\xff")))
    assert main(["log", "--journal", str(path)]) == 2
    assert "match 1" in capsys.readouterr().err
