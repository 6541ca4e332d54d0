"""Recorded motion, light and touches as signals.

May import: firmware.upkeep.recording.
Begin with ``recordings``, whose docstring has the format.
"""
