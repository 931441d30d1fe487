"""Runs quickvault-desktop and talks with it, one message a line."""

import json
import pathlib
import queue
import subprocess
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import programs  # noqa: E402

DEADLINE = 30


def program():
    """The program's path."""
    return programs.program("quickvault-desktop")


class Refused(Exception):
    """An error that the program answered with."""

    def __init__(self, error):
        super().__init__(f"{error['code']} {error.get('data')} {error['message']}")
        self.code = error["code"]
        self.data = error.get("data") or {}
        self.kind = self.data.get("kind")


class Desktop:
    """A running program. Answers and notices are waited for with a deadline."""

    def __init__(self, environment, **options):
        self.process = subprocess.Popen(
            [program()], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
            **options)
        self.messages = queue.Queue()
        self.kept = []
        self.last = 0
        self.reading = threading.Thread(target=self._read, daemon=True)
        self.reading.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _read(self):
        for line in self.process.stdout:
            self.messages.put(json.loads(line))
        self.messages.put(None)

    def send(self, method, /, **parameters):
        """Sends a request, and gives its id."""
        self.last += 1
        self._write({"jsonrpc": "2.0", "id": self.last, "method": method, "params": parameters})
        return self.last

    def cancel(self, identifier):
        """Takes a request back."""
        self._write({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": identifier}})

    def _write(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def answer(self, identifier):
        """Waits for the answer to a request: its result, or Refused."""
        message = self._find(lambda message: message.get("id") == identifier and "method" not in message)
        if "error" in message:
            raise Refused(message["error"])
        return message["result"]

    def notice(self, method, **members):
        """Waits for a notice with these members."""
        message = self._find(
            lambda message: message.get("method") == method
            and all(message["params"].get(name) == value for name, value in members.items()))
        return message["params"]

    def request(self, method, /, **parameters):
        """Sends a request and waits for its answer."""
        return self.answer(self.send(method, **parameters))

    def notices(self, method):
        """The notices of a kind that came in while something else was waited for."""
        return [message["params"] for message in self.kept if message.get("method") == method]

    def _find(self, fits):
        for message in self.kept:
            if fits(message):
                self.kept.remove(message)
                return message
        while True:
            try:
                message = self.messages.get(timeout=DEADLINE)
            except queue.Empty:
                raise AssertionError(f"nothing that fits came; came: {self.kept}") from None
            if message is None:
                raise AssertionError(f"the program ended; came: {self.kept}")
            if fits(message):
                return message
            self.kept.append(message)

    def close(self):
        """Closes its input, waits for its end, and gives its status and what it printed to standard error."""
        if not self.process.stdin.closed:
            self.process.stdin.close()
        try:
            status = self.process.wait(DEADLINE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError("the program goes on after the end of its input") from None
        self.reading.join(DEADLINE)
        errors = self.process.stderr.read() if not self.process.stderr.closed else b""
        self.process.stdout.close()
        self.process.stderr.close()
        return status, errors
