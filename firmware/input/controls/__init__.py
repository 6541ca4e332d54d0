"""What a hand moves: a dial by tilting, a pad by touching, a question with answers. Pure.

May import: gestures, screens, text, game.
Begin with ``dial``.
"""
