"""Decisions of a bot, from what its display shows and a personality. Pure, seeded.

May import: play.presenter, play.turn, table.seat.position, input.controls, game.
Begin with ``intent``.
"""
