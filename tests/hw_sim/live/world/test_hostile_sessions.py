"""Files that somebody made up: each is refused in one line, at once."""

import base64
import json

import pytest

from firmware.cli.console import REFUSED, CommandError
from hw_sim.cli.main import main
from hw_sim.cli.records import MOST_JUDGED
from hw_sim.live.web.match_store import MatchStore
from hw_sim.live.web.open_seats import OpenSeats
from hw_sim.live.web.party_seats import PartySeats
from hw_sim.live.world.session import SessionRecorder, load
from hw_sim.live.world.setup import MOST_US
from hw_sim.live.world.world import World
from tests.support.long_records import drinks
from tests.support.worlds import folder, setup

NESTED = "[" * 100_000 + "]" * 100_000
DIGITS = "9" * 4000
SETUP = {
    "people": -1, "players": 10**30, "bots": [], "seed": [1], "scene": "xx", "key": "zz",
    "chance": "zz", "boot": -1, "link": [], "called": ["Ana"], "options": {"rounds": "many"},
    "game": "poker", "language": "la", "faults": "no", "controller": 1, "unknown": 1,
    "broker": {"host": "evil.example", "port": 1883, "tls": False}, "here": [0],
}  # fmt: skip
JOURNALS = (
    "seat0.sqlite\0", "../seat0.sqlite", "..", "", "/etc/passwd", "seat9.sqlite", "a" * 5000,
)  # fmt: skip
LINES = (
    f"[{10**15}, 0, \"drop\", []]", f'[{DIGITS}, 0, "drop", []]', '[1e999, 0, "drop", []]',
    f'[{10**15}, -1, "end", []]', '[-1, 0, "drop", []]', '[0, 8, "drop", []]', '[0, -2, "end", []]',
    f'[0, 0, "drop", {NESTED}]', NESTED, '[0, 0, "drop", [1]]', '[0, 0, "tilt", [1e999, 0]]',
    '[0, 0, "lux", [-1]]', f'[0, 0, "drag", [[[{10**30}, 0, 0]]]]', "{}", "null", '"x"',
    f'[0, 0, "felt", [[[0, 0, 0, 1{"0" * 300}]]]]', '[9, 0, "drop", []]\n[8, 0, "drop", []]',
    '[0, 0, "again", []]', '[0, true, "drop", []]', "\0", "\udcff",
)  # fmt: skip


@pytest.fixture(scope="module")
def head(tmp_path_factory):
    """The head of a session that was kept."""
    path = tmp_path_factory.mktemp("kept")
    world = World(setup("sevens", players=2), folder(path, "live"), path / "session.jsonl")
    world.close()
    return json.loads((path / "session.jsonl").read_text().splitlines()[0])


def refused(capsys, path, what="replay"):
    assert main([what, str(path)]) == REFUSED
    (line,) = capsys.readouterr().err.splitlines()
    assert "defect" not in line
    return line


def write(path, head, *lines):
    file = path / "session.jsonl"
    told = "".join(f"{line}\n" for line in (json.dumps(head), *lines))
    file.write_bytes(told.encode(errors="surrogateescape"))
    return file


@pytest.mark.parametrize("name", SETUP)
def test_a_table_that_cannot_be_is_refused_in_one_line(tmp_path, capsys, head, name):
    bent = head | {"setup": head["setup"] | {name: SETUP[name]}}
    refused(capsys, write(tmp_path, bent))


@pytest.mark.parametrize("name", JOURNALS)
def test_a_journal_of_another_name_is_refused_in_one_line(tmp_path, capsys, head, name):
    data = base64.b64encode(b"x").decode()
    refused(capsys, write(tmp_path, head | {"journals": {name: data}}))


@pytest.mark.parametrize("line", LINES, ids=lambda line: line[:24])
def test_a_line_that_nobody_writes_is_refused_in_one_line(tmp_path, capsys, head, line):
    refused(capsys, write(tmp_path, head, line))


def test_a_journal_that_is_damaged_is_refused_in_one_line(tmp_path, capsys, head):
    data = base64.b64encode(b"SQLite format 3\0" + bytes(4000)).decode()
    refused(capsys, write(tmp_path, head | {"journals": {"seat0.sqlite": data}}))


@pytest.mark.parametrize("text", [NESTED, f'{{"format": {NESTED}}}', "{", ""])
def test_a_first_line_that_is_none_is_refused_in_one_line(tmp_path, capsys, text):
    (tmp_path / "file").write_text(text)
    for what in ("replay", "analyse"):
        refused(capsys, tmp_path / "file", what)


def test_a_session_ends_after_a_day_of_its_time(tmp_path, caplog):
    file = tmp_path / "session.jsonl"
    recorder = SessionRecorder(file, setup().to_json(), {})
    recorder.mark(MOST_US, "ab")
    assert recorder.is_open
    recorder.mark(MOST_US + 1, "cd")
    assert not recorder.is_open
    assert len(caplog.messages) == 1
    session = load(file)
    assert (session.end_us, session.digest) == (MOST_US, "ab")


def test_a_record_that_would_keep_its_reader_busy_is_refused_in_one_line(tmp_path, capsys):
    text = drinks(200)
    line = text.splitlines()[1]
    (tmp_path / "long").write_text(text + f"{line}\n" * MOST_JUDGED)
    assert "longer than 5,000 actions" in refused(capsys, tmp_path / "long", "analyse")
    (tmp_path / "long").write_text(text + f"{line}\n" * 20_000)
    assert "longer than 20,000 actions" in refused(capsys, tmp_path / "long")
    (tmp_path / "long").write_bytes(bytes(20 * 1024 * 1024))
    refused(capsys, tmp_path / "long")


@pytest.mark.parametrize(
    "text", [NESTED, '{"number": 1e999, "setup": {}}', '{"0": ' + NESTED + "}"]
)
def test_a_folder_with_nonsense_in_it_is_refused_in_one_line(tmp_path, text):
    (tmp_path / "claims.json").write_text(text)
    assert OpenSeats(tmp_path / "claims.json", setup(people=2)).claims(None).taken == [False] * 2
    (tmp_path / "evening.json").write_text(text)
    assert len(PartySeats(tmp_path / "evening.json").stored.places) == 8
    (tmp_path / "table.json").write_text(text)
    with pytest.raises(CommandError, match="no table of this program"):
        MatchStore(tmp_path, setup(), any_seed=True)
