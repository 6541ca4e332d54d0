"""The recipes of CONTRIBUTING, walked in a copy of the tree: how many files each takes by hand.

A file counts once, and the tests of the new thing do not. Each walk ends with programs and tests
that know only `LIGHT_SENSORS`, `PANEL`, ``RULES``, the screens and the language files.
"""

import os
import re
import subprocess
import sys
from functools import reduce

import pytest

from tests.project.grain import ROOT

pytestmark = pytest.mark.night

TEXTS = "firmware/display/text"


class Copy:
    """A copy of the tree that counts the files which are written in it."""

    def __init__(self, folder):
        self.folder, self.touched = folder, set()
        subprocess.run(
            "git ls-files -z | tar --null -cf - -T - | tar -xf - -C "
            f"{folder} && git -C {folder} init -q && git -C {folder} add -A",
            shell=True, cwd=ROOT, check=True,
        )  # fmt: skip

    def read(self, name):
        return (self.folder / name).read_text(encoding="utf-8")

    def write(self, name, text):
        assert not (self.folder / name).exists() or text != self.read(name), name
        (self.folder / name).write_text(text, encoding="utf-8")
        self.touched.add(name)

    def repeat(self, name, pattern, *changes):
        """Write what a pattern finds once more behind it, each time with changed words."""
        text = self.read(name)
        (found,) = re.finditer(pattern, text, re.MULTILINE | re.DOTALL)
        self.write(name, text[: found.end()] + changed(found[0], *changes) + text[found.end() :])

    def change(self, name, *changes):
        """Write a file with changed words, each of which is there once."""
        text = self.read(name)
        for old, _ in changes:
            assert text.count(old) == 1, (name, old)
        self.write(name, changed(text, *changes))

    def runs(self, *arguments, fails=False):
        """Run Python in the copy; return what it prints."""
        path = os.pathsep.join(map(str, (self.folder, self.folder / "steckbrett/src")))
        ran = subprocess.run(
            [sys.executable, *arguments], cwd=self.folder, env=os.environ | {"PYTHONPATH": path},
            capture_output=True, text=True,
        )  # fmt: skip
        told = f"{arguments}\n{ran.stdout[-2000:]}{ran.stderr[-2000:]}"
        assert (ran.returncode != 0) is fails, told
        return ran.stdout

    def plays(self, *options):
        """Play a match in the copy that shows nobody hidden dice."""
        match = self.runs("-m", "hw_sim.cli.main", "match", *options, "--json")
        assert '"leaks": []' in match

    def tests(self, *arguments, length="--short"):
        """Run tests of the copy: of the short run, or of another."""
        subprocess.run(["git", "add", "-A"], cwd=self.folder, check=True)
        self.runs("-m", "pytest", "-q", "-p", "no:cacheprovider", length, *arguments)


def changed(text, *changes):
    return reduce(lambda text, change: text.replace(*change), changes, text)


@pytest.fixture
def copy(tmp_path):
    return Copy(tmp_path)


def test_a_light_sensor_takes_six_files(copy):
    names = [(old, old.replace("0", "1")) for old in ("bh1750", "Bh1750", "BH1750")]
    places = [("0x23", "0x24"), ("0x5C", "0x5D")]
    parts = "steckbrett/src/steckbrett/parts"
    copy.write("drivers/bh1751.py", changed(copy.read("drivers/bh1750.py"), *names))
    kinds = ('"bh1750"]', '"bh1750", "bh1751"]')
    copy.write("drivers/light_sensor.py", changed(copy.read("drivers/light_sensor.py"), kinds))
    copy.repeat("drivers/light_sensor.py", r'^    "bh1750": LightPart.*?\n', *names, *places)
    copy.write(f"{parts}/bh1751.py", changed(copy.read(f"{parts}/bh1750.py"), *names, *places))
    copy.repeat(f"{parts}/catalogue.py", r'^    "bh1750": .*?\n', *names)
    copy.repeat("wiring.md", r"^\| BH1750 \| 0x23 \|\n", *names, *places)
    copy.repeat("docs/LIMITS.md", r"^\| BH1750 \| .*?\n", *names)
    assert len(copy.touched) == 6
    copy.tests("tests/project/test_wiring.py", "tests/project/test_package.py")
    copy.tests("tests/firmware/settings", "tests/firmware/upkeep/doctor", "tests/install")
    one = "any_light_sensor and bh1751 and class"
    copy.tests("tests/hw_sim/secrecy", "-k", one, length="--night")
    copy.plays("--players", "3", "--game", "class", "--light", "bh1751")


