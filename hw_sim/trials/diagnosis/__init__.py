"""Trials of ``maexchen doctor`` and ``maexchen calibrate``: faults by name, and a pupil.

May import: board, air, hand.signals; firmware.link, firmware.runtime, firmware.upkeep; drivers.
Begin with ``patient``.
"""
