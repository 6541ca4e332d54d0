"""Every text of the project, one file a language: no layout, no logic.

May import: game.
Begin with ``language``, then ``labels``: the texts of the panel.
"""
