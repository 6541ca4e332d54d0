"""Conversion between messages and the parts of a frame.

A message has four parts: a kind, a number, a count and a body. The first three travel in the clear
header of a frame, the body sealed (`firmware.table.protocol.sealing`). The docstring of each
message defines its number, count and body.
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
KINDS: Mapping[type[Message], MessageKind] = {
    message: MessageKind[message.__name__.upper()] for message in get_args(Message)
}
_OF_KIND: Mapping[int, type[Message]] = {kind: message for message, kind in KINDS.items()}


def encode(message: Message) -> Parts:
    """Return the parts of a message.

    Raises:
        MessageError: a field does not fit its bytes.
    """
    try:
        return message.parts()
    except struct.error as error:
        raise MessageError(f"a field of {type(message).__name__} does not fit: {error}") from None


def decode(parts: Parts) -> Message:
    """Return the message of these parts. The inverse of ``encode``.

    Raises:
        MessageError: the kind is unknown, the body has another length than its kind's, or a field
            has no meaning.
    """
    message = _OF_KIND.get(parts.kind)
    if message is None:
        raise MessageError(f"there is no kind {parts.kind}")
    try:
        return message.of(parts)
    except struct.error as error:
        name = message.__name__.upper()
        raise MessageError(f"{name} has {len(parts.body)} bytes: {error}") from None
