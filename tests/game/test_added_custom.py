"""A custom is added in three files: the sheet, the rules of its family, and what plays it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
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
EDITS = {
    "game/sheet.toml": {"\n[presets.wikipedia]": CUSTOM + "\n[presets.wikipedia]"},
    "game/bluff/rules.py": {
        "    air: bool = True\n": "    air: bool = True\n    dear_doubt: bool = False\n",
        '"free_doubt": False': '"free_doubt": False, "dear_doubt": False',
    },
    "game/bluff/moves.py": {
        "    payer, winner = (announcer": "    cost += rules.dear_doubt and not lied\n"
        "    payer, winner = (announcer",
    },
}
PLAYS = """
import sys
from firmware.display.text.language import LANGUAGES
from firmware.display.text.rulebook import rules_of
from firmware.lobby.questions import option_item
from game import OPTIONS, apply, legal_actions, nearest_table, new_match, parsed_option, rule_set
from game.actions import Announce, Doubt, Lift, Roll
from game.rules import Reach, reach_of
from game.record import Record, read, write

rules = rule_set("wikipedia", {"dear_doubt": parsed_option("class", "dear_doubt", "yes")})
match = new_match(rules, ("Ana", "Ben", "Cem"), 0)
for action in (Roll((3, 1)), Announce(31), Doubt(), Lift((3, 1))):
    match = apply(match, action).match
assert match.tally == (0, 2, 0)
assert "dear_doubt" in [option.name for option in OPTIONS["class"]]
assert nearest_table(rules) == ("wikipedia", {"dear_doubt": True})
assert reach_of(rules) is Reach.NONE
assert read(write(Record(rules, match.players, 0, ()))).rules == rules
print(*(rule.text(each) for each in LANGUAGES for rule in rules_of(rules)), sep="\\n")
"""


@pytest.mark.whole
def test_a_custom_is_added_in_three_files_and_every_text_tells_it(tmp_path):
    shutil.copytree(ROOT / "game", tmp_path / "game", ignore=shutil.ignore_patterns("__pycache__"))
    for name, edits in EDITS.items():
        text = (tmp_path / name).read_text(encoding="utf-8")
        for before, after in edits.items():
            assert text.count(before) == 1, name
            text = text.replace(before, after)
        (tmp_path / name).write_text(text, encoding="utf-8")
    path = f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {str(ROOT)!r}]\n"
    ran = subprocess.run(
        [sys.executable, "-c", path + PLAYS], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    for said in ("A wrong doubt costs two.", "Ein falscher Zweifel kostet zwei."):
        assert said in ran.stdout
    assert len(EDITS) <= 3
