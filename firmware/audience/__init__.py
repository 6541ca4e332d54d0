"""Who only reads what tables tell at a broker: spectators, and a league.

Nobody there is believed: every entry is replayed by the rules, and checked.

May import: device.feed, link.broker, story, table, display.text; game.
Begin with ``reading``.
"""
