"""B: each outcome that LocalAuthentication names, caused with the real services."""

import signal
import subprocess
import unittest

from vault import PASSWORD, STATE, Vault, VaultCase
from world import eventually


class Outcomes(VaultCase):
    """1401 and 1408 are in test_vault_unlock. The codes follow the order of Apple's list."""

    def assert_outcome(self, code, kind, identifier, vault=None):
        error = self.assert_answer_refused(f"biometric.{kind}", vault or self.vault, identifier)
        self.assertEqual(error.code, code)
        self.assertEqual(set(error.data["messages"]), {"en", "zh-Hans"})
        return error

    def assert_locked(self, vault=None):
        self.assertTrue((vault or self.vault).request("vault/status")["locked"])

    def test_b_1402_the_request_is_taken_back(self):
        identifier = self.vault.begin_scan()
        self.vault.cancel(identifier)
        self.assert_outcome(1402, "userCancel", identifier)
        self.assert_locked()
        # Cancelling shows no message and releases the reader.
        self.assertEqual(self.vault.notifications("window/showMessage"), [])
        self.unlock(self.vault)

    def test_b_1403_a_password_comes_while_a_finger_is_awaited(self):
        identifier = self.vault.begin_scan()
        answer = self.vault.request("session/unlock", password=PASSWORD)
        self.assertEqual(answer["integrity"], "intact")
        self.assert_outcome(1403, "userFallback", identifier)
        self.assertEqual(self.vault.notifications("window/showMessage"), [])

    def test_b_1403_and_a_wrong_one_counts_as_ever(self):
        identifier = self.vault.begin_scan()
        self.assert_refused("auth.wrongPassword", self.vault.request, "session/unlock", password="wrong wrong")
        self.assert_outcome(1403, "userFallback", identifier)
        self.assertEqual(self.vault.request("vault/status")["lockout"]["failedAttempts"], 1)
        # Wrong passwords do not block fingerprints, and a match does not reset their count.
        self.unlock(self.vault)
        self.assertEqual(self.vault.request("vault/status")["lockout"]["failedAttempts"], 1)

    def test_b_1404_the_machine_goes_to_sleep(self):
        identifier = self.vault.begin_scan()
        self.world.prepare_for_sleep(True)
        self.assert_outcome(1404, "systemCancel", identifier)
        eventually(lambda: not self.world.inhibitors(), "the machine may sleep")
        self.assert_locked()

    def test_b_1404_the_program_is_asked_to_end(self):
        identifier = self.vault.begin_scan()
        self.vault.process.send_signal(signal.SIGTERM)
        self.assert_outcome(1404, "systemCancel", identifier)

    def test_b_1404_the_client_ends_the_conversation(self):
        identifier = self.vault.begin_scan()
        self.vault.send("shutdown")
        self.assert_outcome(1404, "systemCancel", identifier)

    def test_b_1404_the_fingerprint_service_is_killed(self):
        identifier = self.vault.begin_scan()
        self.world.stop("fprintd", signal.SIGKILL)
        self.assert_outcome(1404, "systemCancel", identifier)
        self.assert_locked()
        self.world.start_fprintd(enrolled=())
        self.unlock(self.vault)

    def test_b_1404_the_desktop_program_is_killed(self):
        identifier = self.vault.begin_scan()
        subprocess.run(["pkill", "-KILL", "-P", str(self.vault.process.pid)], check=True)
        self.assert_outcome(1404, "systemCancel", identifier)
        self.assert_locked()
        self.unlock(self.vault)

    def test_b_1405_there_is_no_vault_and_so_no_password(self):
        empty = Vault(self.path.parent / "none.quickvault", self.world.environment())
        self.addCleanup(empty.close)
        self.assert_outcome(1405, "passcodeNotSet", empty.send_unlock(), empty)

    def test_b_1406_the_reader_is_unplugged(self):
        identifier = self.vault.begin_scan()
        self.world.reader.unplug()
        error = self.assert_outcome(1406, "biometryNotAvailable", identifier)
        self.assertEqual(error.data["reason"], "noReader")

    def test_b_1406_no_reader(self):
        self.stop_fprintd()
        self.world.start_fprintd(enrolled=(), reader=False)
        error = self.assert_outcome(1406, "biometryNotAvailable", self.vault.send_unlock())
        self.assertEqual(error.data["reason"], "noReader")
        self.vault.request("session/unlock", password=PASSWORD)

    def test_b_1406_polkit_does_not_allow_it(self):
        self.world.allow(False)
        error = self.assert_outcome(1406, "biometryNotAvailable", self.vault.send_unlock())
        self.assertEqual(error.data["reason"], "permissionDenied")
        self.assertIn("polkit", error.data["messages"]["en"])

    def test_b_1406_no_fingerprint_service(self):
        self.stop_fprintd()
        error = self.assert_outcome(1406, "biometryNotAvailable", self.vault.send_unlock())
        self.assertEqual((error.data["reason"], error.data["package"]), ("serviceMissing", "fprintd"))

    def test_b_1406_another_program_uses_the_reader(self):
        other = subprocess.Popen(
            ["fprintd-verify"], env=self.world.environment(), stdout=subprocess.PIPE, text=True)
        self.addCleanup(other.stdout.close)
        self.addCleanup(other.wait)
        self.addCleanup(other.kill)
        while "Verify started" not in other.stdout.readline():
            self.assertIsNone(other.poll())
        error = self.assert_outcome(1406, "biometryNotAvailable", self.vault.send_unlock())
        self.assertEqual(error.data["reason"], "readerBusy")

    def test_b_1406_no_keychain(self):
        self.world.stop("keyring")
        identifier = self.vault.begin_scan()
        self.world.reader.scan()
        error = self.assert_outcome(1406, "biometryNotAvailable", identifier)
        self.assertEqual((error.data["reason"], error.data["package"]), ("keychainMissing", "gnome-keyring"))
        self.assertTrue(self.vault.enabled())

    def test_b_1406_no_desktop_program(self):
        nothing = self.path.parent / "nothing"
        nothing.mkdir()
        vault = Vault(self.path, self.world.environment(), helpers=str(nothing))
        self.addCleanup(vault.close)
        error = self.assert_outcome(1406, "biometryNotAvailable", vault.send_unlock(), vault)
        self.assertEqual((error.data["reason"], error.data["package"]), ("programMissing", "quickvault"))
        status = vault.request("biometric/status")
        self.assertEqual({status[part]["state"] for part in ("fingerprint", "keychain", "session")}, {"programMissing"})
        vault.request("session/unlock", password=PASSWORD)
        vault.request("card/list")
        self.lock(vault)

    def test_b_1407_nobody_is_enrolled(self):
        self.world.delete_prints()
        error = self.assert_outcome(1407, "biometryNotEnrolled", self.vault.send_unlock())
        self.assertIn("fprintd-enroll", error.data["messages"]["en"])
        self.assertIn("fprintd-enroll", error.data["messages"]["zh-Hans"])
        status = self.vault.request("biometric/status")
        self.assertEqual(status["fingerprint"]["state"], "notEnrolled")
        self.assertFalse(status["available"])

    def test_b_1409_the_client_locks(self):
        identifier = self.vault.begin_scan()
        self.assertIsNone(self.vault.request("session/lock"))
        self.assert_outcome(1409, "appCancel", identifier)
        self.assertEqual(self.vault.notifications("window/showMessage"), [])

    def test_b_1409_the_client_goes_to_the_background(self):
        identifier = self.vault.begin_scan()
        self.vault.tell("client/didEnterBackground")
        self.assert_outcome(1409, "appCancel", identifier)

    def test_b_1409_the_desktop_locks(self):
        identifier = self.vault.begin_scan()
        self.world.lock_session()
        self.assert_outcome(1409, "appCancel", identifier)

    def test_b_1409_the_vault_locks_while_a_device_is_bound(self):
        self.unlock(self.vault)
        identifier = self.vault.begin_scan("biometric/enable", password=PASSWORD)
        self.world.lock_session()
        self.assert_outcome(1409, "appCancel", identifier)
        self.vault.notification("session/didLock", reason="deviceLocked")
        self.assert_locked()

    def test_b_1410_the_vault_is_deleted_meanwhile(self):
        identifier = self.vault.begin_scan()
        other = self.open()
        other.request("vault/delete", password=PASSWORD, confirm=self.path.name)
        self.world.reader.scan()
        self.assert_outcome(1410, "invalidContext", identifier)

    def test_b_1410_the_vault_is_replaced_meanwhile(self):
        identifier = self.vault.begin_scan()
        second = Vault(self.path.parent / "second.quickvault", self.world.environment())
        second.create()
        second.close()
        (self.path.parent / "second.quickvault").replace(self.path)
        self.world.reader.scan()
        self.assert_outcome(1410, "invalidContext", identifier)

    def test_b_1410_the_secret_is_gone_from_the_keychain(self):
        self.world.stop("keyring")
        for name in ("share", "cache", "config"):
            subprocess.run(["rm", "-rf", str(self.world.home / name)], check=True)
        self.world.start_keyring()
        identifier = self.vault.begin_scan()
        self.world.reader.scan()
        self.assert_outcome(1410, "invalidContext", identifier)
        self.vault.request("session/unlock", password=PASSWORD)
        self.enable(self.vault)
        self.lock(self.vault)
        self.unlock(self.vault)

    def test_b_1411_the_client_is_in_the_background(self):
        self.vault.tell("client/didEnterBackground")
        self.assert_outcome(1411, "notInteractive", self.vault.send_unlock())
        # The process remembers it when it replaces itself.
        self.assert_outcome(1411, "notInteractive", self.vault.send_unlock())
        self.vault.tell("client/didBecomeActive")
        self.unlock(self.vault)

    def test_b_1411_the_desktop_is_locked(self):
        self.world.set_locked_hint(True)
        self.assert_outcome(1411, "notInteractive", self.vault.send_unlock())

    def test_b_1414_the_keychain_is_locked_and_nobody_unlocks_it(self):
        self.world.stop("keyring")
        self.world.start_keyring(unlocked=False)
        identifier = self.vault.begin_scan()
        self.world.reader.scan()
        self.assertEqual(self.assert_answer_refused("keychain.locked", self.vault, identifier).code, 1414)
        self.assertTrue(self.vault.enabled())
        self.vault.request("session/unlock", password=PASSWORD)

    def test_b_the_keychain_is_locked_and_its_prompt_answered(self):
        self.world.lock_keyring()
        self.world.start_prompter()
        self.addCleanup(self.world.stop, "prompter")
        self.unlock(self.vault)

    def test_b_forged_news_of_a_match_opens_nothing(self):
        identifier = self.vault.begin_scan()
        path = "/net/reactivated/Fprint/Device/0"
        for name in self.world.names_of(self.desktop_process()):
            self.world.forge(name, path, "net.reactivated.Fprint.Device.VerifyStatus", "sb", "verify-match", True)
        # The next signal of the reader counts, and it is the first that does.
        self.world.reader.scan("bob")
        self.assertEqual(self.vault.notification(STATE, state="tryAgain")["attemptsLeft"], 2)
        self.assertEqual(self.vault.notifications(STATE), [])
        self.vault.cancel(identifier)
        self.assert_outcome(1402, "userCancel", identifier)

    def desktop_process(self):
        """The quickvault-desktop that the vault has started."""
        found = subprocess.run(
            ["pgrep", "-P", str(self.vault.process.pid), "-f", "quickvault-desktop"], check=True,
            capture_output=True, text=True)
        return int(found.stdout)


class Unbound(VaultCase):
    is_bound = False

    def test_b_binding_says_what_is_missing(self):
        self.world.delete_prints()
        self.assert_refused("biometric.biometryNotEnrolled", self.vault.request, "biometric/enable", password=PASSWORD)
        self.world.stop("keyring")
        self.world.enroll()
        error = self.assert_refused(
            "biometric.biometryNotAvailable", self.vault.request, "biometric/enable", password=PASSWORD)
        self.assertEqual(error.data["reason"], "keychainMissing")

    def test_b_all_codes_are_told_apart(self):
        document = self.vault.request("rpc.discover")
        codes = {
            error["data"]["kind"]: error["code"] for error in document["components"]["errors"].values()
            if 1401 <= error["code"] <= 1411}
        names = ["authenticationFailed", "userCancel", "userFallback", "systemCancel", "passcodeNotSet",
                 "biometryNotAvailable", "biometryNotEnrolled", "biometryLockout", "appCancel", "invalidContext",
                 "notInteractive"]
        self.assertEqual(codes, {f"biometric.{name}": 1401 + index for index, name in enumerate(names)})


if __name__ == "__main__":
    unittest.main()
