"""The kinds of message, as the header of a frame numbers them."""

from enum import IntEnum


class MessageKind(IntEnum):
    """The kind of message in a sealed frame."""

    PROPOSE = 1
    ANSWER = 2
    GIVE = 3
    TAKEN = 4
    CANCEL = 5
    NAK = 6
    LOG = 7
    WANT = 8
    WISH = 9
    QUESTION = 10
    VOTE = 11
    FRESH = 12
    SHARE = 13
    CAUGHT = 14
    RECALL = 15


OF_THE_CUP = tuple(MessageKind)[: MessageKind.NAK]
"""The kinds that move the cup; no other kind is urgent."""
