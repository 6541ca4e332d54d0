"""Seats that only pass the cup on: over bad air, with power cuts, many times.

May import: air; firmware.journal, link, effects.places, table.handover, table.protocol;
drivers.time.
Begin with ``porter``.
"""
