"""Every rule of the families this project plays has a test that carries its id."""

import re
from pathlib import Path

import pytest

RULE_IDS = [
    *(f"V-{n}" for n in range(1, 6)),
    *(f"B-{n}" for n in range(1, 11)),
    *(f"R-CLASS-{n}" for n in range(1, 11)),
    *(f"R-PHYS-{n}" for n in range(1, 8)),
    *(f"R-HF-{n}" for n in range(1, 11)),
    *(f"M-{n}" for n in range(1, 4)),
    *(f"C-{n}" for n in range(1, 3)),
    *(f"T-{n}" for n in range(1, 6)),
    *(f"R-MAX-{n}" for n in range(1, 6)),
    *(f"R-CHI-{n}" for n in range(1, 6)),
    *(f"S-{n}" for n in range(1, 6)),
]


def named_tests():
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        yield from re.findall(r"^def (test_\w+)\(", path.read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize("rule", RULE_IDS)
def test_every_rule_has_a_test_named_after_it(rule):
    prefix = f"test_{rule.replace('-', '_')}_"
    assert [name for name in named_tests() if name.startswith(prefix)]
