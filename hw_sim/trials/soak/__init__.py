"""Real handhelds that hand the cup on and on: over bad air, with power cuts, many times.

May import: table, air; firmware.device, effects, input.controls, journal, play, table.handover,
table.protocol; game.
Begin with ``rough_table``.
"""
