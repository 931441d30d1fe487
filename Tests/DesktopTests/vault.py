"""Runs quickvault on a desktop, with quickvault-desktop beside it, and talks with it, one message a line."""

import pathlib
import queue
import subprocess
import tempfile
import threading

import desktop
from cases import ReaderCase
from desktop import Desktop, Refused, programs

# One that the document in the program does not have as an example.
PASSWORD = "电池 of the desktop tests 订书钉"
STATE = "biometric/didChangeState"
# The fastest that is allowed: what is tested here is not the key derivation.
QUICKLY = {"algorithm": "pbkdf2-hmac-sha256", "iterations": 100_000}


def program():
    """The program's path."""
    return programs.program("quickvault")


class Vault(Desktop):
    """A running program with a vault; answers and notices are waited for as those of the desktop program."""

    def __init__(self, path, environment, helpers=None):
        helpers = helpers or str(pathlib.Path(desktop.program()).parent)
        self.path = pathlib.Path(path)
        self.process = subprocess.Popen(
            [program(), "--vault", str(path), "--helpers", helpers], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
        self.messages = queue.Queue()
        self.kept = []
        self.last = 0
        self.reading = threading.Thread(target=self._read, daemon=True)
        self.reading.start()

    def tell(self, method, **parameters):
        """Sends a notice."""
        self._write({"jsonrpc": "2.0", "method": method, "params": parameters})

    def create(self):
        """Makes the vault."""
        return self.request("vault/create", password=PASSWORD, kdf=QUICKLY)

    def send_unlock(self):
        """Sends the request to unlock with a finger, and gives its id."""
        self.last += 1
        self._write(
            {"jsonrpc": "2.0", "id": self.last, "method": "session/unlock", "params": {"method": "biometric"}})
        return self.last

    def begin_scan(self, method=None, /, **parameters):
        """Sends a request that waits for a finger, to unlock unless it is named, and waits until the reader is ready."""
        identifier = self.send(method, **parameters) if method else self.send_unlock()
        self.notice(STATE, state="scanning")
        return identifier

    def order_of(self, *identifiers):
        """Waits for the answers to requests, and gives the ids in the order in which they came."""
        order = []

        def completes(message):
            if message.get("id") in identifiers and "method" not in message:
                order.append(message["id"])
            return len(order) == len(identifiers)

        self.kept.append(self._find(completes))
        return order

    def enabled(self):
        """Whether this device is bound, as anybody can ask."""
        return self.request("vault/status")["biometric"]["enabled"]

    def events(self):
        """What the log says, newest first."""
        return [entry["event"] for entry in self.request("log/list")["items"]]


class VaultCase(ReaderCase):
    """A case with a reader, a keychain, a logind and a vault that is bound to this device and locked."""

    options = {"logind": True}
    is_bound = True

    def setUp(self):
        super().setUp()
        self.world.set_locked_hint(False)
        directory = tempfile.TemporaryDirectory(prefix="qvt-")
        self.addCleanup(directory.cleanup)
        self.path = pathlib.Path(directory.name) / "vault.quickvault"
        # A home of its own, so that the keychain is empty.
        self.world.home = pathlib.Path(directory.name) / "home"
        self.world.home.mkdir()
        self.world.start_keyring()
        self.addCleanup(self.stop_keyring)
        self.vault = self.open()
        self.vault.create()
        if self.is_bound:
            self.enable(self.vault)
            self.lock(self.vault)
        self.vault.kept.clear()

    def stop_keyring(self):
        if "keyring" in self.world.processes:
            self.world.stop("keyring")

    def open(self, **environment):
        """Starts the program with the vault."""
        vault = Vault(self.path, self.world.environment(**environment))
        self.addCleanup(vault.close)
        return vault

    def enable(self, vault):
        """Binds the device, with the right password and finger."""
        identifier = vault.begin_scan("biometric/enable", password=PASSWORD)
        self.world.reader.scan()
        return vault.answer(identifier)["device"]

    def lock(self, vault):
        """Locks the vault."""
        vault.request("session/lock")
        self.assertEqual(vault.notice("session/didLock"), {"reason": "request"})

    def unlock(self, vault):
        """Unlocks the vault with the right finger."""
        identifier = vault.begin_scan()
        self.world.reader.scan()
        return vault.answer(identifier)

    def fail_thrice(self, vault):
        """Puts a finger on the reader three times that is not enrolled; the reader waits for the first already."""
        for state in ("scanning", "scanning", None):
            self.world.reader.scan("bob")
            vault.notice(STATE, state="tryAgain" if state else "failed")
            if state:
                vault.notice(STATE, state=state)

    def assert_answer_refused(self, kind, vault, identifier):
        """The answer to a request is an error of this kind."""
        return self.assert_refused(kind, vault.answer, identifier)


__all__ = ["PASSWORD", "QUICKLY", "STATE", "Refused", "Vault", "VaultCase"]
