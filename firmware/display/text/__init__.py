"""Every text of the handheld in German and English. Words only: no layout, no logic.

May import: game.
Begin with ``labels``, then ``alerts`` for the texts that take the whole panel.
"""
