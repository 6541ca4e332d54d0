"""Seals, signatures and key agreement of the table, each by a library that others keep.

May import: nothing of ours.
Begin with ``primitives``.
"""
