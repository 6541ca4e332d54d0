"""A file is written as a whole, and nothing else is ever replaced by one."""

import os
import stat
import subprocess
import sys

import pytest
from bench_support.places import IS_FULL, TAKES_ALL, device, place_for_devices, read_from

from firmware.journal import target_of, write_file

ROOT = os.geteuid() == 0
AT_THE_SHELL = (
    "from pathlib import Path; from firmware.journal import write_file; print('before', "
    "flush=True); write_file(Path('/dev/stdout'), 'written\\n'); print('after')"
)


@pytest.fixture
def devices():
    """A folder for devices."""
    with place_for_devices() as place:
        if place is None:
            pytest.skip("no folder allows devices")
        yield place


def test_a_file_is_new_or_keeps_its_mode_and_owner(tmp_path):
    path = tmp_path / "x"
    before = os.umask(0o027)
    try:
        write_file(path, "ä")
    finally:
        os.umask(before)
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == ("ä".encode(), 0o640)
    path.chmod(0o604)
    if ROOT:
        os.chown(path, 12, 34)
    owner = path.stat().st_uid, path.stat().st_gid
    write_file(path, b"two", mode=0o600)
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"two", 0o604)
    assert (path.stat().st_uid, path.stat().st_gid) == owner
    write_file(tmp_path / "secret", "s", mode=0o600)
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600
    assert {each.name for each in tmp_path.iterdir()} == {"x", "secret"}


def test_links_stay_and_lead_to_the_file(tmp_path):
    (tmp_path / "far").mkdir()
    (tmp_path / "link").symlink_to("second")
    (tmp_path / "second").symlink_to(tmp_path / "far" / "file")
    for text in ("made", "made again"):
        write_file(tmp_path / "link", text)
        assert (tmp_path / "far" / "file").read_text() == text
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "second").is_symlink()
    (tmp_path / "round").symlink_to("round")
    with pytest.raises(OSError, match="symbolic links"):
        write_file(tmp_path / "round", "x")


@pytest.mark.parametrize("through", ["itself", "link"])
def test_a_device_is_written_into_and_stays_one(devices, through):
    for minor in (TAKES_ALL, IS_FULL):
        path = made = device(devices / str(minor), minor)
        if through == "link":
            path = devices / f"to{minor}"
            path.symlink_to(made)
        if minor == TAKES_ALL:
            write_file(path, "x")
        else:
            with pytest.raises(OSError, match="No space left"):
                write_file(path, "x")
        assert stat.S_ISCHR(made.stat().st_mode)
        assert path.is_symlink() is (through == "link")
    assert len(list(devices.iterdir())) == 2 + 2 * (through == "link")


def test_a_pipe_gets_all_of_it_or_has_no_reader(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="nobody reads it"):
        write_file(pipe, "x")
    pipe.unlink()
    with read_from(pipe) as got:
        write_file(pipe, b"x" * 300_000)
    assert got == [b"x" * 300_000]
    assert pipe.is_fifo()


def test_what_cannot_be_written_is_told_and_left_alone(tmp_path):
    (tmp_path / "file").write_text("old")
    for path, why in (
        (tmp_path, "Is a directory"),
        (tmp_path / "no" / "x", "No such file"),
        (tmp_path / "file" / "x", "Not a directory"),
        (tmp_path / ("x" * 300), "File name too long"),
    ):
        for look in (target_of, lambda path: write_file(path, "x")):
            with pytest.raises(OSError, match=why):
                look(path)
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_a_file_that_could_not_be_finished_is_as_it_was(tmp_path):
    path = tmp_path / "x"
    path.write_text("old")
    done = subprocess.run(
        ["bash", "-c", f'ulimit -f 1; exec "$0" -c "$1" {path}', sys.executable, BIG],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == "File too large\n"
    assert path.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["x"]


BIG = """
import signal, sys
from pathlib import Path
from firmware.journal import write_file
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
try:
    write_file(Path(sys.argv[1]), b"x" * 100_000)
except OSError as error:
    print(error.strerror)
"""


@pytest.mark.skipif(ROOT, reason="root may write everything")
def test_what_is_protected_stays(tmp_path):
    path = tmp_path / "x"
    path.write_text("old")
    path.chmod(0o400)
    with pytest.raises(PermissionError):
        write_file(path, "new")
    assert path.read_text() == "old"


@pytest.mark.parametrize("kind", ["pipe", "file"])
def test_the_own_output_is_written_into(tmp_path, kind):
    run = [sys.executable, "-c", AT_THE_SHELL]
    if kind == "pipe":
        told = subprocess.run(run, capture_output=True, text=True, check=True).stdout
    else:
        with (tmp_path / "out").open("w") as out:
            out.write("first\n")
            out.flush()
            subprocess.run(run, stdout=out, check=True)
        told = (tmp_path / "out").read_text().removeprefix("first\n")
    assert told.splitlines() == ["before", "written", "after"]
