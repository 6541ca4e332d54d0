"""Look at every part, wire and permission; say what is wrong and how to mend it.

May import: runtime, link, effects, input, display, drivers, game.
Begin with ``examine``.
"""
