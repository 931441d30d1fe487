"""A client for quickvault with the imaging helper or a fake one."""

import base64
import contextlib
import json
import os
import subprocess

import worker

PASSWORD = "Pinguin 7c01 und 电池"
KDF = {"algorithm": "pbkdf2-hmac-sha256", "iterations": 100000}


def program():
    """The path of the vault's program."""
    return worker.programs.program("quickvault")


class Refused(Exception):
    """An error answer."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.kind = error.get("data", {}).get("kind")
        self.data = error.get("data", {})
        self.code = error["code"]


class Vault:
    """A running quickvault with a vault in a directory; creates the vault if there is none, else unlocks it."""

    def __init__(self, directory, helpers=None, command=(), environment=None):
        self.path = os.path.join(directory, "vault.quickvault")
        options = ["--helpers", helpers] if helpers else []
        self.process = subprocess.Popen(
            [*command, program(), "--vault", self.path, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env={"HOME": directory, "LANG": "C", **(environment or {})})
        self.identifier = 0
        self.notifications = []
        if os.path.exists(self.path):
            self.call("session/unlock", password=PASSWORD)
        else:
            self.call("vault/create", password=PASSWORD, kdf=KDF)

    def send(self, method, **params):
        """Sends a request and returns its ID."""
        self.identifier += 1
        self.write({"jsonrpc": "2.0", "id": self.identifier, "method": method, "params": params})
        return self.identifier

    def write(self, message):
        """Sends a message."""
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def answer(self, identifier):
        """Waits for the result of a request; keeps notifications that arrive first. Raises Refused after an error."""
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get("id") == identifier:
                if "error" in message:
                    raise Refused(message["error"])
                return message["result"]
            self.notifications.append(message)
        raise AssertionError("the program has ended")

    def call(self, method, **params):
        """Sends a request and returns its result."""
        return self.answer(self.send(method, **params))

    def card(self, title="Papers"):
        """Creates a card and returns its ID."""
        made = self.call("card/create", title=title, group="personal", type="text", fields={"text": "x"})
        return made["card"]["id"]

    def attach(self, card, data, **params):
        """Adds an attachment and returns its ID."""
        data = base64.b64encode(data).decode()
        return self.call("attachment/add", cardId=card, data=data, **params)["attachment"]["id"]

    def content(self, identifier, **params):
        """The bytes of an attachment."""
        return base64.b64decode(self.call("attachment/get", id=identifier, **params)["data"])

    def children(self):
        """The PIDs of the child processes."""
        listed = []
        for task in os.listdir(f"/proc/{self.process.pid}/task"):
            # A thread may end meanwhile.
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                with open(f"/proc/{self.process.pid}/task/{task}/children", encoding="ascii") as children:
                    listed += [int(child) for child in children.read().split()]
        return listed

    def end(self):
        """Closes the input; the program must exit with status 0."""
        self.process.stdin.close()
        self.process.stdout.read()
        self.process.stdout.close()
        assert self.process.wait(timeout=worker.DEADLINE) == 0
