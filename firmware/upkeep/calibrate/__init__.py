"""Measure what is peculiar to a handheld and its player.

May import: runtime, input, display, drivers, game.spoken.
Begin with ``calibrate``, then ``guide``.
"""
