"""Everything the handheld says, in both languages. Words only: no layout, no logic.

May import: game.
Begin with ``labels``, then ``alerts`` for what takes the whole panel.
"""
