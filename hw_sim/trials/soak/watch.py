"""The watch over one cup: its holders and its faults."""

from dataclasses import asdict, dataclass
from operator import or_
from typing import Any

from firmware.table.handover.cup import Cup, Where
from firmware.table.protocol.messages import EMPTY


@dataclass
class SoakTally:
    """The counts of a soak.

    Attributes:
        hops: hops taken, each on the disk of its taker.
        accepted_once: those of them that were taken exactly once.
        duplicates_answered: cups that came again and were confirmed again, changing nothing.
        failures, silences: Bluetooth controllers that failed, and that answered no more commands.
        standstill_s: longest time between two hops during which no handheld was without power.
        cuts: links cut; reboots: handhelds that lost their power and their memory.
        max_holders: most handhelds that held the cup at one instant, in memory or on disk.
        lost_cups: instants at which no disk could have brought the cup back.
        defects: handhelds that ended by a defect of their own.
        stuck: whether the cup went nowhere any more.
        wrong_contents: cups that arrived with other dice than they were given.
        forgeries: frames that an attacker sent, which no seat of the table had sealed so.
        lost_frames, repeated_frames, late_frames: what the air did beside that.
        virtual_s, wall_s: how long it took.
    """

    hops: int = 0
    accepted_once: int = 0
    duplicates_answered: int = 0
    cuts: int = 0
    reboots: int = 0
    failures: int = 0
    silences: int = 0
    standstill_s: float = 0.0
    max_holders: int = 0
    lost_cups: int = 0
    defects: int = 0
    stuck: bool = False
    wrong_contents: int = 0
    forgeries: int = 0
    lost_frames: int = 0
    repeated_frames: int = 0
    late_frames: int = 0
    virtual_s: float = 0.0
    wall_s: float = 0.0

    @property
    def is_well(self) -> bool:
        """Whether there was one cup all the time, and it went from hand to hand unchanged."""
        once = self.accepted_once == self.hops
        went_well = not (self.stuck or self.defects or self.lost_cups or self.wrong_contents)
        return once and self.max_holders == 1 and went_well

    def summary(self) -> dict[str, Any]:
        """The numbers, ready for JSON."""
        return asdict(self) | {
            "virtual_s": round(self.virtual_s, 3),
            "standstill_s": round(self.standstill_s, 3),
            "wall_s": round(self.wall_s, 3),
            "hops_per_wall_s": round(self.hops / self.wall_s, 1) if self.wall_s else None,
        }


class Watch:
    """Sees every state of every cup, in memory and on disk.

    Args:
        seats: how many.
        tally: where it counts.
    """

    def __init__(self, seats: int, tally: SoakTally) -> None:
        self.tally = tally
        self._given = EMPTY
        """The contents of the cup that was given away last."""
        self._in_memory = [False] * seats
        self._on_disk = [False] * seats
        """Whether each seat holds the cup."""
        self._disk = [Cup(0)] * seats
        self._newest = 0

    def remembered(self, seat: int, cup: Cup) -> None:
        """Count with a new state in the memory of a seat; without power that is ``Cup(0)``."""
        was_here, is_here = self._in_memory[seat], cup.is_here
        self._in_memory[seat] = is_here
        if is_here and not was_here:
            self._count()

    def written(self, seat: int, cup: Cup) -> None:
        """Count with a new state on the disk of a seat: hops, contents, lost cups."""
        before, self._disk[seat] = self._disk[seat], cup
        was_here, is_here = self._on_disk[seat], cup.is_here
        self._on_disk[seat] = is_here
        if cup.where is Where.OFFERED:
            self._given = cup.contents
        if is_here and not was_here:
            self._count()
            if cup.last > before.last:
                self._taken(cup)
        elif was_here and not is_here and not any(map(self._may_come, self._disk)):
            self.tally.lost_cups += 1

    def _count(self) -> None:
        holders = sum(map(or_, self._in_memory, self._on_disk))
        self.tally.max_holders = max(self.tally.max_holders, holders)

    def _taken(self, cup: Cup) -> None:
        self.tally.hops += 1
        self.tally.accepted_once += cup.last > self._newest
        self.tally.wrong_contents += cup.contents != self._given
        self._newest = max(self._newest, cup.last)

    def _may_come(self, disk: Cup) -> bool:
        if disk.is_here:
            return True
        if disk.where is not Where.OFFERED or disk.peer is None:
            return False
        taker = self._disk[disk.peer]
        return taker.taken < disk.last
