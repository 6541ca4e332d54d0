"""The mutated areas, and the tests that should notice."""

from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[3]
TREE = ("game", "drivers", "firmware", "hw_sim", "steckbrett", "research", "tests", "conftest.py")


class Area(NamedTuple):
    """The files that are mutated together, and the tests that should notice.

    Args:
        share: how many mutants the sample has of it.
        sources: files and folders.
        near: the tests that are asked first, by their names: see `paths_of`.
        wide: the tests that are asked if nobody of them notices.
        skipped: what is left out of both for its time, as pytest's ``-k`` has it.
        short: the tests that are asked last, without those that ``--short`` leaves out.
    """

    share: int
    sources: tuple[str, ...]
    near: tuple[str, ...]
    wide: tuple[str, ...]
    skipped: str = ""
    short: tuple[str, ...] = ()

    @property
    def stages(self) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
        """The stages of an area, in their order: names of tests, and pytest's options."""
        skipped = ("-k", f"not ({self.skipped})") if self.skipped else ()
        return (self.near, skipped), (self.wide, skipped), (self.short, ("--short",))


def paths_of(names: tuple[str, ...], tree: Path = ROOT) -> list[str]:
    """The paths of tests in a tree by their names, in this order."""
    folders = (tree / "tests", tree / "research/tests")
    found = [path for name in names for folder in folders for path in sorted(folder.rglob(name))]
    return [str(path.relative_to(tree)) for path in dict.fromkeys(found)]


def area(
    share: int, sources: str, near: str, wide: str, skipped: str = "", short: str = ""
) -> Area:
    split = (tuple(names.split()) for names in (sources, near, wide))
    return Area(share, *split, skipped, tuple(short.split()))


AREAS = {
    "game": area(
        70,
        "game",
        "game/test_setup.py game/test_bluff_rules.py game/test_physicist.py "
        "game/test_holy_family.py game/test_maxen.py game/test_chicago.py game/test_sevens.py "
        "game/test_record.py game/test_sentences.py",
        "game/test_conformance.py game/test_oracles.py game/test_house_referee.py",
        short="game/test_house_rules.py game/test_odd_values.py "
        "test_vector.py game/strategy/test_*.py game/coach/test_*.py",
    ),
    "handover": area(
        40,
        "firmware/table/handover.py",
        "test_handover.py test_protocol_document.py",
        "test_seat.py test_insiders.py test_liars.py test_seat_chaos.py",
    ),
    "sealing": area(
        20,
        "firmware/table/protocol/__init__.py firmware/table/protocol/sealing.py",
        "test_sealing.py",
        "test_messages.py test_protocol_document.py test_seat.py test_insiders.py test_secrets.py",
    ),
    "commitment": area(
        35,
        "firmware/table/commitment",
        "test_commitment.py",
        "test_liars.py test_throwing.py test_insiders.py test_seat.py "
        "test_memory_lost.py test_secrets.py test_seat_chaos.py",
        "test_every_game_goes_on and maxen",
    ),
    "log": area(
        35,
        "firmware/table/log",
        "test_log.py test_entries.py",
        "test_seat.py test_insiders.py test_liars.py test_memory_lost.py "
        "test_epochs.py test_seat_chaos.py",
        "test_every_game_goes_on and maxen",
    ),
    "seat": area(
        45,
        "firmware/table/seat",
        "test_seat.py test_votes.py",
        "test_insiders.py test_liars.py test_throwing.py test_handheld.py test_start.py "
        "test_memory_lost.py test_epochs.py test_seat_chaos.py test_votes_model.py",
        "test_every_game_goes_on and maxen or known_to_be_wrong or 50000",
    ),
    "recognizer": area(
        25,
        "firmware/input/gestures",
        "test_shake.py test_light.py test_recognizer.py",
        "test_throwing.py test_handheld.py recording/test_record.py",
        "test_any_match_of_any_game_can_be_played",
    ),
    "drivers": area(30, "drivers", "drivers/test_*.py test_wiring.py", ""),
}
