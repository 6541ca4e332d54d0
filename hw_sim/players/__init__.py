"""People who look at their own panel and move their own hand, and the kinds of bots.

May import: hand; firmware.bots, device, display, input.controls, lobby, play, table.seat; drivers,
game.
Begin with ``player``.
"""
