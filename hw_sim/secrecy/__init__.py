"""The watcher at every panel: no dice at any instant when there may be none.

May import: parts, hand.signals, panel; firmware.display.screens, input.gestures, table.log,
table.seat; drivers.light_sensor, game.
Begin with ``dice_watch``.
"""
