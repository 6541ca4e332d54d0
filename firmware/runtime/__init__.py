"""The only place where anything waits: sensors to a core, its effects to panel, disk and link.

May import: effects, input, display, journal, drivers, game.
Begin with ``runtime``.
"""
