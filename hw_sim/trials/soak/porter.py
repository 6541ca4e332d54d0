"""A seat that only passes the cup on.

A porter has the real handover core, real keys and a disk that can lose what is not written yet. It
gives every cup it gets new dice and proposes it to another seat; it answers every proposal.
"""

from random import Random
from typing import Protocol

from firmware.table.handover.cup import Cup, Where
from firmware.table.handover.effects import CupTaken, OfferArrived, SendFrame, StoreCup
from firmware.table.handover.handover import Change, Handover, Seal
from firmware.table.protocol.codec import Message
from firmware.table.protocol.contents import Contents
from firmware.table.protocol.cup_messages import CupAnswer, Give
from firmware.table.protocol.layout import LogPosition
from hw_sim.trials.soak.watch import FIRST, Watch

AT = LogPosition(0, bytes(8))
"""The end of every seat's log: the soak enters nothing."""
_THROWS = tuple(Contents((one, other)) for one in range(1, 7) for other in range(1, 7))
_ANSWERS = (CupAnswer.BELIEVE, CupAnswer.DOUBT)


class Post(Protocol):
    """The interface of a porter to the world around it."""

    @property
    def now_us(self) -> int:
        """Time in µs."""

    def store(self, seat: int, cup: Cup, then: list[SendFrame]) -> None:
        """Write a cup's state to the seat's disk, then send ``then``: no frame leaves before."""

    def send(self, seat: int, send: SendFrame) -> None:
        """Send without a write of its own, after those that are under way."""


class Porter:
    """One seat that only passes the cup on.

    Args:
        seat: its number.
        seats: how many there are.
        seal: makes a frame of a message to a seat.
        watch: sees its states.
        post: the world around it.
        chance: decides dice, receivers and answers.
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
        """Begin anew with the state of the cup that the disk has."""
        self._change(Handover(self.seal, cup).resumed(self._post.now_us))
        self.pass_on()

    def pass_on(self) -> None:
        """If the cup is held, throw, and propose it to another seat drawn by chance."""
        if self.handover.cup.where is Where.HOLDING:
            filled, stored = self.handover.fill(self._chance.choice(_THROWS))
            to = self._chance.choice(self._others)
            asks = self._chance.random() < 0.8
            proposed, effects = filled.propose(to, asks, 62, AT, self._post.now_us)
            self._change((proposed, (*stored, *effects)))

    def receive(self, sender: int, message: Message) -> None:
        """Apply a message that seat ``sender`` sealed, and pass the cup on if that brought it."""
        change = self.handover.received(sender, message, AT, self._post.now_us)
        if isinstance(message, Give) and message.hop <= self.handover.cup.last:
            sent = any(isinstance(effect, SendFrame) for effect in change[1])
            self._watch.tally.duplicates_answered += sent
        self._change(change)
        self.pass_on()

    def tick(self) -> None:
        """Send again what nobody reacted to, if it is time."""
        self._change(self.handover.tick(self._post.now_us))

    @property
    def next_timer_us(self) -> int | None:
        """When ``tick`` is due, in µs; None if nothing waits for time."""
        return self.handover.next_timer_us

    def _change(self, change: Change) -> None:
        if not change[1]:
            self.handover = change[0]
            return
        cup = before = self.handover.cup
        sends: list[SendFrame] = []
        following: Change | None = change
        while following is not None:
            (self.handover, effects), following = following, None
            for effect in effects:
                match effect:
                    case StoreCup():
                        cup = effect.cup
                    case SendFrame():
                        sends.append(effect)
                    case OfferArrived(asks=True, ready=True):
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
