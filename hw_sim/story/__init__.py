"""A match told in German and English.

May import: firmware.display.text, game.
Begin with ``telling``.
"""
