"""The bench as a test has it: a board, what happens to it, and the programs that run on it."""

import contextlib
import io
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, cast

from ..board.board import Board
from ..board.bus import BAUD
from ..board.gpio import Profile
from ..board.pins import Pins
from ..board.plan import PlanError, PlannedPress, Wire, pulls_of, read_plan, wires_of
from ..board.worlds import Light, Motion
from ..clock import ClockError
from ..host.pi import hints
from ..host.program import PATIENCE_S, Outcome, StandstillError, run, script, without_bench
from ..parts import FAILING, Offence, PartModel
from ..traces import drawn, rows_of
from ..traces.recording import Recording, waveforms
from ..traces.timeline import timeline

_BLOCKS = " ▀▄█"


class Display:
    """A display of the board as somebody sees it.

    ``rows`` are its pixels, 1 lit and 0 dark, when the last program came to its end, before it
    cleaned up.
    """

    def __init__(self, part: Any, folder: Path, update: bool) -> None:
        self._part, self._folder, self._update = part, folder, update
        self.rows: tuple[bytes, ...] = part.pixels()

    def look(self) -> None:
        """Look at it now."""
        self.rows = self._part.pixels()

    @property
    def text(self) -> str:
        """The picture as lines of blocks, two rows of pixels a line."""
        below = [*self.rows[1::2], bytes(len(self.rows[0]))]
        return "\n".join(
            "".join(_BLOCKS[upper + 2 * lower] for upper, lower in zip(*pair)).rstrip()
            for pair in zip(self.rows[::2], below)
        )

    @property
    def lit(self) -> int:
        """How many pixels are lit."""
        return sum(map(sum, self.rows))

    def save(self, path: Path | str) -> None:
        """Write the picture as PNG; a path is relative to the test's folder."""
        file = self._folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(drawn(self.rows))

    def matches(self, path: Path | str, *, tolerance: int = 0) -> bool:
        """Return True if it looks like the PNG, beside at most ``tolerance`` pixels.

        ``pytest --bench-update`` writes the picture. Beside one that differs, ``….seen.png`` is
        written.

        Raises:
            AssertionError: there is no such picture, or it differs; the text says by how much.
        """
        kept = self._folder / path
        if self._update:
            self.save(path)
            return True
        if not kept.exists():
            raise AssertionError(f"no picture {kept}: write it with --bench-update and look at it")
        try:
            expected = rows_of(kept.read_bytes())
        except ValueError as problem:
            raise AssertionError(f"{kept}: {problem}: write it with --bench-update") from None
        differ = _difference(self.rows, expected)
        if differ > tolerance:
            seen = kept.with_suffix(".seen.png")
            self.save(seen)
            raise AssertionError(
                f"{differ} pixels of the display differ from {kept.name}; it shows {seen.name}:\n"
                + self.text
            )
        return True


