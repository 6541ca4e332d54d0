"""Peers in other processes: time is no faster than real time while anybody waits for them."""

import os
import shutil
import socket
import subprocess
import sys
import time

import pytest
from steckbrett.board.board import Board
from steckbrett.clock import DeadlockError, SteppedClock
from steckbrett.host.outside import outside
from steckbrett.host.program import run, script

PEER = """
import socket, sys, time
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
while True:
    connection, _ = listener.accept()
    with connection:
        word = connection.recv(100)
        time.sleep(0.15)
        connection.sendall(word.upper())
"""
OVER_ASYNCIO = """
import asyncio, sys, time
async def main():
    reader, writer = await asyncio.open_connection("127.0.0.1", int(sys.argv[1]))
    writer.write(b"word")
    print(await asyncio.wait_for(reader.read(), 5))
    writer.close()
    await writer.wait_closed()
start = time.monotonic()
asyncio.run(main())
print(time.monotonic() - start < 1)
"""
BESIDE_THREADS = """
import socket, sys, threading, time
def blink():
    while True:
        time.sleep(0.01)
for _ in range(4):
    threading.Thread(target=blink, daemon=True).start()
start = time.monotonic()
with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as line:
    line.settimeout(5)
    line.sendall(b"word")
    print(line.recv(100))
print(time.monotonic() - start < 1)
"""
POLLED = """
import select, socket, sys
with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as line:
    line.sendall(b"word")
    poll = select.poll()
    poll.register(line, select.POLLIN)
    while not poll.poll(3000):
        print("too late")
    print(line.recv(100))
print(True)
"""
TIME_SERVER = """
import socket, time
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
while True:
    word, client = server.recvfrom(100)
    time.sleep(0.15)
    server.sendto(word.upper(), client)
"""
BY_UDP = """
import socket, sys, threading, time
def blink():
    while True:
        time.sleep(0.01)
threading.Thread(target=blink, daemon=True).start()
line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
line.settimeout(3)
line.sendto(b"word", ("127.0.0.1", int(sys.argv[1])))
print(line.recvfrom(100)[0])
line.close()
print(True)
"""
CHILDREN = """
import asyncio, sys
async def main():
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-Sc", "import time; time.sleep(0.1); print('x' * 200_000)",
        stdout=asyncio.subprocess.PIPE)
    text, _ = await asyncio.wait_for(child.communicate(), 30)
    print(len(text), child.returncode)
    child = await asyncio.create_subprocess_exec(sys.executable, "-Sc", "raise SystemExit(7)")
    print(await asyncio.wait_for(child.wait(), 30))
asyncio.run(main())
"""
LOGGER = """
import sys, time
import paho.mqtt.client as mqtt
got = []
client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
client.on_connect = lambda c, *_: c.subscribe("a/b")
client.on_message = lambda c, _, message: got.append(message.payload.decode())
client.connect("127.0.0.1", int(sys.argv[1]))
client.loop_start()
for number in range(5):
    time.sleep(0.05)
    client.publish("a/b", str(number), qos=1)
end = time.monotonic() + 10
while len(got) < 5 and time.monotonic() < end:
    time.sleep(0.01)
client.disconnect()
client.loop_stop()
print(*got)
"""


@pytest.fixture
def peer(request):
    server = TIME_SERVER if request.node.callspec.params["program"] is BY_UDP else PEER
    with subprocess.Popen([sys.executable, "-Sc", server], stdout=subprocess.PIPE) as process:
        yield process.stdout.readline().decode().strip()
        process.kill()


@pytest.fixture
def printed(tmp_path, capsys):
    def run_it(text, *words, until_s=60.0):
        file = tmp_path / "program.py"
        file.write_text(text)
        board = Board(clock=SteppedClock())
        outcome = run(script(file), board, until_s=until_s, argv=[str(file), *words])
        assert outcome.error is None
        assert not outcome.time_up
        return capsys.readouterr().out.splitlines()

    return run_it


@pytest.mark.parametrize("program", [OVER_ASYNCIO, BESIDE_THREADS, POLLED, BY_UDP])
def test_a_peer_in_another_process_answers_before_a_time_out(printed, peer, program):
    assert printed(program, peer) == ["b'WORD'", "True"]


def test_children_of_asyncio_keep_their_output_and_their_status(printed):
    assert printed(CHILDREN) == ["200001 0", "7"]


def test_a_logger_with_a_broker(printed, tmp_path):
    broker = shutil.which("mosquitto", path=f"{os.environ['PATH']}:/usr/sbin")
    if broker is None:
        pytest.skip("mosquitto is not installed")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    (tmp_path / "broker.conf").write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\n")
    words = [broker, "-c", str(tmp_path / "broker.conf")]
    with subprocess.Popen(words, stderr=subprocess.DEVNULL) as process:
        try:
            end_s = time.monotonic() + 10
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                except ConnectionRefusedError:
                    assert time.monotonic() < end_s, "mosquitto does not listen"
            assert printed(LOGGER, str(port)) == ["0 1 2 3 4"]
        finally:
            process.kill()


def test_what_two_ends_of_one_program_wait_for_is_not_outside():
    read, write = os.pipe()
    ours, theirs = socket.socketpair()
    with socket.create_server(("127.0.0.1", 0)) as server, ours, theirs:
        client = socket.create_connection(server.getsockname())
        accepted, _ = server.accept()
        with client, accepted:
            files = [read, *(each.fileno() for each in (ours, theirs, server, client, accepted))]
            assert outside(dict.fromkeys(files, 1)) == {}
    here, there = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
    with here, there:
        there.bind(("127.0.0.1", 0))
        here.connect(there.getsockname())
        assert outside({here.fileno(): 1, there.fileno(): 1}) == {}
    os.close(write)
    os.close(read)


def test_a_pipe_that_somebody_else_writes_into_is_outside():
    read, write = os.pipe()
    with subprocess.Popen(["sleep", "9"], stdout=write) as child:
        os.close(write)
        pidfd = os.pidfd_open(child.pid)
        assert outside({read: 1, pidfd: 1}) == {read: 1, pidfd: 1}
        child.kill()
    for each in (read, pidfd):
        os.close(each)


def test_a_wait_for_ones_own_pipe_is_still_an_error_where_nothing_can_happen(tmp_path):
    file = tmp_path / "program.py"
    file.write_text("import os, select\nselect.select([os.pipe()[0]], [], [])\n")
    outcome = run(script(file), Board(clock=SteppedClock()), argv=[str(file)])
    assert isinstance(outcome.error, DeadlockError)
