"""Who sits where, which parts are fitted, how others are reached: one TOML file.

May import: table.protocol, effects.sounds, display.text, game, drivers.light_sensor.
Begin with ``toml``, whose docstring has an example.
"""
