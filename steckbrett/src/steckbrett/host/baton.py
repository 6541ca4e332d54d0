"""Real threads in virtual time: one runs at a time, and hands the baton on where it waits.

A thread waits for a condition, a time, or both. The thread that begins to wait looks for the next:
the first, in the order in which they began to wait, whose condition is true or whose time has come.
If there is none, the clock goes on to the next time that anybody waits for, or at which something
on the board happens. A run depends on the program alone, and takes the time of its computing.

A program that never waits, but asks the clock or a pin again and again, spends a little time with
each question. A thread that has spent `QUANTUM_NS` hands the baton on, as CPython's lock does.

All numbers are chosen.
"""

import _thread
import os
import sys
from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, NoReturn

from ..clock import NEVER_NS, NS_PER_S, ClockError, DeadlockError, SteppedClock
from .outside import can_come, outside, wait_for

CALL_NS = 15_000
"""The cost of asking the clock or a pin: some calls of Python on a small board."""
SWITCH_NS = 5_000
"""The cost of handing the baton on."""
QUANTUM_NS = 5_000_000
"""After so much time a thread that does not wait lets others run (`sys.getswitchinterval`)."""
GRACE_NS = 2 * NS_PER_S
"""A program that is told to end has this time to clean up, before it is told again."""
MOST_TOLD = 3
"""The number of times that the program is told to end by Ctrl-C, and again by `TimeIsUpError`."""
GIVEN_UP_EXIT = 124
"""The exit code where the program ignores both."""
_IMPATIENT = 5_000
"""After so many questions in a row without a wait, each costs more …"""
_IMPATIENCE = 8
"""… so many times as much: nobody measures a short pulse any more."""


HOLD_NS: Final = 20_000_000
"""An answer from outside that comes in so much real time takes no virtual time."""
SLICE_NS: Final = 50_000_000
"""After so much real time the bench looks whether somebody pressed Ctrl-C."""
_MOST_EARLY: Final = 20
"""After so many looks in vain at files that have an answer, time passes without them."""
_OWED_NS: Final = 5_000_000
"""Virtual time that may pass before it is waited for in real time."""


class TimeIsUpError(BaseException):
    """The program was to end at its time, was told so, and went on."""


