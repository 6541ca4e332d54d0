"""A table, packed into the bytes of a Bluetooth advertisement."""

import struct

from firmware.table.protocol.invitations import (
    DEVICE_BYTES,
    EVERYBODY,
    NAME_BYTES,
    SESSION_BYTES,
    Head,
    InvitationError,
    InvitationKind,
    TableNotice,
    body_of,
    device_of,
    head_of,
    name_bytes,
    packed,
)

_ANNOUNCED = struct.Struct(f">{SESSION_BYTES}sBBB{NAME_BYTES}s")
_OPEN = 0x80


def announcement(frame: bytes) -> bytes:
    """Pack a TABLE frame into the 23 advertised bytes; the device is their sender.

    Raises InvitationError for an unreadable invitation.
    """
    head, table = head_of(frame), body_of(frame)
    assert isinstance(table, TableNotice), "only tables are announced"
    people = table.people | (_OPEN if table.is_open else 0)
    return _ANNOUNCED.pack(head.session, people, table.revision, table.game, name_bytes(table.name))


def announced(address: str, data: bytes) -> bytes | None:
    """Return the TABLE frame, addressed to everybody, that ``address`` advertises in ``data``.

    None if ``data`` is no announcement or ``address`` is no handheld's.
    """
    if len(data) != _ANNOUNCED.size:
        return None
    session, people, revision, game, name = _ANNOUNCED.unpack(data)
    try:
        device = device_of(address)
        host = name.rstrip(b"\0").decode()
        table = TableNotice(bool(people & _OPEN), people & ~_OPEN, revision, game, host)
        frame = packed(Head(InvitationKind.TABLE, device, EVERYBODY, session), table)
        body_of(frame)
    except (InvitationError, ValueError):
        return None
    return frame if len(device) == DEVICE_BYTES else None
