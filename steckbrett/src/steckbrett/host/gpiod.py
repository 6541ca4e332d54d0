"""The package ``gpiod`` (2.x) over the lines of the bench, in Python."""

import os
from collections import deque
from collections.abc import Iterable
from datetime import timedelta
from enum import Enum, Flag
from functools import partial
from types import ModuleType
from typing import Any, NamedTuple

from .lines import COUNT, FALLING, LABEL, RISING, Line, Lines

PATH = "/dev/gpiochip0"


class Value(Enum):
    """As ``gpiod.line.Value``."""

    INACTIVE, ACTIVE = 0, 1


class Direction(Enum):
    """As ``gpiod.line.Direction``."""

    AS_IS, INPUT, OUTPUT = 1, 2, 3


class Bias(Enum):
    """As ``gpiod.line.Bias``."""

    AS_IS, UNKNOWN, DISABLED, PULL_UP, PULL_DOWN = 1, 2, 3, 4, 5


class Drive(Enum):
    """As ``gpiod.line.Drive``."""

    PUSH_PULL, OPEN_DRAIN, OPEN_SOURCE = 1, 2, 3


class Edge(Flag):
    """As ``gpiod.line.Edge``."""

    NONE, RISING, FALLING, BOTH = 0, RISING, FALLING, RISING | FALLING


class EventClock(Enum):
    """As ``gpiod.line.Clock``."""

    MONOTONIC, REALTIME, HTE = 1, 2, 3


class LineSettings:
    """As ``gpiod.LineSettings``."""

    def __init__(
        self,
        direction: Direction = Direction.AS_IS,
        edge_detection: Edge = Edge.NONE,
        bias: Bias = Bias.AS_IS,
        drive: Drive = Drive.PUSH_PULL,
        active_low: bool = False,
        debounce_period: timedelta = timedelta(),
        event_clock: EventClock = EventClock.MONOTONIC,
        output_value: Value = Value.INACTIVE,
    ) -> None:
        self.direction, self.edge_detection, self.bias = direction, edge_detection, bias
        self.drive, self.active_low, self.debounce_period = drive, active_low, debounce_period
        self.event_clock, self.output_value = event_clock, output_value


class ChipInfo(NamedTuple):
    """As ``gpiod.ChipInfo``."""

    name: str
    label: str
    num_lines: int


class LineInfo(NamedTuple):
    """As ``gpiod.LineInfo``, as far as programs look."""

    offset: int
    name: str
    used: bool
    direction: Direction


class EventType(Enum):
    """As ``gpiod.EdgeEvent.Type``."""

    RISING_EDGE, FALLING_EDGE = 1, 2


class EdgeEvent(NamedTuple):
    """As ``gpiod.EdgeEvent``."""

    event_type: EventType
    timestamp_ns: int
    line_offset: int
    global_seqno: int
    line_seqno: int


EdgeEvent.Type = EventType  # type: ignore[attr-defined]


class ChipClosedError(Exception):
    """As ``gpiod.ChipClosedError``."""


class RequestReleasedError(Exception):
    """As ``gpiod.RequestReleasedError``."""


class LineRequest:
    """As ``gpiod.LineRequest``: lines that a program has, by their offsets."""

    def __init__(self, lines: Lines, config: Any) -> None:
        self._lines: Lines | None = lines
        self._have: dict[int, Line] = {}
        self._events = deque[EdgeEvent]()
        self._counts: dict[int, int] = {}
        self._apply(config)

    def __enter__(self) -> "LineRequest":
        return self

    def __exit__(self, *_raised: object) -> None:
        self.release()

    def __bool__(self) -> bool:
        return self._lines is not None

    @property
    def offsets(self) -> list[int]:
        """The lines."""
        return list(self._have)

    lines = offsets
    num_lines = property(lambda self: len(self._have))
    fd = property(lambda _self: -1)

    def release(self) -> None:
        """Give the lines back."""
        for offset in self._have:
            self._chip.free(offset)
        self._have, self._lines = {}, None

    def get_value(self, line: int | str) -> Value:
        """Return the value of one line."""
        return Value(self._chip.read(self._have[offset_of(line)]))

    def get_values(self, lines: Iterable[int | str] | None = None) -> list[Value]:
        """Return the values of lines, of all for None."""
        return [self.get_value(line) for line in (self._have if lines is None else lines)]

    def set_value(self, line: int | str, value: Value) -> None:
        """Put a value on an output."""
        self._chip.write(self._have[offset_of(line)], Value(value).value)

    def set_values(self, values: dict[int | str, Value]) -> None:
        """Put values on outputs."""
        for line, value in values.items():
            self.set_value(line, value)

    def reconfigure_lines(self, config: Any) -> None:
        """Set lines up anew."""
        self._apply(config)

    def wait_edge_events(self, timeout: timedelta | float | None = None) -> bool:
        """Wait until there is an event; None: for ever."""
        seconds = timeout.total_seconds() if isinstance(timeout, timedelta) else timeout
        return self._chip.wait(lambda: self._events, seconds)

    def read_edge_events(self, max_events: int | None = None) -> list[EdgeEvent]:
        """Return events; wait for the first one."""
        self._chip.wait(lambda: self._events, None)
        count = min(len(self._events), max_events or 64)
        return [self._events.popleft() for _ in range(count)]

    @property
    def _chip(self) -> Lines:
        if self._lines is None:
            raise RequestReleasedError("GPIO lines have been released")
        return self._lines

    def _apply(self, config: Any) -> None:
        for offset, settings in offsets_of(config):
            self._set_up(offset, settings or LineSettings())

    def _set_up(self, offset: int, settings: LineSettings) -> None:
        edges = settings.edge_detection.value
        level = settings.output_value.value if settings.direction is Direction.OUTPUT else None
        line = self._chip.claim(
            offset,
            level=level,
            pull={Bias.PULL_UP: 1, Bias.PULL_DOWN: 0}.get(settings.bias),
            active_low=settings.active_low,
        )
        self._have[offset] = line
        line.debounce_us = round(settings.debounce_period / timedelta(microseconds=1))
        if edges:
            self._chip.watch(line, edges, partial(self._hear, offset))

    def _hear(self, offset: int, level: int, t_ns: int) -> None:
        count = self._counts[offset] = self._counts.get(offset, 0) + 1
        kind = EventType.RISING_EDGE if level else EventType.FALLING_EDGE
        self._events.append(EdgeEvent(kind, t_ns, offset, sum(self._counts.values()), count))


