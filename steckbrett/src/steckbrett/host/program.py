"""Run a program of a Raspberry Pi on a board, in virtual time.

A program that no longer lets virtual time pass gets one line for its user. No thread can be taken
out of a loop of a library, or from a lock that was made before the bench.
"""

import _thread
import ast
import atexit
import builtins
import ctypes
import importlib.util
import queue
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import FrameType, ModuleType, TracebackType
from typing import Any, NamedTuple, cast

from ..board.board import Board
from ..board.plan import check_times
from ..clock import NEVER_NS, NS_PER_S, ClockError, SteppedClock
from . import locks, outside, waits
from .baton import Baton, TimeIsUpError, set_active
from .files import Files, settle_on
from .patches import Patches, seed_chance, set_clocks
from .pi import Pi, install_libraries

PATIENCE_S = 10.0
"""Real seconds at one virtual time after which the user is told, chosen; computing takes less."""
_WAITS = (threading.__file__, queue.__file__)
_real_lock, _real_start = _thread.allocate_lock, _thread.start_new_thread


class StandstillError(BaseException):
    """The program no longer lets virtual time pass; the text names the place."""


def complain(line: str) -> None:
    """Print a line of the bench for its user."""
    print(f"steckbrett: {line}", file=sys.stderr, flush=True)


def held_for_ever(baton: Baton) -> str | None:
    """Return a line if threads wait for a lock and nothing will ever happen again; else None.

    The end of a program by its time hides that. Waits in ``threading`` and ``queue`` do not count:
    a program may wait so for its end.
    """
    if baton.nothing_due():
        frames = sys._current_frames()
        for runner in baton.runners.values():
            inner, frame = None, frames.get(runner.ident)
            while frame is not None and frame.f_code.co_filename.startswith(_BENCH):
                inner, frame = frame, frame.f_back
            locked = inner is not None and inner.f_code.co_name == "acquire"
            if locked and frame is not None and frame.f_code.co_filename not in _WAITS:
                return (
                    f"{runner.name} waited for ever for a lock, in {frame.f_code.co_filename}, "
                    f"line {frame.f_lineno}"
                )
    return None


class Standstill:
    """Watches a program from a thread of its own, from `begin` to `end`.

    It calls ``tell`` once at most. With ``break_out`` it raises `StandstillError` there instead,
    unless the thread imports something.
    """

    def __init__(
        self,
        baton: Baton,
        tell: Callable[[str], object],
        patience_s: float,
        *,
        break_out: bool = False,
    ) -> None:
        self._baton, self._tell, self._patience_s = baton, tell, patience_s
        self._break_out = break_out
        self._over = _real_lock()
        self._over.acquire()

    def begin(self) -> None:
        """Begin the watch, once all is set up: setting up takes real time at one virtual time."""
        _real_start(self._watch, ())

    def end(self) -> None:
        """End the watch."""
        self._over.release()

    def _watch(self) -> None:
        before_ns = -1
        while not self._over.acquire(timeout=self._patience_s):
            now_ns = self._baton.clock.now_ns
            if now_ns == before_ns and (line := self._line()) is not None:
                if not self._break_out:
                    self._tell(line + "; end it with Ctrl-C")
                    return
                kind = type("StandstillError", (StandstillError,), {"__str__": lambda _: line})
                thread = ctypes.c_ulong(self._baton.holder.ident)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(kind))
            before_ns = now_ns

    def _line(self) -> str | None:
        """Return the line; None while code of the bench runs, as before a program begins."""
        holder = self._baton.holder
        frame = sys._current_frames().get(holder.ident)
        if frame is None or frame.f_code.co_filename.startswith(_BENCH):
            return None
        inner: FrameType | None = frame
        while self._break_out and inner is not None:
            if inner.f_code.co_filename.startswith("<frozen importlib"):
                return None
            inner = inner.f_back
        return (
            f"virtual time stands still at {self._baton.clock.time():g} s: {holder.name} loops or "
            f"waits in {frame.f_code.co_filename}, line {frame.f_lineno}, unseen by the bench"
        )


TICK_NS = 1_000
"""The cost of a turn of a ``while`` loop of the script, so that a loop without a wait comes on."""
_TICK = "__steckbrett_tick__"
_BENCH = str(Path(__file__).parents[1])


class ProgramError(Exception):
    """A program that cannot be run; its text is one line that says why."""


class Outcome(NamedTuple):
    """How a program ended.

    ``exit_code`` as the shell has it. ``error``: what the program raised; None for nothing, or for
    its end by time. ``time_up``: whether it was told to end at its time. ``left``: threads that did
    not end. ``interrupted``: whether somebody pressed Ctrl-C.
    """

    exit_code: int
    error: BaseException | None
    time_up: bool
    left: int
    interrupted: bool


