"""Boards: the netlist, and plans of breadboards with their proof.

May import: hw_sim.board.board, hardware.parts. Begin with ``nets``, then ``plan``.
"""
