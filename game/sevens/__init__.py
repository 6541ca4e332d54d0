"""Six or seven dice, pairs that make seven go away.

May import: actions, dice, events, open_dice, options, reasons, status.
Begin with ``rules``.
"""
