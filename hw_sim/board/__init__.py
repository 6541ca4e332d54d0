"""The electronics of one handheld: a bus with true bit times, pins in three dialects, the netlist.

May import: parts, drivers.time.
Begin with ``board``.
"""
