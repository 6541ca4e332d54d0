"""Frames over Bluetooth LE: one L2CAP channel to each device, and advertisements for the lobby.

May import: framing, nearby, table.protocol.
Begin with ``link``.
"""
