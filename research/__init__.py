"""Measures of players and bots, and the games for those who train players.

May import: hw_sim, firmware, game. It is a project of its own, and no part of the package that is
installed on a handheld. Begin with ``strength``.
"""
