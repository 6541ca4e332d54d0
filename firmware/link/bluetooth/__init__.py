"""Frames over Bluetooth LE: one L2CAP channel to each device, and advertisements for the lobby.

May import: link, table.protocol, effects, display.text (what to do about the adapter).
Begin with ``link``.
"""
