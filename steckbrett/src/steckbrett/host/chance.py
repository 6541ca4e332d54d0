"""Chance that is the same in every run."""

import os
import random
from typing import Any

from .patches import Patches


def install(patches: Patches, seed: int | str) -> None:
    """Seed the module ``random``, generators that are made without a seed, and ``os.urandom``."""
    source = random.Random(f"steckbrett {seed}")
    seed_as_told = random.Random.seed

    def reseed(self: random.Random, a: Any = None, version: int = 2) -> None:
        seed_as_told(self, source.getrandbits(64) if a is None else a, version)

    def urandom(size: int, /) -> bytes:
        return source.randbytes(size)

    state = random.getstate()
    patches.put(random.Random, "seed", reseed)
    patches.swap(os, {"urandom": urandom})
    patches.at_undo(lambda: random.setstate(state))
    random.seed(source.getrandbits(64))
