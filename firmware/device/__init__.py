"""A handheld's activities from power on: lobby, match at a table, one handheld for all.

May import: play, lobby, settings, bots, table, effects, input, display, journal, game.
Begin with ``device``.
"""
