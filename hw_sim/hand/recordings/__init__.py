"""Recorded motion, light and touches as signals.

The folder is as `firmware.upkeep.recording` describes it. `load_motion` gives light and
touches with the motion they were recorded beside, and passes by what belongs to none.

Numbers without a source are chosen.

May import: firmware.upkeep.recording, steckbrett.board.
"""

import csv
import gzip
import math
import zlib
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from steckbrett.board.plan import PlanError
from steckbrett.board.worlds import motion_from, rest_of

from firmware.upkeep import recording
from firmware.upkeep.recording import RecordingError, beside

MOST_CHARACTERS = 256 * 1024 * 1024
"""The most characters of an unpacked file: an hour at 1600 samples a second has 200 million."""


def text_of(path: Path) -> str:
    """The text of a gzip CSV.

    Raises:
        RecordingError: the file is missing, empty, or no gzip text; one line with what to do.
    """
    try:
        with gzip.open(path, "rt", encoding="utf-8-sig") as file:
            text = file.read(MOST_CHARACTERS + 1)
    except FileNotFoundError:
        raise RecordingError(
            f"{path}: not found, though index.csv lists it; add the file or remove its line"
        ) from None
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise RecordingError(f"{path}: not a whole gzip file; compress the CSV again") from None
    except UnicodeDecodeError:
        raise RecordingError(f"{path}: not text; a recording is a gzip CSV") from None
    except OSError as error:
        raise RecordingError(f"{path}: cannot be read ({error.strerror}); check it") from None
    if len(text) > MOST_CHARACTERS:
        raise RecordingError(
            f"{path}: longer than {MOST_CHARACTERS:,} characters; give shorter recordings"
        )
    if not text.strip():
        raise RecordingError(
            f"{path}, line 1: empty; a recording begins with 't_s,ax_mps2 …' or the like"
        )
    return text


