"""What lies between handhelds: Bluetooth and infrared, with losses and noise.

May import: clock, firmware.link, and the drivers' clock.
Begin with ``bluetooth``.
"""
