#!/usr/bin/python3
"""Puts the program under load and checks that nothing is lost, stuck or out of order.

    load.py PROGRAM [OPERATIONS] [REQUESTS] [SEED]

Eight processes share a vault and make OPERATIONS mixed operations each (default 2,000), some on the same cards. One client
sends REQUESTS requests (default 100,000) in one write, one sends as many one by one, one never reads its answers, and one sends
single bytes.
"""

import concurrent.futures
import fcntl
import json
import os
import random
import select
import signal
import struct
import sys
import tempfile
import termios
import threading
import time

from pictures import coded, picture
from server import KDF, MARK, Server, assert_not_stored, memory

PASSWORD = "one password for eight " + MARK
PROCESSES = 8
# In seconds, long enough for a busy machine; a process without an answer by then hangs.
DEADLINE = 1200


class Worker(threading.Thread):
    """One process and its answers."""

    def __init__(self, program, vault, shared, operations, seed):
        super().__init__(daemon=True)
        self.server = Server(program, vault)
        self.shared = shared
        self.operations = operations
        self.random = random.Random(seed)
        self.name = "%d" % seed
        self.own = {}
        self.attached = {}
        self.raised = {identifier: 0 for identifier in shared}
        self.conflicts = 0
        self.failure = None

    def run(self):
        try:
            for number in range(self.operations):
                self.operate(number)
            self.look()
            self.server.end()
        except BaseException as failure:  # the main thread reports it
            self.failure = failure

    def operate(self, number):
        kind = self.random.choices(
            ["create", "update", "delete", "raise", "list", "search", "get", "attach", "detach", "fetch"],
            [4, 3, 1, 4, 1, 1, 2, 1, 0.3, 1])[0]
        if kind == "raise":
            return self.raise_counter(self.random.choice(self.shared))
        if kind == "list":
            return self.server.must("card/list", limit=20)
        if kind == "search":
            return self.server.must("card/search", query="process%s" % self.name, limit=5)
        if kind == "create" or not self.own:
            text = "process%s number%d %s" % (self.name, number, MARK)
            card = self.server.must("card/create", title=text, group="personal", type="text", fields={"text": text})
            self.own[card["card"]["id"]] = text
            return None
        identifier = self.random.choice(list(self.own))
        if kind == "delete":
            self.server.must("card/delete", id=identifier)
            del self.own[identifier]
            self.attached = {name: one for name, one in self.attached.items() if one[0] != identifier}
        elif kind == "attach":
            data = coded(picture(note="process%s number%d" % (self.name, number), filling=self.random.choice([0, 30000])))
            made = self.server.must("attachment/add", cardId=identifier, data=data, name="%d.png" % number)
            self.attached[made["attachment"]["id"]] = (identifier, data)
        elif kind in ("detach", "fetch") and self.attached:
            attachment = self.random.choice(list(self.attached))
            if kind == "fetch":
                self.fetch(attachment)
            else:
                self.server.must("attachment/delete", id=attachment)
                del self.attached[attachment]
        elif kind == "update":
            text = "process%s changed%d %s" % (self.name, number, MARK)
            self.server.must("card/update", id=identifier, fields={"text": text})
            self.own[identifier] = text
        else:
            self.expect(identifier)
        return None

    def expect(self, identifier):
        text = self.server.must("card/get", id=identifier)["card"]["fields"][0]["value"]
        assert text == self.own[identifier], "%r is %r" % (self.own[identifier], text)

    def fetch(self, attachment):
        data = self.server.must("attachment/get", id=attachment)["data"]
        assert data == self.attached[attachment][1], "an attachment has another content"

    def raise_counter(self, identifier):
        """Increments the counter in a shared card; reads it again after a conflict."""
        while True:
            card = self.server.must("card/get", id=identifier)["card"]
            value = int(card["fields"][0]["value"]) + 1
            answer = self.server.ask(
                "card/update", id=identifier, revision=card["revision"], fields={"text": str(value)})
            if "result" in answer:
                self.raised[identifier] += 1
                return
            assert answer["error"]["data"]["kind"] == "card.conflict", answer
            self.conflicts += 1

    def look(self):
        for identifier in self.own:
            self.expect(identifier)
        for attachment in self.attached:
            self.fetch(attachment)


def all_at_once(act, workers):
    """Calls `act` with each worker, all in parallel threads; fails if one fails."""
    start = threading.Barrier(len(workers))
    with concurrent.futures.ThreadPoolExecutor(len(workers)) as threads:
        for done in [threads.submit(lambda worker=worker: (start.wait(), act(worker))) for worker in workers]:
            done.result()


def eight_processes(program, directory, operations, seed):
    vault = directory + "/vault.quickvault"
    server = Server(program, vault)
    server.must("vault/create", password=PASSWORD, kdf=KDF)
    shared = [
        server.must("card/create", title="counter " + MARK, group="company", type="text", fields={"text": "0"})["card"]["id"]
        for _ in range(3)]
    workers = [Worker(program, vault, shared, operations, seed + number) for number in range(PROCESSES)]
    all_at_once(lambda worker: worker.server.must("session/unlock", password=PASSWORD), workers)
    for worker in workers:
        worker.start()
    end = time.monotonic() + DEADLINE
    for worker in workers:
        worker.join(max(0, end - time.monotonic()))
        if worker.failure is not None:
            raise worker.failure
        assert not worker.is_alive(), "a process hangs: a deadlock"
    cards = {}
    for identifier in shared:
        value = int(server.must("card/get", id=identifier)["card"]["fields"][0]["value"])
        expected = sum(worker.raised[identifier] for worker in workers)
        assert value == expected, "%d updates, %d answered: %d were lost" % (value, expected, expected - value)
    for worker in workers:
        for identifier, text in worker.own.items():
            cards[identifier] = server.must("card/get", id=identifier)["card"]["fields"][0]["value"]
            assert cards[identifier] == text
        for attachment in worker.attached:
            assert server.must("attachment/get", id=attachment)["data"] == worker.attached[attachment][1]
    attachments = sum(len(worker.attached) for worker in workers)
    verification = server.must("vault/verify")
    assert verification["integrity"] == "intact" and verification["cards"] == len(cards) + len(shared), verification
    assert verification["attachments"] == attachments, verification
    assert_not_stored(directory)
    server.end()
    print("load: %d processes, %d operations each, %d conflicts reported and resolved, %d cards and %d attachments at the end; no "
          "update lost" % (PROCESSES, operations, sum(worker.conflicts for worker in workers), len(cards), attachments))


