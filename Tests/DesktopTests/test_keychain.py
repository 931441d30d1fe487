"""T: secrets in the real gnome-keyring."""

import base64
import os
import shutil
import unittest

from cases import SECRET, Case
from world import eventually

FIRST = {"vault": "0f0e-1", "device": "a1"}
SECOND = {"vault": "0f0e-1", "device": "b2"}
ACCOUNT = {**FIRST, "purpose": "account"}
OTHER = "//////////////////////////////////////////8="


class KeyringCase(Case):
    options = {"polkit": False}

    def setUp(self):
        self.addCleanup(self.forget)

    def forget(self):
        for name in ("prompter", "keyring"):
            if name in self.world.processes:
                self.world.stop(name)
        shutil.rmtree(self.world.home / "share", ignore_errors=True)

    def restart(self, unlocked):
        self.world.stop("keyring")
        self.world.start_keyring(unlocked=unlocked)


class Unlocked(KeyringCase):
    def setUp(self):
        super().setUp()
        self.world.start_keyring()

    def test_t_a_secret_is_stored_read_and_deleted(self):
        desktop = self.start()
        self.assert_refused("keychain.absent", desktop.request, "keychain/read", **FIRST)
        self.assertIsNone(desktop.request("keychain/store", secret=SECRET, **FIRST))
        self.assertEqual(desktop.request("keychain/read", **FIRST), {"secret": SECRET})
        self.assertEqual(desktop.request("keychain/delete", **FIRST), {"deleted": True})
        self.assert_refused("keychain.absent", desktop.request, "keychain/read", **FIRST)
        self.assertEqual(desktop.request("keychain/delete", **FIRST), {"deleted": False})

    def test_t_storing_again_replaces(self):
        desktop = self.start()
        desktop.request("keychain/store", secret=SECRET, **FIRST)
        desktop.request("keychain/store", secret=OTHER, **FIRST)
        self.assertEqual(desktop.request("keychain/read", **FIRST), {"secret": OTHER})
        self.assertEqual(len(self.world.keyring_items()), 1)

    def test_t_two_devices_one_of_them_revoked(self):
        desktop = self.start()
        desktop.request("keychain/store", secret=SECRET, **FIRST)
        desktop.request("keychain/store", secret=OTHER, **SECOND)
        desktop.request("keychain/delete", **FIRST)
        self.assert_refused("keychain.absent", desktop.request, "keychain/read", **FIRST)
        self.assertEqual(desktop.request("keychain/read", **SECOND), {"secret": OTHER})

    def test_t_it_outlives_the_program_and_the_keyring(self):
        desktop = self.start()
        desktop.request("keychain/store", secret=SECRET, **FIRST)
        desktop.close()
        self.restart(unlocked=True)
        self.assertEqual(self.start().request("keychain/read", **FIRST), {"secret": SECRET})

    def test_t_a_running_program_finds_a_restarted_keyring(self):
        desktop = self.start()
        desktop.request("keychain/store", secret=SECRET, **FIRST)
        self.restart(unlocked=True)
        self.assertEqual(desktop.request("keychain/read", **FIRST), {"secret": SECRET})

    def test_t_every_byte_goes_there_and_back(self):
        desktop = self.start()
        for start in range(0, 256, 32):
            secret = base64.b64encode(bytes(range(start, start + 32))).decode()
            desktop.request("keychain/store", secret=secret, **FIRST)
            self.assertEqual(desktop.request("keychain/read", **FIRST), {"secret": secret})
        for _ in range(20):
            secret = base64.b64encode(os.urandom(32)).decode()
            desktop.request("keychain/store", secret=secret, **FIRST)
            self.assertEqual(desktop.request("keychain/read", **FIRST), {"secret": secret})

    def test_t_other_tools_see_nothing_but_the_label(self):
        self.start().request("keychain/store", secret=SECRET, label="QuickVault on this desktop", **FIRST)
        item = self.world.keyring_item(self.world.keyring_items()[0])
        self.assertEqual(item["Label"], "QuickVault on this desktop")
        self.assertEqual(
            item["Attributes"], {"vault": "0f0e-1", "device": "a1", "xdg:schema": "org.quickvault.Device"})

    def test_c_an_account_is_beside_the_secret_of_the_device(self):
        desktop = self.start()
        desktop.request("keychain/store", secret=SECRET, **FIRST)
        for count in (1, 2, 3, 65_536):
            secret = base64.b64encode(os.urandom(count)).decode()
            desktop.request("keychain/store", secret=secret, prompts=False, **ACCOUNT)
            self.assertEqual(desktop.request("keychain/read", prompts=False, **ACCOUNT), {"secret": secret})
        self.assertEqual(desktop.request("keychain/delete", prompts=False, **ACCOUNT), {"deleted": True})
        self.assertEqual(desktop.request("keychain/read", **FIRST), {"secret": SECRET})
        for secret in ("", base64.b64encode(bytes(65_537)).decode(), "AA", "AA=", "AAA=A===", "===="):
            with self.subTest(count=len(secret)):
                self.assert_refused(
                    "rpc.invalidParameters", desktop.request, "keychain/store", secret=secret, **ACCOUNT)
        self.assertEqual(len(self.world.keyring_items()), 1)

    def test_t_what_is_there_is_no_secret_of_ours(self):
        self.world.store_item({"xdg:schema": "org.quickvault.Device", **FIRST}, b"thirty-one bytes, one too few..")
        self.assert_refused("keychain.malformed", self.start().request, "keychain/read", **FIRST)

    def test_t_parameters(self):
        desktop = self.start()
        for parameters in (
                {}, {**FIRST, "secret": "AAEC"}, {**FIRST, "secret": SECRET[:-1] + "A"},
                {**FIRST, "secret": SECRET[:-2] + "9="}, {**FIRST, "secret": "*" + SECRET[1:]}, {**FIRST, "secret": 7},
                {"vault": "", "device": "a", "secret": SECRET}, {"vault": "a" * 65, "device": "a", "secret": SECRET},
                {"vault": "a\x00", "device": "a", "secret": SECRET}, {"vault": "a", "device": "ä", "secret": SECRET},
                {**FIRST, "secret": SECRET, "label": ""}, {**FIRST, "secret": SECRET, "label": "a\nb"}):
            with self.subTest(parameters=parameters):
                refused = self.assert_refused("rpc.invalidParameters", desktop.request, "keychain/store", **parameters)
                self.assertNotIn(SECRET[:20], str(refused))
        self.assertEqual(self.world.keyring_items(), [])


