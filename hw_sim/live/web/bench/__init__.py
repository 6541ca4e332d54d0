"""The bench page: sensors, bus traffic decoded, faults, films.

May import: live.web.protocol, world, board, air, panel; firmware.table.protocol.
Begin with ``bench``.
"""
