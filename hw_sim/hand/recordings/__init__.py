"""Recorded motion, light and touches as signals.

May import: firmware.upkeep.recording.
Begin with ``recordings``; the format is in ``firmware.upkeep.recording.recorder``.
"""
