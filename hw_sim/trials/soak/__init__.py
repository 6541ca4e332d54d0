"""Seats that only pass the cup on: over bad air, with power cuts, many times.

May import: air; firmware.journal, link, table.handover, table.protocol; drivers.time.
Begin with ``porter``.
"""
