"""Screens as 128×64 pixels; nothing is clipped without a complaint.

May import: screens, text, game.
Begin with ``draw``.
"""
