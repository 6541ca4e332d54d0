"""How strangers become a table: gather, close, reveal, compare, and stand.

May import: protocol, game.
Begin with ``pairing``.
"""
