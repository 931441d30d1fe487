"""R9, T: a fingerprint unlocks the vault, with the real fprintd and gnome-keyring."""

import os
import pathlib
import unittest

from desktop import Refused
from vault import PASSWORD, STATE, Vault, VaultCase


class Unlocking(VaultCase):
    def test_r9_a_finger_opens_the_vault(self):
        identifier = self.vault.begin_scan()
        self.world.reader.scan()
        answer = self.vault.answer(identifier)
        self.assertEqual(
            answer, {"cardCount": 0, "autoLockSeconds": 300, "offerBiometric": False, "integrity": "intact"})
        self.assertEqual([notification["state"] for notification in self.vault.notifications(STATE)], ["succeeded"])
        self.assertFalse(self.vault.request("vault/status")["locked"])
        entry = self.vault.request("log/list", limit=1)["items"][0]
        self.assertEqual((entry["event"], entry["method"]), ("unlocked", "fingerprint"))
        device = self.vault.request("device/list")["items"][0]
        self.assertTrue(device["thisDevice"])
        self.assertIsNotNone(device["lastUsedAt"])

    def test_r9_a_device_without_a_name_has_that_of_the_machine(self):
        self.unlock(self.vault)
        identifier = self.vault.begin_scan("biometric/enable", password=PASSWORD, name=" ")
        self.world.reader.scan()
        self.assertEqual(self.vault.answer(identifier)["device"]["name"], os.uname().nodename)

    def test_r9_again_and_in_a_new_process(self):
        self.unlock(self.vault)
        self.lock(self.vault)
        self.unlock(self.vault)
        self.vault.close()
        self.unlock(self.open())

    def test_r9_b_three_fingers_that_do_not_match_and_then_the_password(self):
        identifier = self.vault.begin_scan()
        for left in (2, 1):
            self.world.reader.scan("bob")
            notification = self.vault.notification(STATE, state="tryAgain")
            self.assertEqual((notification["reason"], notification["attemptsLeft"]), ("notMatched", left))
            self.vault.notification(STATE, state="scanning")
        self.world.reader.scan("bob")
        self.assertEqual(self.vault.notification(STATE, state="failed")["attemptsLeft"], 0)
        self.assertEqual(
            self.assert_answer_refused("biometric.authenticationFailed", self.vault, identifier).code, 1401)
        # B: now only the password unlocks, even after the process has replaced itself.
        self.assertEqual(
            self.assert_answer_refused("biometric.biometryLockout", self.vault, self.vault.send_unlock()).code, 1408)
        self.assertTrue(self.vault.request("biometric/status")["lockedOut"])
        self.vault.request("session/unlock", password=PASSWORD)
        self.assertEqual(self.vault.events()[:3], ["unlocked", "fingerprintFailed", "locked"])
        self.lock(self.vault)
        self.unlock(self.vault)

    def test_r9_failures_are_counted_across_waits(self):
        identifier = self.vault.begin_scan()
        self.world.reader.scan("bob")
        self.vault.notification(STATE, state="tryAgain")
        self.vault.notification(STATE, state="scanning")
        self.vault.cancel(identifier)
        self.assert_answer_refused("biometric.userCancel", self.vault, identifier)
        identifier = self.vault.begin_scan()
        self.world.reader.scan("bob")
        self.assertEqual(self.vault.notification(STATE, state="tryAgain")["attemptsLeft"], 1)
        self.vault.notification(STATE, state="scanning")
        self.world.reader.scan()
        self.vault.answer(identifier)

    def test_r9_a_scan_that_cannot_be_compared_is_told_and_not_counted(self):
        identifier = self.vault.begin_scan()
        self.world.reader.retry(1)
        notification = self.vault.notification(STATE, state="tryAgain")
        self.assertEqual((notification["reason"], notification["attemptsLeft"]), ("swipeTooShort", 3))
        self.assertEqual(notification["message"], "The swipe was too short; try again.")
        self.assertEqual(notification["messages"]["zh-Hans"], "滑动过短，请再试一次。")
        self.world.reader.scan()
        self.vault.answer(identifier)

    def test_t_other_prints_make_the_binding_void(self):
        self.world.enroll("left-thumb")
        identifier = self.vault.begin_scan()
        self.world.reader.scan()
        self.assertEqual(
            self.assert_answer_refused("biometric.enrollmentChanged", self.vault, identifier).code, 1412)
        self.assertFalse(self.vault.enabled())
        self.assertEqual(self.world.keyring_items(), [])
        self.assert_answer_refused("biometric.notEnabled", self.vault, self.vault.send_unlock())
        self.vault.request("session/unlock", password=PASSWORD)
        self.assertEqual(self.vault.request("device/list"), {"items": []})
        self.assertIn("deviceVoided", self.vault.events())
        self.enable(self.vault)
        self.lock(self.vault)
        self.unlock(self.vault)

    def test_t_a_limit_a_finger_enrolled_anew_under_its_old_name_is_not_told_from_before(self):
        # fprintd reports names and nothing else about the prints, as protocol/DESKTOP.md and SECURITY.md say. If this
        # fails one day, fprintd reports more, and such a change can void a binding too.
        self.world.delete_prints()
        self.assert_answer_refused("biometric.biometryNotEnrolled", self.vault, self.vault.send_unlock())
        self.world.enroll(person="bob")
        identifier = self.vault.begin_scan()
        self.world.reader.scan("bob")
        self.assertEqual(self.vault.answer(identifier)["integrity"], "intact")

    def test_t_two_devices_and_one_revoked(self):
        # Another device: another home directory and so another keychain.
        other_home = self.path.parent / "other"
        other_home.mkdir()
        here = self.world.home
        self.world.stop("keyring")
        self.world.home = other_home
        self.world.start_keyring()
        other = self.open()
        self.assertFalse(other.enabled())
        other.request("session/unlock", password=PASSWORD)
        second = self.enable(other)
        devices = other.request("device/list")["items"]
        self.assertEqual([device["thisDevice"] for device in devices], [False, True])
        self.assertEqual(devices[1]["id"], second["id"])
        self.lock(other)
        self.unlock(other)
        # The second device revokes the first and stays bound.
        other.request("device/revoke", id=devices[0]["id"])
        self.assert_refused("device.notFound", other.request, "device/revoke", id=devices[0]["id"])
        self.lock(other)
        self.unlock(other)
        self.world.stop("keyring")
        self.world.home = here
        self.world.start_keyring()
        first = self.open()
        self.assertFalse(first.enabled())
        self.assert_answer_refused("biometric.notEnabled", first, first.send_unlock())
        first.request("session/unlock", password=PASSWORD)

    def test_t_a_device_that_is_revoked_elsewhere_locks(self):
        self.unlock(self.vault)
        other = self.open()
        other.request("session/unlock", password=PASSWORD)
        other.request("device/revoke", id=other.request("device/list")["items"][0]["id"])
        self.assert_refused("vault.changed", self.vault.request, "card/list")
        self.vault.notification("session/didLock", reason="passwordChanged")
        self.assertFalse(other.request("vault/status")["locked"])

    def test_t_the_password_changes_and_the_device_stays(self):
        self.unlock(self.vault)
        self.vault.request("vault/changePassword", oldPassword=PASSWORD, newPassword="another one 四月")
        self.vault.request("card/list")
        self.lock(self.vault)
        self.unlock(self.vault)
        self.vault.request(
            "vault/changePassword", oldPassword="another one 四月", newPassword=PASSWORD, dropDevices=True)
        self.vault.request("card/list")
        self.assertFalse(self.vault.enabled())
        self.assertEqual(self.world.keyring_items(), [])

    def test_r9_the_status_is_told_while_a_finger_is_awaited(self):
        identifier = self.vault.begin_scan()
        self.assertTrue(self.vault.request("vault/status")["locked"])
        status = self.vault.request("biometric/status")
        self.assertEqual((status["available"], status["fingerprint"]["state"]), (True, "ready"))
        # A request that waits for another delays those behind it; then all are answered.
        listing = self.vault.send("card/list")
        later = self.vault.send("vault/status")
        self.assertEqual(self.vault.notifications(STATE), [])
        self.world.reader.scan()
        order = self.vault.order_of(identifier, listing, later)
        self.assertEqual(order, [identifier, listing, later])
        self.assertFalse(self.vault.answer(later)["locked"])

    def test_t_the_status_is_told_while_the_finger_to_bind_is_awaited(self):
        self.unlock(self.vault)
        identifier = self.vault.begin_scan("biometric/enable", password=PASSWORD)
        self.assertFalse(self.vault.request("vault/status")["locked"])
        self.assertTrue(self.vault.request("biometric/status")["bound"])
        self.vault.cancel(identifier)
        self.assert_answer_refused("biometric.userCancel", self.vault, identifier)
        self.vault.request("card/list")

    def test_r13_r9_turned_off_no_finger_is_asked_for_and_the_binding_stays(self):
        self.unlock(self.vault)
        self.vault.request("settings/update", biometricUnlock=False)
        # Also for an unlocked vault, and to bind.
        for identifier in (self.vault.send_unlock(), self.vault.send("biometric/enable", password=PASSWORD)):
            error = self.assert_answer_refused("biometric.biometryNotAvailable", self.vault, identifier)
            self.assertEqual((error.code, error.data["reason"]), (1406, "turnedOff"))
            self.assertIn("turn fingerprint unlock on in the settings", error.data["messages"]["en"])
            self.assertIn("指纹", error.data["messages"]["zh-Hans"])
        self.lock(self.vault)
        self.vault.kept.clear()
        for vault in (self.vault, self.open()):
            self.assertFalse(vault.enabled())
            status = vault.request("biometric/status")
            self.assertEqual(
                (status["available"], status["enabled"], status["bound"], status["biometricUnlock"]),
                (True, False, True, False))
            error = self.assert_answer_refused("biometric.biometryNotAvailable", vault, vault.send_unlock())
            self.assertEqual(error.data["reason"], "turnedOff")
            self.assertEqual(vault.notifications(STATE), [])
        self.vault.request("session/unlock", password=PASSWORD)
        self.assertEqual(len(self.vault.request("device/list")["items"]), 1)
        self.assertEqual(len(self.world.keyring_items()), 1)
        self.vault.request("settings/update", biometricUnlock=True)
        self.lock(self.vault)
        self.assertTrue(self.vault.enabled())
        self.unlock(self.vault)

    def test_r13_turned_off_while_a_finger_is_awaited(self):
        identifier = self.vault.begin_scan()
        other = self.open()
        other.request("session/unlock", password=PASSWORD)
        other.request("settings/update", biometricUnlock=False)
        self.world.reader.scan()
        error = self.assert_answer_refused("biometric.biometryNotAvailable", self.vault, identifier)
        self.assertEqual(error.data["reason"], "turnedOff")
        self.assertTrue(self.vault.request("vault/status")["locked"])

    def test_t_disabling_leaves_no_secret(self):
        self.unlock(self.vault)
        self.assertEqual(len(self.world.keyring_items()), 1)
        self.vault.request("biometric/disable")
        self.assertEqual(self.world.keyring_items(), [])
        self.assert_refused("biometric.notEnabled", self.vault.request, "biometric/disable")
        # It stays unlocked although its key slot is gone.
        self.vault.request("card/create", title="a", group="personal", type="text", fields={"text": "b"})
        self.open().request("session/unlock", password=PASSWORD)
        self.vault.request("card/list")
        self.assertEqual(self.vault.events()[:2], ["unlocked", "deviceRevoked"])

    def test_l_deleting_the_vault_leaves_no_secret(self):
        self.vault.request("vault/delete", password=PASSWORD, confirm=self.path.name)
        self.assertEqual(self.world.keyring_items(), [])

    def test_t_the_secret_is_kept_apart_for_each_vault(self):
        second = Vault(pathlib.Path(self.path.parent) / "second.quickvault", self.world.environment())
        self.addCleanup(second.close)
        second.create()
        self.enable(second)
        self.lock(second)
        self.assertEqual(len(self.world.keyring_items()), 2)
        self.unlock(second)
        self.unlock(self.vault)


