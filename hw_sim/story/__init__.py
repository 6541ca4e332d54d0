"""A match judged, counted and drawn.

May import: firmware.display.text, firmware.story; game.
Begin with ``judging``.
"""