def rows_of(path: Path, needed: tuple[str, ...]) -> Iterator[tuple[int, dict[str, str]]]:
    """Line number (from 2) and values by column of each row of a plain CSV.

    Raises:
        RecordingError: a column of ``needed`` is missing, a row has more or fewer values than the
            header, or it is no CSV in UTF-8; where, and what to do.
        OSError: the file cannot be read.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file, strict=True)
            columns = reader.fieldnames or ()
            for name in needed:
                if name not in columns:
                    raise RecordingError(
                        f"{path}, line 1: no column {name!r}; it needs {','.join(needed)}"
                    )
            for row in reader:
                if None in row or None in row.values():
                    raise RecordingError(
                        f"{path}, line {reader.line_num}: the header has {len(columns)} columns, "
                        "this line has not; write as many"
                    )
                yield reader.line_num, row
    except UnicodeDecodeError:
        raise RecordingError(f"{path}: not text in UTF-8; save it as such") from None
    except csv.Error as error:
        line = reader.reader.line_num
        raise RecordingError(f"{path}, line {line}: {error}; mend the quotes") from None


def number_of(path: Path, line: int, column: str, text: str) -> float:
    """The finite number that ``text`` is; the rest says where it stands.

    Raises:
        RecordingError: it is none.
    """
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise RecordingError(f"{path}, line {line}: {column} is {text!r}; write a number")
    return number


Vector = tuple[float, float, float]
MOST_S = 1e6
RESTS_MPS2, FEWEST_AT_REST = (2.0, 100.0), 4
"""Half of all samples lie between these, where gravity is in them; fewer samples tell nothing."""


class RecordingEntry(NamedTuple):
    """A line of ``index.csv``.

    ``rate_hz`` is the nominal rate. ``use`` says what the recording can be held against
    (``missed-shake…``, ``rhythm only (clipped)``, ``false-roll…``).
    """

    file: str
    label: str
    rate_hz: float
    use: str


class RecordedEvent(NamedTuple):
    """A line of ``events.csv``: what happens between two times of a recording, in µs."""

    file: str
    start_us: int
    end_us: int
    label: str


class Clip:
    """One uninterrupted take: times in µs (of the whole recording) and m/s² in x, y and z.

    `acceleration` keeps its place, so that asking at growing times costs the same however long the
    clip is; asking at earlier times is right too, only slower.
    """

    __slots__ = ("_at", "t_us", "x_mps2", "y_mps2", "z_mps2")

    def __init__(
        self,
        t_us: "array[int]",
        x_mps2: "array[float]",
        y_mps2: "array[float]",
        z_mps2: "array[float]",
    ) -> None:
        self.t_us = t_us
        self.x_mps2 = x_mps2
        self.y_mps2 = y_mps2
        self.z_mps2 = z_mps2
        self._at = 0

    def __len__(self) -> int:
        return len(self.t_us)

    @property
    def start_us(self) -> int:
        """Time of the first sample in µs."""
        return self.t_us[0]

    @property
    def end_us(self) -> int:
        """Time of the last sample in µs."""
        return self.t_us[-1]

    @property
    def duration_us(self) -> int:
        """From the first sample to the last, in µs; 0 for a single sample."""
        return self.t_us[-1] - self.t_us[0]

    def acceleration(self, t_us: int) -> Vector:
        """Acceleration in m/s² at a time in µs, on the line between the two samples around it.

        Before the first sample and after the last one the clip stands still at that sample.
        """
        times = self.t_us
        at = self._at
        last = len(times) - 1
        if t_us < times[at]:
            at = max(0, bisect_right(times, t_us) - 1)
        else:
            while at < last and times[at + 1] <= t_us:
                at += 1
        self._at = at
        x, y, z = self.x_mps2[at], self.y_mps2[at], self.z_mps2[at]
        past_us = t_us - times[at]
        if past_us <= 0 or at == last:
            return (x, y, z)
        share = past_us / (times[at + 1] - times[at])
        return (
            x + share * (self.x_mps2[at + 1] - x),
            y + share * (self.y_mps2[at + 1] - y),
            z + share * (self.z_mps2[at + 1] - z),
        )

    def cut(self, start_us: int, end_us: int) -> "Clip | None":
        """Take the samples from ``start_us`` to ``end_us``, both included; None if there are none.

        Times stay those of the whole recording.
        """
        first = bisect_right(self.t_us, start_us - 1)
        past = bisect_right(self.t_us, end_us)
        if first >= past:
            return None
        return Clip(
            self.t_us[first:past],
            self.x_mps2[first:past],
            self.y_mps2[first:past],
            self.z_mps2[first:past],
        )


class Recording(NamedTuple):
    """A recording of motion: its line in the index, see `RecordingEntry`, and at least one clip.

    ``light`` is the time in µs and the lux of each conversion, ``touches`` the time in µs and
    whether a finger was on the pad from then on; None where it was not recorded.
    """

    file: str
    label: str
    rate_hz: float
    use: str
    clips: tuple[Clip, ...]
    light: tuple[tuple[int, float], ...] | None = None
    touches: tuple[tuple[int, bool], ...] | None = None

    @property
    def duration_us(self) -> int:
        """Time covered by samples in µs: the clips without the gaps between them."""
        return sum(clip.duration_us for clip in self.clips)


def load_index(folder: str | Path) -> tuple[RecordingEntry, ...]:
    """Read the entries of ``index.csv``, in its order.

    Raises:
        RecordingError: no such folder or index, a column or value is missing or unreadable, a file
            is listed twice or outside the folder.

    """
    folder = Path(folder)
    if not folder.is_dir():
        raise RecordingError(f"{folder}: no such folder; give the folder of the recordings")
    path = folder / recording.INDEX
    if not path.is_file():
        raise RecordingError(
            f"{path}: not found; a folder of recordings needs an {recording.INDEX} "
            "that lists its files"
        )
    entries: dict[str, RecordingEntry] = {}
    for line, row in rows_of(path, ("file", "label", "rate_hz", "use")):
        name = row["file"]
        if not name or Path(name).name != name:
            raise RecordingError(
                f"{path}, line {line}: {name!r} is no file name; list files of this folder only"
            )
        if name in entries:
            raise RecordingError(f"{path}, line {line}: {name} is listed twice; remove one line")
        if not row["label"]:
            raise RecordingError(f"{path}, line {line}: no label; say what was recorded")
        rate_hz = number_of(path, line, "rate_hz", row["rate_hz"])
        if rate_hz <= 0:
            raise RecordingError(f"{path}, line {line}: rate_hz must be above 0, not {rate_hz:g}")
        entries[name] = RecordingEntry(name, row["label"], rate_hz, row["use"])
    if not entries:
        raise RecordingError(f"{path}: lists no recording; add a line for each file")
    return tuple(entries.values())


def load_events(folder: str | Path) -> dict[str, tuple[RecordedEvent, ...]]:
    """Read the events of each file, ordered by their start; files without any are absent.

    A folder without ``events.csv`` has no events: what is in it can show false rolls only.

    Raises:
        RecordingError: a column or value is missing or unreadable, or an event ends before it
            starts.

    """
    path = Path(folder) / recording.EVENTS
    if not path.is_file():
        return {}
    events: dict[str, list[RecordedEvent]] = {}
    for line, row in rows_of(path, ("file", "start_s", "end_s", "label")):
        start_s = number_of(path, line, "start_s", row["start_s"])
        end_s = number_of(path, line, "end_s", row["end_s"])
        if not 0 <= start_s <= end_s:
            raise RecordingError(
                f"{path}, line {line}: start_s {start_s:g} and end_s {end_s:g} are no interval; "
                "start_s comes first"
            )
        event = RecordedEvent(row["file"], round(start_s * 1e6), round(end_s * 1e6), row["label"])
        events.setdefault(event.file, []).append(event)
    return {file: tuple(sorted(found)) for file, found in events.items()}


def load_recording(
    folder: str | Path,
    entry: RecordingEntry,
    unit: str | None = None,
    tell: Callable[[str], object] = str,
) -> Recording:
    """Read one recording of motion, as `read_motion` of the test bench reads it.

    ``unit`` is that of the acceleration, whatever its column says; None: what the column or gravity
    says. ``tell`` gets a line where a unit is guessed.

    Raises:
        RecordingError: the file is missing, is no gzip CSV of motion with gravity, or its time does
            not grow.
    """
    path = Path(folder) / entry.file
    return Recording(*entry, _clips(path, text_of(path), unit, tell))


def load_motion(
    folder: str | Path, unit: str | None = None, tell: Callable[[str], object] = str
) -> Iterator[Recording]:
    """Read every recording of motion in the index, one by one, with what belongs to it.

    ``unit`` and ``tell`` are as of `load_recording`.

    Raises:
        RecordingError: as `load_index` and `load_recording`, and where light or touches make no
            sense.
    """
    entries = load_index(folder)
    listed = {entry.file for entry in entries}
    for entry in entries:
        path = Path(folder) / entry.file
        text = text_of(path)
        if text.partition("\n")[0].strip() in (recording.LIGHT_COLUMNS, recording.TOUCH_COLUMNS):
            continue
        light_file, touch_file = beside(entry.file)
        light = _beside(folder, light_file, recording.LIGHT_COLUMNS, listed)
        touches = _beside(folder, touch_file, recording.TOUCH_COLUMNS, listed)
        yield Recording(
            *entry,
            _clips(path, text, unit, tell),
            light,
            None if touches is None else tuple([(t_us, bool(down)) for t_us, down in touches]),
        )


def _beside(
    folder: str | Path, file: str, columns: str, listed: set[str]
) -> tuple[tuple[int, float], ...] | None:
    """Read what was sensed beside a motion: time in µs and value; None if it is not listed."""
    if file not in listed:
        return None
    path = Path(folder) / file
    header, *lines = map(str.strip, text_of(path).splitlines())
    if header != columns:
        raise RecordingError(f"{path}, line 1: columns are {header!r}; it has {columns!r}")
    values: list[tuple[int, float]] = []
    for number, line in enumerate(lines, start=2):
        try:
            t_s, value = map(float, line.split(","))
        except ValueError:
            t_s = value = math.nan
        if not (0 <= t_s <= MOST_S and 0 <= value < math.inf):
            raise RecordingError(
                f"{path}, line {number}: {line[:60]!r} is not two numbers from 0 up; "
                f"write {columns} there"
            )
        if values and round(t_s * 1e6) < values[-1][0]:
            raise RecordingError(f"{path}, line {number}: time runs back; sort the lines by it")
        values.append((round(t_s * 1e6), value))
    return tuple(values)


def _clips(
    path: Path, text: str, unit: str | None, tell: Callable[[str], object]
) -> tuple[Clip, ...]:
    try:
        times, values, guessed = motion_from(text, path, unit)
    except PlanError as problem:
        raise RecordingError(str(problem)) from None
    if guessed:
        tell(guessed)
    rest = rest_of(values)
    if len(values) >= FEWEST_AT_REST and not RESTS_MPS2[0] < rest < RESTS_MPS2[1]:
        raise RecordingError(
            f"{path}: it measures {rest:.3g} m/s² at rest, gravity is 9.8; record it with gravity, "
            "or give the right --unit"
        )
    clips: list[Clip] = []
    clip = Clip(array("q"), array("d"), array("d"), array("d"))
    before_us = -1
    for number, (t_s, (x, y, z)) in enumerate(zip(times, values), 1):
        t_us = round(t_s * 1e6)
        if t_us <= before_us or abs(t_s) > MOST_S:
            raise RecordingError(
                f"{path}, sample {number}: time goes from {before_us / 1e6:g} s to {t_s:g} s; it "
                f"starts at 0 or later, must grow from sample to sample, and ends by {MOST_S:g} s"
            )
        if clip.t_us and t_us - before_us > recording.CLIP_GAP_US:
            clips.append(clip)
            clip = Clip(array("q"), array("d"), array("d"), array("d"))
        before_us = t_us
        clip.t_us.append(t_us)
        clip.x_mps2.append(x)
        clip.y_mps2.append(y)
        clip.z_mps2.append(z)
    clips.append(clip)
    return tuple(clips)
