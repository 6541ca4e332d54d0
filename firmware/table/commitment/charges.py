"""What a handheld can be caught at."""

from enum import IntEnum


class Charge(IntEnum):
    """What a handheld is caught at."""

    DICE = 1
    """The dice are not those that the proof makes."""
    PROOF = 2
    """The proof does not lead to the root, or was kept back."""
    ROOT = 3
    """The root, or the contribution, is not what was agreed on before the first throw."""
    ORDER = 4
    """A throw was left out, or made twice."""
    LOG = 5
    """Two logs differ, or one cannot be followed: that proves nothing against anybody."""
    ANSWER = 6
    """It took its answer back, after it had been shown the dice."""
    CUP = 7
    """It proposed a cup that by the very log it told cannot be there, or not come here."""
    VOTE = 8
    """It signed two votes for one epoch."""
    STORIES = 9
    """It signed two logs that differ, in one epoch: it told others different things."""
