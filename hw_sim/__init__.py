"""The simulator: electronics, air, hands, players and tables, all in virtual time.

Begin with ``hw_sim.table.table`` is a whole table; ``hw_sim.cli`` starts it.
"""
