"""Who sits where, which parts are fitted, how others are reached: one TOML file.

May import: table, effects, display, game, drivers.
Begin with ``toml``, whose docstring has an example.
"""
