"""Tokens of a vault's account: those that are refused, those that are to be forgotten, and where none may be found (C)."""

import contextlib
import pathlib
import secrets
import unittest

import machine  # noqa: F401  (finds modules)
from dav import PASSWORD, USER, Server
from liar import Liar
from provider import CLIENT, SCOPE, Provider
from server import assert_not_stored
from test_account import MASTER, Carried, prompt_of, segments


class Tokens(Carried):
    """With glewlwyd, and Apache with mod_oauth2. Whenever one of them is asked, and at the end, all secrets are searched for."""

    #: How long access tokens are valid, in seconds
    life = 3_600
    secret, rotates = None, False

    def start(self):
        self.leaks, self.processes = set(), set()
        self.provider = Provider(life=self.life, secret=self.secret, rotates=self.rotates)
        self.addCleanup(self.provider.stop)
        self.files = Server("apache-oauth2", self.provider)
        self.addCleanup(self.files.stop)
        front = Liar(behind=self.files.port)
        front.otherwise = self.provider.front.otherwise = self.watch
        return front

    def setUp(self):
        super().setUp()
        self.only = self.synchronised()

    def watch(self, handler, _):
        self.look_at_processes()
        handler.pass_on()

    def secrets(self):
        """The secrets until now."""
        tokens = {text for issued in self.provider.issued for name, text in issued.items() if name.endswith("_token")}
        return {PASSWORD, self.provider.password, *tokens, *([self.secret] if self.secret else [])}

    def look_at_processes(self):
        """Searches what others can see of the program and its helpers."""
        secrets = [secret.encode() for secret in self.secrets()]
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            # It may have ended, and only root may read the environment of one that forbids it.
            with contextlib.suppress(OSError):
                if not (program := (process / "comm").read_text().strip()).startswith("quickvault"):
                    continue
                for name in ("cmdline", "environ"):
                    content = (process / name).read_bytes()
                    self.processes.add((program, name))
                    self.leaks.update((program, name) for secret in secrets if secret in content)

    def end(self):
        """Ends the vault, and searches what is left."""
        self.only.end()
        self.assertEqual(self.leaks, set())
        self.assertGreaterEqual(self.processes, {("quickvault", "cmdline"), ("quickvault-carr", "cmdline")})
        self.search()

    def search(self):
        """Searches the files of a vault that has ended, and those on the server."""
        places = [self.top, *([self.files.root] if segments(self.files.root) else [])]
        for place in places:
            assert_not_stored(place, *self.secrets())

    def sign_in(self, method="device"):
        """Signs in; everything is carried then."""
        request = self.only.send("account/signIn", {
            "method": method, "address": self.dav.url + "/oauth2/", "issuer": self.provider.issuer, "clientId": CLIENT,
            "scope": SCOPE, **({"clientSecret": self.secret} if self.secret else {})})
        prompt = prompt_of(self.only)
        (self.provider.approve_device if method == "device" else self.provider.approve_code)(prompt)
        answer = self.only.answer()
        self.assertEqual((answer["id"], answer.get("result", answer).get("signedIn")), (request, True))
        return self.carried()

    def carried(self):
        status = self.until(self.only, lambda status: "lastMirrored" in status or "failure" in status)
        self.assertNotIn("failure", status)
        return status

    def publish(self):
        """Makes a card, with which a pass begins."""
        self.only.must("card/create", title="t", group="personal", type="text", fields={"text": "a"})
        self.only.must("sync/now")

    def restart(self):
        self.only.must("session/lock")
        self.only.must("session/unlock", password=MASTER)

    def delete(self):
        """Deletes the data, after which no token is accepted."""
        answer = self.only.must("account/deleteData", password=MASTER, confirm="vault.quickvault")
        self.assertEqual((answer, list(self.files.root.iterdir())), ({"deleted": True, "revoked": True}, []))
        self.assertEqual(self.only.must("account/status"), {"signedIn": False})
        self.assertEqual(self.active(), set())
        self.end()

    def active(self):
        """Which of the tokens that are in use the provider accepts."""
        last = self.provider.issued[-1]
        refresh = {issued["refresh_token"] for issued in self.provider.issued if "refresh_token" in issued}
        return {token for token in (last["access_token"], *refresh) if self.provider.is_active(token)}


