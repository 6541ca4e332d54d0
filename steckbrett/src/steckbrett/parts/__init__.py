"""Strict register models of the parts, transcribed from the data sheets a second time.

May import: nothing of ours.
Begin with ``adxl345``.
"""
