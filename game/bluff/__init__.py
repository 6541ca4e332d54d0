"""Mäxchen in its three variants: class, physicist, holy-family.

May import: actions, dice, events, family, options, reasons, status.
Begin with ``rules`` for what differs, ``legality`` for what is allowed.
"""
