"""The only place where anything waits or sleeps: sensors to a core, its effects to the parts.

May import: effects, display, input, journal, drivers, game.options.
Begin with ``runtime``.
"""
