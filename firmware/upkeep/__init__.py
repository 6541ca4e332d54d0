"""Find faults, measure what is peculiar to a handheld, write recordings of its sensors.

May import: runtime, link, effects, input, display, drivers, game.
Begin with ``firmware.upkeep.doctor.examine``.
"""
