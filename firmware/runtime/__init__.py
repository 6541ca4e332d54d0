"""The only place where anything waits: sensors to a core, its effects to panel, disk and link.

May import: effects, display, input, journal, drivers, game.options.
Begin with ``runtime``.
"""
