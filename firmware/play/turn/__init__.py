"""The parts of one turn: the entries of the dial, dice set aside, overlays, sounds.

May import: table.seat, effects, input, display, game.
Begin with ``offers``.
"""
