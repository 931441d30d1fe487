"""`quickvault-carrier serve`, as the vault's process speaks with it."""

import json
import os
import pathlib
import queue
import subprocess
import tempfile
import threading

import machine  # noqa: F401  (finds programs)
import programs
from dav import DEADLINE


class CarrierFailure(Exception):
    """An error that was answered."""

    def __init__(self, error):
        self.kind, self.data = error["data"]["kind"], error["data"]
        super().__init__(error)


class Service:
    """A running service with a state directory of its own. `messages` keeps everything that it wrote, for leak searches."""

    def __init__(self):
        self.holder = tempfile.TemporaryDirectory(prefix="service-")
        self.top = pathlib.Path(self.holder.name)
        self.process = subprocess.Popen(
            [programs.program("quickvault-carrier"), "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={"PATH": os.environ["PATH"], "HOME": str(self.top), "XDG_STATE_HOME": str(self.top / "state")})
        self.incoming, self.last, self.notifications = queue.Queue(), 0, []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.incoming.put(json.loads(line))
        self.incoming.put(None)

    def _write(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def send(self, method, /, **parameters):
        """Sends a request; returns its id."""
        self.last += 1
        self._write({"id": self.last, "method": method, "params": parameters})
        return self.last

    def cancel(self, identifier):
        self._write({"method": "$/cancelRequest", "params": {"id": identifier}})

    def receive(self):
        message = self.incoming.get(timeout=2 * DEADLINE)
        assert message is not None, "the service ended"
        return message

    def notification(self, method):
        """Waits for a notification that comes before the next answer."""
        message = self.receive()
        while message.get("method") != method:
            assert "id" not in message, message
            message = self.receive()
        return message["params"]

    def answer(self, identifier):
        message = self.receive()
        while "id" not in message:
            self.notifications.append(message)
            message = self.receive()
        assert message["id"] == identifier, message
        if "error" in message:
            raise CarrierFailure(message["error"])
        return message["result"]

    def ask(self, method, /, **parameters):
        return self.answer(self.send(method, **parameters))

    def stop(self):
        """Closes its input. Returns the exit status and what it wrote to standard error."""
        self.process.stdin.close()
        status = self.process.wait(DEADLINE)
        errors = self.process.stderr.read()
        self.process.stderr.close()
        self.process.stdout.close()
        self.holder.cleanup()
        return status, errors
