"""A seat that only passes the cup on, and the watch that counts cups.

A porter has the real handover core, real keys and a disk that can lose what is not written yet. It
gives every cup it gets new dice and proposes it to another seat; it answers every proposal.
"""

from dataclasses import asdict, dataclass
from operator import or_
from random import Random
from typing import Any, Protocol

from firmware.table.handover.cup import Cup, CupTaken, Offered, Send, Store, Where
from firmware.table.handover.handover import Change, Handover, Resend, Seal
from firmware.table.protocol.codec import Choice, Contents, Give, Message, Position

AT = Position(0, bytes(8))
"""Where everybody's record ends: nothing is entered here."""
FIRST = Contents((6, 3))
"""What the first cup contains."""
_THROWS = tuple(Contents((one, other)) for one in range(1, 7) for other in range(1, 7))
_ANSWERS = (Choice.BELIEVE, Choice.DOUBT)


@dataclass
class Tally:
    """What a soak has seen.

    Attributes:
        hops: hops taken, each on the disk of its taker.
        accepted_once: those of them that were taken exactly once.
        duplicates_answered: cups that came again and were confirmed again, changing nothing.
        cuts: links cut; reboots: handhelds that lost their power and their memory.
        max_holders: most handhelds that held the cup at one instant, in memory or on disk.
        lost_cups: instants at which no disk could have brought the cup back.
        stuck: whether the cup went nowhere any more.
        wrong_contents: cups that arrived with other dice than they were given.
        refused_forgeries: frames that no seat of the table had sealed so, all refused.
        lost_frames, repeated_frames, late_frames: what the air did beside that.
        virtual_s, wall_s: how long it took.
    """

    hops: int = 0
    accepted_once: int = 0
    duplicates_answered: int = 0
    cuts: int = 0
    reboots: int = 0
    max_holders: int = 0
    lost_cups: int = 0
    stuck: bool = False
    wrong_contents: int = 0
    refused_forgeries: int = 0
    lost_frames: int = 0
    repeated_frames: int = 0
    late_frames: int = 0
    virtual_s: float = 0.0
    wall_s: float = 0.0

    @property
    def is_well(self) -> bool:
        """Whether there was one cup all the time, and it went from hand to hand unchanged."""
        once = self.accepted_once == self.hops
        went_well = not (self.stuck or self.lost_cups or self.wrong_contents)
        return once and self.max_holders == 1 and went_well

    def summary(self) -> dict[str, Any]:
        """The numbers, ready for JSON."""
        return asdict(self) | {
            "virtual_s": round(self.virtual_s, 3),
            "wall_s": round(self.wall_s, 3),
            "hops_per_wall_s": round(self.hops / self.wall_s, 1) if self.wall_s else None,
        }


class Watch:
    """Sees every state of every cup, in memory and on disk.

    Args:
        seats: how many.
        tally: where it counts.
    """

    def __init__(self, seats: int, tally: Tally) -> None:
        self.tally = tally
        self.given = FIRST
        """What the cup that was given away last contains."""
        self._in_memory = [False] * seats
        self._on_disk = [False] * seats
        """Who holds the cup."""
        self._disk = [Cup(0)] * seats
        self._newest = 0

    def remembered(self, seat: int, cup: Cup) -> None:
        """The memory of a seat has changed."""
        was_here, is_here = self._in_memory[seat], cup.is_here
        self._in_memory[seat] = is_here
        if is_here and not was_here:
            self._count()

    def written(self, seat: int, cup: Cup) -> None:
        """The disk of a seat has changed."""
        before, self._disk[seat] = self._disk[seat], cup
        was_here, is_here = self._on_disk[seat], cup.is_here
        self._on_disk[seat] = is_here
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
        self._newest = max(self._newest, cup.last)

    def _may_come(self, disk: Cup) -> bool:
        if disk.is_here:
            return True
        if disk.where is not Where.OFFERED or disk.peer is None:
            return False
        taker = self._disk[disk.peer]
        return taker.last < disk.last or taker.refused == disk.last


class Post(Protocol):
    """What a porter needs of the world around it."""

    @property
    def now_us(self) -> int:
        """The time."""
        ...

    def store(self, seat: int, cup: Cup, then: list[Send]) -> None:
        """Write a cup's state to the seat's disk, then send."""
        ...

    def send(self, seat: int, send: Send) -> None:
        """Send at once: nothing is waiting to be written."""
        ...


class Porter:
    """One seat.

    Args:
        seat: its number.
        seats: how many there are.
        seal: seals what it says.
        watch: sees its states.
        post: the world around it.
        chance: decides what it does.
    """

    def __init__(
        self, seat: int, seats: int, seal: Seal, watch: Watch, post: Post, chance: Random
    ) -> None:
        self.seat = seat
        self.seal = seal
        cup = Cup(0, Where.HOLDING, contents=FIRST) if seat == 0 else Cup(0)
        self.handover = Handover(seal, cup)
        self._others = [other for other in range(seats) if other != seat]
        self._watch = watch
        self._post = post
        self._chance = chance
        watch.written(seat, cup)
        watch.remembered(seat, cup)

    def boot(self, cup: Cup) -> None:
        """Begin anew from what the disk has."""
        self._change(Handover(self.seal, cup).resumed(self._post.now_us))
        self.pass_on()

    def pass_on(self) -> None:
        """With the cup in hand and nothing to do, throw, and propose it to somebody."""
        if self.handover.cup.where is Where.HOLDING:
            filled, stored = self.handover.fill(self._chance.choice(_THROWS))
            to = self._chance.choice(self._others)
            asks = self._chance.random() < 0.8
            proposed, effects = filled.propose(to, asks, 62, AT, self._post.now_us)
            self._change((proposed, (*stored, *effects)))

    def receive(self, sender: int, message: Message) -> None:
        """Take in what seat ``sender`` sealed."""
        change = self.handover.received(sender, message, AT, self._post.now_us)
        if isinstance(message, Give) and message.hop <= self.handover.cup.last:
            sent = any(isinstance(effect, Send) for effect in change[1])
            self._watch.tally.duplicates_answered += sent
        self._change(change)
        self.pass_on()

    def tick(self) -> None:
        """Send again what nobody reacted to, if it is time."""
        self._change(self.handover.tick(self._post.now_us))

    @property
    def resend(self) -> Resend | None:
        """When ``tick`` has something to do; None if it has not."""
        return self.handover.resend

    def _change(self, change: Change) -> None:
        if not change[1]:
            self.handover = change[0]
            return
        cup = before = self.handover.cup
        sends: list[Send] = []
        following: Change | None = change
        while following is not None:
            (self.handover, effects), following = following, None
            for effect in effects:
                match effect:
                    case Store():
                        cup = effect.cup
                    case Send():
                        sends.append(effect)
                    case Offered(asks=True, ready=True):
                        choice = self._chance.choice(_ANSWERS)
                        following = self.handover.answer(choice, self._post.now_us)
                    case CupTaken():
                        watch = self._watch
                        watch.tally.wrong_contents += effect.contents != watch.given
        if cup is before:
            for send in sends:
                self._post.send(self.seat, send)
            return
        if cup.where is Where.OFFERED:
            self._watch.given = cup.contents
        self._watch.remembered(self.seat, cup)
        self._post.store(self.seat, cup, sends)
