"""The vault's program, spoken to one message a line, with the worker or a stand-in for it."""

import base64
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
    """An error that was answered; its kind is `kind`."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.kind = error.get("data", {}).get("kind")
        self.data = error.get("data", {})
        self.code = error["code"]


class Vault:
    """A conversation about a vault in a directory, which is made where there is none."""

    def __init__(self, directory, helpers=None, command=(), environment=None):
        self.path = os.path.join(directory, "vault.quickvault")
        options = ["--helpers", helpers] if helpers else []
        self.process = subprocess.Popen(
            [*command, program(), "--vault", self.path, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env={"HOME": directory, "LANG": "C", **(environment or {})})
        self.identifier = 0
        self.notices = []
        if os.path.exists(self.path):
            self.call("session/unlock", password=PASSWORD)
        else:
            self.call("vault/create", password=PASSWORD, kdf=KDF)

    def send(self, method, **params):
        """Sends a request and gives its id."""
        self.identifier += 1
        self.write({"jsonrpc": "2.0", "id": self.identifier, "method": method, "params": params})
        return self.identifier

    def write(self, message):
        """Sends a message."""
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def answer(self, identifier):
        """The result of a request; raises Refused. Notices before it are kept."""
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get("id") == identifier:
                if "error" in message:
                    raise Refused(message["error"])
                return message["result"]
            self.notices.append(message)
        raise AssertionError("the conversation has ended")

    def call(self, method, **params):
        """Asks and waits."""
        return self.answer(self.send(method, **params))

    def card(self, title="Papers"):
        """A new card's id."""
        made = self.call("card/create", title=title, group="personal", type="text", fields={"text": "x"})
        return made["card"]["id"]

    def attach(self, card, data, **params):
        """A new attachment's id."""
        data = base64.b64encode(data).decode()
        return self.call("attachment/add", cardId=card, data=data, **params)["attachment"]["id"]

    def content(self, identifier, **params):
        """The bytes of an attachment."""
        return base64.b64decode(self.call("attachment/get", id=identifier, **params)["data"])

    def children(self):
        """The processes that it has started."""
        listed = []
        for task in os.listdir(f"/proc/{self.process.pid}/task"):
            with open(f"/proc/{self.process.pid}/task/{task}/children", encoding="ascii") as children:
                listed += [int(child) for child in children.read().split()]
        return listed

    def end(self):
        """Ends the conversation, which must end well."""
        self.process.stdin.close()
        self.process.stdout.read()
        self.process.stdout.close()
        assert self.process.wait(timeout=worker.DEADLINE) == 0
