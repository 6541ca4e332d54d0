"""Matches that somebody takes part in: a world in real time, its pages, the terminal.

May import: table, players, hand, panel, board, air, clock; firmware.cli, firmware.display,
firmware.table; game.
Begin with ``hw_sim.live.world.world``.
"""
