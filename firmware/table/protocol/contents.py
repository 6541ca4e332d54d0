"""The contents of a cup: dice, their proof, and whether they form a tower."""

from typing import NamedTuple

from firmware.table.protocol.layout import MessageError
from firmware.table.protocol.sizes import MOST_DICE, NO_OPENING

_TOWER = 1 << 3 * MOST_DICE


class Contents(NamedTuple):
    """The contents of a cup.

    ``dice`` are 1 to 6 each, at most five, none for an empty cup. ``throw`` is the number of the
    throw in its tenure, and ``opening`` (32 bytes) proves it. Both are zero if nothing was
    committed to. ``tower`` means that the dice lie on top of each other (R-HF-8).
    """

    dice: tuple[int, ...] = ()
    throw: int = 0
    opening: bytes = NO_OPENING
    tower: bool = False

    def __repr__(self) -> str:
        """Return a text that is safe in a log file: it has neither dice nor their proof."""
        return f"Contents({len(self.dice)} dice)"


EMPTY = Contents()
"""An empty cup."""


def packed_dice(dice: tuple[int, ...], tower: bool = False) -> int:
    """Return up to five dice in three bits each, the first one lowest; 0 stands for no die.

    A tower sets the highest of 16 bits.

    Raises:
        MessageError: more than five dice, or one that is not 1 to 6.
    """
    if len(dice) > MOST_DICE or any(not 1 <= die <= 6 for die in dice):
        raise MessageError(f"dice {dice} do not fit: up to {MOST_DICE} of 1 to 6 do")
    if tower and not dice:
        raise MessageError("an empty cup has no tower")
    return sum(die << 3 * place for place, die in enumerate(dice)) | (_TOWER if tower else 0)


def unpacked_dice(packed: int) -> tuple[tuple[int, ...], bool]:
    """Return the dice that pack to this number, and whether they are a tower.

    Raises:
        MessageError: no dice pack to it.
    """
    tower = bool(packed & _TOWER)
    pips = [packed >> 3 * place & 0b111 for place in range(MOST_DICE)]
    dice = tuple(die for die in pips if die)
    high = (packed & ~_TOWER) >> 3 * MOST_DICE
    if high or 7 in dice or any(pips[len(dice) :]) or (tower and not dice):
        raise MessageError(f"{packed:#06x} are no dice")
    return dice, tower