class Offering(VaultCase):
    is_bound = False

    def test_r22_the_binding_is_offered_once(self):
        # The services are running, so their state is known when the key has been derived, or soon after.
        status = self.vault.request("biometric/status")
        self.assertTrue(status["available"])
        self.assertFalse(status["enabled"])
        offered = self.vault.request("vault/status")["setupStep"]
        self.assertEqual(offered, "offerBiometric")
        self.lock(self.vault)
        answer = self.vault.request("session/unlock", password=PASSWORD)
        self.vault.request("biometric/status")
        self.assertFalse(answer["offerBiometric"])
        self.assertEqual(self.vault.request("vault/status")["setupStep"], "ready")

    def test_t_a_wrong_password_binds_nothing(self):
        self.assert_refused("auth.wrongPassword", self.vault.request, "biometric/enable", password="wrong wrong")
        self.assertFalse(self.vault.enabled())
        self.assertEqual(self.world.keyring_items(), [])

    def test_t_a_finger_that_does_not_match_binds_nothing(self):
        identifier = self.vault.begin_scan("biometric/enable", password=PASSWORD)
        self.fail_thrice(self.vault)
        self.assert_answer_refused("biometric.authenticationFailed", self.vault, identifier)
        self.assertFalse(self.vault.enabled())
        self.assertEqual(self.world.keyring_items(), [])
        with self.assertRaises(Refused):
            self.vault.request("biometric/enable", password=PASSWORD)

    def test_t_binding_again_replaces_the_binding(self):
        first, second = self.enable(self.vault), self.enable(self.vault)
        self.assertEqual(first["id"], second["id"])
        self.assertEqual(len(self.vault.request("device/list")["items"]), 1)
        self.assertEqual(len(self.world.keyring_items()), 1)
        self.lock(self.vault)
        self.unlock(self.vault)


if __name__ == "__main__":
    unittest.main()
