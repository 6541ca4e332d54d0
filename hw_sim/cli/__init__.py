"""The command line of the simulator.

May import: hw_sim, firmware, drivers, game.
Begin with ``commands.toml``, which declares the commands, then ``main``.
"""

PROGRAM = "maexchen-sim"