class Bench:
    """A board with its parts and wires, for one test.

    Args:
        parts, wires, pulls, presses, worlds, seed: as of `Board`.
        board: a TOML file with the same.
        dialect: how ``RPi.GPIO`` behaves.
        patience: real seconds after which a program fails that lets no virtual time pass.
        baud: bits a second on the bus, as of `Board`.
        folder: the test's, to which paths are relative.
        update: whether pictures are written and not compared.

    Attributes:
        board: the `Board`.
        recording: what happens on it.
        pins: its pins by BCM number, with ``level``, ``rose_at``, ``fell_at``, ``rises`` …
        output: what programs printed.
    """

    def __init__(
        self,
        parts: Iterable[str | PartModel] = (),
        wires: Mapping[int, Wire] | Iterable[str] = (),
        pulls: Mapping[int, str] | Iterable[str] = (),
        presses: Iterable[str | PlannedPress] = (),
        worlds: Iterable[str] = (),
        *,
        board: Path | str | None = None,
        seed: int | str = 0,
        dialect: Profile = "rpi-gpio",
        patience: float = PATIENCE_S,
        baud: int | None = None,
        folder: Path | None = None,
        update: bool = False,
    ) -> None:
        for key, value in {"parts": parts, "presses": presses, "worlds": worlds}.items():
            if isinstance(value, str):
                raise PlanError(f"{key} is a list: write [{value!r}]")
        self.folder = Path() if folder is None else folder
        plan = read_plan(self.folder / board) if board is not None else {}
        self._seed = plan.get("seed", seed)
        self._patience_s = patience
        self.board = Board(
            [*plan.get("parts", ()), *parts],
            {**plan.get("wires", {}), **wires_of(wires)},
            {**plan.get("pulls", {}), **pulls_of(pulls)},
            [*plan.get("presses", ()), *presses],
            [*plan.get("worlds", ()), *worlds],
            seed=self._seed,
            profile=dialect,
            baud=plan.get("baud", BAUD) if baud is None else baud,
        )
        self.recording = Recording(self.board)
        self.pins: Pins = self.board.pins
        self.output = ""
        self._judged = set[Offence]()
        self._displays = {
            name: Display(part, self.folder, update)
            for name, part in self.board.parts.items()
            if hasattr(part, "pixels")
        }

    # ---- what happens ------------------------------------------------------------------------

    @property
    def accelerometer(self) -> Motion:
        """The motion of the board's accelerometer."""
        return self.board.worlds.motion

    @property
    def light(self) -> Light:
        """The light on the board's sensors of light."""
        return self.board.worlds.light

    def press(self, what: int | str, at: float, seconds: float = 0.1) -> None:
        """Press a button at a pin, or a part that can be pressed or touched, at ``at`` s."""
        self.board.press(what, at, seconds)

    def set(self, name: str, at: float = 0.0, **what: Any) -> None:
        """Change the world of a part from ``at`` on: ``set("bme280", temperature=30.0)``.

        A value is a number, or a function of the time in µs.
        """
        self.board.worlds.set(name, at, what)

    def at(self, at: float) -> Board:
        """Return the board as it will be: ``bench.at(4.0).unplug("adxl345")``."""
        return cast(Board, self.board.at(at))

    # ---- programs ----------------------------------------------------------------------------

    def run(
        self, program: Path | str, until: float | None = None, args: Iterable[str] = ()
    ) -> Outcome:
        """Run a program, unchanged; at ``until`` s of the bench it is ended as by Ctrl-C.

        Raises what the program raises, or the first of its threads. A program that ends with
        another exit code than 0 raises nothing: look at ``exit_code``.
        """
        path = self.folder / program
        loaded = set(sys.modules)
        printed = io.StringIO()
        failed: list[Any] = []
        try:
            with contextlib.redirect_stdout(_Both(printed, sys.stdout)):
                outcome = run(
                    script(path),
                    self.board,
                    until_s=until,
                    seed=self._seed,
                    argv=[str(path), *args],
                    look=self._look,
                    patience_s=self._patience_s,
                    break_out=True,
                    thread_failed=failed.append,
                )
        finally:
            self.output += printed.getvalue()
            _forget(set(sys.modules) - loaded)
        error = outcome.error
        if failed and (error is None or isinstance(error, SystemExit)):
            error = failed[0].exc_value
            error.add_note(f"in {failed[0].thread.name if failed[0].thread else 'a thread'}")
        if error is not None and not isinstance(error, SystemExit):
            __tracebackhide__ = True  # pytest begins with the test, and goes on in the program
            if isinstance(error, StandstillError):
                error = ClockError(str(error)).with_traceback(error.__traceback__)
            for line in hints(error, self.board):
                error.add_note(f"steckbrett: {line}")
            raise without_bench(error)
        return outcome

    @property
    def now(self) -> float:
        """The time of the bench, in s."""
        return self.board.clock.time()

    # ---- what came of it ---------------------------------------------------------------------

    @property
    def display(self) -> Display:
        """The board's only display."""
        if len(self._displays) != 1:
            known = ", ".join(self._displays) or "none"
            raise PlanError(f"the board has not one display, but {known}: use displays[name]")
        return next(iter(self._displays.values()))

    @property
    def displays(self) -> Mapping[str, Display]:
        """Displays by the name of the part."""
        return self._displays

    @property
    def refused(self) -> list[str]:
        """Requests of the program that a chip does not fulfil, a line each."""
        self._judged.add(Offence.REFUSED)
        return self.board.offences(Offence.REFUSED)

    @property
    def unmodelled(self) -> list[str]:
        """Requests that a chip fulfils and its model does not, a line each."""
        self._judged.add(Offence.UNMODELLED)
        return self.board.offences(Offence.UNMODELLED)

    def unjudged(self, allow: Iterable[str] = ()) -> list[str]:
        """Return what was refused or is unmodelled, a line each, if the test did not look at it.

        ``allow``: texts; a line that has one of them in it is left out.
        """
        if isinstance(allow, str):
            raise PlanError(f"allow is a list: write [{allow!r}]")
        kinds = [kind for kind in FAILING if kind not in self._judged]
        lines = self.board.offences(*kinds) if kinds else []
        return [line for line in lines if not any(text in line for text in allow)]

    @property
    def torn(self) -> list[str]:
        """Accesses that may have given wrong data, a line each."""
        return self.board.offences(Offence.TORN)

    @property
    def unlisted(self) -> list[str]:
        """Accesses that work on every chip and stand in no sheet, a line each."""
        return self.board.offences(Offence.UNLISTED)

    def save_timeline(self, path: Path | str) -> None:
        """Write what happened as one picture, an SVG file."""
        (self.folder / path).write_text(timeline(self.recording), encoding="utf-8")

    def save_vcd(self, path: Path | str, *, bits: bool = True) -> None:
        """Write what happened for waveform viewers; without ``bits``, pins alone: it is shorter.

        Raises:
            MissingLibraryError: pyvcd is not installed.
        """
        text = waveforms(self.recording, bits=bits)
        (self.folder / path).write_text(text, encoding="utf-8")

    # ---- inside ------------------------------------------------------------------------------

    def _look(self) -> None:
        for display in self._displays.values():
            display.look()


