"""Which screen shows what the player of this seat may know.

May import: table, effects, input, display, game.
Begin with ``view``.
"""
