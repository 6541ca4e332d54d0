"""Find anew what two play for in ``maxen`` and ``chicago``, half a minute long, and keep it.

``python -m tests.game.strategy.of_two``
"""

from dataclasses import replace
from pathlib import Path

from game import RULES
from game.strategy.coasters import Standings, standings

ROW = 6
PLAYED = (RULES["maxen"], RULES["chicago"], replace(RULES["chicago"], levelling=True))
KEPT = Path(__file__).parents[3] / "game" / "strategy" / "of_two.py"
TEXT = '''\
"""What two play for in ``maxen`` and ``chicago``, as ``coasters`` finds it in half a minute.

Written by ``python -m tests.game.strategy.of_two``; a test holds that it follows from the rules.
"""

CHANCES = {{
{}}}
"""By game, its coasters, and whether they may be levelled: of each of ``standings``, in that order,
the leader's chance not to lose."""
'''


def main() -> None:
    """Write what follows from the rules."""
    tables = []
    for rules in PLAYED:
        solved = Standings(rules, {})
        told = [f"{solved.chance(standing):.13f}" for standing in standings(rules)]
        rows = [" ".join(told[begin : begin + ROW]) for begin in range(0, len(told), ROW)]
        key = f'"{rules.game}", {rules.coasters}, {rules.levelling}'
        tables.append('    ({}): """\n{}\n""",\n'.format(key, "\n".join(rows)))
    KEPT.write_text(TEXT.format("".join(tables)), encoding="utf-8")


if __name__ == "__main__":
    main()