def run(
    main: Callable[[], object],
    board: Board,
    *,
    until_s: float | None = None,
    seed: int | str = 0,
    argv: Sequence[str] = ("",),
    look: Callable[[], object] | None = None,
    patience_s: float = PATIENCE_S,
    tell: Callable[[str], object] = complain,
    break_out: bool = False,
    thread_failed: Callable[[Any], object] | None = None,
) -> Outcome:
    """Run ``main`` as the program of ``board``, whose clock is a `SteppedClock`.

    The result of ``main`` lives until the functions of ``atexit`` are done, as a main module does.
    At ``until_s`` of that clock it is told to end, as by Ctrl-C; None: it ends by itself. ``look``
    is called once when it is told so, or has ended by itself, before it cleans up. ``tell`` gets
    one line if no virtual time passes in ``patience_s`` real seconds, or if a lock held the program
    for ever. With ``break_out`` the thread that lets no time pass gets a `StandstillError`.
    ``thread_failed`` gets what ``threading.excepthook`` gets; None: it is printed as usual.

    Raises:
        ClockError: a program runs already.
        ProgramError: this is no Linux.
        PlanError: ``until_s`` is no time.
    """
    refuse_other_systems()
    if until_s is not None:
        check_times(0, until_s, "end of a program")
    clock: Any = board.clock
    if not isinstance(clock, SteppedClock):
        raise ClockError("a program needs a board whose clock stands until it is moved")
    baton = Baton(clock, None if until_s is None else round(until_s * NS_PER_S))
    set_active(baton)
    patches = Patches()
    signals = waits.Signals(baton)

    def end_by_time() -> None:
        if baton.told == 1 and (line := held_for_ever(baton)) is not None:
            tell(line)
        signals.interrupt()

    baton.told_how = end_by_time
    at_exit = _AtExit()
    device = settle_on(board.bus)
    pi = Pi(board, baton)
    files = Files(pi.devices, pi.texts, device, pi.absent)
    argv_before, path_before, finders_before = sys.argv, list(sys.path), list(sys.meta_path)
    sys.argv = list(argv)
    error: BaseException | None = None
    watch = Standstill(baton, tell, patience_s, break_out=break_out)
    try:
        locks.install(patches, thread_failed)
        set_clocks(patches)
        waits.install(patches, signals)
        files.install(patches)
        seed_chance(patches, seed)
        install_libraries(patches, pi.modules, pi.begins)
        patches.swap(atexit, {"register": at_exit.register, "unregister": at_exit.unregister})
        patches.put(builtins, _TICK, lambda: baton.ask(TICK_NS))
        patches.rebind()
        signals.signal(signal.SIGINT, signal.default_int_handler)
        looks = [] if look is None else [look]
        if until_s is not None:
            clock.call_at(until_s, _once, looks)
        watch.begin()
        alive: list[object] = []
        error = _first_error(lambda: alive.append(main()), None)
        _once(looks)
        error = _first_error(_end_executors, error)
        error = _first_error(baton.join_others, error)
        error = _first_error(at_exit.run, error)
        alive.clear()
        baton.until_ns = NEVER_NS
        left = baton.abandon()
    finally:
        set_idle = partial(set_active, None)
        with ExitStack() as ends:  # the last one comes first, and each comes if another fails
            for end in (set_idle, pi.close, files.close, patches.undo, outside.forget, watch.end):
                ends.callback(end)
        sys.argv, sys.path[:], sys.meta_path[:] = argv_before, path_before, finders_before
    time_up = baton.told > 0
    if time_up and isinstance(error, KeyboardInterrupt | TimeIsUpError):
        error = None
    code = _exit_code(error)
    if isinstance(error, SystemExit) and (error.code is None or isinstance(error.code, int)):
        error = None
    return Outcome(code, error, time_up, left, signals.interrupted)


def refuse_other_systems() -> None:
    """Raise `ProgramError` where a program cannot run: the bench stands below Linux's calls."""
    if sys.platform != "linux" or not Files.possible:
        raise ProgramError("a program runs on the bench on Linux only")


