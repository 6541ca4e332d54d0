"""A match judged, counted and drawn in German and English.

May import: firmware.display.text, firmware.story; game.
Begin with ``judging``.
"""
