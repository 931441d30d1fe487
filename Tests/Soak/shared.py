#!/usr/bin/python3
"""Kills and burdens the service of a shared vault, and checks what its clients get.

    shared.py PROGRAM [KILLS [CONNECTIONS]]

A service that is killed at any moment loses nothing that was answered, each client is told, and the next request starts
another. Many clients, many connections, and clients that do not read, write slowly or never greet are served or refused, in
bounded memory and with bounded descriptors.
"""

import concurrent.futures
import contextlib
import json
import os
import random
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

from server import KDF, MARK, Server, memory

PASSWORD = "shared password " + MARK
TIMEOUT = 60


class Vault:
    """A vault with a service, which is killed at the end."""

    def __init__(self, program, directory):
        self.program, self.path = program, directory + "/vault.quickvault"
        runtime = directory + "/run"
        os.mkdir(runtime, 0o700)
        self.environment = dict(os.environ, XDG_RUNTIME_DIR=runtime, LC_ALL="C")
        self.sockets = runtime + "/quickvault/"
        client = self.client()
        client.must("vault/create", password=PASSWORD, kdf=KDF)
        self.file = self.sockets + next(name for name in os.listdir(self.sockets) if name.endswith(".sock"))
        client.end()

    @property
    def service(self):
        """The service's process."""
        with open(self.file.removesuffix("sock") + "lock", encoding="ascii") as file:
            return int(file.read())

    def client(self, **options):
        """A client behind a relay, which starts the service if none runs."""
        return Server(self.program, self.path, ["--shared"], env=self.environment, **options)

    def connect(self):
        return Connection(self.file, self.path)

    def kill(self):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            os.kill(self.service, signal.SIGKILL)

    def descriptors(self):
        return len(os.listdir("/proc/%d/fd" % self.service))

    def memory(self):
        """The resident memory in KiB."""
        return memory(self.service, "VmRSS") >> 10


class Connection:
    """A client on the socket itself, without a relay."""

    def __init__(self, path, vault, greets=True):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(TIMEOUT)
        self.socket.connect(path)
        self.lines = self.socket.makefile("rb")
        if greets:
            # One too many is refused when it is accepted, which may be before it greets.
            with contextlib.suppress(BrokenPipeError):
                self.write(self.greeting(vault))
            self.greeted = json.loads(self.lines.readline() or b"{}")

    @staticmethod
    def greeting(vault):
        return json.dumps({"quickvault": 1, "vault": vault, "locale": "C", "environment": {}}).encode() + b"\n"

    def write(self, data):
        self.socket.sendall(data)

    def send(self, identifier, method, **params):
        self.write(json.dumps({"jsonrpc": "2.0", "id": identifier, "method": method, "params": params}).encode() + b"\n")

    def answer(self):
        for line in self.lines:
            message = json.loads(line)
            if "id" in message and "method" not in message:
                return message
        return None

    def must(self, method, **params):
        self.send(1, method, **params)
        answer = self.answer()
        assert answer and "result" in answer, (method, answer)
        return answer["result"]

    def close(self):
        self.lines.close()
        self.socket.close()


def killed(vault, kills):
    """Three clients write; the service is killed at a random moment, again and again."""
    acknowledged, unsure = set(), {"long"}
    for number in range(kills):
        told = []
        with contextlib.ExitStack() as stack:
            clients = []
            for _ in range(3):
                said = stack.enter_context(tempfile.TemporaryFile())
                client = vault.client(stderr=said)
                client.must("session/unlock", password=PASSWORD)
                clients.append((client, said))
            service = vault.service

            def write(index, client):
                for count in range(10_000):
                    title = "%d-%d-%d" % (number, index, count)
                    unsure.add(title)
                    try:
                        answer = client.ask("card/create", title=title, group="personal", type="text", fields={"text": title})
                    except BrokenPipeError:
                        return
                    if answer is None:
                        return
                    assert "result" in answer, answer
                    acknowledged.add(title)

            threads = [threading.Thread(target=write, args=(index, client)) for index, (client, _) in enumerate(clients)]
            for thread in threads:
                thread.start()
            select.select([], [], [], random.uniform(0, 0.15))
            os.kill(service, signal.SIGKILL)
            for thread in threads:
                thread.join(TIMEOUT)
                assert not thread.is_alive(), "a client waits for a service that is dead"
            for client, said in clients:
                status = client.process.wait(TIMEOUT)
                said.seek(0)
                told.append((status, said.read().decode()))
        expected = "the shared service (process %d) has ended unexpectedly" % service
        assert all(status == 1 and expected in text for status, text in told), told
    client = vault.client()
    client.must("session/unlock", password=PASSWORD)
    stored, cursor = set(), {}
    while cursor is not None:
        page = client.must("card/list", limit=200, **cursor)
        stored |= {item["title"] for item in page["items"]}
        cursor = {"cursor": page["nextCursor"]} if page.get("nextCursor") else None
    assert acknowledged <= stored <= unsure, (len(acknowledged - stored), len(stored - unsure))
    assert client.must("vault/verify")["integrity"] == "intact"
    client.end()
    print("killed %d times: all %d answered cards are there" % (kills, len(acknowledged)))


