"""Recorded and made-up gestures judged by the firmware: which shakes throw, and what else does.

Every recording of a folder (`hw_sim.hand.recordings`) is played to a simulated accelerometer. The
real driver drains its FIFO at the watermark over the simulated bus. The recognizer gets the samples
and, if they were recorded, each conversion of the light sensor and each touch of the pad. A
recording begins with the cup covered; without recorded light it stays so.
The counts are by the label of the recording:

- An *event* is a line of ``events.csv`` whose label says shake, or lift or tap. Other lines
  (sitting down, turning) are activities, during which nothing may throw.
- An event is *recognised* when exactly one roll falls to it, from its start to 1.5 s after its end
  (the rest that ends a shake takes 0.25 s, and up to 1 s may pass before it). Otherwise it is
  *missed*.
- Every roll beyond the first of an event, and every roll outside of events, is a *false roll*.
- A *lift* or *tap* is recognised when exactly one falls to its event (a tap until 0.5 s after it).
  Others are false, unless the label says lift or tap and there are no events of that kind.
- A recording of shakes without events, or one that was cut off at the range of its sensor (``use``
  says "rhythm only"), is neither: its rolls are counted as *other rolls*.

Each clip is played by itself. A pause follows, of which the recognizer gets no sample, so that it
begins anew.

Scenes are what no recording covers: lifting in bad light, and what must not be a lift or a throw.
They are made up (`hw_sim.hand.signals.hand`, `hw_sim.hand.signals.light`), go through the registers
of simulated parts, the drivers and the recognizer, and are counted one by one:

- A *lift*, *shake* or *tap* is recognised when exactly one gesture of its kind falls to it: a lift
  from its start until the cup is covered again, a shake until 1.5 s after its end, a tap until
  0.5 s after. Others of these gestures are false.
- A *flick* is a tap too short for a pad that dozes: below 0.22 s, 11.5 s or more after the touch
  before. The recognizer cannot see a touch that the pad misses, so flicks are counted apart.
- In the dark nobody can lift: there a lift counts neither as recognised nor as missed.

Made-up scenes prove nothing about real hands; they show what the recognizer does if light and hands
are like that.

Numbers without a source are chosen.
"""

import asyncio
from bisect import bisect_right
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Final

from drivers import now_us
from drivers.bus import Priority
from drivers.light_sensor import LUX_PER_COUNT
from drivers.ttp223 import TouchPad
from firmware.input.gestures import (
    SAMPLE_PERIOD_US,
    UNCALIBRATED,
    AccelBatch,
    Calibration,
    Input,
    Light,
    Shaken,
    Tap,
    Touch,
    Uncovered,
)
from firmware.input.gestures.recognizer import GAP_US, Recognizer
from firmware.runtime.board import (
    BATCH_WAIT_S,
    Board,
    assemble,
    begin_light,
    light_readings,
    motion_batches,
    pause_s,
)
from firmware.upkeep.recording import (
    EVENTS,
    INDEX,
    LIFT,
    RHYTHM_ONLY,
    SHAKE,
    TAP,
    RecordingError,
)
from hw_sim.board import TOUCH_BCM, SimulatedBoard
from hw_sim.clock import run
from hw_sim.hand.recordings import (
    Clip,
    RecordedEvent,
    Recording,
    Vector,
    load_events,
    load_index,
    load_motion,
)
from hw_sim.trials.gestures import KINDS, EventTally, TrialResult, each_done, matched, summed
from hw_sim.trials.gestures.scenes import SCENES, TAKE_S, Plan, S, Scene, staged

GestureTimes = dict[str, list[int]]
"""Times of gestures in µs, growing, by kind: `SHAKE`, `LIFT` and `TAP`."""
FLICK: Final = "flick"
TAP_WITHIN_US: Final = 500_000
"""A tap or flick that is told this long after its end still counts."""
LATE_US: Final = {LIFT: 0, SHAKE: 1_500_000, TAP: TAP_WITHIN_US, FLICK: TAP_WITHIN_US}
"""Longest time from the end of an action to its gesture, by kind."""
MOST_RATE = 1.5
"""How many times as fast or as slow as its nominal rate a recording may be."""
ROUNDED_US = 50_000
"""People who mark events by hand round their times."""
LEAD_IN_US = 500_000
"""Time for the cup to be covered, and for the part to start, before the first clip."""
PAUSE_US = GAP_US + 200_000
"""Time between two clips, in which the recognizer hears nothing."""


