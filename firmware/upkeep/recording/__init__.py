"""Sensor recordings: the cues, the recorder and the file format.

May import: runtime, input, display, drivers.
Begin with ``recorder``, then ``files``.
"""
