"""Mäxchen in its three variants: class, physicist, holy-family.

May import: actions, events, reasons, dice, options.
Begin with ``customs`` for what differs, ``legality`` for what is allowed.
"""
