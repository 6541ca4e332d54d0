"""Sealed messages to and from the other seats, in this seat's epoch."""

from collections.abc import Sequence
from dataclasses import replace

from firmware.table.log.chain import Signature
from firmware.table.protocol.codec import Message
from firmware.table.protocol.header import EVERY_SEAT
from firmware.table.protocol.log_messages import Log
from firmware.table.protocol.sealing import Sealer
from firmware.table.protocol.table_messages import Vote
from firmware.table.seat.outbox import Outbox


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

    def send_frame(self, seat: int, frame: bytes) -> None:
        """Queue a frame that was sealed before."""
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

    def seal_in(self, epoch: int, message: Message, seat: int) -> bytes:
        """Return the frame that brings a message to a seat that is in another epoch."""
        return self._sealer.at(epoch).seal(message, seat)

    def send_in(self, epoch: int, seat: int, message: Message) -> None:
        """Queue a message for a seat that is in another epoch."""
        self._outbox.send(seat, self.seal_in(epoch, message, seat))

    def open(self, frame: bytes) -> tuple[int, Message]:
        """Return the sender and the message of a frame. Raises FrameError."""
        return self._sealer.open(frame)
