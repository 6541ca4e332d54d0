"""One match, everything done to it, and the recording that replays it to the byte.

May import: table, players, hand, panel, clock, firmware, game.
Begin with ``commands`` and ``world``.
"""
