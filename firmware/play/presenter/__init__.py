"""Which screen shows what the player of this seat may know.

May import: play.turn, table.seat, effects, input, display, game.
Begin with ``view``.
"""
