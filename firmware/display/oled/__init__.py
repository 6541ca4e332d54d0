"""Screens as 128×64 pixels; what does not fit is cut, and told of.

May import: screens, text, game.
Begin with ``draw``.
"""