def script(path: Path | str) -> Callable[[], object]:
    """Return what runs the Python file at ``path`` as ``__main__``.

    Raises:
        ProgramError: there is no such file, or it is no text.
    """
    file = Path(path)
    try:
        source = file.read_bytes()
    except OSError as problem:
        raise ProgramError(f"cannot read {file}: {problem.strerror}") from None

    def main() -> object:
        sys.meta_path.insert(0, cast(Any, _Beside(file.resolve().parent)))
        module = ModuleType("__main__")
        vars(module).update(__file__=str(file), __builtins__=builtins)
        before = sys.modules["__main__"]
        sys.modules["__main__"] = module
        sys.path.insert(0, str(file.resolve().parent))
        try:
            exec(compile_ticking(source, str(file)), vars(module))
        finally:
            sys.modules["__main__"] = before
        return module

    return main


def module(name: str) -> Callable[[], object]:
    """Return what runs a module as ``__main__``, as ``python -m`` does."""
    import runpy

    if importlib.util.find_spec(name.partition(".")[0]) is None:
        raise ProgramError(f"no module {name}")

    def main() -> object:
        sys.path.insert(0, "")
        return runpy.run_module(name, run_name="__main__", alter_sys=True)

    return main


def compile_ticking(source: bytes | str, name: str) -> Any:
    """Compile a program whose ``while`` loops let time pass with each turn."""
    tree = ast.parse(source, name)
    for node in ast.walk(tree):
        if isinstance(node, ast.While):
            call = ast.Expr(ast.Call(ast.Name(_TICK, ast.Load()), [], []))
            ast.copy_location(call, node)
            node.body.insert(0, ast.fix_missing_locations(call))
    return compile(tree, name, "exec")


class _Beside:
    """Finds modules in the folder of the script, and compiles them as the script."""

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        del target
        spec = PathFinder.find_spec(name, [self._folder] if path is None else path)
        if spec is None or not isinstance(spec.loader, SourceFileLoader):
            return None
        if not str(spec.origin).startswith(self._folder) or "site-packages" in str(spec.origin):
            return None
        spec.loader = _TickingLoader(name, str(spec.origin))
        return spec


class _TickingLoader(SourceFileLoader):
    def get_code(self, fullname: str) -> Any:
        path = self.get_filename(fullname)
        return compile_ticking(self.get_data(path), path)


def own_traceback(error: BaseException, name: str) -> str:
    """Return the traceback of the program ``name``, without the frames of the bench."""
    told = traceback.TracebackException.from_exception(error)
    each: traceback.TracebackException | None = told
    while each is not None:
        files = [frame.filename for frame in each.stack]
        first = files.index(name) if name in files else 0
        kept = [frame for frame in each.stack[first:] if not frame.filename.startswith(_BENCH)]
        if isinstance(error, SyntaxError) and name not in files:
            kept = []
        each.stack = traceback.StackSummary.from_list(kept)
        each = each.__cause__ or each.__context__
    return "".join(told.format())


def without_bench(error: BaseException) -> BaseException:
    """Return ``error`` without the bench's frames in its traceback, if any others are left."""
    frames, each = [], error.__traceback__
    while each is not None:
        frames.append(each)
        each = each.tb_next
    kept: TracebackType | None = None
    for one in reversed(frames):
        if not one.tb_frame.f_code.co_filename.startswith(_BENCH):
            kept = TracebackType(kept, one.tb_frame, one.tb_lasti, one.tb_lineno)
    return error.with_traceback(kept or error.__traceback__)


def _first_error(call: Callable[[], object], before: BaseException | None) -> BaseException | None:
    try:
        call()
    except BaseException as problem:
        return problem if before is None else before
    return before


def _end_executors() -> None:
    """Let the idle threads of ``concurrent.futures`` end, as Python does at its end."""
    futures: Any = sys.modules.get("concurrent.futures.thread")
    if futures is not None:
        shutdown = futures._shutdown
        try:
            futures._python_exit()
        finally:
            futures._shutdown = shutdown


def _once(calls: list[Callable[[], object]]) -> None:
    while calls:
        calls.pop()()


class _AtExit:
    """The program's own functions of ``atexit``."""

    def __init__(self) -> None:
        self._calls: list[tuple[Callable[..., object], Callable[[], object]]] = []

    def register(self, function: Callable[..., Any], *args: Any, **options: Any) -> Any:
        self._calls.append((function, partial(function, *args, **options)))
        return function

    def unregister(self, function: Callable[..., Any]) -> None:
        self._calls = [each for each in self._calls if each[0] != function]

    def run(self) -> None:
        error: BaseException | None = None
        while self._calls:
            error = _first_error(self._calls.pop()[1], error)
        if error is not None:
            raise error


def _exit_code(error: BaseException | None) -> int:
    if error is None:
        return 0
    if isinstance(error, SystemExit):
        if error.code is None:
            return 0
        return error.code if isinstance(error.code, int) else 1
    return 130 if isinstance(error, KeyboardInterrupt) else 1
