"""The contract between what decides and what does: effects, reports, sounds.

May import: input, display, journal, drivers.piezo.
Begin with ``core``.
"""
