"""N simulated handhelds, one air, one room, and what became of the match.

May import: players, secrecy, hand, panel, board, air, clock, story, firmware, game.
Begin with ``table``.
"""