class Locked(KeyringCase):
    def setUp(self):
        super().setUp()
        self.world.start_keyring()
        self.desktop = self.start()
        self.desktop.request("keychain/store", secret=SECRET, **FIRST)

    def acts(self):
        return (("keychain/read", FIRST), ("keychain/delete", FIRST), ("keychain/store", {"secret": OTHER, **SECOND}))

    def test_t_without_a_display_the_prompt_is_dismissed(self):
        self.restart(unlocked=False)
        self.assertEqual(self.desktop.request("desktop/status")["keychain"], {"state": "locked"})
        for method, parameters in self.acts():
            with self.subTest(method=method):
                self.assert_refused("keychain.dismissed", self.desktop.request, method, **parameters)
        self.restart(unlocked=True)
        self.assertEqual(self.desktop.request("keychain/read", **FIRST), {"secret": SECRET})
        self.assert_refused("keychain.absent", self.desktop.request, "keychain/read", **SECOND)

    def test_t_the_person_types_the_password(self):
        self.world.start_prompter()
        for method, parameters in self.acts():
            with self.subTest(method=method):
                self.world.lock_keyring()
                self.desktop.request(method, **parameters)
                self.assertEqual(self.desktop.request("desktop/status")["keychain"], {"state": "ready"})
        self.assertEqual(self.desktop.request("keychain/read", **SECOND), {"secret": OTHER})

    def test_c_nobody_is_asked_where_that_is_not_wanted(self):
        self.world.start_prompter(password=None)
        self.world.lock_keyring()
        for method, parameters in self.acts():
            with self.subTest(method=method):
                self.assert_refused("keychain.locked", self.desktop.request, method, prompts=False, **parameters)
        # An item that the keychain has not is no reason to ask either.
        self.assert_refused("keychain.locked", self.desktop.request, "keychain/read", prompts=False, **ACCOUNT)
        self.assertNotIn("asked", self.world.log("prompter"))

    def ask(self):
        """Makes the keyring show a prompt that nobody answers."""
        self.world.lock_keyring()
        self.world.start_prompter(password=None)
        waiting = self.desktop.send("keychain/read", timeoutSeconds=300, **FIRST)
        eventually(lambda: "asked" in self.world.log("prompter"), "the person is asked")
        return waiting

    def assert_keyring_lives(self):
        """gnome-keyring 42 crashes if a prompt is dismissed, so the program does not dismiss it."""
        self.assertEqual(self.start().request("desktop/status")["keychain"], {"state": "locked"})
        self.assertIsNone(self.world.processes["keyring"].poll())

    def test_t_the_person_does_not_answer_in_time(self):
        self.world.lock_keyring()
        self.world.start_prompter(password=None)
        self.assert_refused(
            "keychain.timedOut", self.desktop.request, "keychain/read", timeoutSeconds=1, **FIRST)
        self.assert_keyring_lives()

    def test_t_a_prompt_is_cancelled(self):
        waiting = self.ask()
        self.desktop.cancel(waiting)
        self.assert_refused("rpc.cancelled", self.desktop.answer, waiting)
        self.assert_refused(
            "keychain.timedOut", self.desktop.request, "keychain/read", timeoutSeconds=1, **FIRST)
        self.assert_keyring_lives()

    def test_t_the_end_of_input_does_not_wait_for_a_prompt(self):
        self.ask()
        self.assertEqual(self.desktop.close(), (0, b""))
        self.assert_keyring_lives()

    def test_t_the_keyring_ends_while_it_asks(self):
        waiting = self.ask()
        self.world.stop("keyring")
        self.assert_refused("keychain.failed", self.desktop.answer, waiting)


