"""A board's past, to look at: waveforms, pictures of displays, a timeline.

May import: board, parts, clock.
Begin with ``recording``.
"""
