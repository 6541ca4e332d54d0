"""Boards: the netlist, and plans of breadboards with their proof.

May import: hw_sim.board, hardware.parts. Begin with ``nets``, then ``plan``.
"""
