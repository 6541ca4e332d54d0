"""Find faults, measure what is peculiar to a handheld, make recordings of its sensors.

May import: runtime, link, effects, input, display, journal, drivers.
Begin with ``firmware.upkeep.doctor.examine``.
"""
