"""Every sentence of docs/security.md names the test that holds it; workflows have few rights."""

import re

import pytest
import yaml

from tests.project.grain import ROOT

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


WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.y*ml"))
PINNED = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")


def unpinned(text):
    """The actions of a workflow without a digest and its tag, as a comment."""
    used = re.findall(r"\buses:\s*(.+)", text)
    return [one for one in used if not PINNED.fullmatch(one.strip())]


def rights(granted):
    """What ``permissions`` let a job do beyond reading; all of it where they are no table."""
    if not isinstance(granted, dict):
        return {str(granted)}
    return {f"{name}: {right}" for name, right in granted.items() if right not in ("read", "none")}


def faults(text):
    """Jobs that both may write, or have secrets, and run code; and jobs without permissions."""
    workflow = yaml.safe_load(text)
    for name, job in workflow["jobs"].items():
        its_rights = rights(job.get("permissions", workflow.get("permissions")))
        steps = job.get("steps", [])
        its_code = [step for step in steps if "run" in step or "checkout" in step.get("uses", "")]
        if not steps or (its_code and (its_rights or re.search(r"\${{[^}]*secrets", text))):
            yield name
        if any("checkout" in step.get("uses", "") for step in steps):
            kept = [step.get("with", {}).get("persist-credentials", True) for step in its_code]
            if kept[0] is not False:
                yield f"{name} keeps credentials"


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_pins_its_actions_and_no_code_of_the_project_may_write(path):
    text = path.read_text(encoding="utf-8")
    assert unpinned(text) == []
    assert list(faults(text)) == []


SITE = (ROOT / ".github" / "workflows" / "site.yml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("permissions:\n  contents: read\n", ""),
        ("permissions:\n  contents: read\n", "permissions: write-all\n"),
        ("permissions:\n  contents: read\n", "permissions:\n  contents: write\n"),
        ("    needs: build\n    runs-on", "    uses: ./.github/workflows/other.yml\n    runs-on"),
        ("    steps:\n      - id", "    steps:\n      - run: make site\n      - id"),
        ("persist-credentials: false", "fetch-depth: 0"),
        ("      - run: ", "      - env: {KEY: '${{ secrets.KEY }}'}\n        run: "),
    ],
)
def test_a_workflow_with_a_right_too_many_is_found(old, new):
    assert SITE.count(old) == 1
    worse = SITE.replace(old, new)
    assert list(faults(worse)) or unpinned(worse)


@pytest.mark.parametrize("tag", ["v4", "main", "11d5960"])
def test_an_action_by_its_tag_is_found(tag):
    assert unpinned(re.sub(r"@\w{40} # \S+", f"@{tag}", SITE, count=1)) != []
