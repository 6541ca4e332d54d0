"""The frames that arrive at a seat: their sender, whether they count, and when they came.

A frame counts only once as a sign that its sender is still there: anybody can record it and send it
again.
"""

from typing import Final, NamedTuple

from firmware.table.protocol.codec import Message
from firmware.table.protocol.header import EVERY_SEAT, TAG_BYTES, FrameError, receiver_of
from firmware.table.protocol.log_messages import Log, Want
from firmware.table.seat.mail import Mail
from firmware.table.seat.mode import Mode

MOST_TAGS: Final = 4_000
"""Number of newest frames that are recognised again; a match has some hundreds."""


class Arrived(NamedTuple):
    """A message for this seat; from a watcher, it is a WANT."""

    sender: int
    message: Message


class ToldToAll(NamedTuple):
    """A LOG for all. Any seat of the table can have sealed it in the name of ``sender``."""

    sender: int
    told: Log


class FromEpoch(NamedTuple):
    """A frame that seat ``sender`` sealed in another epoch than this seat's."""

    sender: int
    epoch: int


class Inbox:
    """Opens frames.

    Args:
        mail: opens sealed frames.
    """

    def __init__(self, mail: Mail) -> None:
        self._mail = mail
        self._heard_us: dict[int, int] = {}
        self._news_us: dict[int, int] = {}
        self._tags: dict[bytes, None] = {}
        self._began_us = 0

    def begin(self, now_us: int) -> None:
        """Count all seats as heard of now, in a new epoch or after a restart."""
        self._began_us = now_us
        self._tags.clear()  # older ones are of another epoch now

    def heard_us(self, seat: int) -> int:
        """Return when a frame of a seat came last, maybe a repeated one; 0 for never."""
        return self._heard_us.get(seat, 0)

    def silent_us(self, seat: int, now_us: int) -> int:
        """Return for how long no new frame of a seat has come; since ``begin`` if none ever did."""
        return now_us - self._news_us.get(seat, self._began_us)

    def is_heard(self, seat: int, since_us: int) -> bool:
        """Return whether a new frame of a seat has come since then."""
        return self._news_us.get(seat, since_us) > since_us

    def hear(self, seat: int, now_us: int) -> None:
        """Note a new statement that only this seat can have made."""
        self._heard_us[seat] = self._news_us[seat] = now_us

    def open(self, frame: bytes, mode: Mode, now_us: int) -> Arrived | ToldToAll | FromEpoch | None:
        """Open a frame. Return None for a frame that a seat in this mode ignores.

        The seat that sealed a frame is its sender, whatever link it came over. A watcher may send
        WANT, and nothing else.
        """
        try:
            sender, message = self._mail.open(frame)
        except FrameError as error:
            if error.sender is None or error.epoch is None:
                return None
            return FromEpoch(error.sender, error.epoch)
        if sender >= self._mail.players:
            return Arrived(sender, message) if isinstance(message, Want) else None
        if receiver_of(frame) == EVERY_SEAT:
            assert isinstance(message, Log), "nothing else is sealed for all"
            return ToldToAll(sender, message) if mode.hears(message) else None
        self._heard_us[sender] = now_us
        tag = frame[-TAG_BYTES:]
        if tag not in self._tags:
            self._tags[tag] = None
            if len(self._tags) > MOST_TAGS:
                del self._tags[next(iter(self._tags))]
            self.hear(sender, now_us)
        return Arrived(sender, message) if mode.hears(message) else None