def crowd(vault):
    """A hundred clients at once, each of which gets its answers in order."""
    clients = [vault.connect() for _ in range(100)]
    clients[0].must("session/unlock", password=PASSWORD)
    for index, client in enumerate(clients):
        for number in range(50):
            client.send("%d-%d" % (index, number), ["vault/status", "card/list", "tag/list"][number % 3])
    for index, client in enumerate(clients):
        for number in range(50):
            answer = client.answer()
            assert answer["id"] == "%d-%d" % (index, number) and "result" in answer, answer
    clients[0].must("session/lock")
    for client in clients[1:]:
        assert client.must("vault/status")["locked"] is True
    for client in clients:
        client.close()
    print("100 clients: 5,000 answers in order, one lock for all")


def many_connections(vault, count):
    """Clients that connect, ask and leave, from four processes at once."""
    keeper = vault.connect()
    keeper.must("vault/status")
    before = vault.descriptors()
    start = time.monotonic()
    with concurrent.futures.ProcessPoolExecutor(4) as pool:
        for made in [pool.submit(connect_often, vault.file, vault.path, count // 4) for _ in range(4)]:
            made.result()
    rate = count / (time.monotonic() - start)
    deadline = time.monotonic() + TIMEOUT
    while vault.descriptors() > before:
        assert time.monotonic() < deadline, "descriptors are left: %d, before %d" % (vault.descriptors(), before)
    keeper.must("vault/status")
    keeper.close()
    print("%d connections with a request each: %.0f a second" % (count, rate))


def connect_often(path, vault, count):
    for _ in range(count):
        connection = Connection(path, vault)
        assert "process" in connection.greeted, connection.greeted
        connection.must("vault/status")
        connection.close()


def too_many(vault):
    """More admitted clients than the service allows are refused in words, and served when others have left."""
    clients = [vault.connect() for _ in range(256)]
    clients[0].must("session/unlock", password=PASSWORD)
    assert all("process" in client.greeted for client in clients)
    assert vault.connect().greeted["error"] == "tooMany"
    refused = subprocess.run([vault.program, "--shared", "--vault", vault.path], env=vault.environment, input=b"",
                             capture_output=True, timeout=TIMEOUT, check=False)
    assert refused.returncode == 1 and b"too many clients are connected" in refused.stderr, refused
    for client in clients[:2]:
        client.close()
    deadline = time.monotonic() + TIMEOUT
    while "error" in (last := vault.connect()).greeted:
        assert time.monotonic() < deadline
    last.must("vault/status")
    for client in clients[2:] + [last]:
        client.close()
    print("the 257th client is refused")


def refusal_of(client):
    """The line that a client is told before it is closed; empty where it is told nothing."""
    with contextlib.suppress(ConnectionResetError):
        refusal = client.lines.readline()
        assert not client.lines.readline(), refusal
        return refusal
    return b""


def burdens(vault):
    """Clients that never greet, write slowly, or never read."""
    friend = vault.connect()
    friend.must("session/unlock", password=PASSWORD)
    card = friend.must("card/create", title="long", group="personal", type="text", fields={"text": "x" * 60_000})["card"]["id"]
    before = vault.memory()

    # They ask for 60 MB each and read nothing.
    request = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "card/get", "params": {"id": card}}).encode() + b"\n"
    silent = [vault.connect() for _ in range(8)]
    for client in silent:
        client.socket.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            for _ in range(1_000):
                client.socket.send(request)
    # One sends its greeting and a request byte by byte; its answer is asked for at the end.
    slow = Connection(vault.file, vault.path, greets=False)
    written = Connection.greeting(vault.path) + b'{"jsonrpc":"2.0","id":1,"method":"vault/status"}\n'
    worst = 0
    begun = written.index(b"\n")
    for position in range(len(written)):
        slow.write(written[position:position + 1])
        # The service waits five seconds for the greeting, in which a busy machine answers only so many requests.
        if position < begun and position % 32:
            continue
        start = time.monotonic()
        friend.must("card/list")
        worst = max(worst, time.monotonic() - start)
    assert "process" in json.loads(slow.lines.readline()) and "result" in slow.answer()
    grown = vault.memory() - before
    assert grown < 32 << 10, "%d KiB more for clients that do not read" % grown

    # Half a greeting, more often than the service waits for at a time. It closes the first of them without an answer; others do
    # not wait. The last client has its place, too, if its greeting comes after it was accepted.
    halves = [Connection(vault.file, vault.path, greets=False) for _ in range(70)]
    for half in halves:
        # The service may have closed the first ones by now.
        with contextlib.suppress(BrokenPipeError):
            half.write(b'{"quickvault":1,"vault":')
    friend.must("card/list")
    start = time.monotonic()
    vault.connect().must("vault/status")
    waited = time.monotonic() - start
    refusals = [refusal_of(half) for half in halves]
    unanswered = refusals.count(b"")
    assert unanswered in (6, 7) and not any(refusals[:unanswered]), refusals
    assert all(json.loads(refusal)["error"] == "malformed" for refusal in refusals[unanswered:]), refusals
    # What is no greeting is refused at once.
    for nonsense in [b"\n", b"GET / HTTP/1.1\r\n\r\n", b"x" * 20_000, b'{"quickvault":2}\n', b"\xff\xfe\n", b"[" * 10_000 + b"\n"]:
        refused = Connection(vault.file, vault.path, greets=False)
        with contextlib.suppress(BrokenPipeError):
            refused.write(nonsense)
        with contextlib.suppress(ConnectionResetError):
            assert json.loads(refused.lines.readline() or b'{"error":"malformed"}')["error"] == "malformed", nonsense
    start = time.monotonic()
    friend.must("session/lock")
    friend.must("vault/status")
    lock = time.monotonic() - start
    assert friend.must("vault/status")["locked"] is True
    for client in [friend, slow, *silent, *halves]:
        client.close()
    print("8 clients that do not read: %d KiB more; longest request beside a slow one %.1f ms; a client behind 70 half "
          "greetings waits %.1f s; lock %.0f ms" % (max(grown, 0), worst * 1_000, waited, lock * 1_000))


