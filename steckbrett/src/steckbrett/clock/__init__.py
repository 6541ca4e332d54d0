"""A clock that stands until somebody moves it, and calls at times.

May import: nothing of ours.
Begin with ``clock``.
"""
