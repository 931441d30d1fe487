"""Forged signals are ignored: any process can send any signal directly to another connection."""

import unittest

import dbus

from cases import SECRET, STATE, Case, ReaderCase
from world import LOGIND, PYTHON, eventually

DEVICE = "/net/reactivated/Fprint/Device/0"
VERIFY_STATUS = "net.reactivated.Fprint.Device.VerifyStatus"
OWNER_CHANGED = "org.freedesktop.DBus.NameOwnerChanged"
MEMBER = {"user": None}, {"user": "nobody"}


class Fingers(ReaderCase):
    options = {"logind": True}

    def forge(self, desktop, path, signal_name, signature, *arguments, user):
        """Sends a signal to every D-Bus connection of the program."""
        for name in self.world.names_of(desktop.process.pid):
            self.world.forge(name, path, signal_name, signature, *arguments, user=user)

    def assert_still_waiting(self, desktop, waiting, person="mallory", outcome="notMatched"):
        """Checks that the wait continues and ends with the result of the real reader."""
        self.world.reader.scan(person)
        self.assertEqual(desktop.answer(waiting)["outcome"], outcome)

    def test_b_a_forged_match(self):
        for options in MEMBER:
            with self.subTest(**options):
                desktop = self.start()
                waiting = self.scanning(desktop)
                self.forge(desktop, DEVICE, VERIFY_STATUS, "sb", "verify-match", True, **options)
                self.assert_still_waiting(desktop, waiting)
                self.assertEqual([notification for notification in desktop.notifications(STATE) if notification["state"] == "matched"], [])

    def test_b_a_forged_match_for_everybody(self):
        for options in MEMBER:
            with self.subTest(**options):
                desktop = self.start()
                waiting = self.scanning(desktop)
                self.world.forge(None, DEVICE, VERIFY_STATUS, "sb", "verify-match", True, **options)
                self.assert_still_waiting(desktop, waiting)

    def test_b_a_forged_match_before_the_reader_is_ready(self):
        self.world.have_polkit_hang(True)
        self.addCleanup(self.world.have_polkit_hang, False)
        desktop = self.start()
        waiting = desktop.send("fingerprint/verify", timeoutSeconds=60)
        self.world.wait_for_polkit()
        self.forge(desktop, DEVICE, VERIFY_STATUS, "sb", "verify-match", True, user="nobody")
        self.world.have_polkit_hang(False)
        self.world.release_polkit()
        desktop.notification(STATE, state="scanning")
        self.assert_still_waiting(desktop, waiting)

    def test_b_forged_refusals(self):
        for options in MEMBER:
            with self.subTest(**options):
                desktop = self.start()
                waiting = self.scanning(desktop)
                for word in ("verify-no-match", "verify-disconnected", "verify-unknown-error"):
                    self.forge(desktop, DEVICE, VERIFY_STATUS, "sb", word, True, **options)
                fprintd = self.world.owner("net.reactivated.Fprint")
                for owner in (fprintd, "net.reactivated.Fprint"):
                    self.forge(desktop, "/org/freedesktop/DBus", OWNER_CHANGED, "sss", owner, fprintd, "", **options)
                self.forge(
                    desktop, "/org/freedesktop/login1", LOGIND + ".Manager.PrepareForSleep", "b", True, **options)
                self.assert_still_waiting(desktop, waiting, "alice", "matched")


class Stale(Case):
    """With a mock of fprintd: the real one reports nothing about an earlier wait after a new one has started."""

    options = {"polkit": False}

    def test_b_what_comes_before_the_wait_has_begun_is_dropped(self):
        service, manager = "net.reactivated.Fprint", "/net/reactivated/Fprint/Manager"
        self.world.start("fprintd", [
            PYTHON, "-m", "dbusmock", "--system", service, manager, service + ".Manager"])
        self.world.wait_for(service)
        status = f'self.EmitSignal("{service}.Device", "VerifyStatus", "sb", ["verify-match", True])'
        self.world.call_mock(
            service, manager, "AddMethod", service + ".Manager", "GetDefaultDevice", "", "o",
            f'ret = dbus.ObjectPath("{DEVICE}")')
        self.world.call_mock(
            service, manager, "AddObject", DEVICE, service + ".Device", {"name": "played", "scan-type": "press"}, [
                ("Claim", "s", "", ""), ("ListEnrolledFingers", "s", "as", 'ret = ["left-thumb"]'),
                ("VerifyStart", "s", "", status), ("VerifyStop", "", "", ""), ("Release", "", "", "")])
        desktop = self.start()
        waiting = desktop.send("fingerprint/verify")
        desktop.notification(STATE, state="scanning")
        self.world.call_mock(
            service, DEVICE, "EmitSignal", service + ".Device", "VerifyStatus", "sb",
            dbus.Array(["verify-no-match", True], signature="v"))
        self.assertEqual(desktop.answer(waiting)["outcome"], "notMatched")
        self.assertEqual([notification["state"] for notification in desktop.notifications(STATE)], ["notMatched"])


class Session(Case):
    options = {"polkit": False, "logind": True}

    def test_r12_forged_signals_of_logind(self):
        desktop = self.start()
        desktop.request("desktop/watch", lock=True, sleep=True)
        session = "/org/freedesktop/login1/session/c1"
        for options in MEMBER:
            for name in self.world.names_of(desktop.process.pid):
                self.world.forge(name, session, LOGIND + ".Session.Lock", **options)
                self.world.forge(
                    name, session, "org.freedesktop.DBus.Properties.PropertiesChanged", "sa{sv}as",
                    LOGIND + ".Session", {"LockedHint": True}, [], **options)
                self.world.forge(
                    name, "/org/freedesktop/login1", LOGIND + ".Manager.PrepareForSleep", "b", True, **options)
                self.world.forge(name, "/org/freedesktop/DBus", OWNER_CHANGED, "sss", LOGIND, ":1.1", "", **options)
        self.world.set_locked_hint(True)
        desktop.notification("desktop/didLock")
        desktop.request("desktop/status")
        self.assertEqual(desktop.kept, [])
        self.world.set_locked_hint(False)


class Prompts(Case):
    options = {"polkit": False}

    def test_t_a_forged_end_of_a_prompt(self):
        self.world.start_keyring()
        desktop = self.start()
        desktop.request("keychain/store", vault="v", device="d", secret=SECRET)
        self.world.lock_keyring()
        self.world.start_prompter(password=None)
        waiting = desktop.send("keychain/read", vault="v", device="d", timeoutSeconds=300)
        eventually(lambda: "asked" in self.world.log("prompter"), "the person is asked")
        for name in self.world.names_of(desktop.process.pid, "session"):
            for number in range(5):
                for prefix in ("u", "p"):
                    self.world.forge(
                        name, f"/org/freedesktop/secrets/prompt/{prefix}{number}",
                        "org.freedesktop.Secret.Prompt.Completed", "bv", False, "", kind="session")
        desktop.cancel(waiting)
        self.assert_refused("rpc.cancelled", desktop.answer, waiting)


if __name__ == "__main__":
    unittest.main()
