"""How somebody without hands plays: from what a display says, and a personality. Pure, seeded.

May import: play.presenter.view, play.turn.draft, table.seat.position, input, game.
Begin with ``intent``.
"""
