"""What a hand does to the sensors, from recordings, made up, or steered by a person.

May import: firmware.upkeep.recording, firmware.input.controls, firmware.display.screens,
drivers.time.
Begin with ``hw_sim.hand.signals.hand``.
"""
