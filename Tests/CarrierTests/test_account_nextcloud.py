"""`account/signIn` with Nextcloud's Login Flow: nextcloud.py says what stands for it (C)."""

import select
import time
import unittest

import machine  # noqa: F401  (finds modules)
from dav import DEADLINE, PASSWORD, USER, Server
from nextcloud import LOGIN, Nextcloud
from server import assert_not_stored
from test_account import MASTER, Carried, prompt_of, segments


FILES = "remote.php/dav/files/alice"


class NextcloudTests(Carried, unittest.TestCase):
    def start(self):
        self.files = Server("rclone", path="cloud/" + FILES)
        self.addCleanup(self.files.stop)
        return Nextcloud("alice", self.files.port)

    def sign_in(self, vault):
        request = vault.send("account/signIn", {"method": "nextcloud", "address": self.dav.address})
        self.assertEqual(prompt_of(vault), {"url": self.dav.address + "/index.php/login/v2/flow/x", "expiresInSeconds": 600})
        answer = vault.answer()
        self.assertEqual(answer["id"], request)
        return answer["result"]

    def test_an_app_password_carries_and_is_forgotten(self):
        vault = self.synchronised()
        for number in (1, 2):
            with self.subTest(number=number):
                there = segments(self.files.root)
                vault.must("card/create", title="t", group="personal", type="text", fields={"text": "carried"})
                vault.must("sync/now")
                signed_in = self.sign_in(vault)
                self.assertEqual(
                    {name: signed_in[name] for name in ("signedIn", "method", "address", "user")},
                    {"signedIn": True, "method": "nextcloud", "user": LOGIN,
                     "address": f"{self.dav.address}/{FILES}/QuickVault/"})
                self.until(vault, lambda status: "lastMirrored" in status)
                self.assertGreater(segments(self.files.root / "QuickVault"), there)
                self.assertEqual(len(self.dav.passwords), 1)
                # Another start needs no person.
                vault.must("session/lock")
                vault.must("session/unlock", password=MASTER)
                self.until(vault, lambda status: "lastMirrored" in status)
                self.assertEqual(vault.must("account/signOut"), {"revoked": True})
                self.assertEqual((vault.must("account/status"), self.dav.passwords), ({"signedIn": False}, set()))
        vault.end()
        self.assertEqual(len(self.dav.given), 2)
        for password in self.dav.given:
            assert_not_stored(self.top, password)

    def test_a_sign_in_that_comes_second_leaves_no_password(self):
        vault = self.synchronised()
        self.dav.asks = float("inf")
        request = vault.send("account/signIn", {"method": "nextcloud", "address": self.dav.address})
        prompt_of(vault)
        other = self.vault("only")
        other.must("session/unlock", password=MASTER)
        other.must("account/signIn", method="password", address=self.files.url, user=USER, password=PASSWORD)
        self.dav.asks = 1
        answer = vault.answer()
        self.assertEqual((answer["id"], answer["error"]["data"]["kind"]), (request, "account.alreadySignedIn"))
        end = time.monotonic() + DEADLINE
        while self.dav.passwords:
            self.assertLess(time.monotonic(), end)
            select.select([], [], [], 0.02)
        self.assertEqual(len(self.dav.given), 1)

    def test_the_data_are_deleted_with_the_app_password(self):
        vault = self.carried_vault()
        self.assertTrue(segments(self.files.root))
        answer = vault.must("account/deleteData", password=MASTER, confirm="vault.quickvault")
        self.assertEqual(answer, {"deleted": True, "revoked": True})
        self.assertEqual(list((self.files.root / "QuickVault").iterdir()), [])
        self.assertEqual((vault.must("account/status"), self.dav.passwords), ({"signedIn": False}, set()))

    def test_a_password_that_the_person_removes_at_the_server(self):
        vault = self.carried_vault()
        self.dav.passwords.clear()
        vault.must("card/create", title="t", group="personal", type="text", fields={"text": "a"})
        vault.must("sync/now")
        failure = self.until(vault, lambda status: "failure" in status)["failure"]
        self.assertEqual((failure["kind"], set(failure["messages"])), ("carrier.refused", {"en", "zh-Hans"}))
        self.assertEqual(vault.must("account/signOut"), {"revoked": True})
        self.sign_in(vault)
        self.assertNotIn("failure", self.until(vault, lambda status: "lastMirrored" in status))


if __name__ == "__main__":
    unittest.main()
