"""The reasons why a seat stops, as values; the presenter has the texts.

The presenter imports ``Charge`` from here, and no module below a seat.
"""

from typing import NamedTuple

from firmware.table.commitment.charges import Charge as Charge


class StoreFailed(NamedTuple):
    """A transaction of the journal failed; no frame that waits for it was sent."""


class LogsDiffer(NamedTuple):
    """The logs of two seats differ, here or elsewhere. Neither is proven wrong."""


class Accusing(NamedTuple):
    """The handheld here accuses that of seat ``seat`` of ``charge``."""

    seat: int
    charge: Charge


class Accused(NamedTuple):
    """The handheld of seat ``accuser`` accuses that of ``seat`` of ``charge``."""

    accuser: int
    seat: int
    charge: Charge


Trouble = StoreFailed | LogsDiffer | Accusing | Accused