def test_a_display_takes_seven_files(copy):
    parts, chip = "steckbrett/src/steckbrett/parts", ("SSD1306", "SSD1309")
    renamed = [(f'"{chip[0]} panel"', f'"{chip[1]} panel"'), ("class Ssd1306", "class Ssd1309")]
    copy.write("drivers/ssd1309.py", changed(copy.read("drivers/ssd1306.py"), *renamed))
    fitted = '"ssd1306", "drivers.ssd1306:Ssd1306", 0x3C, 0x3D'
    copy.change("drivers/panel.py", (fitted, '"ssd1309", "drivers.ssd1309:Ssd1309", 0x3D, 0x3C'))
    address = "    address = 0x3C\n    other_address = 0x3D\n"
    model = copy.read(f"{parts}/ssd1306.py")
    assert address in model
    other = address.replace("3C", "3E").replace("3D", "3C").replace("3E", "3D")
    copy.write(f"{parts}/ssd1309.py", changed(model, chip, (address, other)))
    lower = [(old.lower(), new.lower()) for old, new in (chip,)]
    copy.repeat(f"{parts}/catalogue.py", r'^    "ssd1306": .*?\n', *lower, chip)
    copy.change("install/first_start.py", ("PANEL_ADDRESS = 0x3C", "PANEL_ADDRESS = 0x3D"))
    copy.change("wiring.md", ("| PANEL | 0x3C |", "| PANEL | 0x3D |"))
    copy.repeat("docs/LIMITS.md", r"^\| SSD1306 \| .*?\n", chip)
    assert len(copy.touched) == 7
    copy.tests("tests/project/test_wiring.py", "tests/project/test_package.py")
    copy.tests("tests/firmware/runtime/test_panel.py", "tests/firmware/runtime/test_sleep.py")
    assert "0x3D" in copy.runs("-m", "hw_sim.cli.main", "doctor", "--lang", "en")
    copy.plays("--players", "3", "--game", "class")


PAGE_OF_TWO = '''

@dataclass(frozen=True, slots=True)
class DuelPage(PageOver):
    """The tallies of two players."""

    rows: tuple[Row, ...]


'''
LAYOUT_OF_TWO = '''

def duel(page: PageCanvas, screen: screens.DuelPage) -> None:
    """Draw the two tallies, one below the other."""
    page.hint(Text.HINT_MORE)
    _rows(page, screen.rows, range(21, 42, 20))
'''
SHOWN = """
from tests.support.core_table import CoreTable
from hw_sim.panel.prompts import prompt_of
table = CoreTable(2, game="physicist")
table.tap(1)
print(type(table[1].screen).__name__, prompt_of(table[1].screen, "en").says)
table.tap(1)
print(type(table[1].screen).__name__)
"""


def test_a_page_on_the_display_takes_six_files(copy):
    display, screens = "firmware/display", "firmware/display/screens/__init__.py"
    before = "\n\nOverlay = StandingsPage | "
    copy.change(screens, (before, f"{PAGE_OF_TWO}Overlay = DuelPage | StandingsPage | "))
    checked = ("-m", "mypy", f"{display}/oled/draw.py", f"{display}/screens/gesture_options.py")
    assert f"{display}/oled/draw.py" in copy.runs(*checked, fails=True)
    lists = f"{display}/oled/pages/lists.py"
    copy.write(lists, copy.read(lists) + LAYOUT_OF_TWO)
    last = "        case screens.StandingsPage():\n"
    drawn = "        case screens.DuelPage():\n            lists.duel(page, screen)\n"
    copy.change(f"{display}/oled/draw.py", (last, drawn + last))
    either = last.replace("()", "() | screens.DuelPage()")
    copy.change(f"{display}/screens/gesture_options.py", (last, either))
    shown = "    if view.scores:\n"
    of_two = "    if view.scores and len(view.match.players) == 2:\n"
    of_two += "        return screens.DuelPage(rows_of(view), under=cup)\n"
    copy.change("firmware/play/presenter/screen_of.py", (shown, of_two + shown))
    says = "    screens.StandingsPage: "
    copy.repeat("hw_sim/panel/prompts.py", rf"^{says}.*?\n", ("Standings", "Duel"))
    assert len(copy.touched) == 6
    copy.runs(*checked)
    examples = "        yield screens.StandingsPage(rows(count))\n"
    duel = "    yield screens.DuelPage(rows(2))\n"
    copy.repeat("tests/support/screens.py", re.escape(examples), (examples, f"    {duel}"))
    copy.tests("tests/firmware/display/oled", "tests/hw_sim/panel")
    assert copy.runs("-c", SHOWN).splitlines() == ["DuelPage The scores.", "WaitingPage"]


