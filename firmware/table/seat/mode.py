"""The mode of a seat, which decides what it may do."""

from enum import Enum, auto

from firmware.table.protocol.codec import Message
from firmware.table.protocol.log_messages import Log, Recall, Want
from firmware.table.protocol.table_messages import Vote


class Mode(Enum):
    """The mode of a seat in its match; `of` decides if several apply."""

    PLAYING = auto()
    """It has all entries that its epoch began with."""
    LEARNING = auto()
    """It came late into an epoch, which may have begun without some entries of its log."""
    WATCHING = auto()
    """It has no seat among the players."""
    LOST = auto()
    """It has lost its memory of the match, and sends only WANT, RECALL and WISH."""
    RETURNING = auto()
    """It comes back from a power cut, and waits for the others' answers: see ``recall``."""
    STOPPED = auto()
    """It cannot go on."""

    @classmethod
    def of(
        cls, *, stopped: bool, lost: bool, learning: bool, watches: bool, returning: bool = False
    ) -> "Mode":
        """Return the mode of a seat with these properties."""
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
        """True if this seat may send its log: the epoch began with it."""
        return self in (Mode.PLAYING, Mode.WATCHING)

    @property
    def may_vote(self) -> bool:
        """True if this seat may vote for a new epoch, and begin one as its keeper.

        A learning seat may: if all others learn as well, no seat is left to learn from.
        """
        return self in (Mode.PLAYING, Mode.LEARNING)

    def hears(self, message: Message) -> bool:
        """Return whether a seat in this mode reacts to a message of another player's seat."""
        if self is Mode.LOST:
            return isinstance(message, Log | Vote | Want)
        if self is Mode.RETURNING:
            return isinstance(message, Log | Vote | Want | Recall)
        return self is not Mode.STOPPED
