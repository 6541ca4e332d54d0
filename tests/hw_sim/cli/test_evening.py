"""``maexchen-sim match --lobby`` where the others never come."""

from hw_sim.cli.main import main
from hw_sim.players import player


def test_an_evening_to_which_nobody_comes_is_told_of_in_one_line(capsys, monkeypatch):
    monkeypatch.setattr(player, "PATIENCE_S", 5.0)
    assert main(["match", "--lobby"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "maexchen-sim: Cem has waited 5 s in vain for the others: the evening is over\n"
