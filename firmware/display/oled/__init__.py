"""Screens as 128×64 pixels; what does not fit raises, nothing is clipped.

May import: screens, text, game.
Begin with ``draw``.
"""
