"""Panels in Braille, one of them in your hands.

May import: table, hand.control, panel, clock; firmware.cli, firmware.display; game.
Begin with ``live``.
"""