def run_trial(
    folder: str | Path,
    seed: int | str = 0,
    processes: int | None = None,
    calibration: Calibration = UNCALIBRATED,
    unit: str | None = None,
    tell: Callable[[str], object] = str,
) -> dict[str, TrialResult]:
    """Play all motion in a folder of recordings; return the results by label, in order.

    ``seed`` decides how each simulated part differs from its sheet. ``processes``: see
    `each_done`. ``calibration`` is that of the handheld that recorded. ``unit`` and ``tell`` are as
    of `load_recording`.

    Raises:
        RecordingError: the folder cannot be used; one line that says where and why.

    """
    events = load_events(folder)
    _check(events, {entry.file for entry in load_index(folder)})
    jobs = (
        (recording, _within(recording, events), f"{seed}/{recording.file}", calibration)
        for recording in load_motion(folder, unit, tell)
    )
    return dict(sorted(summed(each_done(_judge, jobs, processes)).items()))


def _check(events: Mapping[str, Sequence[RecordedEvent]], files: set[str]) -> None:
    """Refuse events of a file that is not there, and labels that mean a gesture and miss it."""
    for file, found in events.items():
        if file not in files:
            near = [name for name in sorted(files) if name.startswith(file)]
            hint = f"write {near[0]}" if near else "add its line"
            raise RecordingError(f"{EVENTS}: {INDEX} does not list {file}; {hint}")
        for event in found:
            for kind in (SHAKE, LIFT, TAP):
                if kind in event.label.lower() and kind not in event.label:
                    raise RecordingError(f"{EVENTS}: label {event.label!r} of {file}: write {kind}")


def _within(
    recording: Recording, events: Mapping[str, tuple[RecordedEvent, ...]]
) -> tuple[RecordedEvent, ...]:
    """Return the events of a recording; refuse one after its end, and another rate than listed."""
    steps_us = [after - before for clip in recording.clips for before, after in pairwise(clip.t_us)]
    rate_hz = 1e6 / median(steps_us) if steps_us else recording.rate_hz
    if not 1 / MOST_RATE < rate_hz / recording.rate_hz < MOST_RATE:
        raise RecordingError(
            f"{recording.file}: it has {rate_hz:.4g} samples a second, and {INDEX} says "
            f"{recording.rate_hz:g}; mend rate_hz, or the unit of time"
        )
    found = events.get(recording.file, ())
    end_us = recording.clips[-1].end_us
    late = [event for event in found if event.start_us > end_us + ROUNDED_US]
    if late:
        raise RecordingError(
            f"{EVENTS}: an event of {recording.file} begins at {late[0].start_us / 1e6:g} s, and "
            f"the recording ends at {end_us / 1e6:g} s; mend its times"
        )
    return found


_Job = tuple[Recording, tuple[RecordedEvent, ...], str, Calibration]


def _judge(job: _Job) -> tuple[str, TrialResult]:
    recording, events, seed, calibration = job
    heard, violations = run(play(recording, seed, calibration))
    complaints = tuple(f"{recording.file}: {line}" for line in violations)
    return recording.label, score(recording, events, heard)._replace(violations=complaints)


def score(
    recording: Recording, events: Sequence[RecordedEvent], heard: GestureTimes
) -> TrialResult:
    """Count what the gestures heard make of the events of a recording, ordered by start."""
    known = {SHAKE: True, LIFT: bool(recording.light), TAP: recording.touches is not None}
    tallies: dict[str, EventTally] = {}
    other_rolls = 0
    for kind, can_tell in known.items():
        done = [(event.start_us, event.end_us) for event in events if kind in event.label]
        judged = not (kind in recording.label and not done)
        if kind == SHAKE and not (judged and not recording.use.startswith(RHYTHM_ONLY)):
            other_rolls = len(heard[kind])
        elif can_tell:
            late_us = LATE_US[kind]
            tallies[kind] = matched(done, heard[kind], late_us) if judged else EventTally()
    return TrialResult(recording.duration_us / 3600e6, tallies, other_rolls)


