"""R12, R10: the vault locks with the desktop and before sleep, and no device secret stays in memory."""

import base64
import hmac
import os
import re
import sqlite3
import struct
import subprocess
import unittest

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from vault import PASSWORD, VaultCase, program
from world import eventually


class Locking(VaultCase):
    is_bound = False

    def setUp(self):
        # A new logind for each test, because the tests count inhibitors.
        self.world.stop("logind")
        self.world.start_logind()
        super().setUp()
        self.watched()

    def inhibited(self):
        """Whether the vault holds a sleep inhibitor; fprintd holds one too."""
        return any(who == "QuickVault" for _, who, *_ in self.world.inhibitors())

    def watched(self):
        """Waits until the vault watches the desktop and holds its inhibitor."""
        eventually(self.inhibited, "sleep is inhibited")

    def test_r12_the_desktop_locks(self):
        self.world.lock_session()
        self.vault.notification("session/didLock", reason="deviceLocked")
        self.assertTrue(self.vault.request("vault/status")["locked"])
        entry = self.vault.request("log/list", limit=1)["items"][0]
        self.assertEqual((entry["event"], entry["reason"]), ("locked", "deviceLocked"))

    def test_r12_the_screen_lock_sets_the_hint(self):
        self.world.set_locked_hint(True)
        self.vault.notification("session/didLock", reason="deviceLocked")

    def test_r12_the_vault_is_locked_before_the_machine_may_sleep(self):
        # The log is written before the inhibitor is released, so then it says "locked".
        self.world.prepare_for_sleep(True)
        eventually(lambda: not self.inhibited(), "the machine may sleep")
        watcher = self.open()
        entry = watcher.request("log/list", limit=1)["items"][0]
        self.assertEqual((entry["event"], entry["reason"]), ("locked", "sleep"))
        self.vault.notification("session/didLock", reason="sleep")
        # A locked vault does not delay sleep.
        self.world.prepare_for_sleep(False)
        self.assertFalse(self.inhibited())
        self.vault.request("session/unlock", password=PASSWORD)
        self.watched()

    def test_r12_sleep_ends_what_takes_long(self):
        identifier = self.vault.send("vault/verify")
        self.world.prepare_for_sleep(True)
        self.vault.notification("session/didLock", reason="sleep")
        self.vault._find(lambda message: message.get("id") == identifier)

    def test_r12_r13_each_can_be_switched_off(self):
        self.vault.request("settings/update", lockOnSleep=False)
        self.assertFalse(self.inhibited())
        self.vault.request("settings/update", lockWithDesktop=False, lockOnSleep=True)
        self.assertTrue(self.inhibited())
        self.world.lock_session()
        self.vault.request("biometric/status")
        self.assertFalse(self.vault.request("vault/status")["locked"])
        self.vault.request("settings/update", lockWithDesktop=True)
        # In force when it is answered: a lock of the desktop that follows at once is not missed.
        self.world.lock_session()
        self.vault.notification("session/didLock", reason="deviceLocked")

    def test_r12_a_desktop_program_that_ends_is_started_again(self):
        first = children(self.vault.process.pid)
        subprocess.run(["pkill", "-KILL", "-P", str(self.vault.process.pid)], check=True)
        eventually(lambda: children(self.vault.process.pid) not in ([], first), "it is started again")
        # Answers come in order, so it watches now.
        self.vault.request("biometric/status")
        self.world.lock_session()
        self.vault.notification("session/didLock", reason="deviceLocked")

    def test_f_a_ready_reader_is_ready_after_a_lock(self):
        self.assertTrue(self.vault.request("biometric/status")["available"])
        for _ in range(2):
            self.lock(self.vault)
            self.assertTrue(self.vault.request("vault/status")["biometric"]["available"])
            self.vault.request("session/unlock", password=PASSWORD)
            self.vault.kept.clear()

    def test_r12_it_ends_with_the_lock(self):
        self.lock(self.vault)
        eventually(lambda: not self.inhibited(), "the inhibitor is gone")
        self.vault.request("vault/status")
        eventually(lambda: children(self.vault.process.pid) == [], "the desktop program has ended")


