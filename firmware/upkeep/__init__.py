"""Find faults, measure what is peculiar to a handheld, make recordings of its sensors.

May import: runtime, link, effects, input, display, drivers.
Begin with ``firmware.upkeep.doctor.examine``.
"""