class _Timeline:
    """The clips of a recording one after the other, on the time of a board."""

    def __init__(self, clips: tuple[Clip, ...], start_us: int) -> None:
        self._clips = clips
        self._starts: list[int] = []
        for clip in clips:
            self._starts.append(start_us)
            start_us += clip.duration_us + PAUSE_US
        self.end_us = start_us

    def _at(self, t_us: int) -> tuple[Clip, int]:
        """Give the clip at a time of the board, and the time in its recording."""
        index = max(0, bisect_right(self._starts, t_us) - 1)
        clip = self._clips[index]
        return clip, t_us - self._starts[index] + clip.start_us

    def acceleration(self, t_us: int) -> Vector:
        """Give what the part feels; before and after a clip its first and last sample."""
        clip, recorded_us = self._at(t_us)
        return clip.acceleration(recorded_us)

    def recorded_us(self, t_us: int) -> int:
        """Give the time in the recording at a time of the board."""
        return self._at(t_us)[1]

    def played_us(self, recorded_us: int) -> int | None:
        """Give the time of the board at which a time in the recording is played; None if never."""
        for start_us, clip in zip(self._starts, self._clips):
            if clip.start_us <= recorded_us <= clip.end_us:
                return start_us + recorded_us - clip.start_us
        return None

    def plays(self, t_us: int) -> bool:
        """Whether a sample of that time comes from a clip."""
        clip, recorded_us = self._at(t_us)
        return clip.start_us <= recorded_us <= clip.end_us


class _Listener:
    """A recognizer on the running loop, which keeps the times of the gestures that it finds.

    ``found``: by kind, times from ``from_us`` on, growing.
    """

    def __init__(self, calibration: Calibration = UNCALIBRATED, from_us: int = 0) -> None:
        self.recognizer = Recognizer(calibration)
        self.found: GestureTimes = {SHAKE: [], LIFT: [], TAP: []}
        self._from_us = from_us
        self._loop = asyncio.get_running_loop()

    def feed(self, reading: Input) -> None:
        """Let the recognizer have a reading."""
        for gesture in self.recognizer.feed(reading, now_us(self._loop)):
            kind = _KINDS.get(type(gesture))
            if kind is not None and gesture.t_us >= self._from_us:
                self.found[kind].append(gesture.t_us)


_KINDS: Final[Mapping[type, str]] = {Shaken: SHAKE, Uncovered: LIFT, Tap: TAP}


async def _sensed(parts: Board, end_us: int) -> AsyncIterator[AccelBatch]:
    """Begin to measure motion, and yield its batches until a time of the running loop in µs."""
    loop = asyncio.get_running_loop()
    await parts.bus.run(parts.accelerometer.begin, Priority.MOTION)
    due = partial(parts.motion_pin.wait, BATCH_WAIT_S)
    async with aclosing(motion_batches(parts.bus, parts.accelerometer, due)) as batches:
        async for batch in batches:
            yield batch
            if now_us(loop) >= end_us:
                break


async def play(
    recording: Recording, seed: str, calibration: Calibration = UNCALIBRATED
) -> tuple[GestureTimes, list[str]]:
    """Play a recording to the board on the running loop.

    Returns the gestures, at times in the recording, and violations.
    """
    loop = asyncio.get_running_loop()
    board = SimulatedBoard(seed, loop)
    timeline = _Timeline(recording.clips, now_us(loop) + LEAD_IN_US)
    board.acceleration = timeline.acceleration
    parts = assemble(board.bus, board.bus.execute, board.gpio, loop)
    listener = _Listener(_begun_covered(recording, calibration))
    if not recording.light:
        listener.feed(Light(now_us(loop), 0))
    for sample in _beside(recording, timeline):
        loop.call_at(sample.t_us / 1e6, listener.feed, sample)
    try:
        async for batch in _sensed(parts, timeline.end_us):
            if part := _of_clip(timeline, batch):
                listener.feed(part)
    finally:
        parts.motion_pin.close()
        board.close()
    heard = {
        kind: [timeline.recorded_us(t_us) for t_us in times]
        for kind, times in listener.found.items()
    }
    return heard, board.violations


def _begun_covered(recording: Recording, calibration: Calibration) -> Calibration:
    """Take the first light for that of a closed cup, which a room's light alone does not tell."""
    if not recording.light or calibration.dark_counts is not None:
        return calibration
    return replace(calibration, dark_counts=recording.light[0][1] / LUX_PER_COUNT)


