"""Pages of a table: connections, seats, messages, and what each page may see and do.

May import: world, table, players, hand.control, board, air, panel, story; firmware.cli,
firmware.display.text, firmware.table.protocol; game.
Begin with ``pages_table``, which handles the messages of pages, and ``answers`` with their routes.
``open_seats`` and ``party_seats`` say who plays, ``broadcaster`` and ``director`` what is shown.
All messages are in ``incoming`` and ``outgoing``.
"""
