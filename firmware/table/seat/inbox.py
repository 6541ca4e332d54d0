"""The frames that arrive at a seat: their sender, whether they count, and when they came.

A frame counts only once as a sign that its sender is still there: anybody can record it and send it
again.
"""

from typing import Final, NamedTuple

from firmware.table.protocol.codec import Message
from firmware.table.protocol.header import EVERY_SEAT, TAG_BYTES, FrameError, receiver_of
from firmware.table.protocol.log_messages import Log, Want
from firmware.table.seat.mail import Mail

MOST_TAGS: Final = 4_000
"""Number of newest frames that are recognised again; a match has some hundreds."""


class Arrived(NamedTuple):
    """A message for this seat; from a watcher, it is a WANT."""

    sender: int
    message: Message


class ArrivedForAll(NamedTuple):
    """A LOG for all. Any seat of the table can have sealed it in the name of ``sender``."""

    sender: int
    log: Log


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
        self.began_us = 0
        """Since when seats without a new frame count as silent."""
        self._last_frame_us: dict[int, int] = {}
        self._news_us: dict[int, int] = {}
        self._tags: dict[bytes, None] = {}

    @property
    def news_us(self) -> tuple[tuple[int, int], ...]:
        """By seat, when its last new frame came."""
        return tuple(sorted(self._news_us.items()))

    @news_us.setter
    def news_us(self, news_us: tuple[tuple[int, int], ...]) -> None:
        self._news_us = dict(news_us)

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

    def open(self, frame: bytes, now_us: int) -> Arrived | ArrivedForAll | FromEpoch | None:
        """Open a frame. Return None for a frame that every seat ignores.

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
            return ArrivedForAll(sender, message)
        self._last_frame_us[sender] = now_us
        tag = frame[-TAG_BYTES:]
        if tag not in self._tags:
            self._tags[tag] = None
            if len(self._tags) > MOST_TAGS:
                del self._tags[next(iter(self._tags))]
            self.note_news(sender, now_us)
        return Arrived(sender, message)