def _beside(recording: Recording, timeline: _Timeline) -> Iterator[Light | Touch]:
    """Give light and touches that were recorded within clips, at the times they are played."""
    for recorded_us, lux in recording.light or ():
        t_us = timeline.played_us(recorded_us)
        if t_us is not None:
            yield Light(t_us, round(lux / LUX_PER_COUNT))
    for recorded_us, down in recording.touches or ():
        t_us = timeline.played_us(recorded_us)
        if t_us is not None:
            yield Touch(t_us, down)


def _of_clip(timeline: _Timeline, batch: AccelBatch) -> AccelBatch | None:
    """Keep the samples of a batch that a clip was played for; None if there are none."""
    times = [batch.first_us + index * SAMPLE_PERIOD_US for index in range(len(batch.xyz))]
    kept = [index for index, t_us in enumerate(times) if timeline.plays(t_us)]
    if not kept:
        return None
    return batch._replace(t_last_us=times[kept[-1]], xyz=batch.xyz[kept[0] : kept[-1] + 1])


SETTLED_US: Final = 5 * S
"""Gestures before this belong to the first look."""


def run_scenes(
    takes: int = 12,
    seed: int | str = 0,
    processes: int | None = None,
    names: tuple[str, ...] = (),
    take_s: int = TAKE_S,
) -> dict[str, TrialResult]:
    """Play ``takes`` takes of ``take_s`` of every scene (or of those named) and sum them up.

    ``processes``: see `each_done`.

    Raises:
        KeyError: there is no such scene.
    """
    chosen = names or tuple(SCENES)
    jobs = [(name, f"{seed} {name} {take}", take_s) for name in chosen for take in range(takes)]
    return summed(each_done(_played, jobs, processes))


def _played(job: tuple[str, str, int]) -> tuple[str, TrialResult]:
    name, seed, take_s = job
    return name, run(_play(SCENES[name], seed, take_s))


async def _play(scene: Scene, seed: str, take_s: int) -> TrialResult:
    with staged(scene, seed, take_s) as (plan, end_us, parts, violations):
        found = await _listen(parts, end_us)
    flicked, tapped = _parted(found[TAP], plan)
    found |= {TAP: tapped, FLICK: flicked}
    tallies = {kind: matched(getattr(plan, kind), found[kind], LATE_US[kind]) for kind in KINDS}
    if not scene.counts_lifts:
        tallies[LIFT] = EventTally(false=tallies[LIFT].false)
    late_ms = tuple(
        (t_us - start_us) / 1000
        for start_us, stop_us in plan.lift
        for t_us in found[LIFT]
        if start_us <= t_us <= stop_us and scene.counts_lifts
    )
    return TrialResult(end_us / 3600e6, tallies, 0, late_ms, tuple(violations))


def _parted(taps: list[int], plan: Plan) -> tuple[list[int], list[int]]:
    """Tell the taps that fall to a flick from the others."""
    flicked = [
        t_us
        for t_us in taps
        if any(start_us <= t_us <= end_us + TAP_WITHIN_US for start_us, end_us in plan.flick)
    ]
    return flicked, [t_us for t_us in taps if t_us not in flicked]


async def _listen(parts: Board, end_us: int) -> GestureTimes:
    """Run the sensors of a board into a recognizer; returns the times of gestures by kind."""
    listener = _Listener(from_us=SETTLED_US)

    async def pace() -> bool:
        await asyncio.sleep(pause_s(suspected=listener.recognizer.light.lift_suspected))
        return True

    async def watch_light() -> None:
        await begin_light(parts.bus, parts.light)
        async for reading in light_readings(parts.bus, parts.light, pace):
            listener.feed(reading)

    loop = asyncio.get_running_loop()
    pad = TouchPad(parts.gpio, TOUCH_BCM, lambda t_us, down: listener.feed(Touch(t_us, down)), loop)
    eyes = asyncio.ensure_future(watch_light())
    try:
        async for batch in _sensed(parts, end_us):
            listener.feed(batch)
    finally:
        eyes.cancel()
        await asyncio.gather(eyes, return_exceptions=True)
        pad.close()
    return listener.found
