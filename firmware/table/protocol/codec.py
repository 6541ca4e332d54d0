"""What handhelds send to each other, from messages to parts of a frame and back.

A message is told by four parts: its kind, a number, a count and a body. The first three travel in
the clear header of a frame, the body sealed (`firmware.table.protocol.sealing`). What they mean is
in the message's own docstring.
"""

import struct
from collections.abc import Mapping
from typing import get_args

from firmware.table.protocol.cup_messages import Answer, Cancel, Give, Nak, Propose, Taken
from firmware.table.protocol.dice_messages import Caught, Fresh, Share
from firmware.table.protocol.kinds import MessageKind
from firmware.table.protocol.layout import MessageError, Parts
from firmware.table.protocol.log_messages import Log, Recall, Want
from firmware.table.protocol.table_messages import Question, Vote, Wish

Message = (
    Propose
    | Answer
    | Give
    | Taken
    | Cancel
    | Nak
    | Log
    | Want
    | Wish
    | Question
    | Vote
    | Fresh
    | Share
    | Caught
    | Recall
)
_OF_KIND: Mapping[int, type[Message]] = {
    MessageKind[message.__name__.upper()]: message for message in get_args(Message)
}


def encode(message: Message) -> Parts:
    """Take a message apart.

    Raises:
        MessageError: a field does not fit its bytes.
    """
    try:
        return message.parts()
    except struct.error as error:
        raise MessageError(f"a field of {type(message).__name__} does not fit: {error}") from None


def decode(parts: Parts) -> Message:
    """Put a message together. The inverse of ``encode``.

    Raises:
        MessageError: there is no such kind, the body is not as long as its kind's, or a field has
            no meaning.
    """
    message = _OF_KIND.get(parts.kind)
    if message is None:
        raise MessageError(f"there is no kind {parts.kind}")
    try:
        return message.of(parts)
    except struct.error as error:
        name = message.__name__.upper()
        raise MessageError(f"{name} has {len(parts.body)} bytes: {error}") from None