class Memory(VaultCase):
    """Tests that read the memory of the process as root; nobody else can, because it cannot be dumped."""

    def test_r10_nothing_of_the_device_is_left_after_the_lock(self):
        self.assertEqual(os.geteuid(), 0, "reading another process's memory takes root")
        self.unlock(self.vault)
        secret = self.secret()
        text = base64.b64encode(secret)
        key = self.vault_key(secret)
        self.assertTrue(self.found(key), "the search is one that finds")
        self.lock(self.vault)
        self.vault.request("vault/status")
        for name, content in {
                "vault key": key, "secret": secret, "secret in base64": text, "password": PASSWORD.encode(),
                "prints": b"Virtual device for debugging"}.items():
            self.assertFalse(self.found(content), f"the {name} is still there")

    def test_r10_nor_after_a_try_that_failed(self):
        self.world.enroll("left-thumb")
        secret = self.secret()
        identifier = self.vault.begin_scan()
        self.world.reader.scan()
        self.assert_answer_refused("biometric.enrollmentChanged", self.vault, identifier)
        self.vault.request("vault/status")
        for content in (secret, base64.b64encode(secret)):
            self.assertFalse(self.found(content))

    def test_r10_nor_after_the_device_was_bound(self):
        self.unlock(self.vault)
        self.enable(self.vault)
        secret = self.secret()
        self.lock(self.vault)
        self.vault.request("vault/status")
        for content in (secret, base64.b64encode(secret), PASSWORD.encode()):
            self.assertFalse(self.found(content))

    def secret(self):
        """The secret in the keychain."""
        found = subprocess.run(
            ["secret-tool", "lookup", "xdg:schema", "org.quickvault.Device"], env=self.world.environment(),
            check=True, capture_output=True).stdout
        self.assertEqual(len(found), 32)
        return found

    def vault_key(self, secret):
        """The vault key, derived from the device secret as protocol/VAULT-FORMAT.md describes."""
        with sqlite3.connect(self.path) as connection:
            vault_id, = connection.execute("SELECT vault_id FROM vault").fetchone()
            slot, kind, algorithm, iterations, memory_kib, salt, sealed = connection.execute(
                "SELECT id, kind, algorithm, iterations, memory_kib, salt, sealed FROM slot WHERE kind = 2").fetchone()
        extracted = hmac.digest(salt, secret, "sha256")
        key = hmac.digest(extracted, b"quickvault/v1/device\x01", "sha256")
        bound = b"quickvault/v1/sl" + vault_id + slot + struct.pack(">BBII", kind, algorithm, iterations, memory_kib) + salt
        return AESGCM(key).decrypt(bytes(12), sealed, bound)

    def found(self, content):
        """Whether the memory of the vault process or of a child contains these bytes."""
        return any(
            content in part for process in [self.vault.process.pid, *children(self.vault.process.pid)]
            for part in memory(process))


class Parts(unittest.TestCase):
    def test_r9_the_vault_process_holds_no_dbus_code(self):
        libraries = subprocess.run(["ldd", program()], check=True, capture_output=True, text=True).stdout
        self.assertIn("libgcrypt", libraries)
        for name in ("systemd", "dbus", "glib", "gio"):
            self.assertNotIn(name, libraries)


class Running(VaultCase):
    is_bound = False

    def test_r9_nor_while_it_runs(self):
        self.vault.request("biometric/status")
        with open(f"/proc/{self.vault.process.pid}/maps", encoding="ascii", errors="replace") as maps:
            content = maps.read()
        self.assertIn("libgcrypt", content)
        for name in ("systemd", "dbus", "glib", "gio"):
            self.assertNotIn(f"lib{name}", content)


def children(process):
    """The running children of a process."""
    found = subprocess.run(["pgrep", "-P", str(process)], check=False, capture_output=True, text=True).stdout
    return [int(line) for line in found.split()]


def memory(process):
    """The readable memory of a process, mapping by mapping; nothing of one that has ended."""
    try:
        with open(f"/proc/{process}/maps", encoding="ascii", errors="replace") as maps:
            ranges = [re.match(r"([0-9a-f]+)-([0-9a-f]+) r", line) for line in maps]
        content = open(f"/proc/{process}/mem", "rb", buffering=0)
    except (FileNotFoundError, ProcessLookupError):
        return
    with content:
        for part in filter(None, ranges):
            start, end = (int(number, 16) for number in part.groups())
            if start >= 1 << 47:
                continue
            content.seek(start)
            try:
                yield content.read(end - start)
            except OSError:
                continue


if __name__ == "__main__":
    unittest.main()
