"""The computer that a program believes to run on: its time, threads, files and libraries.

May import: clock, board, parts.
Begin with ``baton``.
"""
