"""Laboratories: programs that measure, attack, compare and draw. ``make`` names each of them.

The tests use some of their parts for a moment; a laboratory uses them at length.
"""
