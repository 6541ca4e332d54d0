"""What gestures mean in a match, and what its display says. Pure.

May import: table, settings, effects, input, display, game.
Begin with ``handheld``.
"""
