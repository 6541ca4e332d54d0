"""Panels in Braille, one of them in your hands.

May import: table, hand, panel, clock, firmware, game.
Begin with ``live``.
"""