def test_a_page_in_the_browser_takes_three_files(copy):
    static, pages = "hw_sim/live/web/static", "tests/hw_sim/live/web"
    for kind in ("html", "js"):
        page = copy.read(f"{static}/judged.{kind}")
        renamed = changed(page, ('"judged"', '"counted"'), ('judged.js"', 'counted.js"'))
        copy.write(f"{static}/counted.{kind}", renamed)
    copy.change("hw_sim/live/site/build.py", ('("bench", ', '("bench", "counted", '))
    assert len(copy.touched) == 3
    state = '    "judged": ("/judged", lambda _: (), "#judged table"),\n'
    copy.repeat("tests/support/shown_pages.py", re.escape(state), ("judged", "counted"))
    copy.tests(f"{pages}/test_words.py")
    shown = ("--long", f"{pages}/test_shown_pages.py", "-k", "every_page_is_for_everybody")
    assert "1 passed" in copy.runs("-m", "pytest", "-q", "-p", "no:cacheprovider", *shown)


def test_a_game_of_a_family_takes_five_files(copy):
    new = ("chicago", "detroit")
    customs = r'^        "chicago": CoasterCustoms.*?^        \),\n'
    copy.repeat("game/coaster/rules.py", customs, ('chicago"', 'detroit"'))
    for language in ("en", "de", "fr"):
        for text in (r"chicago = [^\n]{,20}\n", r"chicago = [^\n]{21,}\n"):
            copy.repeat(f"{TEXTS}/{language}.toml", "^" + text, new)
        for ids in ("B-10", "T-4", "T-5"):
            text = rf'^"{ids} chicago" = .*?\n(?=["\w-]+ (\w+" )?= )'
            copy.repeat(f"{TEXTS}/{language}.toml", text, new)
    copy.repeat("README.md", r"^\| `chicago` \|.*?\n", new)
    assert len(copy.touched) == 5
    copy.tests("tests/hw_sim/cli/test_explaining.py", f"tests/{TEXTS}", "tests/game/test_setup.py")
    copy.tests("tests/game/test_house_rules.py", "tests/game/test_record.py")
    copy.tests("tests/game/test_conformance.py", "-k", "detroit or view")
    copy.plays("--players", "2", "--game", "detroit")


CUSTOM = """
[bluff.dear_doubt]
reach = "near"
source = "a test"
en = "Does a wrong doubt cost two?"
de = "Kostet ein falscher Zweifel zwei?"
fr = "Un doute à tort coûte-t-il deux ?"
short = { en = "dear doubt: {name}", de = "teurer: {name}", fr = "doute cher : {name}" }

[bluff.dear_doubt.told.yes]
en = "A wrong doubt costs two."
de = "Ein falscher Zweifel kostet zwei."
fr = "Un doute à tort coûte deux."
"""
DOUBTED = """
from game import apply, new_match, rule_set
from game.actions import Announce, Doubt, Lift, Roll
match = new_match(rule_set("wikipedia", {"dear_doubt": True}), ("Ana", "Ben", "Cem"), 0)
for action in (Roll((3, 1)), Announce(31), Doubt(), Lift((3, 1))):
    match = apply(match, action).match
print(match.tally)
"""


def test_a_custom_takes_three_files(copy):
    next_table = "\n[presets.wikipedia]"
    copy.change("game/sheet.toml", (next_table, CUSTOM + next_table))
    copy.change(
        "game/bluff/rules.py",
        ("    air: bool = True\n", "    air: bool = True\n    dear_doubt: bool = False\n"),
        ('"free_doubt": False', '"free_doubt": False, "dear_doubt": False'),
    )
    pays = "    payer, winner = (announcer"
    dear = "    cost += rules.dear_doubt and not lied\n"
    copy.change("game/bluff/moves.py", (pays, dear + pays))
    assert len(copy.touched) == 3
    assert copy.runs("-c", DOUBTED) == "(0, 2, 0)\n"
    copy.tests("tests/game/test_house_rules.py", "-k", "written or label")
    told = ("rules", "wikipedia", "--option", "dear_doubt=yes", "--lang")
    for language, text in (
        ("en", "A wrong doubt costs two."),
        ("fr", "Un doute à tort coûte deux."),
    ):
        assert text in copy.runs("-m", "hw_sim.cli.main", *told, language)


def test_a_language_takes_three_files(copy):
    for name in (f"{TEXTS}/nl.toml", "hardware/text/nl.toml"):
        copy.write(name, copy.read(name.replace("nl", "de")))
    sheet = re.sub(r"^de = (.*\n)", r"de = \1nl = \1", copy.read("game/sheet.toml"), flags=re.M)
    sheet = re.sub(r', de = ("[^"]*")', r", de = \1, nl = \1", sheet)
    copy.write("game/sheet.toml", sheet)
    assert len(copy.touched) == 3
    copy.tests(f"tests/{TEXTS}", "-k", "nl or languages or keys")
    assert "Mäxchen" in copy.runs("-m", "hw_sim.cli.main", "rules", "class", "--language", "nl")
