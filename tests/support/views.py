"""Matches after some actions, and what stands before one of their players, as values."""

from dataclasses import replace

from firmware.input.controls import NEUTRAL, DialView
from firmware.play.presenter import PlayView
from firmware.play.turn.offers import offering, second_dial
from firmware.table.seat.cup_custody import ACTING, Position
from game import RULES, apply, new_match, view

NAMES = ("Ana", "Ben", "Cem")


def after(*actions, game="class", names=NAMES, **options):
    """The match of these players, of whom the first opens, after some actions."""
    match = new_match(replace(RULES[game], **options), names, 0)
    for action in actions:
        match = apply(match, action).match
    return match


def seen(match, seat=0, position=Position.MINE, *, at=None, **fields):
    """Return the view of a seat.

    The dial is the one that its position opens, with the entry ``at`` highlighted. ``fields`` are
    the unusual fields of the view.
    """
    dial = fields.pop("dial", None)
    if dial is None and position in ACTING:
        choosing = fields.get("choosing")
        offers = second_dial(match, choosing) if choosing else offering(position, match)
        held, tapped = offers.entries()
        dial = DialView((*held[::-1], NEUTRAL, *tapped), len(held))
    if at is not None:
        index = [entry.choice for entry in dial.entries].index(at)
        dial = replace(dial, index=index)
    return PlayView(view(match, None), seat, position, dial=dial, **fields)
