"""The handheld: from samples to gestures, from gestures to play, from play to frames and pixels.

Begin with ``firmware.cli`` starts it, ``firmware.runtime`` runs it, ``firmware.play`` is a match in
one's hands.
"""
