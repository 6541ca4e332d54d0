"""Noise that is drawn once, as it is needed, and then walked through again and again."""

from collections.abc import Callable, Iterator
from itertools import cycle
from typing import TypeVar

T = TypeVar("T")


def drawn_once(count: int, draw: Callable[[], T]) -> Iterator[T]:
    """Give ``count`` values of ``draw``, each drawn when it is asked for, and then repeat them."""
    return cycle(draw() for _ in range(count))
