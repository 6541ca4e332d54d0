"""What a hand does to the sensors, from recordings, made up, or steered by a person.

May import: panel, clock, firmware.
Begin with ``hw_sim.hand.signals.hand``.
"""
