"""The command line of the simulator.

May import: everything.
Begin with ``main``.
"""

PROGRAM = "maexchen-sim"
