"""What gestures mean in a match, and what its display says. Pure.

May import: settings, table, effects, input, display, game.
Begin with ``handheld``.
"""
