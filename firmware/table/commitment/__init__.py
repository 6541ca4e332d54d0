"""Dice nobody can choose: commit, contribute, reveal, verify; and the ledger that folds the log.

May import: protocol, game.
Begin with ``fair_dice``, then ``ledger``.
"""
