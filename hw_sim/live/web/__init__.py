"""Pages, sockets, and what each client may see and do.

May import: world, table, hand, board, air, panel, firmware, game.
Begin with ``server``; then ``socket`` is what comes in, ``frames`` what goes out.
"""
