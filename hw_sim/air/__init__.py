"""The media between handhelds: Bluetooth and infrared, with losses and noise, and brokers.

May import: clock, firmware.link, firmware.cli.console, table.protocol.retry, drivers.time.
Begin with ``bluetooth``.
"""
