"""Six or seven dice, pairs that make seven go away.

May import: actions, dice, events, frozen, open_dice, options, reasons, status.
Begin with ``rules``.
"""
