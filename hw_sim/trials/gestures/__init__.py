"""Recorded and made-up gestures through parts, drivers and recognizer, with intervals.

May import: board, hand, clock; firmware.input.gestures, runtime, upkeep.recording; drivers.
Begin with ``recorded``.
"""
