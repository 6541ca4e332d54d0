"""Screens as 128×64 pixels; what does not fit is cut, and reported.

May import: screens, text, game. Begin with ``draw``.
"""
