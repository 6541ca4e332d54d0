"""The contract between what decides and what does: effects, reports, sounds.

May import: display, input, journal, drivers.piezo.
Begin with ``effects``.
"""
