"""The clauses about a match, by the event that they describe; the language files have the words.

``{name}`` is the player it is about, several names joined by `Clause.AND`; ``{to}`` is the other
player. Dice and values stand as digits. The clause of an event that names nothing but its seat has
the name of its class, such as ``Event.Looked``.
"""

from enum import Enum

Clause = Enum(
    "Clause",
    """
    THROWS THROWS_AGAIN TOWER SAYS SAYS_WRONG_WAY WRONG_WAY WRONG_WAY_TAKEN LIFTS LIED TRUE
    SHOWS_TOWER CLOCKWISE COUNTER PAYS TIED KEEPS DECIDED ROUND_LOST PHASE_TWO HALF_LOST HALF_BEGINS
    DECIDING VOID BEGINS LEADS LOSES LOSE NOBODY AND DETAIL
    """,
)
"""One clause."""

Counted = Enum("Counted", "DRINKS SCORES TURNS TAKES HANDS RETURNS")
"""A clause that counts something: one of it, and ``{count}`` of it."""
