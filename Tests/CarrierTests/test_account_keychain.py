"""What signs in is in the keychain: `account/*` with the real gnome-keyring, the real carrier and a real server (C)."""

import json
import pathlib
import shutil
import sys
import unittest

from dav import DEADLINE, PASSWORD, USER, Server
from provider import CLIENT, SCOPE, Provider
from test_account import KDF, MASTER, Carried, traces

# At the end: both directories have a test_program.
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "DesktopTests"))

from world import World, eventually  # noqa: E402

SCHEMA = "org.quickvault.Account"
LOCKED = "account.keychainLocked"


class KeychainCase(Carried):
    """A vault that is synchronised, on a desktop with an unlocked keychain."""

    def setUp(self):
        super().setUp()
        self.world = World(system=False, polkit=False)
        self.world.__enter__()
        self.addCleanup(self.world.close)
        self.desktop = {"DBUS_SESSION_BUS_ADDRESS": self.world.address("session")}
        self.world.start_keyring()
        self.only = self.synchronised()

    def items(self):
        """The items of QuickVault in the keychain."""
        return [path for path in self.world.keyring_items()
                if self.world.keyring_item(path)["Attributes"]["xdg:schema"] == SCHEMA]

    def carried(self):
        return self.until(self.only, lambda status: "lastMirrored" in status)

    def reopen(self):
        """Locks and unlocks, after which a pass begins."""
        self.only.must("session/lock")
        self.only.must("session/unlock", password=MASTER)

    def lock_keyring(self):
        """Locks the keychain, which would ask a person who does not answer."""
        self.world.start_prompter(password=None)
        self.world.lock_keyring()

    def is_asked(self):
        return "asked" in self.world.log("prompter")

    def assert_nowhere(self, *secrets):
        """Checks that no file of the vault has any of the secrets."""
        for path in (self.top / "only").rglob("*"):
            for secret in secrets if path.is_file() else ():
                self.assertEqual(traces(path.read_bytes(), secret), [], path)

    def failure(self):
        """The kind of the failure of the next pass."""
        self.reopen()
        return self.until(self.only, lambda status: "failure" in status)["failure"]["kind"]


