"""A client for quickvault-desktop."""

import json
import pathlib
import queue
import subprocess
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import programs  # noqa: E402

# In seconds, long enough for a busy machine
DEADLINE = 120


def program():
    """The path of quickvault-desktop."""
    return programs.program("quickvault-desktop")


class Refused(Exception):
    """An error answer."""

    def __init__(self, error):
        super().__init__(f"{error['code']} {error.get('data')} {error['message']}")
        self.code = error["code"]
        self.data = error.get("data") or {}
        self.kind = self.data.get("kind")


class Desktop:
    """A running quickvault-desktop. Waiting for a message fails after DEADLINE seconds."""

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
        """Sends a request and returns its ID."""
        self.last += 1
        self._write({"jsonrpc": "2.0", "id": self.last, "method": method, "params": parameters})
        return self.last

    def cancel(self, identifier):
        """Cancels a request."""
        self._write({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": identifier}})

    def _write(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def answer(self, identifier):
        """Waits for the result of a request. Raises Refused after an error."""
        message = self._find(lambda message: message.get("id") == identifier and "method" not in message)
        if "error" in message:
            raise Refused(message["error"])
        return message["result"]

    def notification(self, method, **members):
        """Waits for a notification with these members."""
        message = self._find(
            lambda message: message.get("method") == method
            and all(message["params"].get(name) == value for name, value in members.items()))
        return message["params"]

    def request(self, method, /, **parameters):
        """Sends a request and returns its result."""
        return self.answer(self.send(method, **parameters))

    def notifications(self, method):
        """The notifications of a method that arrived while waiting for something else."""
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
                raise AssertionError(f"no matching message; received: {self.kept}") from None
            if message is None:
                raise AssertionError(f"the program ended; received: {self.kept}")
            if fits(message):
                return message
            self.kept.append(message)

    def close(self):
        """Closes the input, waits for the end, and returns the status and the standard error."""
        if not self.process.stdin.closed:
            self.process.stdin.close()
        try:
            status = self.process.wait(DEADLINE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError("the program did not exit at the end of its input") from None
        self.reading.join(DEADLINE)
        errors = self.process.stderr.read() if not self.process.stderr.closed else b""
        self.process.stdout.close()
        self.process.stderr.close()
        return status, errors
