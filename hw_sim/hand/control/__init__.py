"""A person's hand by keys, by a dragged picture, by a phone.

May import: signals, recordings, clock, firmware.display, firmware.input.
Begin with ``keyed_hand``.
"""
