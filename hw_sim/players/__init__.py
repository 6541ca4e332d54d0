"""People who look at their own panel and move their own hand, and the bots of the browser table.

May import: hand, secrecy, panel, firmware, game.
Begin with ``player``.
"""
