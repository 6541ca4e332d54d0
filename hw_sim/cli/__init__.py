"""The command line of the simulator.

May import: everything.
Begin with ``commands.toml``, which declares the commands, then ``main``.
"""

PROGRAM = "maexchen-sim"
