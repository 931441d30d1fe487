"""A machine: a vault file, a copy of the folder and a state directory of its own, and the process that has the vault open."""

import json
import os
import pathlib
import select
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Soak"))

from server import KDF, MARK, Server  # noqa: E402

PASSWORD = "password of several machines " + MARK
# In seconds, long enough for a busy computer.
DEADLINE = 120


class Machine:
    """A machine on which the vault is used."""

    def __init__(self, program, directory, name):
        self.program, self.name = program, name
        self.home = os.path.join(directory, name)
        self.folder = os.path.join(self.home, "folder")
        self.vault = os.path.join(self.home, "vault.quickvault")
        self.state = os.path.join(self.home, "state")
        os.makedirs(self.folder)
        os.makedirs(self.state)
        self.server = None
        self.changes = 0

    # The process

    def open(self):
        """Starts the process, and unlocks the vault if there is one."""
        if self.server is None:
            # No session bus, and so no keychain: not that of the person who runs the tests.
            environment = {**os.environ, "HOME": self.home, "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"}
            self.server = Server(self.program, self.vault, state=self.state, bufsize=0, env=environment)
            if os.path.exists(self.vault):
                self.unlock()
        return self

    def unlock(self):
        self.ask("session/unlock", password=PASSWORD)

    def ask(self, method, /, **params):
        return self.server.must(method, **params)

    def close(self):
        """Locks the vault, which publishes what is not published yet, and ends the process."""
        if self.server is not None:
            self.ask("session/lock")
            self.server.end()
            self.server = None

    def kill(self, draw):
        """Kills the process at some moment while it creates a card, which nobody hears, or synchronises."""
        self.server.send("card/create", dict(title="unheard", group="personal", type="text", fields={"text": "unheard"}))
        if draw.random() < 0.5:
            self.server.send("sync/now", {})
        self.server.flush()
        select.select([], [], [], draw.uniform(0, 0.03))
        self.server.kill()
        self.server = None

    def wait_for(self, method, matches=lambda params: True):
        """Reads until a notification comes that nobody asked for. Returns its parameters."""
        end = time.monotonic() + DEADLINE
        output = self.server.process.stdout
        line = b""
        while True:
            left = end - time.monotonic()
            assert left > 0 and select.select([output], [], [], left)[0], "%s: no %s" % (self.name, method)
            line += output.readline()
            if not line.endswith(b"\n"):
                assert line, "%s: the process has ended" % self.name
                continue
            message, line = json.loads(line), b""
            if message.get("method") == method and matches(message["params"]):
                return message["params"]

    # The folder

    def create(self):
        """Makes the vault, and begins to synchronise it."""
        self.open()
        self.ask("vault/create", password=PASSWORD, kdf=KDF)
        return self.ask("sync/enable", folder=self.folder, machine=self.name)

    def join(self):
        self.open()
        return self.ask("sync/join", folder=self.folder, password=PASSWORD, machine=self.name)

    def move_folder(self):
        """Renames the folder, as a user does who tidies up, and tells the vault."""
        moved = self.folder + "-moved"
        os.rename(self.folder, moved)
        assert self.server.kind("sync/now") == "sync.folderNotFound", "a folder that is gone was made anew"
        assert not os.path.exists(self.folder)
        assert self.outcome() == "failed"
        self.folder = moved
        self.ask("sync/disable")
        self.ask("session/unlock", password=PASSWORD)
        return self.ask("sync/enable", folder=moved, machine=self.name)

    def synchronise(self):
        return self.ask("sync/now")

    def outcome(self):
        """How the last attempt ended. One that nobody asked for may begin at any moment."""
        end = time.monotonic() + DEADLINE
        while (state := self.ask("sync/status")["state"]) == "syncing":
            assert time.monotonic() < end, "%s: the attempt does not end" % self.name
        return state

    def problems(self):
        """What is wrong with the streams of others, by the name of their machine."""
        status = self.ask("sync/status")
        assert status["enabled"], status
        return {other["machine"]: other["problem"]["kind"] for other in status["replicas"] if "problem" in other}

    def is_behind(self):
        return any(other["behind"] for other in self.ask("sync/status")["replicas"])

    def stream(self):
        """The paths of the segments of this machine, as they are in its own folder, in their order."""
        replica = self.ask("sync/status")["replica"]
        found = pathlib.Path(self.folder).glob("*-*-*-*-*/*-*-*-*-*/changes/%s/????????????????" % replica)
        return sorted(str(path.relative_to(self.folder)) for path in found)

    # The cards

    def cards(self):
        """The id, title and text of every card."""
        found, cursor = {}, None
        while True:
            page = self.ask("card/list", limit=1000, **({"cursor": cursor} if cursor else {}))
            for item in page["items"]:
                found[item["id"]] = (item["title"], self.text(item["id"]))
            cursor = page.get("nextCursor")
            if cursor is None:
                return found

    def text(self, card):
        return self.ask("card/get", id=card)["card"]["fields"][0]["value"]
