"""A table that runs in the browser, beside its pages: no server, no network.

May import: live.web without its servers, live.world, and what those import.
Begin with ``page_table``.
"""
