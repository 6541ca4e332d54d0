"""A person's hand by keys, by a dragged picture, by a phone.

May import: signals, recordings, firmware.
Begin with ``keyed_hand``.
"""
