"""What one turn consists of: what the dial offers, dice set aside, overlays, sounds.

May import: table, settings, effects, input, display, game.
Begin with ``offers``.
"""
