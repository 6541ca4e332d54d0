"""What one turn consists of: what the dial offers, dice set aside, overlays, sounds.

May import: table.seat, effects, input, display, game.
Begin with ``offers``.
"""
