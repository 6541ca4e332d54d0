"""The topics of a table at a broker (PROTOCOL.md, "Over a broker"), and who may use them.

A seat reads and writes its own topics: ``password_file`` and ``acl_file`` of mosquitto.conf(5) take
the lines that this module makes. A seat with an account of the table can send to the other seats
and see who is here. It publishes presence and match for itself alone. A client without an account
can read what tables publish.
"""

import hashlib
from base64 import b64encode
from collections.abc import Sequence
from typing import Final

from firmware.effects import TableAddress

ROOT: Final = "maexchen/1"
"""All topics begin with this; the number is the version of what follows."""
ALL: Final = "all"
"""Stands for every seat of a table."""


def to(tag: str, seat: int | str) -> str:
    """Return the topic of a seat's frames; ``ALL`` or "+" stand for every seat."""
    return f"{ROOT}/{tag}/to/{seat}"


def here(tag: str, seat: int | str) -> str:
    """Return the topic of a seat's presence, published by the seat and the broker."""
    return f"{ROOT}/{tag}/here/{seat}"


def is_here(topic: str) -> bool:
    """Return whether this is the topic of a seat's presence."""
    return topic.startswith(ROOT) and topic.split("/")[-2] == "here"


def room(code: str) -> str:
    """Return the topic of a room: people who know its code make up a table there."""
    return f"{ROOT}/room/{code}"


def line(name: str, device: str) -> str:
    """Return the topic of the lines of one device in a sealed room."""
    return f"{room(name)}/{device}"


def public(tag: str) -> str:
    """Return the topic of all public messages of a table's seats."""
    return f"{ROOT}/{tag}/public/#"


def public_match(tag: str, seat: int | str) -> str:
    """Return the topic under which a seat publishes how its match stands."""
    return f"{ROOT}/{tag}/public/{seat}/match"


def public_entries(tag: str, seat: int | str, block: int | str) -> str:
    """Return the topic under which a seat publishes a block of the log."""
    return f"{ROOT}/{tag}/public/{seat}/entries/{block}"


def last(topic: str) -> str:
    """Return the last level of a topic: a seat, a block or a code."""
    return topic.rsplit("/", 1)[-1]


SALT_BYTES = 12
"""As mosquitto_passwd(1) has chosen."""
_ROUNDS = 101
_SHA512_PBKDF2 = 7
"""The format of mosquitto_passwd(1): 101 rounds of PBKDF2 with SHA-512, 64 bytes."""


WATCHERS = f"topic read {public('+')}"
"""The line of ``acl_file`` for clients without an account; it precedes those of any account."""

GUESTS = f"pattern readwrite {ROOT}/#"
"""The line of ``acl_file`` for all phones of an evening: topics of handhelds, and no others."""


def password_line(user: str, password: str, salt: bytes) -> str:
    """Return the line of ``password_file`` for an account; ``salt``: `SALT_BYTES` random bytes."""
    made = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, _ROUNDS)
    shown = "$".join(b64encode(each).decode() for each in (salt, made))
    return f"{user}:${_SHA512_PBKDF2}${_ROUNDS}${shown}"


def access_lines(table_addresses: Sequence[TableAddress]) -> list[str]:
    """Return the lines of ``acl_file`` for a table's seats and for spectators behind them."""
    lines = []
    for table_address in table_addresses:
        tag, seat = table_address.tag, table_address.seat
        receivers: list[int | str] = [other.seat for other in table_addresses if other.seat != seat]
        read: list[int | str] = ["+"] if table_address.carries else [seat, ALL]
        lines += [
            f"user {table_address.user}",
            *(f"topic read {to(tag, each)}" for each in read),
            *(f"topic write {to(tag, each)}" for each in (*receivers, ALL)),
            f"topic read {here(tag, '+')}",
            f"topic write {here(tag, seat)}",
            f"topic write {public_match(tag, seat)}",
            f"topic write {public_entries(tag, seat, '+')}",
            "",
        ]
    return lines
