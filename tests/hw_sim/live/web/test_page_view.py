"""A page is sent what differs between two views of it, and nothing else."""

from hw_sim.live.web.client import DisplayView, PageView, changes
from hw_sim.live.web.outgoing import (
    DisplayText,
    EyesUp,
    HandheldLook,
    LobbyState,
    StoryLines,
    TableState,
)
from hw_sim.live.web.seating import MatchPlan
from hw_sim.panel.prompts import prompt_of

LOBBY = LobbyState(False, None, [], MatchPlan(), [], False, "", [], None)
NOTHING_ASKED = prompt_of(None, "en")
VIEW = PageView(
    {"over": False, "here": [0]},
    {0: {"lid": 0.0, "doing": ""}, 1: {"lid": 0.0, "doing": ""}},
    {0: DisplayView(b"\x00dark", "", NOTHING_ASKED)},
    ("Ana throws.",),
)


def test_each_part_that_changes_is_sent_alone():
    assert [*changes(VIEW, VIEW)] == []
    for part, message in (
        ({"table": {"over": True, "here": [0]}}, TableState(over=True, seats={})),
        (
            {"looks": {**VIEW.looks, 1: {"lid": 0.5, "doing": ""}}},
            TableState(seats={"1": HandheldLook(lid=0.5)}),
        ),
        ({"displays": {0: DisplayView(b"\x09lit!", "", NOTHING_ASKED)}}, b"\x01\x00\x09lit!"),
        (
            {"displays": {0: DisplayView(b"\x00dark", "Roll", NOTHING_ASKED)}},
            DisplayText(0, "Roll"),
        ),
        ({"lines": ("Ana throws.", "Ben doubts.")}, StoryLines(["Ben doubts."])),
        ({"looks_up": True}, EyesUp(True)),
        ({"lobby": LOBBY}, LOBBY),
    ):
        assert [*changes(VIEW, VIEW._replace(**part))] == [message]
