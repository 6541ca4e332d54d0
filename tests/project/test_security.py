"""Every sentence of docs/security.md names the test that holds it."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/security.md").read_text(encoding="utf-8")


def entries():
    """The list entries of the page, each on one line."""
    return re.findall(r"^- (.+(?:\n  .+)*)", PAGE, re.MULTILINE)


def test_every_entry_names_tests_that_exist():
    for entry in entries():
        named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", entry)
        assert named, f"no test is named: {entry}"
        for path, function in named:
            file = ROOT / path
            assert file.is_file(), f"{path} does not exist"
            assert not function or f"def {function}(" in file.read_text(encoding="utf-8"), function
