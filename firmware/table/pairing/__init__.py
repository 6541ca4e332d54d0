"""How strangers become a table: gather, close, reveal, compare, and stand.

May import: protocol, crypto, effects, game.
Begin with ``pairing``.
"""
