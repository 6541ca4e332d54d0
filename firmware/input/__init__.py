"""Gestures of a hand: samples become gestures, gestures move a dial.

May import: display, game.
Begin with ``firmware.input.gestures.recognizer``.
"""
