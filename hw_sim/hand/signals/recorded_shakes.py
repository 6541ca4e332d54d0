"""Shakes of recorded hands, cut out of recordings."""

from bisect import bisect_right
from pathlib import Path
from random import Random

from firmware.upkeep.recording.files import MISSED_SHAKE, SHAKE, RecordingError
from hw_sim.hand.recordings.recordings import Clip, Vector, load_events, load_index, load_recording
from hw_sim.hand.signals.motion import us

SHORTEST_TAKE_US = 700_000
"""Takes below this hold too little of a shake to be one, in µs."""


class RecordedShake:
    """Recorded takes one after the other, blended over 60 ms into each other and the rest around.

    ``before`` and ``after`` are the poses in m/s²; ``shaken_us`` is when the last take begins to
    fade, ``end_us`` when it is gone.
    """

    BLEND_US = 60_000

    def __init__(
        self, start_us: int, takes: tuple[Clip, ...], before: Vector, after: Vector
    ) -> None:
        self.start_us = start_us
        self.after = after
        self._before = before
        self._takes = takes
        self._starts: list[int] = []
        at_us = start_us
        for take in takes:
            self._starts.append(at_us)
            at_us += take.duration_us - self.BLEND_US
        self.shaken_us = at_us
        self.end_us = at_us + self.BLEND_US

    def at(self, t_us: int) -> Vector:
        """Acceleration in m/s² at a time in µs within the shake."""
        index = bisect_right(self._starts, t_us) - 1
        ours = self._felt(index, t_us)
        since_us = t_us - self._starts[index]
        if since_us < self.BLEND_US:
            theirs = self._before if index == 0 else self._felt(index - 1, t_us)
            return _blend(theirs, ours, since_us / self.BLEND_US)
        if t_us > self.shaken_us:
            return _blend(ours, self.after, (t_us - self.shaken_us) / self.BLEND_US)
        return ours

    def _felt(self, index: int, t_us: int) -> Vector:
        take = self._takes[index]
        return take.acceleration(t_us - self._starts[index] + take.start_us)


class ShakeLibrary:
    """Takes of real shakes from a folder of recordings, kept by the recording they come from.

    A take is an event labelled ``shake``, or a clip of a recording labelled ``shake``, of 0.7 s or
    more, from recordings whose sensor did not cut the shake off.

    Raises:
        RecordingError: the folder is no folder of recordings, or holds no such take.

    """

    def __init__(self, folder: str | Path) -> None:
        events = load_events(folder)
        sources: list[tuple[Clip, ...]] = []
        for entry in load_index(folder):
            if not entry.use.startswith(MISSED_SHAKE):
                continue
            shaken = [event for event in events.get(entry.file, ()) if event.label == SHAKE]
            if entry.label != SHAKE and not shaken:
                continue
            clips = load_recording(folder, entry).clips
            takes: list[Clip] = []
            for clip in clips:
                if shaken:
                    cuts = (clip.cut(event.start_us, event.end_us) for event in shaken)
                    takes.extend(cut for cut in cuts if cut is not None)
                else:
                    takes.append(clip)
            long = tuple(take for take in takes if take.duration_us >= SHORTEST_TAKE_US)
            if long:
                sources.append(long)
        if not sources:
            raise RecordingError(
                f"{folder}: holds no shake of {SHORTEST_TAKE_US / 1e6:g} s or more; it needs events"
                f" or recordings labelled {SHAKE!r} whose use begins with {MISSED_SHAKE!r}"
            )
        self.sources = tuple(sources)

    def draw(self, rng: Random, duration_s: float) -> tuple[Clip, ...]:
        """Draw takes of one recording that last ``duration_s`` or more in all; at least one."""
        source = self.sources[rng.randrange(len(self.sources))]
        drawn: list[Clip] = []
        lasting_us = 0
        while not drawn or lasting_us < us(duration_s):
            take = source[rng.randrange(len(source))]
            drawn.append(take)
            lasting_us += take.duration_us - RecordedShake.BLEND_US
        return tuple(drawn)


def _blend(one: Vector, other: Vector, share: float) -> Vector:
    (ax, ay, az), (bx, by, bz) = one, other
    return (ax + share * (bx - ax), ay + share * (by - ay), az + share * (bz - az))