HALF = b"Content-Length: 33554432\r\n\r\n" + b'{"jsonrpc":"2.0","id":1,"method":"session/unlock","params":{"password":"'
LINE = b'[' + b"x" * 100
BATCH = b"[" + b",".join([b'{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}'] * 200) + b"]\n"
CHECK = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "password/check", "params": {"password": "x" * 1_000}}).encode() + b"\n"
ATTACKS = {
    "half messages": [HALF] + [b"x" * 65_536] * 16,
    "lines without an end": [LINE] + [b"x" * 65_536] * 16,
    "batches that are not read": [BATCH] * 4,
    "checks that are not read": [CHECK * 60] * 4,
    "requests that are not read": [b'{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}\n' * 1_000] * 4,
}


def attack(name, path, vault):
    """Sends as much as the service takes, on 255 connections, and reads nothing."""
    clients = [Connection(path, vault) for _ in range(255)]
    for client in clients:
        client.socket.setblocking(False)
    for piece in ATTACKS[name]:
        for client in clients:
            with contextlib.suppress(BlockingIOError, BrokenPipeError, ConnectionResetError):
                client.socket.send(piece)
    print("sent", flush=True)
    sys.stdin.read()


def strangers(vault):
    """Another program, which was not admitted, has 255 connections: the memory for it is bounded, and the vault locks."""
    for name in ATTACKS:
        friend = vault.connect()
        friend.must("session/unlock", password=PASSWORD)
        before = memory(vault.service, "VmHWM")
        with subprocess.Popen([sys.executable, __file__, "--attack", name, vault.file, vault.path], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, start_new_session=True) as process:
            assert process.stdout.readline() == b"sent\n"
            friend.must("card/list")
            grown = memory(vault.service, "VmHWM") - before
            start = time.monotonic()
            friend.must("session/lock")
            locked = time.monotonic()
            assert friend.must("vault/status")["locked"]
            back = time.monotonic()
            after = memory(vault.service, "VmHWM")
            process.stdin.close()
        print("255 strangers, %s: %d MiB more; lock %.0f ms, next answer after %.0f ms more; %d MiB then"
              % (name, grown >> 20, 1_000 * (locked - start), 1_000 * (back - locked), after >> 20))
        assert grown < 64 << 20, grown
        friend.close()


def main():
    if sys.argv[1] == "--attack":
        return attack(*sys.argv[2:])
    program = os.path.abspath(sys.argv[1])
    kills, connections = [int(word) for word in sys.argv[2:4]] + [100, 10_000][len(sys.argv) - 2:]
    with tempfile.TemporaryDirectory() as directory:
        os.chmod(directory, 0o700)
        vault = Vault(program, directory)
        try:
            crowd(vault)
            many_connections(vault, connections)
            too_many(vault)
            burdens(vault)
            strangers(vault)
            killed(vault, kills)
        finally:
            vault.kill()


if __name__ == "__main__":
    main()
