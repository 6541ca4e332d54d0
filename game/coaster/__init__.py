"""Three dice and coasters: maxen and chicago.

May import: actions, dice, events, family, open_dice, options, reasons, status.
Begin with ``rules``.
"""
