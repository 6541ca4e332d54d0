"""``maexchen-sim games`` and ``rules``; extras that commands need; a terminal while one works."""

import io
import json
import re
import subprocess
import sys
import threading
import tomllib
from pathlib import Path
from random import Random

import pytest
from packaging.requirements import Requirement

from firmware.cli.console import EXTRAS
from firmware.cli.main import main as of_the_handheld
from firmware.display.text.labels import game_name
from firmware.display.text.language import LANGUAGES, say
from firmware.display.text.rulebook import option_key, rules_of, sentence_key
from game import OPTIONS, PRESETS, RULES, TABLES, rule_set
from game.record import Record, write
from hw_sim.cli.main import main
from hw_sim.cli.main import main as of_the_simulator
from hw_sim.cli.working import saying_so, setting_the_table
from hw_sim.story.games import WIDTH
from tests.support.rules_table import playout

IN_EACH = pytest.mark.parametrize("language", LANGUAGES)


def ran(capsys, *arguments):
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def in_one_line(text):
    return " ".join(text.split())


@IN_EACH
def test_games_lists_every_game_and_option_with_a_sentence(capsys, language):
    out = ran(capsys, "games", "--lang", language)
    assert max(map(len, out.splitlines())) <= WIDTH
    told = [in_one_line(paragraph) for paragraph in out.split("\n\n")]
    assert [paragraph.partition(":")[0] for paragraph in told] == list(TABLES)
    for preset, paragraph in zip(PRESETS, told[len(RULES) :], strict=True):
        assert PRESETS[preset].name.casefold() in paragraph.casefold()
        assert all(f"{option}=" in paragraph for option in PRESETS[preset].options)
    for game, paragraph in zip(RULES, told):
        assert say(game_name(game), language).casefold() in paragraph.casefold()
        assert in_one_line(say(sentence_key(game), language)) in paragraph
        for option in OPTIONS[game]:
            assert f" {option.name} (" in paragraph
            assert in_one_line(say(option_key(option.name), language)) in paragraph


def test_games_as_json(capsys):
    games = json.loads(ran(capsys, "games", "--json"))["games"]
    assert [game["game"] for game in games] == list(TABLES)
    wikipedia = {each["name"]: each for each in games[len(RULES)]["options"]}
    assert (wikipedia["credit"]["default"], wikipedia["opener"]["default"]) == (6, "next")
    assert wikipedia["opener"]["labels"] == ["the loser", "the winner", "next one"]
    chicago = next(game for game in games if game["game"] == "chicago")
    assert (chicago["fewest_players"], chicago["most_players"]) == (2, 5)
    assert chicago["options"][0]["choices"] == [False, True]
    sevens = next(game for game in games if game["game"] == "sevens")
    assert (sevens["options"][1]["least"], sevens["options"][1]["greatest"]) == (1, 99)


def test_rules_tells_for_how_many_the_coach_knows_the_best_play(capsys):
    told = in_one_line(ran(capsys, "rules", "holy-family", "--lang", "en"))
    assert "among up to 4. Among more its advice is approximate." in told
    advice = json.loads(ran(capsys, "rules", "holy-family", "--json"))["advice"]
    assert advice == {**dict.fromkeys("234", "exact"), **dict.fromkeys("56789", "approximate")}
    assert "Nobody knows" in ran(capsys, "rules", "meyer", "--lang", "en")


@IN_EACH
def test_changed_rules_do_not_open_with_the_sentence_of_the_usual_ones(capsys, language):
    told = ran(capsys, "rules", "wikipedia", "--option", "credit=5", "--lang", language)
    head = in_one_line(told.partition("\n\n")[0])
    assert head.startswith(f"wikipedia: {say('listing.HOUSE_RULES', language)} 3")


@pytest.mark.whole
@IN_EACH
@pytest.mark.parametrize("game", RULES)
def test_rules_tells_every_piece_without_the_ids_that_code_cites(capsys, game, language):
    out = ran(capsys, "rules", game, "--lang", language)
    assert max(map(len, out.splitlines())) <= WIDTH
    text = in_one_line(out)
    for rule in rules_of(RULES[game]):
        assert in_one_line(rule.text(language)) in text
    assert not re.search(r"\b[A-Z]+(-[A-Z]+)?-\d", text)
    assert all(f"{option.name} (" in text for option in OPTIONS[game])


@pytest.mark.parametrize("game", RULES)
def test_rules_as_json(capsys, game):
    told = json.loads(ran(capsys, "rules", game, "--json", "--lang", "de"))
    assert told["game"] == game
    assert [tuple(rule["ids"]) for rule in told["rules"]] == [
        piece.ids for piece in rules_of(RULES[game])
    ]
    assert [option["name"] for option in told["options"]] == [
        option.name for option in OPTIONS[game]
    ]


COMPLETED = """\
source /dev/stdin
COMP_WORDS=({words}) COMP_CWORD={at}
_shtab_{name}
echo "${{COMPREPLY[@]}}"
"""


@pytest.mark.parametrize(
    ("main", "words", "completed"),
    [
        (of_the_simulator, "maexchen-sim ma", "match"),
        (of_the_simulator, "maexchen-sim match --own", "--own-broker"),
        (of_the_handheld, "maexchen cal", "calibrate"),
    ],
)
def test_a_shell_completes_what_is_typed(capsys, main, words, completed):
    with pytest.raises(SystemExit) as ended:
        main(["--print-completion", "bash"])
    assert ended.value.code == 0
    name, *rest = words.replace("-sim", "_sim").split()
    script = COMPLETED.format(words=words, at=len(rest), name=name)
    told = subprocess.run(
        ["bash", "-c", script], input=capsys.readouterr().out, text=True, capture_output=True
    )
    assert (told.stdout.split(), told.stderr) == ([completed], "")


