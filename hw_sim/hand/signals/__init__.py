"""Motion, light and touch as pure functions of time, and a hand that plans them.

May import: recordings, firmware.upkeep.recording.
Begin with ``hand``.
"""
