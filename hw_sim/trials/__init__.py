"""Parts of the system on trial: gestures, diagnosis, the cup's way.

May import: table, board, air, hand, clock, firmware, drivers.
Begin with ``hw_sim.trials.gestures.recorded``.
"""
