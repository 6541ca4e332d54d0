"""Look at every part, wire and permission; say what is wrong and how to mend it.

May import: runtime, link, effects, display, input, drivers.
Begin with ``examine``.
"""
