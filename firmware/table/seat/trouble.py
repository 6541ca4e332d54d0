"""Why a seat cannot go on, as values; the words are the presenter's.

Who words them takes ``Charge`` from here, and need not look below a seat.
"""

from typing import NamedTuple

from firmware.table.commitment.charges import Charge as Charge


class StoreFailed(NamedTuple):
    """The journal did not take a transaction; nothing that waits for it was sent."""


class LogsDiffer(NamedTuple):
    """The logs of two seats differ, here or at another seat. Whose is false nobody can tell."""


class Caught(NamedTuple):
    """The handheld here has caught that of seat ``seat`` at ``charge``."""

    seat: int
    charge: Charge


class Accused(NamedTuple):
    """The handheld of seat ``accuser`` says that it has caught that of ``seat`` at ``charge``."""

    accuser: int
    seat: int
    charge: Charge


Trouble = StoreFailed | LogsDiffer | Caught | Accused
