"""Frames to and from other devices, by Bluetooth and infrared. Knows headers, never bodies.

May import: protocol, and the drivers' clock.
Begin with ``firmware.link.bluetooth.link``.
"""
