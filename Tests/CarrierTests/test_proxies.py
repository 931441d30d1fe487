"""The proxies of the client that signs in, for a service that was started without any (C)."""

import json
import os
import pathlib
import socket
import subprocess
import tempfile
import threading
import unittest

import machine  # noqa: F401  (finds programs)
import programs
from dav import DEADLINE

PASSWORD = "correct horse 7 battery"
KDF = {"algorithm": "pbkdf2-hmac-sha256", "iterations": 100000}
ADDRESS = "https://dav.example.org/x/"


class Proxy:
    """A proxy that refuses everything, and keeps what it was asked for."""

    def __init__(self, test):
        self.socket = socket.create_server(("127.0.0.1", 0))
        test.addCleanup(self.socket.close)
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        self.requests = []
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            with connection:
                self.requests.append(connection.recv(400).split(b"\r\n")[0])
                connection.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")


class Client:
    def __init__(self, test, home, **variables):
        environment = {"PATH": os.environ["PATH"], "HOME": str(home), "XDG_RUNTIME_DIR": str(home / "run")}
        self.process = subprocess.Popen(
            [programs.program("quickvault"), "--shared"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**environment, **variables})
        test.addCleanup(self.close)

    def close(self):
        self.process.stdin.close()
        self.process.wait(DEADLINE)
        self.process.stdout.close()

    def ask(self, method, /, **parameters):
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        while "id" not in (answer := json.loads(self.process.stdout.readline())):
            pass
        return answer


class Proxies(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="proxies-", ignore_cleanup_errors=True)
        self.addCleanup(holder.cleanup)
        self.home = pathlib.Path(holder.name)
        (self.home / "run").mkdir(mode=0o700)
        self.proxy = Proxy(self)
        self.first = Client(self, self.home)
        self.addCleanup(self.first.ask, "session/lock")
        self.assertNotIn("error", self.first.ask("vault/create", password=PASSWORD, kdf=KDF))

    def sign_in(self, client):
        self.assertNotIn("error", client.ask("session/unlock", password=PASSWORD))
        self.proxy.requests.clear()
        answer = client.ask("account/signIn", method="password", address=ADDRESS, user="me", password="its password")
        self.assertIn("error", answer)
        return self.proxy.requests

    def test_c_the_client_that_signs_in_has_the_proxy(self):
        for name in ("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
            with self.subTest(name):
                client = Client(self, self.home, **{name: self.proxy.url})
                self.assertEqual(set(self.sign_in(client)), {b"CONNECT dav.example.org:443 HTTP/1.1"})
                client.ask("session/lock")
                self.assertEqual(set(self.sign_in(client)), {b"CONNECT dav.example.org:443 HTTP/1.1"})

    def test_c_the_proxy_of_another_client_is_not_used(self):
        self.sign_in(Client(self, self.home, https_proxy=self.proxy.url))
        self.assertEqual(self.sign_in(self.first), [])

    def test_c_an_exception_is_heeded(self):
        client = Client(self, self.home, https_proxy=self.proxy.url, no_proxy="dav.example.org")
        self.assertEqual(self.sign_in(client), [])


if __name__ == "__main__":
    unittest.main()
