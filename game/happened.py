"""Events that are kept once they are built: they are frozen, and come again and again."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from game.events import Event


@lru_cache(maxsize=2**14)
def happened(kind: Callable[..., Event], *fields: Any) -> tuple[Event, ...]:
    """Return one event. Building one costs more than finding it again, so the latest are kept."""
    return (kind(*fields),)
