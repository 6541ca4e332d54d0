"""A match told in words, event by event.

May import: display.text; game.
Begin with ``telling``.
"""
