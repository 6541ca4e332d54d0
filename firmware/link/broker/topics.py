"""The topics of a table at a broker (PROTOCOL.md, "Over a broker")."""

from typing import Final

ROOT: Final = "maexchen/1"
"""All topics begin with this; the number is the version of what follows."""
ALL: Final = "all"
"""Stands for every seat of a table."""


def to(tag: str, seat: int | str) -> str:
    """Where frames for a seat go; ``ALL`` or "+" stand for every seat."""
    return f"{ROOT}/{tag}/to/{seat}"


def here(tag: str, seat: int | str) -> str:
    """Where a seat says that it is here, and the broker that it is gone."""
    return f"{ROOT}/{tag}/here/{seat}"


def room(code: str) -> str:
    """Where those who know a code make up a table."""
    return f"{ROOT}/room/{code}"


def public(tag: str) -> str:
    """All that the seats of a table tell anybody of its match."""
    return f"{ROOT}/{tag}/public/#"


def public_match(tag: str, seat: int | str) -> str:
    """Where a seat tells anybody how its match stands."""
    return f"{ROOT}/{tag}/public/{seat}/match"


def public_entries(tag: str, seat: int | str, block: int | str) -> str:
    """Where a seat tells anybody a block of the log."""
    return f"{ROOT}/{tag}/public/{seat}/entries/{block}"


def result(tag: str, seat: int | str) -> str:
    """Where a seat tells anybody how its match ended."""
    return f"{ROOT}/{tag}/result/{seat}"


def last(topic: str) -> str:
    """The last level of a topic: a seat, a block or a code."""
    return topic.rsplit("/", 1)[-1]
