"""The mode of a seat, which decides what it may do."""

from enum import Enum, auto


class Mode(Enum):
    """The mode of a seat in its match. If several apply, it is the last of them."""

    PLAYING = auto()
    """It has all entries that its epoch began with."""
    WATCHING = auto()
    """It has no seat among the players."""
    SYNCING = auto()
    """It came late into an epoch, which may have begun without some entries of its log."""
    LOST = auto()
    """Its memory of the match is lost. It sends WANT, RECALL, WISH, and an asker's own votes."""
    RETURNING = auto()
    """It comes back from a power cut, and waits for the others' answers: see ``recall``."""
    STOPPED = auto()
    """It cannot go on."""

    @property
    def may_serve_log(self) -> bool:
        """True if this seat may send its log to others: the epoch began with it."""
        return self in (Mode.PLAYING, Mode.WATCHING)

    @property
    def may_vote(self) -> bool:
        """True if this seat may vote for a new epoch, and begin one as its keeper.

        A syncing seat may: if all others sync as well, no seat is left to sync with.
        """
        return self in (Mode.PLAYING, Mode.SYNCING)
