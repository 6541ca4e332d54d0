"""People who look at their own panel and move their own hand, and the bots of the browser table.

May import: hand, secrecy, panel, game; of firmware bots, device, play's view, input, display.
Begin with ``player``.
"""
