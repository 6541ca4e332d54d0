"""The topics of a table at a broker (PROTOCOL.md, "Over a broker")."""

from typing import Final

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
