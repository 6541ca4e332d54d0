"""One seat of the distributed table, and the bytes between the seats.

May import: effects, journal, game.
Begin with ``firmware.table.protocol`` and its PROTOCOL.md.
"""