@pytest.mark.parametrize("main", [of_the_simulator, of_the_handheld])
def test_there_is_a_manual_page(capsys, main):
    with pytest.raises(SystemExit) as ended:
        main(["--print-manual"])
    assert ended.value.code == 0
    page = capsys.readouterr().out
    assert page.startswith(".TH MAEXCHEN")
    assert "calibrate" in page


PATIENCE_S = 60


class Terminal(io.StringIO):
    """Somebody reads along."""

    def __init__(self):
        super().__init__()
        self.spoken = threading.Event()

    def isatty(self):
        return True

    def write(self, text):
        self.spoken.set()
        return super().write(text)


def test_a_terminal_is_told_and_left_clean():
    terminal = Terminal()
    with saying_so("match", terminal, first_s=0.0):
        assert terminal.spoken.wait(PATIENCE_S)
    assert re.search(r"match: \d+ s …", terminal.getvalue())
    assert terminal.getvalue().endswith("\r\x1b[K")


LOADING = """
import sys

class Terminal:
    encoding = "utf-8"
    def isatty(self): return True
    def write(self, text): sys.stderr.write(text + str("hw_sim.table.table" in sys.modules))
    def flush(self): pass

sys.stdout = Terminal()
from hw_sim.cli.main import main
main(sys.argv[1:])
"""
"""Runs the program on a terminal that tells of each text whether the tables were loaded before."""


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("play", "--bot", "none", "--lang", "de"), "Der Tisch wird gedeckt …"),
        (("play", "--bot", "none", "--lang=en"), "Setting the table …"),
    ],
)
def test_before_anything_is_loaded_a_terminal_has_a_line(arguments, line):
    told = subprocess.run(
        [sys.executable, "-c", LOADING, *arguments], capture_output=True, text=True, check=True
    )
    assert told.stderr.startswith(f"{line}False")
    assert "maexchen-sim: " in told.stderr, "it went on from there"


def test_a_file_and_help_have_no_such_line():
    file, terminal = io.StringIO(), Terminal()
    setting_the_table(["play"], file)
    setting_the_table(["play", "--help"], terminal)
    assert file.getvalue() == terminal.getvalue() == ""


ROOT = Path(__file__).parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WITHOUT = """
import contextlib, io, json, sys

extras, *commands = json.load(sys.stdin)
sys.modules.update(dict.fromkeys(extras))  # an import of any of them fails from now on

from firmware.cli.main import main as maexchen
from hw_sim.cli.main import main as simulator

for program, *arguments in commands:
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            status = (simulator if program == "maexchen-sim" else maexchen)(arguments)
        except SystemExit as ended:
            status = ended.code
    print(json.dumps([status, said.getvalue()]))
"""
WORKS = (
    "maexchen-sim match --link ir --game sevens --option rounds=1 --players 2 --seed 10 --json",
    "maexchen-sim games",
    "maexchen-sim analyse RECORD --picture /dev/null",
    "maexchen-sim soak --hops 5 --link ir",
    "maexchen-sim party --help",
    "maexchen --help",
    "maexchen watch --help",
)
NEEDS = {
    "maexchen-sim serve --site SITE": "pages",
    "maexchen-sim party --site SITE --no-tls": "pages",
    "maexchen-sim match": "bluetooth",
    "maexchen-sim soak --hops 5": "bluetooth",
    "maexchen-sim match --link mqtt --broker mqtt://127.0.0.1:9": "broker",
    "maexchen-sim --print-manual": "shell",
    "maexchen --print-completion bash": "shell",
    "maexchen watch mqtt://127.0.0.1:9 0123456789abcdef0123456789abcdef": "pages",
}


@pytest.fixture(scope="module")
def extra_run(tmp_path_factory):
    """Status and output of every command, run where no extra is installed."""
    path = tmp_path_factory.mktemp("ran") / "match.jsonl"
    rules, names = rule_set("class", {}), ("Ana", "Ben", "Cem")
    path.write_text(write(Record(rules, names, 0, tuple(playout(rules, names, Random(1))[0]))))
    (path.parent / "_headers").touch()
    given = {"RECORD": str(path), "SITE": str(path.parent)}
    commands = [[given.get(word, word) for word in line.split()] for line in (*WORKS, *NEEDS)]
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT],
        input=json.dumps([list(EXTRAS), *commands]),
        cwd=ROOT, text=True, capture_output=True, check=True,
    )  # fmt: skip
    return dict(zip((*WORKS, *NEEDS), map(json.loads, run.stdout.splitlines())))


@pytest.mark.whole
@pytest.mark.parametrize("command", WORKS)
def test_the_core_alone_is_enough(extra_run, command):
    assert extra_run[command][0] == 0


@pytest.mark.parametrize("command", NEEDS)
def test_a_command_names_the_extra_it_needs_in_one_line(extra_run, command):
    status, said = extra_run[command]
    assert (status, said.count("\n")) == (2, 1)
    assert f"pip install 'maexchen-handheld[{NEEDS[command]}]'" in said


def test_every_package_of_an_extra_is_named_with_it():
    extras = PROJECT["optional-dependencies"]
    for package, extra in EXTRAS.items():
        names = [Requirement(line).name.partition("-mqtt")[0] for line in extras[extra]]
        assert {"PIL": "pillow"}.get(package, package).replace("_", "-") in names
