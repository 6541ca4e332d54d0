"""Real handhelds that hand the cup on and on: over bad air, with power cuts, many times.

May import: table, air, board; firmware.device, effects, journal, play, table; game.
Begin with ``relay_table``.
"""
