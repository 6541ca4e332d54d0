"""What a seat may do, by how it stands to its match."""

from enum import Enum, auto

from firmware.table.protocol.codec import Message
from firmware.table.protocol.log_messages import Log, Recall, Want
from firmware.table.protocol.table_messages import Vote


class Mode(Enum):
    """How a seat stands to its match; what comes first in `of` counts."""

    PLAYING = auto()
    """It has all that its epoch began with."""
    LEARNING = auto()
    """It came late into an epoch: entries of its log may be ones that this began without."""
    WATCHING = auto()
    """It has no seat among the players."""
    LOST = auto()
    """It has lost its memory of the match, and sends nothing but WANT and WISH."""
    RETURNING = auto()
    """It had no power, and has not heard from all others what they know of it: see ``recall``."""
    STOPPED = auto()
    """It cannot go on."""

    @classmethod
    def of(
        cls, *, stopped: bool, lost: bool, learning: bool, watches: bool, returning: bool = False
    ) -> "Mode":
        """The mode that a seat is in."""
        for holds, mode in (
            (stopped, cls.STOPPED),
            (returning, cls.RETURNING),
            (lost, cls.LOST),
            (learning, cls.LEARNING),
            (watches, cls.WATCHING),
        ):
            if holds:
                return mode
        return cls.PLAYING

    @property
    def may_tell(self) -> bool:
        """Whether its log is what the epoch began with: who asks is told."""
        return self in (Mode.PLAYING, Mode.WATCHING)

    @property
    def may_vote(self) -> bool:
        """Whether it votes for a new epoch, and begins one as its keeper.

        Who learns may: the others may all learn as well, and nobody be there to learn from.
        """
        return self in (Mode.PLAYING, Mode.LEARNING)

    def hears(self, message: Message) -> bool:
        """Whether a message of another player's seat means anything to it."""
        if self is Mode.LOST:
            return isinstance(message, Log | Vote | Want)
        if self is Mode.RETURNING:
            return isinstance(message, Log | Vote | Want | Recall)
        return self is not Mode.STOPPED
