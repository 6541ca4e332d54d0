"""``maexchen-sim``: matches, records, recordings; and one clear line for whatever is wrong."""

import io
import json
import re
import signal
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from xml.etree import ElementTree

import pytest
import segno

from game.record import read
from hw_sim.cli.main import main
from hw_sim.cli.site import NetworkAddress, print_code, reached_at, reached_first

KEYS = {
    "game",
    "players",
    "seed",
    "loser",
    "rounds",
    "rolls",
    "peeks",
    "handovers",
    "doubts",
    "virtual_s",
    "wall_s",
    "i2c_transactions",
    "i2c_bytes",
    "violations",
    "secret_leaks",
    "digest",
}
SHORT = ("--game", "sevens", "--option", "rounds=1", "--seed", "1")
PROGRAM = [sys.executable, "-m", "hw_sim.cli.main"]
PATIENCE_S = 600.0


def ran(capsys, *arguments):
    """Exit status, output and complaints of a command."""
    try:
        status = main(arguments)
    except SystemExit as leaving:
        status = leaving.code
    told = capsys.readouterr()
    return status, told.out, told.err


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """One match with a record and pictures: its folder, what was printed, and on stderr."""
    folder = tmp_path_factory.mktemp("played")
    out, err = io.StringIO(), io.StringIO()
    kept = ("--record", str(folder / "match.jsonl"), "--frames", str(folder / "frames"))
    with redirect_stdout(out), redirect_stderr(err):
        assert main(("match", *SHORT, "--json", *kept)) == 0
    return folder, out.getvalue(), err.getvalue()


# ---- match ---------------------------------------------------------------------------------------


def test_match_prints_one_json_object(played):
    _, out, _ = played
    assert out.count("\n") == 1
    summary = json.loads(out)
    assert summary.keys() >= KEYS
    assert (summary["game"], summary["players"], summary["seed"]) == ("sevens", 3, 1)
    assert (summary["violations"], summary["secret_leaks"]) == ([], 0)
    assert summary["wall_s"] > 0


@pytest.mark.whole
def test_a_match_of_handhelds_with_the_other_light_sensor(played, capsys):
    status, out, _ = ran(capsys, "match", *SHORT, "--light", "bh1750", "--json")
    other, usual = json.loads(out), json.loads(played[1])
    assert (status, other["secret_leaks"]) == (0, 0)
    assert other["digest"] != usual["digest"]


def test_play_without_a_terminal_plays_all_seats_and_tells_in_words(played, capsys):
    summary = json.loads(played[1])
    status, out, err = ran(capsys, "play", *SHORT, "--lang", "en")
    assert (status, err) == (0, "")
    assert out.startswith(
        f"sevens, 3 players, seed 1: {summary['loser']} lost (lost the most rounds)\n"
    )
    assert f"digest {summary['digest']}\n" in out
    assert out.endswith("no violation, no leak\n")


def test_replay_tells_every_action(played, capsys):
    folder, printed, _ = played
    path = folder / "match.jsonl"
    status, out, err = ran(capsys, "replay", str(path))
    assert (status, err) == (0, "")
    told, counted = out.split("\n\n")
    assert told.count("\n") + 1 == len(read(path.read_text(encoding="utf-8")).actions)
    loser = json.loads(printed)["loser"]
    assert told.endswith(f"the game is over, {loser} loses.")
    assert [line.split(":")[0] for line in counted.splitlines()] == ["Ana", "Ben", "Cem"]


# ---- replay and gestures -------------------------------------------------------------------------


def test_replay_as_json(played, capsys):
    folder, printed, _ = played
    status, out, _ = ran(capsys, "replay", str(folder / "match.jsonl"), "--json", "--lang", "de")
    replayed, summary = json.loads(out), json.loads(printed)
    assert status == 0
    for key in ("game", "players", "loser", "losers", "ended_by", "rounds", "rolls", "peeks"):
        assert replayed[key] == summary[key]
    assert replayed["told"][-1].endswith(f"das Spiel ist aus, {summary['loser']} verliert")


