"""The command line of the simulator.

May import: hw_sim, firmware, drivers, game.
Begin with ``commands.toml``, which declares the commands, then ``main``.

A new command has a section there, and a module with ``add_commands`` that ``main`` lists.
"""

PROGRAM = "maexchen-sim"
