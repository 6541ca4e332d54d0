"""The trainer: decisions to make, their solutions, and what somebody still gets wrong.

May import: story, and what story may import.
Begin with ``spots``, then ``drill``.
"""
