"""The electronics of one handheld: its parts on a bus, its pins, the netlist.

May import: steckbrett, drivers.time.
Begin with ``board``.
"""
