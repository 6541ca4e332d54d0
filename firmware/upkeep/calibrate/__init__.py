"""Measure what is peculiar to a handheld and its player.

May import: runtime, input, display, drivers.
Begin with ``calibrate``, then ``guide``.
"""
