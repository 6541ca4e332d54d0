"""The watcher at every panel: no dice at any instant when there may be none.

May import: parts, hand, panel, firmware, drivers, game.
Begin with ``dice_watch``.
"""
