"""How strong each bot is: what can be gained against it, and what it gains against others.

May import: hw_sim.players, .story, .training and .cli, firmware.bots and .cli, game.
Begin with ``measure``.
"""
