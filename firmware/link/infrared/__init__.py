"""Frames over infrared: carrier, pulses, coding, fragments, and who may send when.

May import: link.link, table.protocol, drivers.time. Begin with ``link``; ``medium_access`` has the
turns, ``modulation`` the pulses.
"""
