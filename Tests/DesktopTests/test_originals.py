"""R6, B: a fingerprint releases the original of a watermarked attachment, with the real services and helpers."""

import base64
import signal
import unittest

from vault import PASSWORD, STATE, VaultCase

PICTURE = ("iVBORw0KGgoAAAANSUhEUgAAAGAAAABACAAAAADAXy3SAAAAR0lEQVR42u3VsQ0AIAhFQcZx/8kcgQYTB4CC5Oh+43W+OHW3rnsHALAAmHr4"
           "bQBgA+CrAAD0AADQAwBADwAAPQAA9AAA+HYCa+MgxDTmEgMAAAAASUVORK5CYII=")


class OriginalCase(VaultCase):
    """Tests with a bound device, an unlocked vault and a card with a watermarked picture."""

    def setUp(self):
        super().setUp()
        if self.is_bound:
            self.unlock(self.vault)
        card = self.vault.request("card/create", title="Papers", group="personal", type="text", fields={"text": "x"})
        self.card = card["card"]["id"]
        self.picture = self.vault.request(
            "attachment/add", cardId=self.card, data=PICTURE, watermark={"text": "Sample"})["attachment"]["id"]
        self.target = self.path.parent / "original.png"
        self.vault.kept.clear()

    def begin_get(self):
        """Requests the original and waits until the reader is ready."""
        return self.vault.begin_scan("attachment/get", **self.get())

    def get(self):
        """The parameters for the original with a fingerprint."""
        return {"id": self.picture, "original": True, "method": "biometric"}

    def assert_as_before(self):
        """Checks that nothing has changed and the vault is unlocked."""
        self.assertFalse(self.vault.request("vault/status")["locked"])
        self.assertEqual(self.vault.request("card/get", id=self.card)["card"]["revision"], 2)
        self.assertNotEqual(self.vault.request("attachment/get", id=self.picture)["data"], PICTURE)
        self.assertFalse(self.target.exists())

    def assert_refused_open(self, code, kind, identifier):
        """Checks that a request fails with this error and changes nothing."""
        error = self.assert_answer_refused(kind, self.vault, identifier)
        self.assertEqual(error.code, code)
        self.assert_as_before()
        return error


