"""The games for those who train players: as an OpenSpiel game, for PettingZoo and Gymnasium.

They need the extra ``rl``. Legal actions, chance and secrecy come from the rules core.

May import: hw_sim.players, firmware.bots, game.
Begin with ``episode``, which needs no extra.
"""
