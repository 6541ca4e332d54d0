"""Pages, sockets, and what each client may see and do.

May import: world, table, players, board, air, panel, firmware.
Begin with ``server``.
"""
