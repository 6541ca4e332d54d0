"""The trainer: decisions to make, their solutions, and what somebody still gets wrong.

May import: story, players, firmware, game.
Begin with ``spots``, then ``drill``.
"""
