"""``make redteam`` judges what is late on a calm machine alone, and all else on any."""

import os

import pytest

from tests.labs.redteam._machine import BUSY_SHARE, LateError, Machine


def tell(proc, busy, own, others):
    """Write what the kernel tells: the ticks of all, of this process group, and of another one."""
    proc.mkdir(exist_ok=True)
    (proc / "stat").write_text(f"cpu {busy} 0 0 900 50 0 0 0 0 0\ncpu0 1 2\n")
    for pid, group, ticks in ((1, os.getpgrp(), own), (2, os.getpgrp() + 1, others)):
        (proc / str(pid)).mkdir(exist_ok=True)
        row = f"{pid} (a ) b) S 1 {group} 1 0 -1 0 0 0 0 0 {ticks} 0 0 0 20 0"
        (proc / str(pid) / "stat").write_text(row)


@pytest.mark.parametrize(("others", "judges"), [(BUSY_SHARE / 2, True), (2 * BUSY_SHARE, False)])
def test_what_is_late_is_judged_only_if_others_leave_the_machine_alone(
    tmp_path, monkeypatch, others, judges
):
    clock = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    tell(tmp_path / "proc", 5000, 3000, 2000)
    machine = Machine(tmp_path / "proc")
    clock[0] += 10
    ticks = 10 * os.sysconf("SC_CLK_TCK") * os.cpu_count()
    foreign = round(others * ticks)
    tell(tmp_path / "proc", 5000 + ticks // 2 + foreign, 3000 + ticks // 2, 2000 + foreign)
    assert machine.others() == pytest.approx(others, abs=0.01)
    for late in (LateError("1.2 s"), TimeoutError()):
        assert (machine.cannot_judge(late) == "") is judges
    assert machine.cannot_judge(AssertionError("two cups")) == "", "that is nobody else's doing"


def test_a_machine_that_tells_nothing_is_judged(tmp_path):
    assert Machine(tmp_path).others() is None
    assert Machine(tmp_path).cannot_judge(LateError("late")) == ""
