"""How somebody without hands plays: from what a player sees, and a personality. Pure, seeded.

May import: input, game.
Begin with ``bot``.
"""
