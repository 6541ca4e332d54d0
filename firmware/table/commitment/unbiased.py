"""Fair dice from random bytes."""

from collections.abc import Callable

from game.actions import Roll

FACES = 6
_BYTE = 256


class UnbiasedDice:
    """Draws from random bytes without bias.

    Args:
        entropy: returns so many random bytes.
    """

    def __init__(self, entropy: Callable[[int], bytes]) -> None:
        self.entropy = entropy

    def below(self, limit: int) -> int:
        """Draw a whole number from 0 up to ``limit`` - 1, each equally likely."""
        size = 1
        while _BYTE**size < limit:
            size += 1
        fair = _BYTE**size // limit * limit
        while (drawn := int.from_bytes(self.entropy(size), "big")) >= fair:
            pass
        return drawn % limit

    def roll(self, count: int, tower_one_in: int) -> Roll:
        """Throw so many dice, high to low.

        One of ``tower_one_in`` rolls is a tower (R-HF-8); of 0, none is.
        """
        dice = tuple(sorted((self.below(FACES) + 1 for _ in range(count)), reverse=True))
        return Roll(dice, tower=bool(tower_one_in) and self.below(tower_one_in) == 0)
