"""Bluetooth controllers that fail and fall silent, on air that loses, repeats and forges frames."""

import logging
import time

from hw_sim.cli.soak import soak

HARM = {"loss": 0.15, "cuts": 0.1, "reboots": 0.03, "failures": 0.05, "silences": 0.05}
HOPS = 200
STANDSTILL_S = 60.0
"""Without a power cut a cup moves again sooner."""


def attack(seconds: float, seed: int) -> dict[str, int | float | str]:
    """Pass cups on over a Pi's controllers, two to eight at a table."""
    logging.getLogger("firmware.link").setLevel(logging.ERROR)  # what goes wrong is counted here
    until_s = time.monotonic() + seconds
    hops = failures = silences = rounds = 0
    standstill_s = 0.0
    while not rounds or time.monotonic() < until_s:
        players = 2 + (seed + rounds) % 7
        tally = soak("bluetooth", players, HOPS, seed=seed + rounds, **HARM)
        told = f"{players} players, seed {seed + rounds}: {tally.summary()}"
        assert tally.is_well, told
        assert tally.standstill_s < STANDSTILL_S, told
        hops, failures = hops + tally.hops, failures + tally.failures
        silences, rounds = silences + tally.silences, rounds + 1
        standstill_s = max(standstill_s, tally.standstill_s)
    return {
        "hops": hops,
        "failures": failures,
        "silences": silences,
        "longest standstill, s": round(standstill_s, 1),
    }
