"""The house: what rooms say of themselves, their grain, their floors, and families as plug-ins."""

import ast
import re
import statistics
from functools import cache
from pathlib import Path

import grimp
import pytest

from conftest import SLOW
from game import RULES
from game.rules import FAMILIES
from tests.labs.mutants.areas import AREAS, paths_of
from tests.project import architecture, grain, words
from tests.project.grain import code_lines, import_lines, lines_by_room
from tests.project.words import LIMITS


def test_the_table_of_rooms_is_what_they_say_of_themselves():
    assert grain.TABLE.read_text("utf-8") == grain.table(), "python -m tests.project.grain --rooms"


def test_every_room_says_in_one_line_what_it_is():
    assert [room for room, line in grain.first_lines().items() if not line.endswith(".")] == []


@pytest.fixture(scope="module")
def graph():
    return grimp.build_graph(*architecture.PACKAGES, cache_dir=None)


def test_a_room_imports_only_what_it_says_it_may(graph):
    about = {room.replace("/", "."): " ".join(text.split()) for room, text in grain.rooms().items()}
    wrong = set()
    for module in graph.modules:
        room = module if module in about else module.rpartition(".")[0]
        said = re.search(r"May import: (.*?)\.(?= |$)", about[room])[1]
        may = [f".{name}." for name in (room, *re.findall(r"[\w.]+\w", said))]
        found = graph.find_modules_directly_imported_by(module)
        wrong |= {(room, one) for one in found if not any(name in f".{one}." for name in may)}
    assert wrong == set()


@pytest.fixture(scope="module")
def texts():
    return grain.modules()


@pytest.fixture(scope="module")
def lines(texts):
    return grain.sizes(texts)


@pytest.mark.whole
def test_code_is_counted_without_blanks_comments_and_docstrings():
    text = '"""A room."""\n\nimport os  # a comment\n# another\n\n\nX = (\n    1,\n)\n"""Of X."""\n'
    assert code_lines(text) == {3, 7, 8, 9}
    assert import_lines(text) == 1


@pytest.mark.whole
def test_no_room_grows_and_a_limit_follows_a_room_that_shrinks(lines):
    found, known = lines_by_room(lines), grain.limits()
    assert sorted(known) == sorted(found), "python -m tests.project.grain --write"
    grown = {room: count - known[room] for room, count in found.items() if count > known[room]}
    assert grown == {}, f"what can go there? See {grain.LIMITS.name}"
    spare = {room: max(grain.SPARE_LINES, grain.SPARE_SHARE * most) for room, most in known.items()}
    loose = [room for room, most in known.items() if most - found[room] > spare[room]]
    assert loose == [], "python -m tests.project.grain --write"


@pytest.mark.whole
def test_a_module_is_what_changes_together_and_no_thinner(texts, lines):
    shipped = {name: text for name, text in texts.items() if not name.startswith(grain.TESTS)}
    counts = [lines[name] for name in shipped]
    assert statistics.median(counts) >= LIMITS["code_lines_of_the_median_module"]
    imports = sum(map(import_lines, shipped.values()))
    assert imports <= LIMITS["share_of_imports"] * sum(counts)


def test_every_area_of_mutants_has_its_sources_and_each_test_by_its_name():
    named = {name for area in AREAS.values() for names, _ in area.stages for name in names}
    found = {name: len(paths_of((name,))) for name in named}
    wrong = {name: many for name, many in found.items() if many != 1 and "*" not in name}
    assert wrong == {}, "tests/labs/mutants/areas.py names tests that moved, or two of a name"
    mutated = [words.ROOT / name for area in AREAS.values() for name in area.sources]
    assert [str(path) for path in mutated if not path.exists()] == []


FORBIDDEN = re.compile(r"wait_for_function\(")


def test_every_slow_test_that_the_short_run_leaves_out_has_its_name():
    for path, name in (each.split("::") for each in SLOW):
        assert f"def {name}" in (words.ROOT / path).read_text("utf-8"), f"{name} is not in {path}"


def test_the_picture_of_the_rooms_is_up_to_date():
    drawn = architecture.WHERE.read_text(encoding="utf-8")
    assert drawn == architecture.draw(), "run make drawing"


def test_no_test_lets_a_page_evaluate_strings():
    """Their policy forbids it, so Playwright's wait works only where it need not wait."""
    files = Path(__file__).parents[1].rglob("*.py")
    assert not [each for each in files if FORBIDDEN.search(each.read_text("utf-8"))]


def test_no_chain_of_imports_grows(graph):
    @cache
    def chain(module):
        below = map(chain, graph.find_modules_directly_imported_by(module))
        return (module, *max(below, key=len, default=()))

    longest = max(map(chain, graph.modules), key=len)
    assert len(longest) <= LIMITS["modules_in_a_chain_of_imports"], "\n".join(longest)


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
    for path in grain.sources():
        place = path.relative_to(words.ROOT)
        package, room = place.parts[:2]
        if package in ("firmware", "hw_sim", "research") or (
            package == "game" and room not in FAMILIES
        ):
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
