"""A test bench for programs of a Raspberry Pi: virtual time, an I2C bus, pins, strict parts.

May import: nothing of ours; its modules import each other relatively.
Begin with ``board.bus``.
"""
