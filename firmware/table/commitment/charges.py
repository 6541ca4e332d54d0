"""The charges against a handheld that cheats."""

from enum import IntEnum


class Charge(IntEnum):
    """A charge against a handheld.

    Charges rest on bytes that the accused sealed or signed.
    """

    DICE = 1
    """The dice differ from those of the proof."""
    PROOF = 2
    """The proof does not lead to the root, or is missing."""
    ROOT = 3
    """The root or the contribution differs from the one before the first throw."""
    ORDER = 4
    """A throw was left out, or made twice."""
    LOG = 5
    """Two logs differ, or one cannot be followed: this accuses nobody."""
    ANSWER = 6
    """It refused the cup after it had answered and seen the dice."""
    CUP = 7
    """It proposed a cup that, by the log of the proposal, is not there or goes elsewhere."""
    VOTE = 8
    """It signed two votes for one epoch."""
    STORIES = 9
    """It signed two different logs in one epoch: others have different entries of it."""
