"""From a handheld that knows nobody to a table, and from one match to the next. Pure.

May import: settings, table, effects, input, display, game.
Begin with ``lobby``.
"""
