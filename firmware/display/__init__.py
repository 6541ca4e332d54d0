"""Screens as values, their texts, and how they are drawn on the panel.

May import: game.
Begin with ``firmware.display.screens``.
"""