class RevocationTests(Tokens, unittest.TestCase):
    def test_no_token_is_accepted_after_a_sign_out(self):
        self.sign_in()
        self.assertEqual(len(self.active()), 2)
        self.assertEqual(self.only.must("account/signOut"), {"revoked": True})
        self.assertEqual(self.active(), set())
        self.end()

    def test_the_data_are_deleted_with_a_new_token_in_place_of_a_refused_one(self):
        self.sign_in()
        self.revoke()
        self.delete()

    def test_an_access_token_that_the_provider_revokes_is_replaced(self):
        self.sign_in()
        revoked = self.revoke()
        self.restart()
        self.carried()
        self.assertNotEqual(self.provider.issued[-1]["access_token"], revoked)
        self.assertEqual(len(self.active()), 2)
        self.end()

    def test_a_session_that_the_provider_ends(self):
        self.sign_in()
        self.revoke()
        check_ended_session(self)

    def revoke(self):
        token = self.provider.issued[-1]["access_token"]
        self.provider.revoke(token)
        self.files.wait_until_refused(token)
        return token


class ExpiryTests(Tokens, unittest.TestCase):
    # They are replaced before each pass.
    life = 50

    def test_a_session_that_the_person_ends_at_the_provider(self):
        self.sign_in()
        check_ended_session(self)


def check_ended_session(test):
    """Nothing can be carried without a new sign-in, and everything else goes on."""
    test.provider.end_sessions()
    test.restart()
    failure = test.until(test.only, lambda status: "failure" in status)["failure"]
    test.assertEqual((failure["kind"], set(failure["messages"])), ("carrier.signInAgain", {"en", "zh-Hans"}))
    test.assertTrue(failure["since"])
    there = segments(test.files.root)
    test.publish()
    test.assertEqual(test.only.must("account/status")["failure"]["since"], failure["since"])
    test.assertEqual(segments(test.files.root), there)
    deletion = {"password": MASTER, "confirm": "vault.quickvault"}
    test.assertEqual(test.only.kind("account/deleteData", **deletion), "carrier.signInAgain")
    test.assertTrue(test.only.must("account/status")["signedIn"])
    test.only.must("account/signOut")
    test.assertEqual(test.active(), set())
    test.assertNotIn("failure", test.sign_in())
    test.assertGreater(segments(test.files.root), there)
    test.end()


class RotationTests(Tokens, unittest.TestCase):
    life = 50
    rotates = True

    def test_refresh_tokens_that_can_be_used_once(self):
        self.sign_in()
        for _ in range(2):
            self.restart()
            self.carried()
        refresh = [issued["refresh_token"] for issued in self.provider.issued]
        self.assertGreaterEqual(len(refresh), 4)
        self.assertEqual(len(set(refresh)), len(refresh))
        # The deletion uses another one.
        self.delete()


class LeakTests(Tokens, unittest.TestCase):
    life = 50
    secret = secrets.token_hex(12)

    def test_no_secret_is_left_anywhere(self):
        for method in ("device", "code"):
            self.sign_in(method)
            self.publish()
            # It has tokens when it ends, and goes on with them.
            self.only.end()
            self.search()
            self.only = self.vault("only")
            self.only.must("session/unlock", password=MASTER)
            self.carried()
            self.assertEqual(self.only.must("account/signOut"), {"revoked": True})
        self.sign_in()
        self.provider.end_sessions()
        self.restart()
        self.until(self.only, lambda status: "failure" in status)
        self.only.must("account/signOut")
        account = {"method": "password", "address": self.dav.url + "/dav/", "user": USER}
        self.assertEqual(self.only.kind("account/signIn", password=PASSWORD[:-1], **account), "carrier.refused")
        self.only.must("account/signIn", password=PASSWORD, **account)
        self.carried()
        self.assertEqual(self.only.must("account/signOut"), {"revoked": False})
        self.assertGreater(len(self.provider.issued), 6)
        self.end()


if __name__ == "__main__":
    unittest.main()
