"""Controls of a hand: a dial by tilting, a pad by touching, a question with answers. Pure.

May import: input.gestures, display.screens, display.text, game.
Begin with ``dial``.
"""
