"""A page is sent what differs between two views of it, and nothing else."""

from hw_sim.live.web.outgoing import DisplayText, HandheldLook, SeatPrompt, StoryLines, TableState
from hw_sim.live.web.page_view import NO_VIEW, DisplayView, PageView, changes
from hw_sim.panel.asked import asked

PROMPT = asked(None, "en")
VIEW = PageView(
    {"over": False, "here": [0]},
    {0: {"lid": 0.0, "doing": ""}, 1: {"lid": 0.0, "doing": ""}},
    {0: DisplayView(b"\x00dark", "", PROMPT)},
    ("Ana throws.",),
)


def test_a_page_that_has_nothing_is_sent_all_of_its_view_and_then_nothing():
    looks = {str(seat): HandheldLook(lid=0.0, doing="") for seat in (0, 1)}
    assert [*changes(NO_VIEW, VIEW)] == [
        b"\x01\x00\x00dark",
        DisplayText(0, ""),
        SeatPrompt(0, PROMPT),
        TableState(over=False, here=[0], seats=looks),
        StoryLines(["Ana throws."]),
    ]
    assert [*changes(VIEW, VIEW)] == []


def test_each_part_that_changes_is_sent_alone():
    for part, message in (
        ({"table": {"over": True, "here": [0]}}, TableState(over=True, seats={})),
        (
            {"looks": {**VIEW.looks, 1: {"lid": 0.5, "doing": ""}}},
            TableState(seats={"1": HandheldLook(lid=0.5)}),
        ),
        ({"displays": {0: DisplayView(b"\x09lit!", "", PROMPT)}}, b"\x01\x00\x09lit!"),
        ({"displays": {0: DisplayView(b"\x00dark", "Roll", PROMPT)}}, DisplayText(0, "Roll")),
        ({"lines": ("Ana throws.", "Ben doubts.")}, StoryLines(["Ben doubts."])),
    ):
        assert [*changes(VIEW, VIEW._replace(**part))] == [message]
