"""One match over two media, and one handheld of a table in a world of its own."""

from tests.support.matches import complaints, play_match, short_setup


def test_two_by_bluetooth_and_two_over_a_broker_play_one_match(tmp_path):
    """Only the first has both; its handheld carries what goes between the others."""
    links = (("bluetooth", "mqtt"), ("bluetooth",), ("mqtt",), ("mqtt",))
    setup = short_setup("class", "bluetooth", players=4, links=links, carrier=0)
    assert complaints(play_match(setup, tmp_path)) == []
