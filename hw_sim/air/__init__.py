"""What lies between handhelds: Bluetooth and infrared, with losses and noise, and brokers.

May import: firmware.link.infrared, firmware.link.bluetooth.hci, drivers.time.
Begin with ``bluetooth``.
"""
