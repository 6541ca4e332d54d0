"""Six or seven dice, pairs that make seven go away.

May import: actions, events, reasons, dice, options.
Begin with ``rules``.
"""
