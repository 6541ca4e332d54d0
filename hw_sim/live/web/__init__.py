"""Pages, sockets, and what each client may see and do.

May import: world, table, hand.control, board, air, panel; firmware.cli, firmware.display.text,
firmware.table.protocol; game.
Begin with ``server``; then ``socket`` is what comes in, ``frames`` what goes out.
"""
