"""A match told in German and English, event by event.

May import: display.text; game.
Begin with ``telling``.
"""
