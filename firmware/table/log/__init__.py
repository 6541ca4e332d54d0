"""The public log: entries as bytes, chained by digests, replicated to every seat.

May import: commitment, protocol, journal, game.
Begin with ``public_log``.
"""
