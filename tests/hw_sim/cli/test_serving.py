"""The addresses of this computer that phones reach, and a code in the terminal that leads there."""

import re
import socket
import subprocess
import sys

import pytest
import segno

from hw_sim.cli.site import NetworkAddress, code_lines, reached_at, reached_first

MOST = 128
"""The most connections at once."""
BLOCKS = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}


def test_a_code_in_the_terminal_is_the_code_of_its_link():
    link = "http://192.168.178.20:8021/join#AAAABBBBCCCCDDDD"
    lines = code_lines(link)
    rows = [[BLOCKS[each][half] for each in line] for line in lines for half in (0, 1)]
    wanted = segno.make(link, micro=False, error="l", boost_error=False).matrix_iter(border=2)
    assert rows[: len(rows[0])] == [list(row) for row in wanted]
    assert len(lines[0]) <= 38, "two of them go beside each other"


_HOME = NetworkAddress("wlan0", "192.168.1.23")
_TUNNEL = NetworkAddress("tun0", "10.8.0.2", has_peer=True)
LOCAL, DOCKER = NetworkAddress("lo", "127.0.0.1"), NetworkAddress("docker0", "172.17.0.1")


@pytest.mark.parametrize(
    ("found", "usual", "wanted"),
    [
        ([LOCAL, _TUNNEL, _HOME], "10.8.0.2", ["192.168.1.23", "10.8.0.2"]),
        ([LOCAL, _HOME], "", ["192.168.1.23"]),
        ([LOCAL], "", []),
        ([DOCKER, _TUNNEL, _HOME], "", ["192.168.1.23", "172.17.0.1", "10.8.0.2"]),
        ([NetworkAddress("wg0", "192.168.9.2"), _HOME], "", ["192.168.1.23", "192.168.9.2"]),
        ([NetworkAddress("a", "100.90.1.2"), _HOME], "", ["192.168.1.23", "100.90.1.2"]),
        ([NetworkAddress("a", "169.254.3.4"), _HOME], "", ["192.168.1.23", "169.254.3.4"]),
        ([_HOME, NetworkAddress("eth0", "10.0.0.7")], "10.0.0.7", ["10.0.0.7", "192.168.1.23"]),
        ([NetworkAddress("eth0", "10.0.0.7"), _HOME], "", ["192.168.1.23", "10.0.0.7"]),
        ([NetworkAddress("eth0", "8.8.4.4"), _HOME], "8.8.4.4", ["192.168.1.23", "8.8.4.4"]),
        (
            [_HOME._replace(runs=False), DOCKER, _TUNNEL],
            "",
            ["172.17.0.1", "192.168.1.23", "10.8.0.2"],
        ),
        ([_HOME, _HOME], "", ["192.168.1.23"]),
    ],
)
def test_the_address_that_phones_reach_comes_first(found, usual, wanted):
    assert reached_first(found, usual) == wanted


def test_a_server_at_all_addresses_names_one_that_others_reach():
    assert reached_at("192.0.2.7") == "192.0.2.7"
    assert reached_at("0.0.0.0") not in ("0.0.0.0", "")


@pytest.mark.whole
def test_downloads_that_nobody_reads_are_cut_without_a_word(tmp_path):
    (tmp_path / "_headers").touch()
    (tmp_path / "index.html").write_bytes(bytes(4 << 20))
    serve = ("serve", "--site", str(tmp_path), "--port", "0")
    with subprocess.Popen(
        [sys.executable, "-m", "hw_sim.cli.main", *serve],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as serving:
        port = int(re.search(r"http://127.0.0.1:(\d+)/", serving.stdout.readline())[1])
        unread = []
        for _ in range(MOST + 9):
            unread.append(socket.create_connection(("127.0.0.1", port), 60))
            unread[-1].sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert unread[-1].recv(9) == b"HTTP/1.1 "
        serving.terminate()
        assert (serving.stderr.read(), serving.wait()) == ("", 0)
    for each in unread:
        each.close()
