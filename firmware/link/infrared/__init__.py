"""Frames over infrared: carrier, pulses, coding, fragments, and who may send when.

May import: protocol.
Begin with ``link``.
"""
