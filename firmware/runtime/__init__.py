"""The only place where anything waits: sensors to a core, effects to parts, the panel's sleep.

May import: effects, display, input, journal, drivers, game.options.
Begin with ``runtime``. ``sleep`` says when the display dims and goes dark.
"""
