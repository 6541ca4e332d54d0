"""Motion, light and touch as pure functions of time, and a hand that plans them.

May import: recordings.
Begin with ``hand``.
"""