def many_in_one_write(program, directory, requests):
    """Sends all requests in one write, from a thread because a pipe holds less; answers must be in order."""
    server = Server(program, directory + "/none.quickvault")
    lines = b"".join(
        b'{"jsonrpc":"2.0","id":%d,"method":"vault/status"}\n' % number for number in range(requests))
    writer = threading.Thread(target=lambda: (server.process.stdin.write(lines), server.flush()), daemon=True)
    writer.start()
    for number in range(requests):
        answer = json.loads(server.process.stdout.readline())
        assert answer["id"] == number and "result" in answer, (number, answer)
    writer.join()
    peak = memory(server.process.pid, "VmHWM")
    server.end()
    assert peak < 64 << 20, "%d MiB" % (peak >> 20)
    print("load: %d requests in one write, answered in order, %d MiB" % (requests, peak >> 20))


def one_by_one(program, directory, requests):
    """Sends each request after the answer to the one before, so that each answer is written by itself."""
    server = Server(program, directory + "/none.quickvault")
    requests = max(requests, 20000)
    before = 0
    for number in range(requests):
        server.process.stdin.write(b'{"jsonrpc":"2.0","id":%d,"method":"none"}\n' % number)
        server.flush()
        assert json.loads(server.process.stdout.readline())["id"] == number
        if number == requests // 10:
            before = memory(server.process.pid, "VmRSS")
    growth = memory(server.process.pid, "VmRSS") - before
    server.end()
    assert growth < 1 << 20, "grew by %d KiB" % (growth >> 10)
    print("load: %d requests one by one: grew by %d KiB" % (requests, growth >> 10))


def never_reads(program, directory):
    """Requests far more than the pipes hold and reads nothing: the program must stop reading and not grow."""
    server = Server(program, directory + "/none.quickvault")
    server.must("vault/status")
    before = memory(server.process.pid, "VmRSS")
    # Long requests, so that few answers are pending when the program stops reading.
    request = b'{"jsonrpc":"2.0","id":%d,' + b" " * 4000 + b'"method":"rpc.discover"}\n'
    requests = b"".join(request % number for number in range(4000))
    descriptor = server.process.stdin.fileno()
    os.set_blocking(descriptor, False)
    sent, poll = 0, select.poll()
    poll.register(descriptor, select.POLLOUT)
    # The program has stopped reading if its input accepts nothing for a second.
    while sent < len(requests) and poll.poll(1000):
        sent += os.write(descriptor, requests[sent:sent + 4096])
    assert sent < len(requests), "it read everything"
    peak = memory(server.process.pid, "VmHWM")
    assert peak - before < 32 << 20, "grew by %d MiB" % ((peak - before) >> 20)
    # It continues when the client reads.
    whole = requests[:sent].count(b"\n")
    for number in range(whole):
        line = server.process.stdout.readline()
        assert line.startswith(b'{"jsonrpc":"2.0","id":%d,"result":' % number) and line.endswith(b"}\n"), line[:200]
    server.process.kill()
    server.process.wait()
    server.process.stdin = None
    print("load: %d unread answers: %d MiB at most; then all arrived" % (whole, peak >> 20))


def byte_by_byte(program, directory):
    """Sends each byte after the one before was read, in both framings.

    What the program sees of a client that sends a byte a second is a read of one byte, again and again.
    """
    body = b'{"jsonrpc":"2.0","id":7,"method":"vault/status"}'
    for frame in (body + b"\n", b"Content-Length: %d\r\n\r\n%s" % (len(body), body)):
        server = Server(program, directory + "/none.quickvault", bufsize=0)
        descriptor = server.process.stdin.fileno()
        end = time.monotonic() + 60
        for position in range(len(frame)):
            os.write(descriptor, frame[position:position + 1])
            while struct.unpack("i", fcntl.ioctl(descriptor, termios.FIONREAD, bytes(4)))[0]:
                assert time.monotonic() < end, "byte %d is not read" % position
                os.sched_yield()
        answer = server.process.stdout.readline()
        if answer.startswith(b"Content-Length"):
            server.process.stdout.readline()
            answer = server.process.stdout.read(int(answer.split()[1]))
        assert json.loads(answer)["id"] == 7, answer
        server.process.send_signal(signal.SIGTERM)
        server.process.wait()
    print("load: single bytes in both framings: answered")


def main():
    if not 2 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    program = os.path.abspath(sys.argv[1])
    operations = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    requests = int(sys.argv[3]) if len(sys.argv) > 3 else 100000
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else random.SystemRandom().randrange(10**9)
    print("load: seed %d" % seed, flush=True)
    with tempfile.TemporaryDirectory(prefix="quickvault-load-") as directory:
        byte_by_byte(program, directory)
        never_reads(program, directory)
        many_in_one_write(program, directory, requests)
        one_by_one(program, directory, requests)
        eight_processes(program, directory, operations, seed)


if __name__ == "__main__":
    main()
