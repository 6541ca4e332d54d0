"""How strong each bot is: what can be gained against it, and what it gains against others.

May import: players, and of firmware the bots; game.
Begin with ``measure``.
"""