class Runner:
    """One thread of the program.

    Attributes:
        ident: the identity of its thread; 0 until it runs.
        errands: what it has to do before it goes on, such as a signal's handler.
        done: whether it has ended.
        daemon: whether the program ends without waiting for it.
        at_end: what it does last.
        files: the files that it waits for, with events as ``select.poll`` has them.
        outside: those of them whose other end is outside the program.
        is_door: whether an answer is awaited from anybody, so that others' times come first.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.ident = 0
        self.errands: deque[Callable[[], object]] = deque()
        self.done = False
        self.daemon = False
        self.at_end: Callable[[], object] | None = None
        self.go = _REAL_LOCK()
        self.go.acquire()
        self.condition: Callable[[], object] | None = None
        self.deadline_ns = NEVER_NS
        self.came_true = False
        self.files: Mapping[int, int] = {}
        self.outside: Mapping[int, int] = {}
        self.is_door = False


_NONE: Final[Mapping[int, int]] = {}
_REAL_LOCK = _thread.allocate_lock
_ident = _thread.get_ident


class Baton:
    """The order of the program's threads; the thread that makes it is the main one.

    Args:
        clock: the board's, with what happens on the board.
        until_ns: when the program is told to end; None for never.

    ``holder`` is the thread that works, or the last one that did.
    """

    def __init__(self, clock: SteppedClock, until_ns: int | None = None) -> None:
        self.clock = clock
        self.until_ns = NEVER_NS if until_ns is None else until_ns
        self.told = 0
        """How often the program was told to end."""
        self.told_how: Callable[[], object] = _interrupt
        """The call with which the main thread is told to end."""
        self.questions = 0
        self.main = Runner("MainThread")
        self.main.ident = _ident()
        self.runners = {self.main.ident: self.main}
        self.holder = self.main
        self._holder_ident = self.main.ident
        self._waiting: list[Runner] = []
        self._choosing = False
        self._abandoned = False
        self._alarm_ns = min(self.until_ns, self.clock.now_ns + QUANTUM_NS)
        self._paid_ns = self.clock.now_ns
        """The virtual time up to which as much real time has passed."""
        self._outsiders = 0
        self._early = 0

    # ---- what a thread asks ------------------------------------------------------------------

    def holds(self) -> bool:
        """Whether the calling thread has the baton; a thread of somebody else never has."""
        return _ident() == self._holder_ident and not self._choosing

    def spend(self, ns: int) -> None:
        """Let ``ns`` pass while the calling thread works; others may run if their time has come."""
        if _ident() != self._holder_ident or self._choosing:
            return
        now_ns = self.clock.now_ns + ns
        if now_ns < self._alarm_ns and now_ns < self.clock.due_ns:
            self.clock.now_ns = now_ns
            return
        self._choosing = True
        self._advance(now_ns)
        self._choosing = False
        if now_ns >= self._alarm_ns or self.main.errands:
            self._park(_at_once, now_ns)

    def ask(self, ns: int = CALL_NS) -> None:
        """Spend ``ns``, which a question to the clock or to a pin costs; later ones cost more."""
        self.questions += 1
        self.spend(ns if self.questions < _IMPATIENT else _IMPATIENCE * ns)

    def sleep(self, ns: int) -> None:
        """Let the calling thread wait for ``ns``; 0 lets others run."""
        self.wait(None, self.clock.now_ns + ns)

    def deadline_ns(self, seconds: float | None) -> int:
        """Return the time that is so many seconds from now; `NEVER_NS` for None."""
        if seconds is None:
            return NEVER_NS
        return self.clock.now_ns + max(0, round(seconds * NS_PER_S))

    def wait(
        self,
        condition: Callable[[], object] | None,
        deadline_ns: int = NEVER_NS,
        files: Mapping[int, int] = _NONE,
        *,
        is_door: bool = False,
    ) -> bool:
        """Let the calling thread wait until ``condition()`` is true, or until ``deadline_ns``.

        ``files`` are those on which the condition depends, as of `Runner`. While the other end of
        one is outside the program, no time passes faster than real time. ``is_door`` says the same
        of a file without another end, as long as no other thread waits for a time.

        Return whether the condition came true. The condition is asked at each change of threads,
        and must change nothing but what its own thread reads. A wait for a time that has passed
        costs what a question costs, so that a program that waits for nothing comes on.
        """
        if deadline_ns <= self.clock.now_ns:
            self.ask()
        else:
            self.questions = 0
        if not files:
            return self._park(condition, deadline_ns)
        me = self.holder
        me.files, me.outside = files, outside(files)
        me.is_door = is_door and not me.outside and can_come(files)
        if me.is_door:
            me.outside = files
        self._outsiders += bool(me.outside)
        try:
            return self._park(condition, deadline_ns)
        finally:
            self._outsiders -= bool(me.outside)
            me.files = me.outside = _NONE

    def _park(self, condition: Callable[[], object] | None, deadline_ns: int) -> bool:
        me = self.holder
        while True:
            me.condition = condition
            me.deadline_ns = deadline_ns
            self._waiting.append(me)
            self._choosing = True
            self._hand_to(self._choose(), me)
            if self._abandoned and me is not self.main:
                raise SystemExit
            if not me.errands:
                return me.came_true
            while me.errands:
                me.errands.popleft()()

    # ---- threads that begin and end ----------------------------------------------------------

    def start(
        self, begin: Callable[[Callable[[], None]], object], body: Callable[[], object], name: str
    ) -> Runner:
        """Begin a thread that runs ``body`` when it is its turn; ``begin`` makes a real one."""
        runner = Runner(name)
        runner.condition = _at_once

        def run() -> None:
            runner.go.acquire()
            self._take(runner)
            try:
                if not self._abandoned:
                    body()
            finally:
                self._end(runner)

        self._waiting.append(runner)
        try:
            begin(run)
        except BaseException:
            self._waiting.remove(runner)
            raise
        return runner

    def _end(self, runner: Runner) -> None:
        runner.done = True
        if runner.at_end is not None:
            runner.at_end()
        self.runners.pop(runner.ident, None)
        self._choosing = True
        chosen = self._choose()
        self._holder_ident = 0
        chosen.go.release()

    def join_others(self) -> None:
        """Let the main thread wait until every thread has ended that a program has to wait for."""
        self.wait(self._others_ended)

    def _others_ended(self) -> bool:
        left = (*self.runners.values(), *self._waiting)
        return all(each.daemon or each is self.main for each in left)

    def abandon(self) -> int:
        """Let every other thread end where it waits; return how many would not."""
        self._abandoned = True
        self.until_ns = NEVER_NS
        for _ in range(100):
            if not self._waiting:
                break
            for each in self._waiting:
                each.condition = _at_once
            self.main.errands.clear()
            self.wait(_at_once)
        for each in self._waiting:
            if each.at_end is not None:
                each.at_end()
        return len(self._waiting)

    def alone(self) -> bool:
        """Whether no other thread waits for a time: what the calling one waits for is outside."""
        return all(each.deadline_ns == NEVER_NS for each in self._waiting)

    def nothing_due(self) -> bool:
        """Whether nobody waits for a time, and nothing is to happen on the board."""
        return self.alone() and self.clock.due_ns == NEVER_NS

    def tell_main(self, errand: Callable[[], object]) -> None:
        """Let the main thread do ``errand`` as soon as it has the baton."""
        self.main.errands.append(errand)

    def main_may_act(self) -> bool:
        """Whether a signal's handler may run now: the main thread works, and does not wait."""
        return self.holder is self.main and not self._choosing

    def give_up(self, why: str) -> NoReturn:
        """End the process: there is no other way to stop a program that ignores everything."""
        sys.stdout.flush()
        print(f"steckbrett: {why}", file=sys.stderr, flush=True)
        os._exit(GIVEN_UP_EXIT)

    # ---- inside ------------------------------------------------------------------------------

    def _hand_to(self, chosen: Runner, me: Runner) -> None:
        if chosen is not me:
            self._advance(self.clock.now_ns + SWITCH_NS)
            self._holder_ident = 0
            chosen.go.release()
            me.go.acquire()
        self._take(me)

    def _take(self, me: Runner) -> None:
        if not me.ident:
            me.ident = _ident()
            self.runners[me.ident] = me
        self.holder = me
        self._holder_ident = me.ident
        alarm_ns = min(self.until_ns, self.clock.now_ns + QUANTUM_NS)
        for each in self._waiting:
            alarm_ns = min(alarm_ns, each.deadline_ns)
        self._alarm_ns = alarm_ns
        self._choosing = False

    def _advance(self, until_ns: int) -> None:
        """Let the board come on; what fails there fails in the main thread."""
        try:
            self.clock.advance_ns(until_ns)
        except Exception as problem:
            self.main.errands.append(partial(_raise, problem))

    def _choose(self) -> Runner:
        """Take the runner that is next off the list, letting time pass until there is one."""
        waiting, clock = self._waiting, self.clock
        while True:
            now_ns = clock.now_ns
            if now_ns >= self.until_ns:
                self._tell_to_end()
            files = self._outside() if self._outsiders else _NONE
            if not files:
                self._paid_ns = now_ns
            elif now_ns - self._paid_ns > _OWED_NS:
                self._pay(files, now_ns)
            due_ns = NEVER_NS
            for runner in waiting:
                condition = runner.condition
                true = condition is not None and bool(condition())
                if true or runner.errands or runner.deadline_ns <= now_ns:
                    runner.came_true = true
                    waiting.remove(runner)
                    self._early = 0
                    return runner
                due_ns = min(due_ns, runner.deadline_ns)
            due_ns = min(due_ns, clock.due_ns, self.until_ns)
            if due_ns == NEVER_NS:
                files = {number: each for one in waiting for number, each in one.files.items()}
                if files and can_come(files):
                    self._pay(files, NEVER_NS)
                else:
                    self.main.errands.append(self._refuse_deadlock)
            elif not files or self._pay(files, due_ns):
                self._advance(due_ns)

    def _outside(self) -> Mapping[int, int]:
        """Return the files outside for which time is no faster than real time."""
        timed = sum(each.deadline_ns != NEVER_NS for each in self._waiting)
        found: dict[int, int] = {}
        for each in self._waiting:
            if not each.is_door or timed == (each.deadline_ns != NEVER_NS):
                found.update(each.outside)
        return found

    def _pay(self, files: Mapping[int, int], until_ns: int) -> bool:
        """Wait in real time for ``files``, until ``until_ns`` at most or for a slice of time.

        Return whether ``until_ns`` has come. An answer that comes soon leaves the clock alone.
        """
        left_ns = until_ns - self._paid_ns
        self._early += 1
        if self._early > _MOST_EARLY:  # it has ended, or somebody else reads it
            files = _NONE
        took_ns = wait_for(files, min(left_ns, SLICE_NS))
        if took_ns >= left_ns:
            self._paid_ns = until_ns
            return True
        if took_ns >= HOLD_NS:
            self._paid_ns += took_ns
            if self._paid_ns > self.clock.now_ns:
                self._advance(self._paid_ns)
        elif until_ns <= self.clock.now_ns:
            self._paid_ns = until_ns
        return False

    def _tell_to_end(self) -> None:
        self.told += 1
        self.until_ns = self.clock.now_ns + GRACE_NS
        if self.told > 2 * MOST_TOLD:
            self.give_up(f"the program goes on, though it was told to end {self.told - 1} times")
        elif self.told > MOST_TOLD:
            self.main.errands.append(_insist)
        else:
            self.main.errands.append(self.told_how)

    def _refuse_deadlock(self) -> NoReturn:
        names = ", ".join(sorted(each.name for each in self._waiting)) or "no other thread"
        raise DeadlockError(
            f"nothing will ever happen again at {self.clock.time():g} s of virtual time: the main "
            f"thread waits, and so does {names}; give the program an end with --for"
        )


def _at_once() -> bool:
    return True


def _raise(problem: Exception) -> NoReturn:
    raise problem


def _interrupt() -> NoReturn:
    raise KeyboardInterrupt


def _insist() -> NoReturn:
    raise TimeIsUpError


_active: list[Baton] = []


def active() -> Baton | None:
    """Return the baton of the program that runs; None if none does."""
    return _active[-1] if _active else None


def held() -> Baton | None:
    """Return the baton if the calling thread has it; None in every other case."""
    if _active:
        baton = _active[-1]
        if baton.holds():
            return baton
    return None


def set_active(baton: Baton | None) -> None:
    """Let ``baton`` be the one that the computer's functions ask; None for none."""
    if baton is None:
        _active.clear()
    else:
        if _active:
            raise ClockError("a program runs already: end it before another begins")
        _active.append(baton)
