"""The part of fair dice in each hop: a root with the answer, a contribution with the cup."""

from collections.abc import Callable
from dataclasses import dataclass

from firmware.table.protocol.sizes import NO_CONTRIBUTION, NO_SECRET


def _no_root(_hop: int) -> bytes:
    return NO_SECRET


def _no_contribution(_taker: int, _hop: int, _root: bytes) -> bytes:
    return NO_CONTRIBUTION


@dataclass(frozen=True, slots=True)
class HopSecrets:
    """The roots and contributions of one seat; equal hops, equal bytes.

    Attributes:
        root: returns this seat's root for its answer to a hop.
        contribution: returns this seat's contribution for a taker, a hop and the taker's root.
    """

    root: Callable[[int], bytes] = _no_root
    contribution: Callable[[int, int, bytes], bytes] = _no_contribution


NO_SECRETS = HopSecrets()
"""No roots and no contributions."""
