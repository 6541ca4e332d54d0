"""From samples with their own times to what a person did. Pure.

Units: counts of 1/256 g, counts of 0.1344 lx, µs. May import: nothing of ours.
Begin with ``recognizer``.
"""
