"""The handheld: from samples to gestures, from gestures to play, from play to frames and pixels.

May import: drivers, game.
Begin with ``firmware.play``, a match in one's hands; ``firmware.runtime`` runs it, ``firmware.cli``
starts it.
"""
