"""What a display shows, from its memory alone.

May import: firmware.display, game.
Begin with ``picture``.
"""
