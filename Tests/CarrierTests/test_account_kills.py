"""kill -9 of the vault's process and of its carrier in a pass, a refresh and a sign-in (C). Nothing is lost,
and nothing leaks.

QUICKVAULT_KILLS: how many times (12).
"""

import os
import pathlib
import random
import signal
import threading
import unittest

import machine  # noqa: F401  (finds modules)
from dav import DEADLINE
from provider import CLIENT, SCOPE
from suite import more
from test_account import MASTER, prompt_of
from test_account_keychain import eventually
from test_account_tokens import Tokens

KILLS = int(os.environ.get("QUICKVAULT_KILLS", "12"))


class KillTests(Tokens, unittest.TestCase):
    # They are replaced before each pass.
    life = 50

    def setUp(self):
        self.lock = threading.Lock()
        self.left, self.reached, self.free = None, threading.Event(), threading.Event()
        super().setUp()
        self.addCleanup(self.free.set)
        self.provider.front.answers["POST", "/api/oidc/token"] = lambda handler, _: self.watch(handler, self.provider._note)

    def watch(self, handler, note=None):
        """Keeps a request that the test waits for, before or after the server answers it."""
        with self.lock:
            is_it = self.left == 0
            self.left = None if self.left is None or is_it else self.left - 1
        self.look_at_processes()
        if is_it and self.is_before:
            self.keep()

        def answered(status, content):
            if callable(note):
                note(status, content)
            if is_it and not self.is_before:
                self.keep()
        handler.pass_on(answered)

    def keep(self):
        self.reached.set()
        self.free.wait(DEADLINE)

    def carriers(self):
        """The carriers that run in the home directories of the test."""
        found = []
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                name, environment = (process / "comm").read_text().strip(), (process / "environ").read_bytes()
            except OSError:
                continue
            if name == "quickvault-carr" and f"HOME={self.top}/".encode() in environment:
                found.append(int(process.name))
        return found

    def kill(self, target):
        if target == "service":
            self.only.kill()
            self.only = self.vault("only")
            self.only.must("session/unlock", password=MASTER)
            return
        for process in self.carriers():
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                continue

    @more
    def test_in_a_pass_and_a_refresh(self):
        generator = random.Random(int(os.environ.get("SYNC_SEED", "1")))
        self.sign_in()
        cards, kept = set(), 0
        for turn in range(KILLS):
            target = ("service", "carrier")[turn % 2]
            moment, self.is_before = generator.randrange(14), generator.random() < 0.5
            with self.subTest(turn=turn, target=target, moment=moment, before=self.is_before):
                self.reached.clear()
                self.free.clear()
                card = self.only.must("card/create", title=f"Card {turn}", group="personal", type="text", fields={"text": "a"})
                cards.add(card["card"]["id"])
                with self.lock:
                    self.left = moment
                self.restart()
                # A pass may have fewer requests.
                self.until(self.only, lambda status: self.reached.is_set() or "lastMirrored" in status or "failure" in status)
                kept += self.reached.is_set()
                self.kill(target)
                with self.lock:
                    self.left = None
                self.free.set()
                self.restart()
                self.carried()
                self.assertEqual(self.only.must("vault/verify")["integrity"], "intact")
        self.assertGreater(kept, KILLS // 3)
        second = self.vault("second")
        request = second.send("account/signIn", {
            "method": "device", "address": self.dav.url + "/oauth2/", "issuer": self.provider.issuer, "clientId": CLIENT,
            "scope": SCOPE})
        self.provider.approve_device(prompt_of(second))
        self.assertEqual(second.answer()["id"], request)
        second.must("sync/join", folder=str(self.top / "second/folder"), password=MASTER)
        items = second.must("card/list", limit=500)["items"]
        self.assertEqual({item["id"] for item in items}, cards)
        second.end()
        self.end()
        eventually(lambda: not self.carriers(), "no carrier is left", 4 * DEADLINE)

    def test_in_a_sign_in(self):
        for method in ("device", "code"):
            for target in ("service", "carrier"):
                with self.subTest(method=method, target=target):
                    request = self.only.send("account/signIn", {
                        "method": method, "address": self.dav.url + "/oauth2/", "issuer": self.provider.issuer,
                        "clientId": CLIENT, "scope": SCOPE})
                    prompt_of(self.only)
                    self.kill(target)
                    if target == "carrier":
                        answer = self.only.answer()
                        self.assertEqual((answer["id"], answer["error"]["data"]["kind"]), (request, "account.carrierFailed"))
                    eventually(lambda: not self.carriers(), "no carrier is left")
                    self.assertEqual(self.only.must("account/status"), {"signedIn": False})
        self.sign_in()
        self.end()


if __name__ == "__main__":
    unittest.main()
