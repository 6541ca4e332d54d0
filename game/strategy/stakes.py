"""What the end of a round is worth to its two players."""

from typing import NamedTuple


class Stakes(NamedTuple):
    """What a round's penalty is worth to one of two players; the other has it with its sign turned.

    ``own`` is what it is worth to him to be penalised himself, ``others`` that the other one is,
    each for a cost of 1 and of 2 (R-PHYS-4, R-HF-3). In any unit: counted penalties in ``UNIT``,
    chances to win the match in a match.
    """

    own: tuple[float, float]
    others: tuple[float, float]

    def turned(self) -> "Stakes":
        """The same stakes as the other player has them."""
        (mine, my_two), (theirs, their_two) = self
        return Stakes((-theirs, -their_two), (-mine, -my_two))

    @property
    def even(self) -> bool:
        """Whether both players have the same stakes."""
        return self == self.turned()


UNIT = Stakes((-1.0, -2.0), (1.0, 2.0))
"""Every penalty counts what it costs, own ones against it."""
