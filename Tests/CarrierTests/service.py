"""`quickvault-carrier serve`, as the vault's process speaks with it."""

import json
import os
import pathlib
import queue
import signal
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
    """A running service with a state directory of its own.

    The passwords and tokens that it is given and gives may stand in no notification and no error, and at its end not on its
    command line, in its environment, on its standard error or in its files."""

    def __init__(self):
        self.holder = tempfile.TemporaryDirectory(prefix="service-")
        self.top = pathlib.Path(self.holder.name)
        self.process = subprocess.Popen(
            [programs.program("quickvault-carrier"), "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={"PATH": os.environ["PATH"], "HOME": str(self.top), "XDG_STATE_HOME": str(self.top / "state")})
        self.incoming, self.last, self.notifications, self.secrets = queue.Queue(), 0, [], set()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.incoming.put(json.loads(line))
        self.incoming.put(None)

    def _note(self, values):
        """Remembers the secrets in parameters or a result."""
        for holder in (values, values.get("credentials", {})):
            found = [holder.get(name) for name in ("password", "accessToken", "refreshToken")]
            self.secrets.update(value for value in found if value and len(value) >= 8)

    def _check(self, place, text):
        for secret in self.secrets:
            assert secret.encode() not in text, place

    def _write(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def send(self, method, /, **parameters):
        """Sends a request; returns its id."""
        self.last += 1
        self._note(parameters)
        self._write({"id": self.last, "method": method, "params": parameters})
        return self.last

    def cancel(self, identifier):
        self._write({"method": "$/cancelRequest", "params": {"id": identifier}})

    def receive(self):
        message = self.incoming.get(timeout=2 * DEADLINE)
        assert message is not None, "the service ended"
        if "result" in message:
            self._note(message["result"])
        else:
            self._check(message.get("method", "error"), json.dumps(message).encode())
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

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def stop(self):
        """Closes its input. Returns the exit status and what it wrote to standard error."""
        process = pathlib.Path(f"/proc/{self.process.pid}")
        self._check("command line", (process / "cmdline").read_bytes())
        # Root may read the environment even of a process that forbids it.
        if os.access(process / "environ", os.R_OK):
            self._check("environment", (process / "environ").read_bytes())
        self.process.stdin.close()
        status = self.process.wait(DEADLINE)
        errors = self.process.stderr.read()
        self.process.stderr.close()
        self.process.stdout.close()
        self._check("standard error", errors)
        for path in self.top.rglob("*"):
            self._check("name of a file", os.fsencode(path))
            if path.is_file():
                self._check(path.name, path.read_bytes())
        self.holder.cleanup()
        return status, errors
