"""Tests of a program with pytest: the fixture ``bench``, the worlds of its parts, its pictures.

May import: host, board, parts, clock.
Begin with ``bench``.
"""