def offset_of(line: int | str) -> int:
    """Return the number of a line, also by its name ``GPIO17``; as the library, `ValueError`."""
    word = line.removeprefix("GPIO") if isinstance(line, str) else str(line)
    if not word.isdigit() or not 0 <= int(word) < COUNT:
        raise ValueError(f"unknown line: {line}")
    return int(word)


def offsets_of(config: Any) -> list[tuple[int, Any]]:
    """Return each line of a configuration with its value; a key is a line or several of them."""
    return [
        (offset_of(line), settings)
        for key, settings in config.items()
        for line in ((key,) if isinstance(key, int | str) else key)
    ]


def module(lines: Lines) -> dict[str, ModuleType]:
    """Return the package and its module ``line``, by name."""

    class Chip:
        """As ``gpiod.Chip``."""

        def __init__(self, path: Any) -> None:
            self.path, self._open = os.fspath(path), True
            if self.path != PATH:
                raise FileNotFoundError(2, f"the only GPIO chip on the bench is {PATH}", self.path)

        def __bool__(self) -> bool:
            return self._open

        def __enter__(self) -> "Chip":
            return self

        def __exit__(self, *_raised: object) -> None:
            self.close()

        def close(self) -> None:
            """Close the chip; requests stay."""
            self._check()
            self._open = False

        def get_info(self) -> ChipInfo:
            """Return name, label and count."""
            self._check()
            return ChipInfo("gpiochip0", LABEL, COUNT)

        def get_line_info(self, line: int | str) -> LineInfo:
            """Return what is known of a line."""
            self._check()
            offset = offset_of(line)
            held = lines.line(offset)
            way = Direction.OUTPUT if held is not None and held.output else Direction.INPUT
            return LineInfo(offset, f"GPIO{offset}", held is not None, way)

        def line_offset_from_id(self, line: int | str) -> int:
            """Return the number of a line."""
            return offset_of(line)

        def request_lines(
            self,
            config: Any,
            consumer: str | None = None,
            event_buffer_size: int | None = None,
            output_values: dict[int | str, Value] | None = None,
        ) -> LineRequest:
            """Take lines; errno 16 if somebody has one."""
            del consumer, event_buffer_size
            self._check()
            if any(lines.line(offset) is not None for offset, _ in offsets_of(config)):
                raise OSError(16, os.strerror(16))
            made = LineRequest(lines, config)
            made.set_values(output_values or {})
            return made

        def _check(self) -> None:
            if not self._open:
                raise ChipClosedError("I/O operation on closed chip")

    def request_lines(path: Any, *args: Any, **options: Any) -> LineRequest:
        with Chip(path) as chip:
            return chip.request_lines(*args, **options)

    package, line = ModuleType("gpiod", "The lines of the bench."), ModuleType("gpiod.line")
    kinds = (Value, Direction, Bias, Drive, Edge)
    vars(line).update({kind.__name__: kind for kind in kinds}, Clock=EventClock)
    vars(package).update(
        Chip=Chip, ChipInfo=ChipInfo, LineInfo=LineInfo, LineRequest=LineRequest, line=line,
        LineSettings=LineSettings, EdgeEvent=EdgeEvent, ChipClosedError=ChipClosedError,
        RequestReleasedError=RequestReleasedError, request_lines=request_lines,
        is_gpiochip_device=lambda path: os.fspath(path) == PATH, __version__="2.3.0",
        api_version="2.2.1", __path__=[],
    )  # fmt: skip
    return {"gpiod": package, "gpiod.line": line}
