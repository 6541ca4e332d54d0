"""Three dice and coasters: maxen and chicago.

May import: actions, events, reasons, dice, options.
Begin with ``rules``.
"""
