"""Readers of what tables publish at a broker: spectators of a table.

They trust nobody: the rules replay every entry, and its signature is checked.

May import: device.feed, link.broker, story, table, display.text; game.
Begin with ``reading``.
"""
