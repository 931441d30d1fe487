"""A vault whose folder the service has carried: `account/*` with the real carrier and a real server."""

import ctypes
import json
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
from provider import CLIENT, SCOPE, Provider

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Soak"))

from server import KDF, MARK  # noqa: E402
from server import Server as Vault  # noqa: E402
from server import traces  # noqa: E402

LIBC = ctypes.CDLL(None)
PR_SET_CHILD_SUBREAPER = 36
MASTER = "password of the account tests " + MARK


class Carried:
    """A directory for vaults, and a server that `start` returns."""

    def setUp(self):
        # A carrier whose vault is killed may write for another moment.
        holder = tempfile.TemporaryDirectory(prefix="account-", ignore_cleanup_errors=True)
        self.addCleanup(holder.cleanup)
        self.top = pathlib.Path(holder.name)
        self.dav = self.start()
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

    def until(self, vault, matches):
        """Asks for the status until it is as expected, or fails at the deadline."""
        end = time.monotonic() + 2 * DEADLINE
        while not matches(status := vault.must("account/status")):
            self.assertLess(time.monotonic(), end, status)
            select.select([], [], [], 0.05)
        return status


class AccountTests(Carried, unittest.TestCase):
    def start(self):
        return Server("rclone")

    def sign_in(self, vault, **changes):
        return vault.ask("account/signIn", **{"method": "password", "address": self.dav.url, "user": USER, "password": PASSWORD,
                                              **changes})

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


class OpenIDTests(Carried, unittest.TestCase):
    """With glewlwyd, and Apache with mod_oauth2, which takes its tokens."""

    def start(self):
        # Tokens that end within a minute are replaced before each pass.
        self.provider = Provider(life=50)
        self.addCleanup(self.provider.stop)
        return Server("apache-oauth2", self.provider)

    def sign_in(self, method, approve):
        """Signs in; returns the vault, which is carried then."""
        vault = self.vault("only")
        vault.must("vault/create", password=MASTER, kdf=KDF)
        request = vault.send("account/signIn", {"method": method, "address": self.dav.url, "issuer": self.provider.issuer,
                                                "clientId": CLIENT, "scope": SCOPE})
        prompt = self.prompt(vault)
        self.assertEqual("code" in prompt, method == "device")
        approve(prompt)
        answer = vault.answer()
        self.assertEqual((answer["id"], answer["result"]["signedIn"], answer["result"]["method"]), (request, True, method))
        self.assertIn("expiresAt", answer["result"])
        vault.must("sync/enable", folder=str(self.top / "only/folder"))
        self.until(vault, lambda status: "lastCarried" in status)
        self.assertTrue(any(self.dav.root.rglob("keys/*")))
        return vault

    def prompt(self, vault):
        for line in vault.process.stdout:
            message = json.loads(line)
            self.assertNotIn("id", message)
            if message["method"] == "account/didPrompt":
                return message["params"]
        raise AssertionError("the vault has ended")

    def test_a_device_is_carried_with_fresh_tokens_and_signed_out(self):
        vault = self.sign_in("device", self.provider.approve_device)
        # What the first pass put in place of the tokens is what the vault has kept.
        vault.must("session/lock")
        vault.must("session/unlock", password=MASTER)
        self.until(vault, lambda status: "lastCarried" in status)
        self.assertEqual(vault.must("account/signOut"), {"revoked": True})
        self.assertEqual(vault.must("account/status"), {"signedIn": False})

    def test_a_browser_of_this_machine(self):
        vault = self.sign_in("code", self.provider.approve_code)
        self.assertEqual(vault.must("account/signOut"), {"revoked": True})

    def test_a_sign_in_that_is_given_up(self):
        vault = self.vault("only")
        vault.must("vault/create", password=MASTER, kdf=KDF)
        request = vault.send("account/signIn", {"method": "device", "address": self.dav.url, "issuer": self.provider.issuer,
                                                "clientId": CLIENT, "scope": SCOPE})
        self.prompt(vault)
        vault.process.stdin.write(json.dumps({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": request}}).encode() + b"\n")
        answer = vault.answer()
        self.assertEqual((answer["id"], answer["error"]["data"]["kind"]), (request, "rpc.cancelled"))
        self.assertEqual(vault.must("account/status"), {"signedIn": False})


if __name__ == "__main__":
    unittest.main()
