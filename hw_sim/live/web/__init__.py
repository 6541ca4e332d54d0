"""Pages, sockets, and what each client may see and do.

May import: world, table, players, hand.control, board, air, panel, story; firmware.cli,
firmware.display.text, firmware.table.protocol; game.
Begin with ``server``; then ``hall`` and ``party`` admit pages, ``socket`` handles their messages,
``frames`` sends news, ``protocol`` and ``news`` are the messages.
"""
