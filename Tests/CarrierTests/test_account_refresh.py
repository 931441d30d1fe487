"""Tokens that are replaced while something else happens: with glewlwyd, which accepts a refresh token once (C)."""

import json
import os
import pathlib
import threading
import unittest

import machine  # noqa: F401  (finds modules)
from dav import DEADLINE
from test_account import MASTER
from test_account_keychain import KeychainCase, eventually
from test_account_tokens import Tokens


class Refreshing(Tokens):
    # They are replaced before each pass.
    life = 50
    rotates = True

    def hold(self):
        """Keeps the next answer of the provider, which has replaced the tokens, until ``let_go``."""
        self.is_held, self.is_free, self.refused = threading.Event(), threading.Event(), []
        self.addCleanup(self.is_free.set)

        def wait(status, content):
            self.provider._note(status, content)
            if status != 200:
                self.refused.append(content)
            self.is_held.set()
            self.is_free.wait(DEADLINE)
        self.provider.front.answers["POST", "/api/oidc/token"] = lambda handler, _: handler.pass_on(wait)

    def begin(self):
        """Signs in and begins another pass, with a request for tokens that is not answered."""
        self.sign_in()
        self.hold()
        self.restart()
        self.wait_until_held()

    def wait_until_held(self):
        self.assertTrue(self.is_held.wait(DEADLINE))

    def let_go(self):
        self.is_free.set()

    def check(self):
        """Checks that the next passes succeed, and that no token was used twice."""
        self.carried()
        self.restart()
        self.carried()
        self.assertEqual(self.refused, [])


class RefreshTests(Refreshing, unittest.TestCase):
    def test_a_lock(self):
        self.begin()
        self.only.must("session/lock")
        self.let_go()
        self.only.must("session/unlock", password=MASTER)
        self.check()
        self.end()

    def test_an_answer_before_the_unlock(self):
        self.begin()
        self.only.must("session/lock")
        self.let_go()
        token = self.provider.issued[-1]["refresh_token"]
        # What came is kept for the vault, and the lock for others released.
        eventually(lambda: not self.has_token_lock(self.only), "the answer has come")
        self.only.must("session/unlock", password=MASTER)
        self.check()
        self.assertNotEqual(self.provider.issued[-1]["refresh_token"], token)
        self.end()

    def test_two_locks(self):
        self.begin()
        for _ in range(2):
            self.only.must("session/lock")
            self.only.must("session/unlock", password=MASTER)
        self.let_go()
        self.check()
        self.end()

    def test_the_end_of_the_program(self):
        self.begin()
        end = threading.Thread(target=self.only.end)
        end.start()
        self.let_go()
        end.join()
        self.only = self.vault("only")
        self.only.must("session/unlock", password=MASTER)
        self.check()
        self.end()

    def test_a_sign_out(self):
        self.begin()
        request = self.only.send("account/signOut", {})
        self.let_go()
        answer = self.only.answer()
        self.assertEqual((answer["id"], answer["result"]), (request, {"revoked": True}))
        self.assertEqual(self.active(), set())
        self.end()

    def test_a_deletion(self):
        self.begin()
        request = self.only.send("account/deleteData", {"password": MASTER, "confirm": "vault.quickvault"})
        self.let_go()
        answer = self.only.answer()
        self.assertEqual((answer["id"], answer["result"]), (request, {"deleted": True, "revoked": True}))
        self.assertEqual((self.active(), self.refused), (set(), []))
        self.end()

    def test_a_lock_does_not_wait_for_a_sign_out_that_waits(self):
        self.begin()
        request = self.only.send("account/signOut", {})
        lock = self.only.send("session/lock", {})
        answers = {answer["id"]: answer for answer in (self.only.answer(), self.only.answer())}
        self.assertEqual(answers[request]["error"]["data"]["kind"], "vault.locked")
        self.assertIn("result", answers[lock])
        self.let_go()
        self.only.must("session/unlock", password=MASTER)
        self.check()
        self.end()

    def test_two_processes(self):
        self.begin()
        second = self.vault("only")
        second.must("session/unlock", password=MASTER)
        # Its pass waits for the tokens of the first.
        eventually(lambda: self.has_token_lock(second), "the second waits")
        self.let_go()
        for vault in (self.only, second):
            self.assertNotIn("failure", self.until(vault, lambda status: "lastMirrored" in status or "failure" in status))
        second.end()
        self.check()
        self.end()

    def test_kill_9_leaves_a_session_that_is_said_to_be_over(self):
        self.begin()
        self.only.kill()
        self.let_go()
        self.only = self.vault("only")
        self.only.must("session/unlock", password=MASTER)
        status = self.until(self.only, lambda status: "failure" in status)
        self.assertEqual(status["failure"]["kind"], "carrier.signInAgain")
        self.only.must("account/signOut")
        self.assertNotIn("failure", self.sign_in())
        self.end()

    @staticmethod
    def has_token_lock(vault):
        found = False
        for path in pathlib.Path(f"/proc/{vault.process.pid}/fd").iterdir():
            try:
                found = found or os.readlink(path).rpartition("/")[2].startswith("tokens-")
            except OSError:
                continue
        return found


class KeychainRefreshTests(KeychainCase, Refreshing, unittest.TestCase):
    def setUp(self):
        # The keychain makes the vault.
        self.synchronised, make = lambda: None, self.synchronised
        super().setUp()
        self.only = make()

    def test_a_lock_with_the_keychain(self):
        self.begin()
        self.only.must("session/lock")
        self.let_go()
        token = self.provider.issued[-1]["refresh_token"]
        eventually(lambda: self.kept()["refreshToken"] == token or self.kept()["refreshToken"] in self.later(token),
                   "the next process keeps the tokens")
        self.only.must("session/unlock", password=MASTER)
        self.check()
        self.end()

    def kept(self):
        return json.loads(self.world.keyring_secret(self.items()[0]))["credentials"]

    def later(self, token):
        """The tokens that were issued after another one."""
        tokens = [issued.get("refresh_token") for issued in self.provider.issued]
        return tokens[tokens.index(token):]

    def carried(self):
        return Tokens.carried(self)


if __name__ == "__main__":
    unittest.main()
