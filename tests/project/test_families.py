"""A family of games is a plug-in: nothing outside its own folder knows it by type or by name."""

import ast

from game import RULES
from game.rules import FAMILIES
from tests.project import words

_TYPES = {kind.__name__ for family in FAMILIES.values() for kind in (family.match, family.position)}
_TYPES |= {type(rules).__name__ for rules in RULES.values()} | {"OpenMatch", "OpenRules"}


def faults(tree):
    """Return the lines that ask for the type of a match or rules, or for the name of a game."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(ast.Name("isinstance" | "type"), args):
                names = {
                    each.id for arg in args for each in ast.walk(arg) if isinstance(each, ast.Name)
                }
            case ast.Compare(left, _, others):
                names = {
                    each.value
                    for side in (left, *others)
                    for each in ast.walk(side)
                    if isinstance(each, ast.Constant)
                }
            case ast.MatchClass(ast.Name(name)):
                names = {name}
            case ast.MatchValue(ast.Constant(name)):
                names = {name}
            case _:
                continue
        if names & (_TYPES | {*RULES}):
            yield node.lineno if hasattr(node, "lineno") else 0


def test_families_and_games_are_known_in_their_own_folders_alone():
    found = []
    for package in ("game", "firmware", "hw_sim"):
        for path in sorted((words.ROOT / package).rglob("*.py")):
            place = path.relative_to(words.ROOT)
            if place.parts[0] != "game" or place.parts[1] not in FAMILIES:
                tree = ast.parse(path.read_text(encoding="utf-8"))
                found += [f"{place}:{line}" for line in faults(tree)]
    assert found == []


def test_such_lines_are_found():
    lines = (
        "isinstance(match, CoasterMatch | SevensMatch)",
        "rules.game == 'maxen'",
        "x = 1 if game in ('class', 'pig') else 2",
        "match rules:\n    case BluffRules(): pass",
        "match game:\n    case 'chicago': pass",
    )
    assert all(list(faults(ast.parse(line))) for line in lines)
