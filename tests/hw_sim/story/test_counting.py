"""The statistics in words."""

from game import RULES
from game.actions import Announce, Believe, Doubt, Lift, Look, Roll
from game.record import Record
from hw_sim.story.evening_report import counts

PLAYED = (Roll((3, 1)), Look(), Announce(62), Believe(), Roll((3, 2)), Announce(63), Doubt())
RECORD = Record(RULES["class"], ("Ana", "Ben", "Cem"), 0, (*PLAYED, Lift()))


def test_everybody_has_a_line_of_what_he_did():
    assert counts(RECORD, "en") == [
        "Ana: 1 throw, 1 look",
        "Ben: 1 throw, 1 lie caught",
        "Cem: 1 right doubt",
    ]
    assert counts(RECORD, "de")[1] == "Ben: 1 Wurf, 1 Lüge ertappt"
