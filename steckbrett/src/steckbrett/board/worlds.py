"""The worlds of sensors: motion and light as functions of the time, and how words change them.

Times are in s of the bench, accelerations in m/s² along the axes of the part, light in lx.
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from .motion_file import GRAVITY_MPS2, Vector, read_motion
from .plan import MOVES, PlanError, check_number, check_times, world_of

_TAP_S = 0.008
_DOUBLE_S = 0.15
_MOST_STEPS = 10_000


class Motion:
    """The motion of an accelerometer: gravity, and what is done to it. At first it lies flat."""

    def __init__(self) -> None:
        self._turned: list[tuple[float, Vector]] = [(-math.inf, (0.0, 0.0, GRAVITY_MPS2))]
        self._falls: list[tuple[float, float]] = []
        self._added: list[tuple[float, float, Callable[[float], Vector]]] = []

    def tilt(self, at: float = 0.0, *, roll: float = 0.0, pitch: float = 0.0) -> None:
        """Turn it from ``at`` on: ``roll`` degrees about its x axis, ``pitch`` about its y axis."""
        for number in (at, roll, pitch):
            check_number(number, "tilt")
        about_x, about_y = math.radians(roll), math.radians(pitch)
        along = math.cos(about_x) * math.cos(about_y)
        turned = (-math.sin(about_y), math.sin(about_x) * math.cos(about_y), along)
        self._turned.append((at, (*(GRAVITY_MPS2 * part for part in turned),)))  # type: ignore[arg-type]
        self._turned.sort(key=lambda each: each[0])

    def shake(
        self, at: float, seconds: float = 1.0, *, strength: float = 20.0, frequency: float = 5.0
    ) -> None:
        """Shake it along x and y; ``strength`` is the peak in m/s², ``frequency`` in Hz."""
        check_times(at, seconds, "shake")
        check_number(strength, "strength of a shake")
        check_number(frequency, "frequency of a shake")
        turn = 2 * math.pi * frequency

        def shaken(since: float) -> Vector:
            push = strength * math.sin(turn * since)
            return (push, 0.6 * push, 0.25 * push)

        self._added.append((at, at + seconds, shaken))

    def tap(self, at: float, *, times: int = 1, strength: float = 60.0, axis: str = "z") -> None:
        """Tap it once or ``times`` in a row, 0.15 s apart, with a push of 8 ms along ``axis``."""
        check_times(at, times, "tap")
        check_number(strength, "strength of a tap")
        if axis not in ("x", "y", "z"):
            raise PlanError(f"axis {axis!r} of a tap: write x, y or z")
        index = "xyz".index(axis)

        def pushed(since: float) -> Vector:
            push = [0.0, 0.0, 0.0]
            push[index] = strength * math.sin(math.pi * since / _TAP_S)
            return (push[0], push[1], push[2])

        for number in range(times):
            begin = at + number * _DOUBLE_S
            self._added.append((begin, begin + _TAP_S, pushed))

    def fall(self, at: float, seconds: float = 0.4) -> None:
        """Let it fall freely, and land with a bump."""
        check_times(at, seconds, "fall")
        self._falls.append((at, at + seconds))
        self.tap(at + seconds, strength=120.0)

    def recording(self, path: Path | str, at: float = 0.0, unit: str | None = None) -> str:
        """Play a file of `read_motion` from ``at`` on; return its line about units, "" for none.

        Between two lines the earlier one holds; after the last one it lies as it lay before.
        ``unit`` is that of the acceleration: mps2, g, mg, or the counts of 1 g.

        Raises:
            PlanError: the file cannot be played; the text names the line.
        """
        check_times(at, 1, "recording")
        times, values, guessed = read_motion(Path(path), unit)

        def played(since: float) -> Vector:
            return values[max(0, bisect_right(times, since + times[0]) - 1)]

        end = at + times[-1] - times[0]
        self._falls.append((at, end))
        self._added.append((at, end, played))
        return guessed

    def __call__(self, t_us: int) -> Vector:
        """Return the acceleration at ``t_us``."""
        t_s = t_us / 1e6
        x, y, z = next(way for since, way in reversed(self._turned) if since <= t_s)
        if any(begin <= t_s < end for begin, end in self._falls):
            x = y = z = 0.0
        for begin, end, push in self._added:
            if begin <= t_s < end:
                more = push(t_s - begin)
                x, y, z = x + more[0], y + more[1], z + more[2]
        return (x, y, z)


class Light:
    """The light on a sensor: dark at first."""

    def __init__(self) -> None:
        self._changes: list[tuple[float, float]] = [(-math.inf, 0.0)]

    def set(self, lux: float, at: float = 0.0) -> None:
        """Let there be ``lux`` from ``at`` on."""
        check_number(at, "light")
        check_number(lux, "light")
        if lux < 0:
            raise PlanError(f"light {lux}: it is 0 or more")
        self._changes.append((at, lux))
        self._changes.sort(key=lambda each: each[0])

    def flash(self, at: float, seconds: float = 0.5, lux: float = 1000.0) -> None:
        """Let there be ``lux`` for some time, and then what was there before."""
        check_times(at, seconds, "flash")
        before = self(round(at * 1e6))
        self.set(lux, at)
        self.set(before, at + seconds)

    def __call__(self, t_us: int) -> float:
        """Return the light at ``t_us``."""
        t_s = t_us / 1e6
        return next(lux for since, lux in reversed(self._changes) if since <= t_s)


class Worlds:
    """The surroundings of a board: what its sensors feel together, and fingers on its parts.

    Args:
        board: the `Board`.
    """

    def __init__(self, board: Any) -> None:
        self._board = board
        self._made: dict[str, Any] = {}

    @property
    def motion(self) -> Motion:
        """The motion of the board's accelerometers."""
        made: Motion = self._of("acceleration", Motion)
        return made

    @property
    def light(self) -> Light:
        """The light on the board's sensors of light."""
        made: Light = self._of("illuminance", Light)
        return made

    def set(self, name: str, at_s: float, what: Mapping[str, object]) -> None:
        """Change the world of a part from ``at_s`` on; `PlanError` if it does not feel that."""
        worlds = self._board.fitted(name).worlds
        check_number(at_s, "time of a change")
        for key, value in what.items():
            for number in value if isinstance(value, tuple) else (value,):
                if not callable(number):
                    check_number(number, f"{name}.{key}")
        if at_s <= self._board.clock.time() or not set(what) <= set(worlds):
            self._board.world(name, **what)
        else:
            self._board.at(at_s).world(name, **what)

    def press(self, name: str, at_s: float, seconds: float) -> None:
        """Press or touch a part; `PlanError` if that is nothing to press."""
        part = self._board.fitted(name)
        verb = next((verb for verb in ("press", "touch") if hasattr(part, verb)), None)
        if verb is None:
            raise PlanError(f"{name} is nothing to press")
        self._board.at(at_s).act(name, verb, True)
        self._board.at(at_s + seconds).act(name, verb, False)

    def plan(self, words: str) -> None:
        """Let happen what words for `world_of` say.

        Raises:
            PlanError: they are no such words, no part feels it, or the count of numbers is wrong.
        """
        what, numbers, at_s, seconds = world_of(words)
        if what in MOVES:
            move = getattr(self.motion, what)
            move(at_s) if seconds is None else move(at_s, seconds)
        elif what == "light":
            (lux,) = _counted(numbers, 1, words)
            self.light.set(lux, at_s)
        elif what == "tilt":
            roll, pitch = _counted(numbers, 2, words)
            self.motion.tilt(at_s, roll=roll, pitch=pitch)
        else:
            name, _, key = what.rpartition(".")
            part = self._board.fitted(name)
            if key == "turn" and hasattr(part, "turn"):
                (steps,) = _counted(numbers, 1, words)
                if steps != round(steps) or abs(steps) > _MOST_STEPS:
                    raise PlanError(f"world {words!r}: write a whole number up to {_MOST_STEPS}")
                self._board.at(at_s).act(name, "turn", round(steps))
                return
            usual = getattr(part, key)(0) if key in part.worlds else 0.0
            given = _counted(numbers, len(usual) if isinstance(usual, tuple) else 1, words)
            self.set(name, at_s, {key: given if isinstance(usual, tuple) else given[0]})

    def _of(self, key: str, kind: type) -> Any:
        if key not in self._made:
            names = [name for name, part in self._board.parts.items() if key in part.worlds]
            if not names:
                raise PlanError(f"no part of the board feels {key}")
            self._made[key] = kind()
            for name in names:
                self._board.world(name, **{key: self._made[key]})
        return self._made[key]


def _counted(numbers: tuple[float, ...], count: int, words: str) -> tuple[float, ...]:
    if len(numbers) != count:
        many = "s" if count > 1 else ""
        raise PlanError(f"world {words!r}: it takes {count} number{many}, not {len(numbers)}")
    return numbers
