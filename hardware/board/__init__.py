"""Boards: one netlist with the supply, its drawing, plans with their proof, and a printed board.

May import: hw_sim.board.board, hardware.parts. Begin with ``nets``, then ``plan`` and ``copper``.
"""
