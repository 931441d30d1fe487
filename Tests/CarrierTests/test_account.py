"""A vault whose folder the service has carried: `account/*` with the real carrier and a real server (C)."""

import ctypes
import json
import os
import pathlib
import select
import subprocess
import tempfile
import time
import unittest

import machine  # noqa: F401  (finds modules)
import programs
from dav import DEADLINE, PASSWORD, USER, Server
from ports import free_port
from provider import CLIENT, EMAIL, SCOPE, Provider
from server import KDF, MARK
from server import Server as Vault
from server import traces

LIBC = ctypes.CDLL(None)
PR_SET_CHILD_SUBREAPER = 36
MASTER = "password of the account tests " + MARK


def carried_of(status):
    return status.get("mirror", {})


class Carried:
    """A directory for vaults, and a server that `start` returns."""

    #: No session bus, and so no keychain: not that of the person who runs the tests
    desktop = {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"}

    def setUp(self):
        # A carrier whose vault is killed may write for another moment.
        holder = tempfile.TemporaryDirectory(prefix="account-", ignore_cleanup_errors=True)
        self.addCleanup(holder.cleanup)
        self.top = pathlib.Path(holder.name)
        self.dav = self.start()
        self.addCleanup(self.dav.stop)

    def vault(self, name, file="vault.quickvault"):
        home = self.top / name
        home.mkdir(exist_ok=True)
        with open(home / "errors", "ab") as errors:
            vault = Vault(programs.program("quickvault"), str(home / file), ["--verbose"], errors,
                          str(home / "state"), env={**os.environ, "HOME": str(home), **self.desktop},
                          bufsize=0)
        self.addCleanup(self.finish, vault.process)
        return vault

    def synchronised(self, name="only"):
        """A new vault that is synchronised over a folder beside it."""
        vault = self.vault(name)
        vault.must("vault/create", password=MASTER, kdf=KDF)
        vault.must("sync/enable", folder=str(self.top / name / "folder"))
        return vault

    def carried_vault(self):
        """A new vault whose folder was carried."""
        vault = self.synchronised()
        self.sign_in(vault)
        self.until(vault, lambda status: "lastMirrored" in status)
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


def segments(root):
    """The segments on a server."""
    return {path for path in root.rglob("changes/*/*") if not path.name.startswith(".")}


def prompt_of(vault):
    """Waits for the prompt of a sign-in."""
    for line in vault.process.stdout:
        message = json.loads(line)
        assert "id" not in message, message
        if message["method"] == "account/didPrompt":
            return message["params"]
    raise AssertionError("the vault has ended")


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
        self.assertEqual(
            {name: answer["result"][name] for name in ("signedIn", "method", "address", "user", "tokensIn")},
            {"signedIn": True, "method": "password", "address": self.dav.url, "user": USER, "tokensIn": "vault"})
        self.until(first, lambda status: "lastMirrored" in status)
        self.assertTrue(any(self.dav.root.rglob("keys/*")))
        self.assertEqual(self.sign_in(first)["error"]["data"]["kind"], "account.alreadySignedIn")
        # Another start signs in by itself.
        first.must("session/lock")
        first.must("session/unlock", password=MASTER)
        self.until(first, lambda status: "lastMirrored" in status)
        self.assertEqual(first.must("account/signOut"), {"revoked": False})
        self.assertEqual(first.must("account/status"), {"signedIn": False})
        first.end()
        for path in (self.top / "first").rglob("*"):
            if path.is_file():
                self.assertEqual(traces(path.read_bytes(), PASSWORD), [], path)

    def test_what_was_published_before_a_lock_is_carried_after_it(self):
        vault = self.carried_vault()
        for ends in (False, True):
            with self.subTest(ends=ends):
                there = segments(self.dav.root)
                vault.must("card/create", title="t", group="personal", type="text", fields={"text": "a"})
                vault.must("sync/now")
                if ends:
                    vault.end()
                else:
                    vault.must("session/lock")
                end = time.monotonic() + 2 * DEADLINE
                while segments(self.dav.root) == there:
                    self.assertLess(time.monotonic(), end)
                    select.select([], [], [], 0.05)
                if not ends:
                    vault.must("session/unlock", password=MASTER)
                    self.assertNotIn("failure", self.until(vault, lambda status: "lastMirrored" in status))

    def test_the_data_on_the_server_are_deleted(self):
        vault = self.vault("only")
        vault.must("vault/create", password=MASTER, kdf=KDF)
        self.assertEqual(vault.kind("account/deleteData", password=MASTER, confirm="vault.quickvault"), "account.notSignedIn")
        vault.must("sync/enable", folder=str(self.top / "only/folder"))
        self.sign_in(vault)
        self.until(vault, lambda status: "lastMirrored" in status)
        other = self.dav.root / "5b0c1f6e-8d2a-8c47-9e31-7f60a4d2c815"
        other.mkdir()
        for kind, password, name in (("vault.confirmationMismatch", MASTER, "vault"),
                                     ("auth.wrongPassword", "wrong", "vault.quickvault")):
            self.assertEqual(vault.kind("account/deleteData", password=password, confirm=name), kind)
        self.assertTrue(segments(self.dav.root))
        # A pass begins with each of these.
        vault.must("card/create", title="t", group="personal", type="text", fields={"text": "a"})
        vault.must("sync/now")
        answer = vault.must("account/deleteData", password=MASTER, confirm="vault.quickvault")
        self.assertEqual(answer, {"deleted": True, "revoked": False})
        self.assertEqual([path.name for path in self.dav.root.iterdir()], [other.name])
        self.assertEqual(vault.must("account/status"), {"signedIn": False})
        vault.must("sync/now")
        # Its carrier would be the next to have the folder.
        vault.must("session/lock")
        vault.must("session/unlock", password=MASTER)
        vault.end()
        self.assertEqual([path.name for path in self.dav.root.iterdir()], [other.name])

    def test_data_that_cannot_be_deleted_stay_signed_in(self):
        vault = self.carried_vault()
        self.dav.process.terminate()
        self.dav.process.wait(DEADLINE)
        self.assertEqual(
            vault.kind("account/deleteData", password=MASTER, confirm="vault.quickvault"), "carrier.unreachable")
        self.assertTrue(vault.must("account/status")["signedIn"])

    def test_what_was_carried_to_another_server_is_not_told(self):
        first = self.carried_vault()
        second = self.vault("only")
        second.must("session/unlock", password=MASTER)
        second.must("account/signOut")
        self.assertNotIn("mirror", first.must("sync/status"))
        server = Server("rclone")
        self.addCleanup(server.stop)
        self.assertNotIn("lastMirrored", self.sign_in(first, address=server.url)["result"])
        self.until(first, lambda status: "lastMirrored" in status)
        self.assertTrue(segments(server.root))

    def test_refusals(self):
        vault = self.vault("only")
        vault.must("vault/create", password=MASTER, kdf=KDF)
        vault.must("session/lock")
        self.assertEqual(self.sign_in(vault)["error"]["data"]["kind"], "vault.locked")
        vault.must("session/unlock", password=MASTER)
        for kind, changes in (("carrier.refused", {"password": "another word"}), ("rpc.invalidParameters", {"password": None}),
                              ("carrier.unreachable", {"address": f"http://127.0.0.1:{free_port()}/"}),
                              ("rpc.invalidParameters", {"address": "no address"}), ("rpc.invalidParameters", {"method": "code"}),
                              ("rpc.invalidParameters", {"user": ""})):
            with self.subTest(kind=kind, changes=changes):
                error = self.sign_in(vault, **changes)["error"]
                self.assertEqual(error["data"]["kind"], kind)
                self.assertNotIn(PASSWORD, str(error))
        self.assertIn("required", self.sign_in(vault, password="")["error"]["message"])
        self.assertEqual(vault.must("account/status"), {"signedIn": False})

    def test_the_status_of_synchronisation_says_how_the_folder_is_carried(self):
        vault = self.vault("only")
        vault.must("vault/create", password=MASTER, kdf=KDF)
        self.assertNotIn("mirror", vault.must("sync/enable", folder=str(self.top / "only/folder")))
        self.sign_in(vault)
        # Told once when it was carried, without a request.
        carried = self.told(vault, lambda status: "lastMirrored" in carried_of(status))["mirror"]
        self.assertEqual(carried, vault.must("sync/status")["mirror"])
        self.dav.process.terminate()
        self.dav.process.wait(DEADLINE)
        vault.must("card/create", title="t", group="personal", type="text", fields={"text": "a"})
        # The folder may be synchronised again meanwhile.
        told = self.told(vault, lambda status: "failure" in carried_of(status) and status["state"] == "idle")
        self.assertEqual(told["mirror"]["failure"], vault.must("account/status")["failure"])
        self.assertEqual(told["mirror"]["failure"]["kind"], "carrier.unreachable")
        vault.must("account/signOut")
        self.assertNotIn("mirror", vault.must("sync/status"))

    def test_a_server_whose_certificate_its_owner_signed(self):
        server = Server("apache-tls")
        self.addCleanup(server.stop)
        authorities = self.top / "authorities.pem"
        authorities.write_bytes(server.certificate.read_bytes())
        vault = self.synchronised()
        # Without https://, which is added.
        address = server.url.removeprefix("https://")
        for kind, file in (("carrier.certificate", {}), ("carrier.certificateFile", {"caFile": str(self.top / "missing")}),
                           ("file.notFound", {"caFile": ""})):
            self.assertEqual(self.sign_in(vault, address=address, **file)["error"]["data"]["kind"], kind)
        status = self.sign_in(vault, address=address, caFile=str(authorities))["result"]
        self.assertEqual((status["address"], status["caFile"]), (server.url, str(authorities)))
        self.until(vault, lambda status: "lastMirrored" in status)
        # It is kept, and read again.
        vault.must("session/lock")
        vault.must("session/unlock", password=MASTER)
        self.until(vault, lambda status: "lastMirrored" in status)
        authorities.unlink()
        vault.must("card/create", title="t", group="personal", type="text", fields={"text": "a"})
        self.assertEqual(self.until(vault, lambda status: "failure" in status)["failure"]["kind"], "carrier.certificateFile")
        authorities.write_bytes(server.certificate.read_bytes())
        self.assertTrue(vault.must("account/deleteData", password=MASTER, confirm="vault.quickvault")["deleted"])
        self.assertEqual(vault.must("account/status"), {"signedIn": False})

    def told(self, vault, matches):
        """Reads until `sync/didChange` says what is expected, or fails at the deadline."""
        end = time.monotonic() + 2 * DEADLINE
        while True:
            self.assertTrue(select.select([vault.process.stdout], [], [], max(0, end - time.monotonic()))[0])
            message = json.loads(vault.process.stdout.readline())
            if message.get("method") == "sync/didChange" and matches(message["params"]):
                return message["params"]

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
        starter = self.starter()
        # Who looks for the processes of a vault does not find it.
        line = pathlib.Path(f"/proc/{starter}/cmdline").read_bytes()
        self.assertEqual(line.strip(b"\0"), b"quickvault-net")
        vault.process.kill()
        end = time.monotonic() + DEADLINE
        while os.waitpid(starter, os.WNOHANG) == (0, 0):
            self.assertLess(time.monotonic(), end)
            select.select([], [], [], 0.02)


    def starter(self):
        """Waits until what starts the carrier has become a child of the test; returns its process."""
        words = ["pgrep", "-P", str(os.getpid()), "-x", "quickvault-net"]
        end = time.monotonic() + DEADLINE
        while not (found := subprocess.run(words, capture_output=True, text=True, check=False, timeout=DEADLINE).stdout):
            self.assertLess(time.monotonic(), end)
        return int(found)


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
        prompt = prompt_of(vault)
        self.assertEqual("code" in prompt, method == "device")
        approve(prompt)
        answer = vault.answer()
        self.assertEqual((answer["id"], answer["result"]["signedIn"], answer["result"]["method"]), (request, True, method))
        self.assertIn("expiresAt", answer["result"])
        self.assertEqual(answer["result"]["user"], EMAIL)
        vault.must("sync/enable", folder=str(self.top / "only/folder"))
        self.until(vault, lambda status: "lastMirrored" in status)
        self.assertTrue(any(self.dav.root.rglob("keys/*")))
        return vault

    def test_a_device_is_carried_with_fresh_tokens_and_signed_out(self):
        vault = self.sign_in("device", self.provider.approve_device)
        # What the first pass put in place of the tokens is what the vault has kept.
        vault.must("session/lock")
        vault.must("session/unlock", password=MASTER)
        self.until(vault, lambda status: "lastMirrored" in status)
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
        prompt_of(vault)
        vault.process.stdin.write(json.dumps({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": request}}).encode() + b"\n")
        answer = vault.answer()
        self.assertEqual((answer["id"], answer["error"]["data"]["kind"]), (request, "rpc.cancelled"))
        self.assertEqual(vault.must("account/status"), {"signedIn": False})


if __name__ == "__main__":
    unittest.main()
