"""A vault whose folder the service has carried: `account/*` with the real carrier and a real server."""

import ctypes
import os
import pathlib
import select
import subprocess
import sys
import tempfile
import time
import unittest

import machine  # noqa: F401  (finds programs)
import programs
from dav import DEADLINE, PASSWORD, USER, Server, free_port

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Soak"))

from server import KDF, MARK  # noqa: E402
from server import Server as Vault  # noqa: E402
from server import traces  # noqa: E402

LIBC = ctypes.CDLL(None)
PR_SET_CHILD_SUBREAPER = 36
MASTER = "password of the account tests " + MARK


class AccountTests(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="account-")
        self.addCleanup(holder.cleanup)
        self.top = pathlib.Path(holder.name)
        self.dav = Server("rclone")
        self.addCleanup(self.dav.stop)

    def vault(self, name):
        home = self.top / name
        home.mkdir(exist_ok=True)
        with open(home / "errors", "ab") as errors:
            vault = Vault(programs.program("quickvault"), str(home / "vault.quickvault"), ["--verbose"], errors,
                          str(home / "state"), env={**os.environ, "HOME": str(home)}, bufsize=0)
        self.addCleanup(self.finish, vault.process)
        return vault

    @staticmethod
    def finish(process):
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe and not pipe.closed:
                pipe.close()

    def sign_in(self, vault, **changes):
        return vault.ask("account/signIn", **{"method": "password", "address": self.dav.url, "user": USER, "password": PASSWORD,
                                              **changes})

    def until(self, vault, matches):
        """Asks for the status until it is as expected, or fails at the deadline."""
        end = time.monotonic() + 2 * DEADLINE
        while not matches(status := vault.must("account/status")):
            self.assertLess(time.monotonic(), end, status)
            select.select([], [], [], 0.05)
        return status

    def test_a_vault_is_carried_to_a_second_machine_and_signed_out(self):
        first = self.vault("first")
        first.must("vault/create", password=MASTER, kdf=KDF)
        self.assertEqual(first.must("account/status"), {"signedIn": False})
        self.assertEqual(first.kind("account/signOut"), "account.notSignedIn")
        first.must("sync/enable", folder=str(self.top / "first/folder"))
        first.must("card/create", title="t", group="personal", type="text", fields={"text": "carried"})
        answer = self.sign_in(first)
        self.assertEqual({name: answer["result"][name] for name in ("signedIn", "method", "address", "user")},
                         {"signedIn": True, "method": "password", "address": self.dav.url, "user": USER})
        self.until(first, lambda status: "lastCarried" in status)
        self.assertTrue(any(self.dav.root.rglob("keys/*")))
        self.assertEqual(self.sign_in(first)["error"]["data"]["kind"], "account.alreadySignedIn")
        # Another start signs in by itself.
        first.must("session/lock")
        first.must("session/unlock", password=MASTER)
        self.until(first, lambda status: "lastCarried" in status)
        self.assertEqual(first.must("account/signOut"), {"revoked": False})
        self.assertEqual(first.must("account/status"), {"signedIn": False})
        first.end()
        for path in (self.top / "first").rglob("*"):
            if path.is_file():
                self.assertEqual(traces(path.read_bytes(), PASSWORD), [], path)

    def test_refusals(self):
        vault = self.vault("only")
        self.assertEqual(self.sign_in(vault)["error"]["data"]["kind"], "vault.locked")
        vault.must("vault/create", password=MASTER, kdf=KDF)
        for kind, changes in (("carrier.refused", {"password": "another word"}), ("rpc.invalidParameters", {"password": None}),
                              ("carrier.unreachable", {"address": f"http://127.0.0.1:{free_port()}/"}),
                              ("rpc.invalidParameters", {"address": "no address"}), ("rpc.invalidParameters", {"method": "code"})):
            with self.subTest(kind=kind, changes=changes):
                error = self.sign_in(vault, **changes)["error"]
                self.assertEqual(error["data"]["kind"], kind)
                self.assertNotIn(PASSWORD, str(error))
        self.assertEqual(vault.must("account/status"), {"signedIn": False})

    def test_a_server_that_goes_away_is_told_and_nothing_waits(self):
        vault = self.vault("only")
        vault.must("vault/create", password=MASTER, kdf=KDF)
        self.assertIn("result", self.sign_in(vault))
        self.dav.process.terminate()
        self.dav.process.wait(DEADLINE)
        vault.must("sync/enable", folder=str(self.top / "only/folder"))
        status = self.until(vault, lambda status: "failure" in status)
        self.assertEqual(status["failure"]["kind"], "carrier.unreachable")
        self.assertEqual(set(status["failure"]["messages"]), {"en", "zh-Hans"})
        out = vault.must("account/signOut")
        self.assertFalse(out["revoked"])

    def test_what_starts_the_carrier_ends_with_the_vault(self):
        # Processes whose parents have ended become children of the test.
        self.assertEqual(LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1), 0)
        self.addCleanup(LIBC.prctl, PR_SET_CHILD_SUBREAPER, 0)
        vault = self.vault("only")
        vault.must("vault/create", password=MASTER, kdf=KDF)
        self.assertIn("result", self.sign_in(vault))
        found = subprocess.run(["pgrep", "-P", str(os.getpid()), "-x", "quickvault-net"], capture_output=True, text=True, check=True,
                               timeout=DEADLINE)
        starter = int(found.stdout)
        # Who looks for the processes of a vault does not find it.
        line = pathlib.Path(f"/proc/{starter}/cmdline").read_bytes()
        self.assertEqual(line.strip(b"\0"), b"quickvault-net")
        vault.process.kill()
        end = time.monotonic() + DEADLINE
        while os.waitpid(starter, os.WNOHANG) == (0, 0):
            self.assertLess(time.monotonic(), end)
            select.select([], [], [], 0.02)


if __name__ == "__main__":
    unittest.main()
