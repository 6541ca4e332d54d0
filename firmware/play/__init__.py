"""The meaning of gestures in a match, and the contents of its display. Pure.

May import: settings, table, effects, input, display, game.
Begin with ``handheld``.
"""