class PasswordTests(KeychainCase, unittest.TestCase):
    def start(self):
        return Server("rclone")

    def sign_in(self):
        return self.only.must("account/signIn", method="password", address=self.dav.url, user=USER, password=PASSWORD)

    def test_the_password_is_in_the_keychain_until_the_sign_out(self):
        status = self.sign_in()
        self.assertEqual((status["tokensIn"], status["user"]), ("keychain", USER))
        [item] = self.items()
        properties = self.world.keyring_item(item)
        self.assertIn("sign-in", properties["Label"])
        self.assertEqual(set(properties["Attributes"]), {"vault", "device", "xdg:schema"})
        self.assertEqual(json.loads(self.world.keyring_secret(item)), {
            "address": self.dav.url, "credentials": {"kind": "password", "user": USER, "password": PASSWORD}})
        self.carried()
        self.reopen()
        self.assertEqual(self.carried()["tokensIn"], "keychain")
        self.assertEqual(self.only.must("account/signOut"), {"revoked": False})
        self.assertEqual(self.items(), [])
        self.assertEqual(self.only.must("account/status"), {"signedIn": False})
        self.only.end()
        self.assert_nowhere(PASSWORD)

    def test_the_vault_has_none_of_it(self):
        self.sign_in()
        self.carried()
        self.world.delete_item(self.items()[0])
        self.assertEqual(self.failure(), "carrier.signInAgain")
        self.assertIn("failure", self.only.must("account/signOut"))
        self.assertEqual(self.sign_in()["tokensIn"], "keychain")
        self.carried()

    def test_another_server_does_not_get_it(self):
        self.sign_in()
        self.carried()
        [item] = self.items()
        content = json.loads(self.world.keyring_secret(item))
        content["address"] = "https://example.org/"
        self.world.store_item(self.world.keyring_item(item)["Attributes"], json.dumps(content).encode())
        self.assertEqual(self.failure(), "carrier.signInAgain")

    def test_no_pass_asks_to_unlock_the_keychain(self):
        self.sign_in()
        self.carried()
        self.lock_keyring()
        self.assertEqual(self.failure(), LOCKED)
        # It is tried again while the vault is locked, and after that.
        self.only.must("session/lock")
        self.only.must("session/unlock", password=MASTER)
        self.assertEqual(self.until(self.only, lambda status: "failure" in status)["failure"]["kind"], LOCKED)
        self.assertFalse(self.is_asked())
        self.world.stop("prompter")
        self.world.start_prompter()
        # The person is there.
        self.assertEqual(self.only.must("account/signOut"), {"revoked": False})
        self.assertTrue(self.is_asked())
        self.assertEqual(self.items(), [])

    def test_the_keychain_is_unlocked_for_a_sign_in(self):
        self.world.start_prompter()
        self.world.lock_keyring()
        self.assertEqual(self.sign_in()["tokensIn"], "keychain")
        self.carried()

    def test_the_vault_seals_it_where_the_person_declines(self):
        # Without a prompter the keychain says that the person has.
        self.world.lock_keyring()
        self.assertEqual(self.sign_in()["tokensIn"], "vault")
        self.carried()
        self.reopen()
        self.assertEqual(self.carried()["tokensIn"], "vault")

    def test_a_keychain_that_stays_locked_is_told(self):
        self.sign_in()
        self.carried()
        self.world.lock_keyring()
        self.assertEqual(self.only.kind("account/deleteData", password=MASTER, confirm="vault.quickvault"), LOCKED)
        self.assertTrue(self.only.must("account/status")["signedIn"])
        answer = self.only.must("account/signOut")
        self.assertFalse(answer["revoked"])
        self.assertIn("keychain", answer["failure"]["messages"]["en"])
        self.assertEqual(self.only.must("account/status"), {"signedIn": False})

    def test_a_lock_ends_the_wait_for_the_keychain(self):
        self.lock_keyring()
        request = self.only.send("account/signIn", {"method": "password", "address": self.dav.url, "user": USER,
                                                    "password": PASSWORD})
        eventually(self.is_asked, "the person is asked")
        lock = self.only.send("session/lock", {})
        answers = {answer["id"]: answer for answer in (self.only.answer(), self.only.answer())}
        self.assertEqual(answers[request]["result"]["tokensIn"], "vault")
        self.assertIn("result", answers[lock])
        self.only.must("session/unlock", password=MASTER)
        self.assertEqual(self.carried()["tokensIn"], "vault")

    def test_what_is_deleted_takes_it_along(self):
        self.sign_in()
        self.carried()
        deleted = self.only.must("account/deleteData", password=MASTER, confirm="vault.quickvault")
        self.assertEqual(deleted, {"deleted": True, "revoked": False})
        self.assertEqual(self.items(), [])
        for locks in (False, True):
            with self.subTest(locks=locks):
                if self.sign_in() and locks:
                    self.only.must("session/lock")
                self.assertEqual(len(self.items()), 1)
                self.only.must("vault/delete", password=MASTER, confirm="vault.quickvault")
                self.assertEqual(self.items(), [])
                self.only.must("vault/create", password=MASTER, kdf=KDF)

    def test_a_vault_that_joins_moves_it_there(self):
        self.sign_in()
        self.carried()
        second = self.vault("second")
        status = second.must("account/signIn", method="password", address=self.dav.url, user=USER, password=PASSWORD)
        self.assertNotIn("tokensIn", status)
        second.must("sync/join", folder=str(self.top / "second/folder"), password=MASTER)
        self.until(second, lambda status: status["tokensIn"] == "keychain" and "lastMirrored" in status)
        self.assertEqual(len(self.items()), 2)

    def test_the_folder_is_carried_while_the_vault_is_locked(self):
        self.sign_in()
        self.carried()
        for act in (lambda: self.only.must("session/lock"), lambda: self.only.kind("session/unlock", password="wrong")):
            # What the server lost, it gets again. The next process carries.
            for path in self.dav.root.iterdir():
                shutil.rmtree(path)
            act()
            eventually(lambda: self.is_complete(self.dav.root), "the server has the folder again", 4 * DEADLINE)
        self.only.must("session/unlock", password=MASTER)
        self.assertNotIn("failure", self.carried())

    def is_complete(self, root):
        def names(top):
            return {path.relative_to(top) for path in top.rglob("*") if path.is_file() and not path.name.startswith(".")}

        return names(root) == names(self.top / "only/folder")


class TokenTests(KeychainCase, unittest.TestCase):
    """With glewlwyd, and Apache with mod_oauth2, which takes its tokens."""

    def start(self):
        # Tokens that end within a minute are replaced before each pass.
        self.provider = Provider(life=50)
        self.addCleanup(self.provider.stop)
        return Server("apache-oauth2", self.provider)

    def test_fresh_tokens_take_the_place_of_the_old_ones(self):
        request = self.only.send("account/signIn", {
            "method": "device", "address": self.dav.url, "issuer": self.provider.issuer, "clientId": CLIENT, "scope": SCOPE})
        for line in self.only.process.stdout:
            message = json.loads(line)
            if message["method"] == "account/didPrompt":
                self.provider.approve_device(message["params"])
                break
        answer = self.only.answer()
        self.assertEqual((answer["id"], answer["result"]["tokensIn"]), (request, "keychain"))
        self.assertIn("expiresAt", answer["result"])
        self.carried()
        secrets = self.tokens()
        # A pass begins with each of these.
        for act in (lambda: self.only.must("session/lock"),
                    lambda: self.only.must("session/unlock", password=MASTER)):
            before = self.tokens()
            act()
            eventually(lambda: self.tokens() != before, "the tokens are replaced", 4 * DEADLINE)
            secrets |= self.tokens()
        self.assertNotIn("failure", self.carried())
        self.assertEqual(len(self.items()), 1)
        self.assertEqual(self.only.must("account/signOut"), {"revoked": True})
        self.assertEqual(self.items(), [])
        self.only.end()
        self.assert_nowhere(*secrets)

    def tokens(self):
        """The tokens in the keychain."""
        credentials = json.loads(self.world.keyring_secret(self.items()[0]))["credentials"]
        return {credentials["accessToken"], credentials["refreshToken"]}


if __name__ == "__main__":
    unittest.main()
