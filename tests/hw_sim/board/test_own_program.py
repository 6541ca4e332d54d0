"""``maexchen run`` itself, unchanged, on a board of the bench: to the lobby, and to its end."""

import pytest
from steckbrett.board.board import Board
from steckbrett.host.program import module, run

from hw_sim.board import INT1_BCM, TOUCH_BCM

SETTINGS = """
name = "Ana"
journal = "journal.sqlite"
link = "mqtt"
[broker]
url = "mqtt://127.0.0.1:9"
"""


@pytest.fixture
def board(tmp_path, monkeypatch):
    (tmp_path / "settings.toml").write_text(SETTINGS)
    monkeypatch.chdir(tmp_path)
    return Board(
        ["adxl345", "ssd1306", "veml7700", "ttp223"],
        {INT1_BCM: "adxl345.int1", TOUCH_BCM: "ttp223.q"},
    )


# Other tests may have loaded the program, and runpy warns of that.
@pytest.mark.filterwarnings("ignore:.*unpredictable behaviour:RuntimeWarning")
def test_the_handheld_shows_its_lobby_and_reads_its_sensors(board):
    seen = []
    outcome = run(
        module("firmware.cli.main"),
        board,
        until_s=5.0,
        argv=["maexchen", "run", "--settings", "settings.toml"],
        look=lambda: seen.append(board.parts["ssd1306"].pixels()),
    )
    assert (outcome.exit_code, outcome.error, outcome.left) == (0, None, 0)
    lit = sum(map(sum, seen[0]))
    assert 300 < lit < 2000
    assert sum(map(sum, board.parts["ssd1306"].pixels())) == 0
    assert board.bus.transactions > 500
    assert board.offences() == []
