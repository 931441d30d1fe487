"""A client for quickvault on a test desktop, with quickvault-desktop."""

import pathlib
import queue
import subprocess
import tempfile
import threading

import desktop
from cases import ReaderCase
from desktop import Desktop, Refused, programs

# Not a password from the examples in the OpenRPC document, which the program contains.
PASSWORD = "电池 of the desktop tests 订书钉"
STATE = "biometric/didChangeState"
# The fastest permitted: these tests are not about key derivation.
QUICKLY = {"algorithm": "pbkdf2-hmac-sha256", "iterations": 100_000}


def program():
    """The path of quickvault."""
    return programs.program("quickvault")


class Vault(Desktop):
    """A running quickvault with a vault."""

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
        """Sends a notification."""
        self._write({"jsonrpc": "2.0", "method": method, "params": parameters})

    def create(self):
        """Creates the vault."""
        return self.request("vault/create", password=PASSWORD, kdf=QUICKLY)

    def send_unlock(self):
        """Sends the request to unlock with a fingerprint and returns its ID."""
        self.last += 1
        self._write(
            {"jsonrpc": "2.0", "id": self.last, "method": "session/unlock", "params": {"method": "biometric"}})
        return self.last

    def begin_scan(self, method=None, /, **parameters):
        """Sends a request that needs a fingerprint (default: unlock), waits until the reader is ready, returns its ID."""
        identifier = self.send(method, **parameters) if method else self.send_unlock()
        self.notification(STATE, state="scanning")
        return identifier

    def order_of(self, *identifiers):
        """Waits for the answers to requests and returns their IDs in order of arrival."""
        order = []

        def completes(message):
            if message.get("id") in identifiers and "method" not in message:
                order.append(message["id"])
            return len(order) == len(identifiers)

        self.kept.append(self._find(completes))
        return order

    def enabled(self):
        """Whether this device is bound, according to `vault/status`."""
        return self.request("vault/status")["biometric"]["enabled"]

    def events(self):
        """The events in the vault's log, newest first."""
        return [entry["event"] for entry in self.request("log/list")["items"]]


class VaultCase(ReaderCase):
    """Tests with a reader, a keychain, logind, and a locked vault that is bound to this device."""

    options = {"logind": True}
    is_bound = True

    def setUp(self):
        super().setUp()
        self.world.set_locked_hint(False)
        directory = tempfile.TemporaryDirectory(prefix="qvt-")
        self.addCleanup(directory.cleanup)
        self.path = pathlib.Path(directory.name) / "vault.quickvault"
        # A new home directory, so that the keychain is empty.
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
        """Starts quickvault with the vault."""
        vault = Vault(self.path, self.world.environment(**environment))
        self.addCleanup(vault.close)
        return vault

    def enable(self, vault):
        """Binds the device with the password and an enrolled finger."""
        identifier = vault.begin_scan("biometric/enable", password=PASSWORD)
        self.world.reader.scan()
        return vault.answer(identifier)["device"]

    def lock(self, vault):
        """Locks the vault."""
        vault.request("session/lock")
        self.assertEqual(vault.notification("session/didLock"), {"reason": "request"})

    def unlock(self, vault):
        """Unlocks the vault with an enrolled finger."""
        identifier = vault.begin_scan()
        self.world.reader.scan()
        return vault.answer(identifier)

    def fail_thrice(self, vault):
        """Scans a finger that is not enrolled three times; the reader must be ready."""
        for state in ("scanning", "scanning", None):
            self.world.reader.scan("bob")
            vault.notification(STATE, state="tryAgain" if state else "failed")
            if state:
                vault.notification(STATE, state=state)

    def assert_answer_refused(self, kind, vault, identifier):
        """Checks that a request fails with an error of this kind."""
        return self.assert_refused(kind, vault.answer, identifier)


__all__ = ["PASSWORD", "QUICKLY", "STATE", "Refused", "Vault", "VaultCase"]
