"""Seats that only pass the cup on: over bad air, with power cuts, many times.

May import: air, clock, firmware.
Begin with ``porter``.
"""