class Originals(OriginalCase):
    def test_r6_a_finger_gives_the_original(self):
        events = self.vault.events()
        used = self.vault.request("device/list")["items"][0]["lastUsedAt"]
        identifier = self.begin_get()
        self.world.reader.scan()
        self.assertEqual(self.vault.answer(identifier)["data"], PICTURE)
        self.assertEqual([notification["state"] for notification in self.vault.notifications(STATE)], ["succeeded"])
        # The fingerprint counts for the requests of the next minute that come without one.
        self.assertEqual(self.vault.request("attachment/get", id=self.picture, original=True)["data"], PICTURE)
        identifier = self.vault.begin_scan("attachment/export", path=str(self.target), **self.get())
        self.world.reader.scan()
        self.assertEqual(self.vault.answer(identifier), {"path": str(self.target), "size": 128})
        self.assertEqual(self.target.read_bytes(), base64.b64decode(PICTURE))
        self.assertEqual(self.vault.events(), events)
        self.assertGreater(self.vault.request("device/list")["items"][0]["lastUsedAt"], used)

    def test_r6_nothing_is_asked_for_where_there_is_no_watermark(self):
        self.vault.request("attachment/setWatermark", id=self.picture, text=None)
        self.assertEqual(self.vault.request("attachment/get", **self.get())["data"], PICTURE)
        self.assertEqual(self.vault.notifications(STATE), [])

    def test_r6_the_file_is_looked_at_before_the_finger(self):
        self.target.write_bytes(b"mine")
        self.assert_refused("file.exists", self.vault.request, "attachment/export", path=str(self.target), **self.get())
        self.assertEqual(self.vault.notifications(STATE), [])
        self.assertEqual(self.target.read_bytes(), b"mine")

    def test_r13_turned_off_no_finger_gives_it(self):
        self.vault.request("settings/update", biometricUnlock=False)
        error = self.assert_refused_open(
            1406, "biometric.biometryNotAvailable", self.vault.send("attachment/get", **self.get()))
        self.assertEqual(error.data["reason"], "turnedOff")
        self.assertEqual(self.vault.notifications(STATE), [])

    def test_b_1401_and_1408_three_fingers_that_do_not_match(self):
        identifier = self.vault.begin_scan("attachment/export", path=str(self.target), **self.get())
        self.fail_thrice(self.vault)
        self.assert_refused_open(1401, "biometric.authenticationFailed", identifier)
        self.assert_refused_open(1408, "biometric.biometryLockout", self.vault.send("attachment/get", **self.get()))
        self.assertEqual(self.vault.events()[0], "fingerprintFailed")
        # The password releases it, and allows fingerprints again.
        answer = self.vault.request("attachment/get", id=self.picture, original=True, password=PASSWORD)
        self.assertEqual(answer["data"], PICTURE)
        identifier = self.begin_get()
        self.world.reader.scan()
        self.assertEqual(self.vault.answer(identifier)["data"], PICTURE)

    def test_b_1402_the_request_is_taken_back(self):
        identifier = self.begin_get()
        self.vault.cancel(identifier)
        self.assert_refused_open(1402, "biometric.userCancel", identifier)
        # Cancelling shows no message.
        self.assertNotIn("biometric.userCancel", [notification["kind"] for notification in self.vault.notifications("window/showMessage")])

    def test_b_1403_a_password_comes_while_a_finger_is_awaited(self):
        identifier = self.begin_get()
        answer = self.vault.request("attachment/get", id=self.picture, original=True, password=PASSWORD)
        self.assertEqual(answer["data"], PICTURE)
        self.assert_refused_open(1403, "biometric.userFallback", identifier)
        identifier = self.begin_get()
        self.assert_refused(
            "auth.wrongPassword", self.vault.request, "attachment/export", id=self.picture, path=str(self.target),
            original=True, password="wrong wrong")
        self.assert_refused_open(1403, "biometric.userFallback", identifier)

    def test_b_1404_the_machine_goes_to_sleep(self):
        identifier = self.begin_get()
        self.world.prepare_for_sleep(True)
        self.assertEqual(
            self.assert_answer_refused("biometric.systemCancel", self.vault, identifier).code, 1404)
        self.vault.notification("session/didLock", reason="sleep")

    def test_b_1404_the_fingerprint_service_is_killed(self):
        identifier = self.begin_get()
        self.world.stop("fprintd", signal.SIGKILL)
        self.assert_refused_open(1404, "biometric.systemCancel", identifier)

    def test_b_1406_polkit_does_not_allow_it(self):
        self.world.allow(False)
        error = self.assert_refused_open(
            1406, "biometric.biometryNotAvailable", self.vault.send("attachment/get", **self.get()))
        self.assertEqual(error.data["reason"], "permissionDenied")

    def test_b_1407_nobody_is_enrolled(self):
        self.world.delete_prints()
        self.assert_refused_open(
            1407, "biometric.biometryNotEnrolled", self.vault.send("attachment/get", **self.get()))

    def test_b_1409_the_client_locks(self):
        identifier = self.begin_get()
        self.assertIsNone(self.vault.request("session/lock"))
        self.assertEqual(self.assert_answer_refused("biometric.appCancel", self.vault, identifier).code, 1409)
        self.assertTrue(self.vault.request("vault/status")["locked"])

    def test_b_1409_the_desktop_locks(self):
        identifier = self.begin_get()
        self.world.lock_session()
        self.assertEqual(self.assert_answer_refused("biometric.appCancel", self.vault, identifier).code, 1409)
        self.vault.notification("session/didLock", reason="deviceLocked")

    def test_b_1410_the_secret_is_gone_from_the_keychain(self):
        self.world.stop("keyring")
        self.world.home = self.path.parent / "another home"
        self.world.home.mkdir()
        self.world.start_keyring()
        identifier = self.begin_get()
        self.world.reader.scan()
        self.assert_refused_open(1410, "biometric.invalidContext", identifier)

    def test_b_1411_the_client_is_in_the_background(self):
        self.vault.request("settings/update", lockOnBackground=False)
        self.vault.tell("client/didEnterBackground")
        self.assert_refused_open(1411, "biometric.notInteractive", self.vault.send("attachment/get", **self.get()))

    def test_b_1411_the_desktop_is_locked(self):
        self.vault.request("settings/update", lockWithDesktop=False)
        self.world.set_locked_hint(True)
        self.assert_refused_open(1411, "biometric.notInteractive", self.vault.send("attachment/get", **self.get()))

    def test_t_other_prints_make_the_binding_void(self):
        self.world.enroll("left-thumb")
        identifier = self.begin_get()
        self.world.reader.scan()
        self.assert_refused_open(1412, "biometric.enrollmentChanged", identifier)
        self.assertFalse(self.vault.enabled())
        self.assertEqual(self.world.keyring_items(), [])
        self.assert_refused_open(1413, "biometric.notEnabled", self.vault.send("attachment/get", **self.get()))

    def test_b_1405_and_locked(self):
        """1405 means that there is no vault and no password; without a vault there is no attachment either."""
        self.lock(self.vault)
        self.assert_refused("vault.locked", self.vault.request, "attachment/get", **self.get())
        self.assertEqual(self.vault.notifications(STATE), [])


class Unbound(OriginalCase):
    is_bound = False

    def test_r6_only_the_password_gives_the_original(self):
        self.assert_refused_open(1413, "biometric.notEnabled", self.vault.send("attachment/get", **self.get()))
        answer = self.vault.request("attachment/get", id=self.picture, original=True, password=PASSWORD)
        self.assertEqual(answer["data"], PICTURE)


if __name__ == "__main__":
    unittest.main()
