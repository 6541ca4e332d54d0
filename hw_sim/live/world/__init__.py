"""One match, everything done to it, and the session that replays it to the byte.

May import: table, players, hand, panel, clock; firmware.cli, firmware.display.screens,
firmware.table.protocol; game.
Begin with ``session`` and ``world``.
"""
