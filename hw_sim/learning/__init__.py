"""The games for those who train players: as an OpenSpiel game, for PettingZoo and Gymnasium.

They need the extra ``rl``. What is legal, what chance does and who may know it is the core's.

May import: players, and of firmware the bots; game.
Begin with ``episode``, which needs no extra.
"""