class _Both(io.TextIOBase):
    """Two files that get the same text."""

    def __init__(self, *files: Any) -> None:
        self._files = files

    def write(self, text: str) -> int:
        for file in self._files:
            file.write(text)
        return len(text)

    def flush(self) -> None:
        for file in self._files:
            if not file.closed:
                file.flush()


def _difference(first: Sequence[bytes], second: Sequence[bytes]) -> int:
    """Return how many pixels differ; all of them if the sizes do."""
    if [len(row) for row in first] != [len(row) for row in second]:
        return sum(map(len, first))
    return sum(a != b for one, other in zip(first, second) for a, b in zip(one, other))


def _forget(names: Collection[str]) -> None:
    """Unload what the program loaded, so that the next one finds the libraries as new.

    The standard library stays, and a package with a part in C, which cannot be loaded twice.
    Packages stay with it if it took modules, classes or functions from them.
    """
    tops: dict[str, list[Any]] = {}
    for name in names:
        top = name.partition(".")[0]
        if top not in sys.stdlib_module_names and name in sys.modules:
            tops.setdefault(top, []).append(sys.modules[name])
    kept = [top for top, members in tops.items() if any(map(_in_c, members))]
    while kept:
        for member in tops.pop(kept.pop(), ()):
            kept += {_home(value) for value in list(vars(member).values())} & tops.keys()
    for name in names:
        if name.partition(".")[0] in tops:
            sys.modules.pop(name, None)


def _in_c(module: Any) -> bool:
    return (getattr(module, "__file__", None) or "").endswith((".so", ".pyd"))


def _home(value: object) -> str:
    """Return the package that a module, a class or a function belongs to; "" for another value."""
    if isinstance(value, ModuleType):
        return value.__name__.partition(".")[0]
    if isinstance(value, type | FunctionType):
        return str(value.__module__).partition(".")[0]
    return ""
