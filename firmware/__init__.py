"""What runs on the handheld: from samples to gestures, to what is played, to frames and pixels.

Begin with ``firmware.cli`` starts it, ``firmware.runtime`` runs it, ``firmware.play`` is a match in
one's hands.
"""
