"""How busy others keep this machine: a promise about time is judged on a calm one alone."""

import os
import time
from pathlib import Path

BUSY_SHARE = 0.2
"""Others take so much of the processors' time: then nothing that is late is anybody's fault."""
_BUSY = (1, 2, 3, 6, 7, 8)
"""Columns of /proc/stat: user, nice, system, irq, softirq, steal (proc(5))."""
_GROUP, _TIMES = 2, slice(11, 15)
"""Columns of /proc/PID/stat behind the name: pgrp; utime, stime, and those of ended children."""


class LateError(AssertionError):
    """Something took longer than promised; on a busy machine that says nothing."""


class Machine:
    """The processors of this machine since an instant; ``proc``: where the kernel tells of them."""

    def __init__(self, proc: Path = Path("/proc")) -> None:
        self._proc = proc
        self._began = self._spent()

    def others(self) -> float | None:
        """Return the share of all processors' time that others have had, 0 to 1.

        Own are all processes of this process group. None where the kernel tells nothing.
        """
        now = self._spent()
        if now is None or self._began is None:
            return None
        took_s, busy, own = (new - old for new, old in zip(now, self._began))
        whole = took_s * os.sysconf("SC_CLK_TCK") * (os.cpu_count() or 1)
        return min(1.0, max(0.0, busy - own) / whole) if whole else 0.0

    def _spent(self) -> tuple[float, int, int] | None:
        """A monotonic time in s, and the ticks of all processes and of the own ones until then."""
        try:
            first = (self._proc / "stat").read_text().splitlines()[0].split()
        except OSError:
            return None
        own = 0
        for path in self._proc.glob("[0-9]*/stat"):
            try:
                told = path.read_text().rpartition(")")[2].split()
            except OSError:  # it has ended
                continue
            if int(told[_GROUP]) == os.getpgrp():
                own += sum(map(int, told[_TIMES]))
        return time.monotonic(), sum(int(first[at]) for at in _BUSY), own

    def cannot_judge(self, error: Exception) -> str:
        """Return why what was raised since the instant says nothing; empty if it does."""
        share = self.others()
        if share is None or share <= BUSY_SHARE or not isinstance(error, LateError | TimeoutError):
            return ""
        return f"cannot judge: the machine is busy, others take {share:.0%} of its processors"
