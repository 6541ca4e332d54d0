"""What seats of a table of cores say: offers, and what no core of ours would."""

from firmware.effects.reports import Received
from game.actions import Announce, Roll

S = 1_000_000


def offer(table, value=65, *, seat=0):
    """Let a seat throw, announce a value, and offer the cup to the next."""
    table.choose(seat, Roll())
    table.choose(seat, Announce(value))
    table.wait(S)


def cheat(table, seat, message, to):
    """Let a seat send what its own core never would."""
    table.do(to, Received(table[seat].sealer.seal(message, to)))
