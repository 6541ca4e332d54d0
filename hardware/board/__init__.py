"""Boards: one netlist, its plans for breadboard, strips and perfboard, and what proves them.

May import: hw_sim.board.netlist, hardware.parts. Begin with ``nets``, then ``plan``.
"""
