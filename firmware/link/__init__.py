"""Frames to and from other devices, by Bluetooth and infrared. Knows headers, never bodies.

May import: protocol.
Begin with ``firmware.link.bluetooth.link``.
"""
