"""What each hop carries for fair dice: a root with the answer, a contribution with the cup."""

from collections.abc import Callable
from dataclasses import dataclass

from firmware.table.protocol.sizes import NO_CONTRIBUTION, NO_SECRET


def _no_root(_hop: int) -> bytes:
    return NO_SECRET


def _no_contribution(_taker: int, _hop: int, _root: bytes) -> bytes:
    return NO_CONTRIBUTION


@dataclass(frozen=True, slots=True)
class HopSecrets:
    """What goes into the dice with each hop; the same hop, the same bytes.

    Attributes:
        root: from a hop to the root that this seat commits to when it answers for it.
        contribution: from a taker, a hop and his root to what this seat adds when it gives the cup.
    """

    root: Callable[[int], bytes] = _no_root
    contribution: Callable[[int, int, bytes], bytes] = _no_contribution


NO_SECRETS = HopSecrets()
"""Nothing is committed to, and nothing added."""
