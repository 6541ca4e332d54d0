"""A table that runs in the browser, beside its pages: no server, no network.

May import: live.web without its servers, live.world, table, air, players, story, clock; firmware,
drivers, game.
Begin with ``page_table``.
"""
