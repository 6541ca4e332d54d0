"""The page of a trouble that has stopped a seat."""

from firmware.display.screens import AlertPage
from firmware.display.text.alerts import Alert
from firmware.table.seat.trouble import Accused, Accusing, Charge, LogsDiffer, StoreFailed, Trouble
from game.names import clusters

MOST_LETTERS = 6
"""Most letters of each of two names in one line; longer ones end in a point."""

_CHARGES = {
    Charge.DICE: Alert.CAUGHT_DICE,
    Charge.PROOF: Alert.CAUGHT_PROOF,
    Charge.ROOT: Alert.CAUGHT_ROOT,
    Charge.ORDER: Alert.CAUGHT_ORDER,
    Charge.ANSWER: Alert.CAUGHT_ANSWER,
    Charge.CUP: Alert.CAUGHT_CUP,
    Charge.VOTE: Alert.CAUGHT_TWICE,
    Charge.STORIES: Alert.CAUGHT_TWICE,
}


def trouble_page(trouble: Trouble, names: tuple[str, ...]) -> AlertPage:
    """Return the page for a trouble; ``names`` of the players by seat."""
    match trouble:
        case StoreFailed():
            return AlertPage(Alert.STORE)
        case LogsDiffer():
            return AlertPage(Alert.RECORDS_DIFFER)
        case Accusing(seat, charge):
            return AlertPage(_CHARGES[charge], names[seat])
        case Accused(accuser, seat):
            return AlertPage(Alert.ACCUSED, f"{_short(names[accuser])}: {_short(names[seat])}")


def _short(name: str) -> str:
    letters = clusters(name)
    return name if len(letters) <= MOST_LETTERS else f"{''.join(letters[: MOST_LETTERS - 1])}."
