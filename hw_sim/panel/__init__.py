"""A display's content, read from its memory alone.

May import: firmware.display, game.
Begin with ``picture``.
"""
