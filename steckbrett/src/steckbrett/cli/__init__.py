"""The command ``steckbrett``: run a program on a board that the options describe.

May import: host, board, parts, clock.
Begin with ``main``.
"""
