"""What the display can say and how it is drawn.

May import: game.
Begin with ``firmware.display.screens``.
"""
