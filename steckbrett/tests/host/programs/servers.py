"""A server and its clients in one program, on sockets that wait."""

import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.request import urlopen

start = time.monotonic()


def now():
    return round(time.monotonic() - start, 1)


def answer(listener):
    connection, _ = listener.accept()
    with connection:
        while data := connection.recv(100):
            time.sleep(0.5)
            connection.sendall(data.upper())


listener = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=answer, args=(listener,), daemon=True).start()
time.sleep(1)
with socket.create_connection(listener.getsockname()) as client:
    for word in (b"one", b"two"):
        client.sendall(word)
        print(client.recv(100), now())
    client.settimeout(0.2)
    try:
        client.recv(100)
    except TimeoutError as problem:
        print(problem, now())


class Page(BaseHTTPRequestHandler):
    def do_GET(self):
        time.sleep(0.25)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"page " + self.path.encode())

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Page)
threading.Thread(target=server.serve_forever, daemon=True).start()
for path in "ab":
    with urlopen(f"http://127.0.0.1:{server.server_port}/{path}") as page:
        print(page.read(), now())
server.shutdown()
server.server_close()
listener.close()
