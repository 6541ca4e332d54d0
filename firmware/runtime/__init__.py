"""The only place where anything waits: sensors to a core, its effects to panel, disk and link.

May import: effects, display, input, journal, drivers.
Begin with ``runtime``.
"""
