"""Parts of the system on trial: gestures, diagnosis, the cup's way.

May import: board, air, hand, panel, clock, firmware, drivers, game.
Begin with ``hw_sim.trials.gestures.recorded``.
"""
