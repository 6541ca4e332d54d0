"""One seat's share of the table: its log, its cup, its dice, its votes, its wishes.

No screens, no words. May import: handover, commitment, log, protocol, effects, journal, game.
Begin with ``turn``, the plain path of a turn, then ``seat``: what others and time bring about.
"""
