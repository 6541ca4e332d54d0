"""The rules that the text of a bluff game fixes: one engine, three sets of data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from game.actions import Flourish
from game.status import Unit


class Equal(StrEnum):
    """The announcements that a player who has rolled may repeat (B-3)."""

    NONE = "none"
    MAEXCHEN = "maexchen"
    """A Mäxchen over a Mäxchen (R-PHYS-2)."""
    ANY = "any"
    """Every announcement (R-HF-2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Customs:
    """The fixed part of a bluff game's rules. Costs are in the unit that the game counts.

    ``equal`` are the announcements that may be repeated after rolling. ``opener_rolls_once`` limits
    an opener to a single roll (R-PHYS-1). ``meiern`` allows a player to show a Mäxchen, to give in
    to one, and to own up; an announced Mäxchen can then not be believed (R-CLASS-6, R-CLASS-7,
    R-CLASS-10).

    A penalty costs 1, or ``maexchen_cost`` if the doubted announcement was a Mäxchen.
    ``lifted_maexchen_costs_too`` charges the same if only the lifted dice are one (R-PHYS-4).

    ``fault_cost`` is the price of moved dice and forbidden looks, 0 if the game names no faults
    (B-9). A drop costs ``drop_cost``, or ``drop_cost_on_maexchen`` while a Mäxchen stands
    announced. ``open_mistakes`` makes inadmissible announcements and the wrong direction possible,
    as faults (R-HF-5). It also allows announcements in words (R-HF-9).

    ``usual`` are the fields of the usual rules; where they have an option, that is its default.
    ``unit`` is what a penalty is counted in; None leaves that to the stakes (R-PHYS-4).

    ``flourishes`` may be added to an announcement. ``reverses``: a lifted Mäxchen turns the
    direction of play (R-HF-7).
    """

    equal: Equal = Equal.NONE
    opener_rolls_once: bool = False
    meiern: bool = False
    maexchen_cost: int = 1
    lifted_maexchen_costs_too: bool = False
    fault_cost: int = 0
    drop_cost: int = 0
    drop_cost_on_maexchen: int = 0
    open_mistakes: bool = False
    flourishes: tuple[Flourish, ...] = ()
    reverses: bool = False
    unit: Unit | None = None
    usual: Mapping[str, Any] = field(default_factory=dict)


CUSTOMS: Mapping[str, Customs] = MappingProxyType(
    {
        "class": Customs(
            meiern=True,
            usual={"fewest_players": 3, "most_players": 8, "credit": 3, "rolls": 2, "looks": 1},
        ),
        "physicist": Customs(
            equal=Equal.MAEXCHEN,
            opener_rolls_once=True,
            maexchen_cost=2,
            lifted_maexchen_costs_too=True,
            fault_cost=1,
            drop_cost=2,
            drop_cost_on_maexchen=2,
            flourishes=(Flourish.AIR, Flourish.MUCH_AIR),
            unit=Unit.GLASS,
            usual={
                "fewest_players": 2,
                "most_players": 8,
                "credit": 0,
                "rolls": 2,
                "looks": 1,
                "stakes": "drinks",
            },
        ),
        "holy-family": Customs(
            equal=Equal.ANY,
            maexchen_cost=2,
            fault_cost=1,
            drop_cost=1,
            drop_cost_on_maexchen=2,
            open_mistakes=True,
            flourishes=(Flourish.DRAWN_OUT,),
            reverses=True,
            usual={
                "fewest_players": 2,
                "most_players": 8,
                "credit": 0,
                "rolls": 3,
                "looks": 2,
                "stakes": "points",
                "points": 10,
                "losers": 1,
                "tower_one_in": 200,
            },
        ),
    }
)
"""The bluff games by name."""
