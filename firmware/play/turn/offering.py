"""The entries of the dial."""

from typing import NamedTuple

from firmware.input.controls.choice import Choice, More
from firmware.input.controls.dial import Entry
from game.actions import Announce, Believe, Give, Refuse, Say


class Offering(NamedTuple):
    """The entries of the dial for a tap, and those for a hold, nearest first.

    ``last`` is the outermost entry on the left: the menu, or the way back out of a second dial.
    """

    tapped: tuple[Choice, ...] = ()
    held: tuple[Choice, ...] = ()
    last: Choice = More()

    def entries(self) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
        """Return the two sides of the dial: (held, tapped). The last one is a tap too."""
        held = tuple(Entry(choice, holds=True) for choice in self.held)
        tapped = tuple(Entry(choice) for choice in self.tapped)
        return (*held, Entry(self.last)), tapped


TAPPED = (Announce, Say, Believe, Refuse, Give)
"""Kinds of actions that a tap does; all others cannot be taken back and want a hold."""
