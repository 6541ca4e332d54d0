"""One TOML file: seats, fitted parts, links and broker.

May import: table.protocol, table.pairing, effects.sounds, display.text, game, drivers.light_sensor.
Begin with ``settings``, whose docstring has an example.
"""
