"""Frames to and from other devices, by Bluetooth and infrared. Of bodies it reads TABLE's only.

May import: table.protocol, drivers.time.
Begin with ``firmware.link.bluetooth.link``.
"""