class Missing(KeyringCase):
    def test_t_there_is_no_keyring(self):
        desktop = self.start()
        self.assertEqual(
            desktop.request("desktop/status")["keychain"], {"state": "serviceMissing", "package": "gnome-keyring"})
        for method, parameters in (
                ("keychain/read", FIRST), ("keychain/delete", FIRST), ("keychain/store", {"secret": SECRET, **FIRST})):
            refused = self.assert_refused("keychain.serviceMissing", desktop.request, method, **parameters)
            self.assertEqual((refused.code, refused.data["package"]), (2101, "gnome-keyring"))

    def test_t_there_is_no_default_collection(self):
        self.world.start_keyring(unlocked=False)
        desktop = self.start()
        self.assertEqual(desktop.request("desktop/status")["keychain"], {"state": "noCollection"})
        self.assert_refused("keychain.noCollection", desktop.request, "keychain/store", secret=SECRET, **FIRST)
        self.assert_refused("keychain.absent", desktop.request, "keychain/read", **FIRST)

    def test_t_a_keychain_that_gives_nothing_for_what_it_found(self):
        # With a mock: after its prompt, gnome-keyring keeps the item unlocked, and no test can lock it again before it is
        # read. GetSecrets omits a locked item.
        self.world.play_keychain(secrets=0)
        self.addCleanup(self.world.stop, "secrets")
        desktop = self.start()
        self.assertEqual(desktop.request("desktop/status")["keychain"], {"state": "ready"})
        refused = self.assert_refused("keychain.locked", desktop.request, "keychain/read", **FIRST)
        self.assertEqual(refused.code, 2104)

    def test_t_a_played_keychain_that_has_it_is_read(self):
        # Shows that the test before would find a secret.
        self.world.play_keychain(secrets=1)
        self.addCleanup(self.world.stop, "secrets")
        self.assertEqual(self.start().request("keychain/read", **FIRST), {"secret": SECRET})

    def test_t_a_keychain_that_unlocks_without_a_prompt_counts_as_unlocked(self):
        # With a mock: gnome-keyring unlocks one with an empty password when it starts.
        self.world.play_keychain(secrets=1, locked=True)
        self.addCleanup(self.world.stop, "secrets")
        self.assertEqual(self.start().request("keychain/read", prompts=False, **FIRST), {"secret": SECRET})

    def test_t_a_keychain_that_would_prompt_stays_locked(self):
        self.world.play_keychain(secrets=1, locked=True, prompt="/prompt")
        self.addCleanup(self.world.stop, "secrets")
        self.assert_refused("keychain.locked", self.start().request, "keychain/read", prompts=False, **FIRST)


if __name__ == "__main__":
    unittest.main()
