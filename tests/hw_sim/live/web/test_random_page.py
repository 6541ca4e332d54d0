"""Every match ends in a browser, too, whatever is done to its page."""

import pytest

from game import RULES
from tests.hw_sim.live.web.conftest import served
from tests.support.random_hand import SHORT
from tests.support.random_page import RandomPage


@pytest.mark.soak
@pytest.mark.parametrize("locale", ["de-DE", "en-US"])
@pytest.mark.parametrize("game", RULES)
def test_every_match_ends_whatever_is_done_to_its_page(opened, tmp_path, game, locale):
    options = [f"--option={name}={value}" for name, value in SHORT[game].items()]
    players = "3" if game == "class" else "2"
    with served(tmp_path, "--game", game, *options, "--players", players, "--seed", "4") as table:
        page = opened(table.address, language=locale)
        page.locator("#speed").select_option("50")
        RandomPage(page, table.address, f"{game} {locale}").play()
