"""A match judged, counted and drawn, and its hints put in words.

May import: firmware.display.text, firmware.story; game.
Begin with ``judging``.
"""
