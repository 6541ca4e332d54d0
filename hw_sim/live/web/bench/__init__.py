"""The bench page: sensors, bus traffic decoded, faults, films.

May import: world, board, air, panel.
Begin with ``bench``.
"""
