"""The simulator: electronics, air, hands, players and tables, all in virtual time.

May import: firmware, drivers, game.
Begin with ``hw_sim.table.table``, a whole table; ``hw_sim.cli`` starts it.
"""
