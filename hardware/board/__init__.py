"""Boards: one netlist with the supply, and the drawing of the wiring.

May import: hw_sim.board.netlist, hardware.parts. Begin with ``nets``, then ``wiring_svg``.
"""