def test_replay_of_half_a_match_says_so(played, tmp_path, capsys):
    lines = (played[0] / "match.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    half = tmp_path / "half.jsonl"
    half.write_text("".join(lines[:4]), encoding="utf-8")
    status, out, _ = ran(capsys, "replay", str(half))
    assert status == 0
    assert out.splitlines()[3:5] == ["The record ends before the game does.", ""]


def test_analyse_judges_a_match(played, tmp_path, capsys):
    path, picture = str(played[0] / "match.jsonl"), tmp_path / "match.svg"
    status, out, err = ran(capsys, "analyse", path, "--picture", str(picture), "--lang", "de")
    assert (status, err) == (0, "")
    assert out.startswith("Gerechnet ist, als spielten alle darum, das Spiel nicht zu verlieren.")
    last = [line.split(":")[0] for line in out.splitlines()[-3:]]
    assert last == ["", "Teuerste Entscheidung", "Wendepunkt"], "nobody bluffs in this game"
    drawn = ElementTree.fromstring(picture.read_text(encoding="utf-8"))
    texts = ["".join(each.itertext()) for each in drawn.iter() if each.tag.endswith("text")]
    assert sum(each.tag.endswith("polyline") for each in drawn.iter()) == 3
    assert {"100%", "50%", "0%"} <= {*texts}, "the axis of chances"
    dearest = [line for line in out.splitlines() if line[:2] in ("1.", "2.", "3.")]
    assert [line.partition(" Besser: ")[0] for line in dearest] == [
        each for each in texts if each[1:2] == "."
    ]
    judged = json.loads(ran(capsys, "analyse", path, "--json")[1])
    for account in judged["accounts"]:
        parts = [worth for part, worth in account.items() if part != "result"]
        assert sum(parts) == pytest.approx(account["result"], abs=1e-9)
    assert len(judged["decisions"]) == len(re.findall(r"(?m)^ *\d+ +\d+ ", out)) > 0


def test_a_match_given_twice_is_counted_once(played, tmp_path, capsys):
    path, again = played[0] / "match.jsonl", tmp_path / "again.jsonl"
    again.write_text(path.read_text(encoding="utf-8").replace(", ", ","), encoding="utf-8")
    _, out, err = ran(capsys, "analyse", str(path), str(again), "--lang", "en")
    assert "games of this evening: 1" in out.splitlines()[0]
    assert err == f"record {again}: the match of {path}, counted once\n"


def test_and_no_traceback_reaches_the_shell():
    done = subprocess.run(
        [*PROGRAM, "match", "--recordings", "/nowhere"],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "/nowhere: no such folder" in done.stderr


# ---- quiet ends ----------------------------------------------------------------------------------


def test_an_interrupt_ends_it_quietly(tmp_path):
    frames = tmp_path / "frames"
    match = subprocess.Popen(
        [*PROGRAM, "match", "--players", "8", "--frames", str(frames)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    give_up_s = time.monotonic() + PATIENCE_S
    while not (frames.is_dir() and any(frames.glob("*.png"))):
        assert time.monotonic() < give_up_s
        with pytest.raises(subprocess.TimeoutExpired):
            match.wait(0.05)
    match.send_signal(signal.SIGINT)
    assert (match.communicate(timeout=PATIENCE_S), match.returncode) == ((b"", b""), 130)


def test_a_reader_who_leaves_is_no_trouble(played):
    told = subprocess.Popen(
        [*PROGRAM, "replay", str(played[0] / "match.jsonl")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    told.stdout.close()
    assert told.stderr.read() == b""
    told.stderr.close()
    assert told.wait(PATIENCE_S) == 141


@pytest.mark.whole
def test_a_match_with_a_handicap_is_played_recorded_and_replayed(tmp_path, capsys):
    file = tmp_path / "match.jsonl"
    assert main(["match", *SHORT[:2], "--handicap", "0,4", "--record", str(file)]) == 0
    assert read(file.read_text()).rules.handicap == (0, 4)
    assert main(["replay", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["game"] == "sevens"


BLOCKS = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}


def test_a_code_in_the_terminal_is_the_code_of_its_link(capsys):
    link = "http://192.168.178.20:8021/join#AAAABBBBCCCCDDDD"
    print_code(link)
    lines = capsys.readouterr().out.splitlines()
    rows = [[BLOCKS[each][half] for each in line] for line in lines for half in (0, 1)]
    wanted = segno.make(link, micro=False, error="l", boost_error=False).matrix_iter(border=2)
    assert rows[: len(rows[0])] == [list(row) for row in wanted]
    assert len(lines[0]) <= 38, "two of them go beside each other"


_HOME = NetworkAddress("wlan0", "192.168.1.23")
_TUNNEL = NetworkAddress("tun0", "10.8.0.2", has_peer=True)
LOCAL, DOCKER = NetworkAddress("lo", "127.0.0.1"), NetworkAddress("docker0", "172.17.0.1")


@pytest.mark.parametrize(
    ("found", "usual", "wanted"),
    [
        ([LOCAL, _TUNNEL, _HOME], "10.8.0.2", ["192.168.1.23", "10.8.0.2"]),
        ([LOCAL, _HOME], "", ["192.168.1.23"]),
        ([LOCAL], "", []),
        ([DOCKER, _TUNNEL, _HOME], "", ["192.168.1.23", "172.17.0.1", "10.8.0.2"]),
        ([NetworkAddress("wg0", "192.168.9.2"), _HOME], "", ["192.168.1.23", "192.168.9.2"]),
        ([NetworkAddress("a", "100.90.1.2"), _HOME], "", ["192.168.1.23", "100.90.1.2"]),
        ([NetworkAddress("a", "169.254.3.4"), _HOME], "", ["192.168.1.23", "169.254.3.4"]),
        ([_HOME, NetworkAddress("eth0", "10.0.0.7")], "10.0.0.7", ["10.0.0.7", "192.168.1.23"]),
        ([NetworkAddress("eth0", "10.0.0.7"), _HOME], "", ["192.168.1.23", "10.0.0.7"]),
        ([NetworkAddress("eth0", "8.8.4.4"), _HOME], "8.8.4.4", ["192.168.1.23", "8.8.4.4"]),
        (
            [_HOME._replace(runs=False), DOCKER, _TUNNEL],
            "",
            ["172.17.0.1", "192.168.1.23", "10.8.0.2"],
        ),
        ([_HOME, _HOME], "", ["192.168.1.23"]),
    ],
)
def test_the_address_that_phones_reach_comes_first(found, usual, wanted):
    assert reached_first(found, usual) == wanted


def test_a_server_at_all_addresses_names_one_that_others_reach():
    assert reached_at("192.0.2.7") == "192.0.2.7"
    assert reached_at("0.0.0.0") not in ("0.0.0.0", "")
