"""N simulated handhelds, one air, one room, and what became of the match.

May import: players, secrecy, hand, panel, board, air, clock, story, firmware, game.
Begin with ``handheld``, which is one of them switched on, and ``table``.
"""
