"""One match, everything done to it, and the session that replays it to the byte.

May import: table, air, players, hand, panel, clock; firmware, drivers.light_sensor, game.
Begin with ``session`` and ``world``.
"""
