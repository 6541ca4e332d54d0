"""A match told in German and English.

May import: firmware.display, game.
Begin with ``telling``.
"""
