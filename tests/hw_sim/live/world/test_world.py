"""A table in virtual time that is dealt out: done again it is the same, and faults are survived.

Files that somebody made up: each is refused in one line, at once.
"""

import base64
import json

import pytest

from firmware.cli.console import REFUSED, CommandError
from firmware.table.seat.cup_custody import Position
from hw_sim.cli.main import main
from hw_sim.cli.records import MOST_JUDGED
from hw_sim.live.web.bench import decode_packet
from hw_sim.live.web.match_store import MatchStore
from hw_sim.live.web.seats import OpenSeats, PartySeats
from hw_sim.live.world import session
from hw_sim.live.world.session import FAULTS, SessionRecorder, SetBusErrors, SetFault, load
from hw_sim.live.world.setup import MOST_US
from hw_sim.live.world.world import World
from tests.support.long_records import drinks
from tests.support.worlds import folder, hops, setup


@pytest.mark.whole
@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_is_survived(tmp_path, fault):
    world = World(setup(people=0), tmp_path)
    world.advance(3_000_000)
    world.do(SetFault(1, fault, there=True))
    world.advance(5_000_000)
    if fault != "brownout":
        assert world.power.broken(1) == [fault]
        world.do(SetFault(1, fault, there=False))
    world.advance(8_000_000)
    assert world.power.broken(1) == []
    before = max(seat.hop for seat in world.table.seats)
    while max(seat.hop for seat in world.table.seats) == before:
        world.advance(world.now_us + 1_000_000)
        assert world.trouble is None
        assert world.now_us < 100_000_000
    assert all(seat.handheld.position is not Position.STOPPED for seat in world.table.seats)
    world.close()


@pytest.mark.whole
@pytest.mark.parametrize("plague", [session.SetNoise(4.0), SetBusErrors(20.0)])
def test_a_table_outlives_noise_and_errors_on_every_bus(tmp_path, plague):
    """However long it lasted, and were the handhelds asleep: then everybody plays on."""
    world = World(setup(people=0, seed=1), tmp_path)
    world.advance(5_000_000)
    world.do(plague)
    world.advance(60_000_000)
    assert world.trouble is None
    assert max(seat.board.bus.failures_due for seat in world.table.seats) <= 3
    world.do(type(plague)(0.0))
    before = hops(world)
    while hops(world) < before + 2:
        world.advance(world.now_us + 5_000_000)
        assert world.now_us < 400_000_000
    world.close()


def test_a_bot_that_fails_begins_anew_and_the_others_play_on(tmp_path, caplog):
    world = World(setup(people=0), tmp_path)
    world.advance(5_000_000)
    before = hops(world)
    world.table.players[1].personality = None  # it cannot decide anything any more
    world.advance(50_000_000)
    (told,) = caplog.messages
    assert told == "Ben's handheld failed and begins anew from its journal"
    assert world.trouble is None
    assert hops(world) > before
    world.close()


def test_the_air_is_told_by_what_its_frames_say_in_clear(tmp_path):
    world = World(setup(people=0), tmp_path)
    told = []
    world.table.air.observers.append(lambda heard: told.append(decode_packet(heard.payload)))
    world.advance(60_000_000)
    world.close()
    assert {"L2CAP: asks for a channel", "L2CAP: opens the channel"} <= set(told)
    assert told.index("PROPOSE 1") < told.index("ANSWER 1") < told.index("GIVE 1")
    assert "LOG 0, 1 entries" in told
    assert decode_packet(bytes.fromhex("0700 0400 01 02 03 04 05 06 07")) == "ATT"
    assert decode_packet(bytes.fromhex("0400 4000 ff ff ff ff")) == "part of a frame"


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
    f'[{10**15}, -1, "end", []]', '[-1, 0, "drop", []]', '[0, 9, "drop", []]', '[0, -2, "end", []]',
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


DAMAGED = base64.b64encode(b"SQLite format 3\0" + bytes(4000)).decode()
BENT = [
    *(("setup", name, value, ()) for name, value in SETUP.items()),
    *(("journals", name, "eA==", ()) for name in JOURNALS),
    ("journals", "seat0.sqlite", DAMAGED, ()),
    *(("setup", "boot", 0, (line,)) for line in LINES),
]
"""By row: the part of a session's head, the name and value that change, and the lines after it."""


@pytest.mark.parametrize(("part", "name", "value", "lines"), BENT, ids=lambda each: str(each)[:24])
def test_a_session_that_nobody_keeps_is_refused_in_one_line(
    tmp_path, capsys, head, part, name, value, lines
):
    refused(capsys, write(tmp_path, head | {part: head[part] | {name: value}}, *lines))


def test_a_session_has_what_the_ninth_seat_does_and_keeps(tmp_path, head):
    last = head | {"journals": {"seat8.sqlite": "eA=="}}
    read = session.load(write(tmp_path, last, '[0, 8, "drop", []]'))
    assert (read.count, read.journals) == (1, {"seat8.sqlite": b"x"})


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
    assert len(PartySeats(tmp_path / "evening.json").stored.places) == 9
    (tmp_path / "table.json").write_text(text)
    with pytest.raises(CommandError, match="no table of this program"):
        MatchStore(tmp_path, setup(), any_seed=True)
