"""Real handhelds that hand the cup on and on: over bad air, with power cuts, many times.

A `HastyPlayer` acts at once and by chance, on a rough stretch of air. It stands between device and
runtime. Frames that leave the device are lost, come twice or late. An attacker adds forgeries of
earlier frames: with a bit changed, cut short, sealed for another table, or sent back to their
sender. The panel stays dark, since nobody looks at it.

The watch over one cup knows its holders and its faults.

May import: table, air, trials.faults; firmware.device, display.screens, effects, input, journal,
play, table.handover, table.protocol; game. Then read ``rough_table``.
"""

from collections import deque
from dataclasses import asdict, dataclass
from heapq import heappop, heappush
from operator import or_
from random import Random
from typing import Any, get_args

from firmware.device.device import Device
from firmware.display.screens import Screen
from firmware.effects import (
    Beep,
    Blank,
    Effect,
    Received,
    Report,
    SendToDevice,
    Sense,
    Shell,
    Show,
    Tick,
    earliest,
)
from firmware.input.controls import LocalChoice
from firmware.input.gestures import Gesture
from firmware.play import moves
from firmware.play.handheld import Handheld
from firmware.play.moves import choose
from firmware.table.handover import Cup, Where
from firmware.table.protocol import HEADER_BYTES, MessageKind, kind_of
from firmware.table.protocol.messages import EMPTY, Taken
from firmware.table.protocol.sealing import Sealer, keys_of_table
from game.actions import Announce, EndMatch, Say, SeatAction
from hw_sim.trials.faults import FrameFaults, cut_short, turned_over


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


_LEFT_OUT = (EndMatch(), LocalChoice.MORE)
OTHER_KEY = bytes(32)
FORGERY_RATE = 0.02
"""Share of frames that an attacker uses; chosen."""
HEARD = 50
"""The number of frames that the attacker remembers; chosen."""


@dataclass(frozen=True)
class RoughAir:
    """The state that all players of a table share.

    Attributes:
        chance: decides actions and the fate of frames.
        faults: of frames.
        seats: how many there are.
        watch: sees every state of every cup.
    """

    chance: Random
    faults: FrameFaults
    seats: int
    watch: Watch


class HastyPlayer:
    """A ``Core`` around the device of a seat, which is at a match.

    Args:
        air: what it shares with the others.
        seat: its number.
        device: the handheld.
    """

    def __init__(self, air: RoughAir, seat: int, device: Device) -> None:
        self._air = air
        self._seat = seat
        self._device = device
        self._late: list[tuple[int, int, SendToDevice]] = []
        self._heard = deque[bytes](maxlen=HEARD)
        keys = keys_of_table(OTHER_KEY, seat, range(air.seats))
        self._stranger = Sealer(keys, seat, 0)

    @property
    def next_timer_us(self) -> int | None:
        """When a Tick is due, in µs; None while nothing waits."""
        return earliest((self._device.next_timer_us, self._late[0][0] if self._late else None))

    @property
    def screen(self) -> Screen | None:
        """The screen of the device."""
        return self._device.screen

    @property
    def shell(self) -> Shell:
        """The shell of the device."""
        return self._device.shell

    def start(self, now_us: int) -> list[Effect]:
        """Begin, or go on from the journal; return the effects, in order."""
        return self._acted(self._device.start(now_us), now_us)

    def handle(self, what: Gesture | Report, now_us: int) -> list[Effect]:
        """React to a report; return the effects, in order."""
        last = self._handheld.own_seat.hop
        effects = self._acted(self._device.handle(what, now_us), now_us)
        if isinstance(what, Received):
            self._heard.append(what.frame)
            if kind_of(what.frame) == MessageKind.GIVE and last == self._handheld.own_seat.hop:
                sent = [each.frame for each in effects if isinstance(each, SendToDevice)]
                again = any(kind_of(frame) == MessageKind.TAKEN for frame in sent)
                self._air.watch.tally.duplicates_answered += again
        return effects

    @property
    def _handheld(self) -> Handheld:
        core = self._device.core
        assert isinstance(core, Handheld), "it is at a match"
        return core

    def _acted(self, effects: list[Effect], now_us: int) -> list[Effect]:
        """Let the player act while they can; return all effects as the rough air lets them by."""
        while self._act(now_us):
            effects += self._device.handle(Tick(), now_us)
        self._air.watch.remembered(self._seat, self._handheld.own_seat.cup)
        passed: list[Effect] = []
        while self._late and self._late[0][0] <= now_us:
            passed.append(heappop(self._late)[-1])
        for effect in effects:
            if isinstance(effect, SendToDevice):
                passed += self._sent(effect, now_us)
            elif not isinstance(effect, Show | Blank | Sense | Beep):
                passed.append(effect)
        return passed

    def _act(self, now_us: int) -> bool:
        """Do something that is on the dial now; False if this player is not to act."""
        handheld = self._handheld
        play, entries = handheld.play, () if handheld.dial is None else handheld.dial.entries
        actions = (*get_args(SeatAction), LocalChoice)
        options = [each.choice for each in entries if isinstance(each.choice, actions)]
        options = [each for each in options if each not in _LEFT_OUT]
        if not (options and handheld.is_asked):
            return False
        choice, play.now_us = self._air.chance.choice(options), now_us
        if isinstance(choice, Announce | Say):
            moves.act(play, choice)  # at once: nobody takes it back
        else:
            choose(play, choice)
        return True

    def _sent(self, send: SendToDevice, now_us: int) -> list[SendToDevice]:
        """Return what the air makes of a frame: nothing, itself, twice itself, or a forgery."""
        chance, tally = self._air.chance, self._air.watch.tally
        delays_us = self._air.faults.delays_us(chance)
        tally.lost_frames += not delays_us
        tally.repeated_frames += len(delays_us) > 1
        for delay_us in filter(None, delays_us):
            tally.late_frames += 1
            heappush(self._late, (now_us + delay_us, tally.late_frames, send))
        sent = [send] * delays_us.count(0)
        hears = bool(sent and self._air.faults.loss) and send.device is not None
        if hears and chance.random() < FORGERY_RATE:
            tally.forgeries += 1
            sent.append(send._replace(frame=self._forged()))
        return sent

    def _forged(self) -> bytes:
        """Make a frame as an attacker does: from overheard frames, or from nothing."""
        chance = self._air.chance
        frame = chance.choice(self._heard) if self._heard else bytes(HEADER_BYTES)
        match chance.randrange(4):
            case 0:
                frame = turned_over(frame, chance)
            case 1:
                frame = cut_short(frame, chance)
            case 2:
                to = (self._seat + 1) % self._air.seats
                return self._stranger.seal(Taken(max(self._handheld.own_seat.hop, 1)), to)
            case _:
                pass  # a frame that this very seat was sent, reflected or replayed to another
        return frame.ljust(HEADER_BYTES, b"\0")
