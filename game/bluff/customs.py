"""What the text of each bluff game fixes and no option changes: one engine, three sets of data."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from game.actions import Flourish


class Equal(StrEnum):
    """Which announcements may be repeated by a player who has rolled (B-3)."""

    NONE = "none"
    MAEXCHEN = "maexchen"
    """A Mäxchen over a Mäxchen (R-PHYS-2)."""
    ANY = "any"
    """Every one (R-HF-2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Customs:
    """The fixed part of a bluff game's rules. Costs are in what the game counts.

    ``equal`` may be announced over its equal after rolling. ``opener_rolls_once`` leaves him who
    has nothing to beat a single roll (R-PHYS-1). ``meiern`` allows showing a Mäxchen, giving in to
    one, which can then not be believed, and owning up (R-CLASS-6, R-CLASS-7, R-CLASS-10).

    A penalty costs 1, and ``maexchen_cost`` if the doubted announcement was a Mäxchen;
    ``lifted_maexchen_costs_too`` charges the same if only the lifted dice are one (R-PHYS-4).

    ``fault_cost`` is the price of moved dice and forbidden looks, 0 where the game names no faults
    (B-9). A drop costs ``drop_cost``, or ``drop_cost_on_maexchen`` while a Mäxchen stands
    announced. ``open_mistakes`` makes inadmissible announcements and the wrong direction possible,
    as faults (R-HF-5), and lets announcements be spoken in words (R-HF-9).

    ``flourishes`` may be added to an announcement. ``reverses`` lets a Mäxchen that was lifted turn
    the direction of play (R-HF-7).
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


CUSTOMS: Mapping[str, Customs] = MappingProxyType(
    {
        "class": Customs(meiern=True),
        "physicist": Customs(
            equal=Equal.MAEXCHEN,
            opener_rolls_once=True,
            maexchen_cost=2,
            lifted_maexchen_costs_too=True,
            fault_cost=1,
            drop_cost=2,
            drop_cost_on_maexchen=2,
            flourishes=(Flourish.AIR, Flourish.MUCH_AIR),
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
        ),
    }
)
"""The bluff games by name."""
