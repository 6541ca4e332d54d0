"""Sealed messages to and from the other seats: what is written, what leaves, what arrives.

A frame counts only once as a sign that its sender is still there: anybody can record it and send it
again.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from firmware.effects import SendToSeat, Store
from firmware.journal import Write
from firmware.table.log.entries import Signature
from firmware.table.protocol import EVERY_SEAT, TAG_BYTES
from firmware.table.protocol.messages import Log, Message, Vote
from firmware.table.protocol.sealing import Sealer


class Outbox:
    """Collects writes and frames until they are taken.

    All writes between two calls of ``take`` are one transaction, numbered by its ticket.
    `SendToSeat.after` is the newest unconfirmed ticket that was taken before the frame, or with it;
    None if all are on the disk. Transactions are written and confirmed in the order of their
    tickets, so a frame that waits for one waits for all before it.
    """

    def __init__(self) -> None:
        self._writes: list[Write] = []
        self._frames: list[tuple[int, bytes]] = []
        self._ticket = 0
        self._unwritten: int | None = None

    def write(self, item: Write) -> None:
        """Queue a write."""
        self._writes.append(item)

    def send(self, seat: int, frame: bytes) -> None:
        """Queue a sealed frame for a seat."""
        self._frames.append((seat, frame))

    def stored(self, ticket: int) -> None:
        """Note that a transaction is on the disk, with all before it."""
        if ticket == self._unwritten:
            self._unwritten = None

    def take(self) -> list[Store | SendToSeat]:
        """Return the effects since the last call, in their order."""
        effects: list[Store | SendToSeat] = []
        if self._writes:
            self._ticket += 1
            self._unwritten = self._ticket
            effects.append(Store(self._ticket, tuple(self._writes)))
        effects.extend(SendToSeat(seat, frame, self._unwritten) for seat, frame in self._frames)
        self._writes, self._frames = [], []
        return effects


class Mail:
    """Seals and opens the frames of one seat.

    Args:
        sealer: of this seat, in the cup's epoch.
        players: the number of seats that play; watchers have numbers behind them.
        outbox: takes frames.
        by_light: infrared alone carries: all hear every frame, and it takes long.
    """

    def __init__(
        self, sealer: Sealer, players: int, outbox: Outbox, *, by_light: bool = False
    ) -> None:
        self.me = sealer.me
        self.players = players
        self.by_light = by_light
        self._sealer = sealer
        self._outbox = outbox

    @property
    def epoch(self) -> int:
        """The epoch in which this seat seals."""
        return self._sealer.epoch

    @property
    def places(self) -> int:
        """The number of places: the players, this one included, and behind them the watchers."""
        return self._sealer.places

    @property
    def others(self) -> tuple[int, ...]:
        """The seats of the other players."""
        return tuple(seat for seat in range(self.players) if seat != self.me)

    def enter(self, epoch: int) -> None:
        """Seal in another epoch from now on."""
        self._sealer = self._sealer.at(epoch)

    def seal(self, message: Message, seat: int) -> bytes:
        """Return the frame that brings a message to a seat; equal messages, equal bytes."""
        return self._sealer.seal(message, seat)

    def send(self, seat: int, message: Message) -> None:
        """Queue a message for a seat."""
        self._outbox.send(seat, self.seal(message, seat))

    def send_to_all(self, message: Message) -> None:
        """Queue a message for every other player."""
        for seat in self.others:
            self.send(seat, message)

    def send_log(self, seats: Sequence[int], log: Log) -> None:
        """Queue a LOG for seats; for several seats, seal it once, for all."""
        frame = self.seal(log, seats[0] if len(seats) == 1 else EVERY_SEAT)
        for seat in seats:
            self._outbox.send(seat, frame)

    def send_vote(self, vote: Vote, *seats: int) -> None:
        """Queue a vote for seats, or for every other player: sealed in the epoch it is for."""
        for seat in seats or self.others:
            self.send_in(vote.epoch, seat, vote)

    def signed(self, vote: Vote) -> Vote:
        """Return the own vote with a signature."""
        return replace(vote, signature=self.sign(vote.statement))

    def signed_log(self, index: int, digest: bytes) -> Signature:
        """Return the own signature of a log of so many entries, with their digest (32 bytes)."""
        return Signature(
            self.me, self.epoch, self.sign(Signature.statement(self.epoch, index, digest))
        )

    def sign(self, statement: bytes) -> bytes:
        """Return the own signature of a statement."""
        return self._sealer.signer.sign(statement)

    def has_signed(self, seat: int, statement: bytes, signature: bytes) -> bool:
        """Return whether a seat has signed a statement."""
        return self._sealer.signer.has_signed(seat, statement, signature)

    def send_in(self, epoch: int, seat: int, message: Message) -> None:
        """Queue a message for a seat that is in another epoch."""
        self._outbox.send(seat, self._sealer.at(epoch).seal(message, seat))

    def open(self, frame: bytes) -> tuple[int, Message]:
        """Return the sender and the message of a frame. Raises FrameError."""
        return self._sealer.open(frame)


MOST_TAGS: Final = 4_000
"""Number of newest frames that are recognised again; a match has some hundreds; chosen."""


class Inbox:
    """The signs of life of the other seats: when their frames came."""

    def __init__(self) -> None:
        self.began_us = 0
        """Since when seats without a new frame count as silent."""
        self._last_frame_us: dict[int, int] = {}
        self._news_us: dict[int, int] = {}
        self._tags: dict[bytes, None] = {}

    def begin(self, now_us: int) -> None:
        """Count all seats as heard of now, in a new epoch or after a restart."""
        self.began_us = now_us
        self._tags.clear()  # older ones are of another epoch now

    def last_frame_us(self, seat: int) -> int:
        """Return when a frame of a seat came last, maybe a repeated one; 0 for never."""
        return self._last_frame_us.get(seat, 0)

    def silent_us(self, seat: int, now_us: int) -> int:
        """Return for how long no new frame of a seat has come; since ``begin`` if none ever did."""
        return now_us - self._news_us.get(seat, self.began_us)

    def has_news(self, seat: int, since_us: int) -> bool:
        """Return whether a new frame of a seat has come since then."""
        return self._news_us.get(seat, since_us) > since_us

    def note_news(self, seat: int, now_us: int) -> None:
        """Note a new statement that only this seat can have made."""
        self._last_frame_us[seat] = self._news_us[seat] = now_us

    def note_frame(self, seat: int, frame: bytes, now_us: int) -> None:
        """Note a frame that a seat has sealed; it is news if it did not come before."""
        self._last_frame_us[seat] = now_us
        tag = frame[-TAG_BYTES:]
        if tag not in self._tags:
            self._tags[tag] = None
            if len(self._tags) > MOST_TAGS:
                del self._tags[next(iter(self._tags))]
            self.note_news(seat, now_us)
