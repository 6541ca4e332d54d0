"""A hand's effect on the sensors: recorded, made up, or steered by a person.

May import: firmware.upkeep.recording, firmware.input.controls, firmware.display.screens,
drivers.
Begin with ``hw_sim.hand.signals.hand``.
"""
