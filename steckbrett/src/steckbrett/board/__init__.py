"""A bus with true bit times, and pins in three dialects of ``RPi.GPIO``.

May import: clock, parts.
Begin with ``bus``.
"""
