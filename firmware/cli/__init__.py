"""The command line of the handheld: arguments, exit codes, one clear line for every error.

May import: firmware, drivers, game.
Begin with ``main``, then ``run``.
"""
