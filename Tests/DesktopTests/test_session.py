"""R12: the desktop session locks; the machine goes to sleep."""

import os
import signal
import unittest

from cases import Case
from world import World, eventually

OURS = ("sleep", "QuickVault", "Lock the vault", "delay")


class Watching(Case):
    options = {"polkit": False, "logind": True}

    def setUp(self):
        self.addCleanup(self.world.set_locked_hint, False)

    def watch(self, **wanted):
        desktop = self.start()
        return desktop, desktop.request("desktop/watch", **wanted)

    def test_r12_the_lock_signal(self):
        desktop, state = self.watch(lock=True)
        self.assertEqual(state, {"lock": {"watching": True, "locked": False}, "sleep": {"watching": False}})
        self.world.lock_session()
        desktop.notification("desktop/didLock")

    def test_r12_the_locked_hint(self):
        desktop, _ = self.watch(lock=True)
        self.world.set_locked_hint(True)
        desktop.notification("desktop/didLock")
        self.assertEqual(
            desktop.request("desktop/status")["session"], {"state": "ready", "id": "c1", "locked": True})
        self.world.set_locked_hint(False)
        desktop.request("desktop/status")
        self.assertEqual(desktop.kept, [])

    def test_r12_a_session_that_is_locked_already(self):
        self.world.set_locked_hint(True)
        _, state = self.watch(lock=True)
        self.assertEqual(state["lock"], {"watching": True, "locked": True})

    def test_r12_what_is_not_watched_is_not_told(self):
        desktop, state = self.watch(sleep=True)
        self.assertEqual(state["lock"], {"watching": False})
        self.world.lock_session()
        desktop.request("desktop/watch", lock=True)
        self.world.prepare_for_sleep(True)
        self.world.lock_session()
        desktop.notification("desktop/didLock")
        self.assertEqual(desktop.kept, [])
        desktop.request("desktop/watch")
        self.world.lock_session()
        desktop.request("desktop/status")
        self.assertEqual(desktop.kept, [])

    def test_r12_another_session_is_not_ours(self):
        self.world.add_session("c2")
        desktop, _ = self.watch(lock=True)
        self.world.lock_session("c2")
        self.world.lock_session("c1")
        desktop.notification("desktop/didLock")
        desktop.request("desktop/status")
        self.assertEqual(desktop.kept, [])

    def test_r12_sleep_waits_until_the_input_ends(self):
        desktop, state = self.watch(sleep=True)
        self.assertEqual(state["sleep"], {"watching": True})
        self.assertEqual(self.world.inhibitors(), [OURS])
        self.world.prepare_for_sleep(True)
        desktop.notification("desktop/willSleep")
        desktop.request("desktop/status")
        self.assertEqual(self.world.inhibitors(), [OURS])
        desktop.close()
        eventually(lambda: self.world.inhibitors() == [], "the machine may sleep")

    def test_r12_sleep_waits_until_it_is_allowed_and_waits_again_after_waking(self):
        desktop, _ = self.watch(sleep=True)
        for _ in range(2):
            self.world.prepare_for_sleep(True)
            desktop.notification("desktop/willSleep")
            self.assertEqual(self.world.inhibitors(), [OURS])
            self.assertIsNone(desktop.request("desktop/allowSleep"))
            eventually(lambda: self.world.inhibitors() == [], "the machine may sleep")
            self.world.prepare_for_sleep(False)
            desktop.notification("desktop/didWake")
            eventually(lambda: self.world.inhibitors() == [OURS], "sleep waits again")

    def test_r12_an_inhibitor_that_comes_too_late_is_dropped(self):
        desktop, _ = self.watch(sleep=True)
        for _ in range(20):
            # Awake and asleep again at once: sleep may be allowed before logind has answered.
            desktop.request("desktop/allowSleep")
            self.world.prepare_for_sleep(False)
            desktop.notification("desktop/didWake")
            desktop.request("desktop/allowSleep")
            eventually(lambda: self.world.inhibitors() == [], "the machine may sleep")

    def test_r12_the_end_of_input_during_a_request_lets_the_machine_sleep(self):
        self.world.start_keyring()
        self.addCleanup(self.world.stop, "keyring")
        desktop, _ = self.watch(sleep=True)
        desktop.request("keychain/store", vault="v", device="d", secret="AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
        self.world.lock_keyring()
        self.world.start_prompter(password=None)
        self.addCleanup(self.world.stop, "prompter")
        desktop.send("keychain/read", vault="v", device="d")
        eventually(lambda: "asked" in self.world.log("prompter"), "the person is asked")
        self.assertEqual(desktop.close(), (0, b""))
        eventually(lambda: self.world.inhibitors() == [], "the machine may sleep")

    def test_r12_nothing_watched_is_nothing_held(self):
        desktop, _ = self.watch(sleep=True)
        desktop.request("desktop/watch", lock=True)
        eventually(lambda: self.world.inhibitors() == [], "the machine may sleep")
        desktop.request("desktop/watch", sleep=True)
        self.assertEqual(self.world.inhibitors(), [OURS])

    def test_r12_a_killed_program_holds_nothing(self):
        desktop, _ = self.watch(sleep=True)
        desktop.process.send_signal(signal.SIGKILL)
        eventually(lambda: self.world.inhibitors() == [], "the machine may sleep")

    def test_r12_logind_is_asked_for_the_parent(self):
        self.watch(lock=True)
        self.assertIn(f"GetSessionByPID {os.getpid()}", self.world.log("logind"))

    def test_r12_logind_is_started_anew(self):
        desktop, _ = self.watch(lock=True, sleep=True)
        self.world.stop("logind")
        self.assertEqual(desktop.notification("desktop/didStopWatching"), {"lock": True, "sleep": True})
        self.world.start_logind()
        eventually(lambda: self.world.inhibitors() == [OURS], "sleep waits again")
        # The mock gets its session only after its name, so the program may not watch the lock yet.
        self.assertTrue(desktop.request("desktop/watch", lock=True, sleep=True)["lock"]["watching"])
        self.world.lock_session()
        desktop.notification("desktop/didLock")


class Finding(unittest.TestCase):
    """Tests in which logind does not know the session of the process."""

    def found(self, display=None, **environment):
        with World(polkit=False) as world:
            world.start_logind(process_has_session=False, display=display)
            world.add_session("c2")
            case = Case()
            case.world = world
            desktop = case.start(**environment)
            try:
                state = desktop.request("desktop/status")["session"]
                return state, desktop.request("desktop/watch", lock=True, sleep=True)
            finally:
                case.doCleanups()

    def test_r12_by_the_environment(self):
        state, watched = self.found(display="c1", XDG_SESSION_ID="c2")
        self.assertEqual(state["id"], "c2")
        self.assertTrue(watched["lock"]["watching"])

    def test_r12_by_the_display(self):
        state, watched = self.found(display="c1", XDG_SESSION_ID="c9")
        self.assertEqual(state["id"], "c1")
        self.assertTrue(watched["lock"]["watching"])

    def test_r12_none(self):
        state, watched = self.found()
        self.assertEqual(state, {"state": "none"})
        self.assertEqual(
            watched, {"lock": {"state": "none", "watching": False}, "sleep": {"watching": True}})


class Missing(unittest.TestCase):
    def setUp(self):
        self.world = World(session=False, polkit=False)
        self.world.__enter__()
        self.addCleanup(self.world.close)

    start = Case.start

    def test_r12_there_is_no_logind(self):
        desktop = self.start()
        missing = {"state": "serviceMissing", "package": "systemd"}
        self.assertEqual(desktop.request("desktop/status")["session"], missing)
        missing["watching"] = False
        self.assertEqual(
            desktop.request("desktop/watch", lock=True, sleep=True), {"lock": missing, "sleep": missing})
        self.assertEqual(
            desktop.request("desktop/status")["keychain"], {"state": "busMissing", "package": "dbus-user-session"})

    def test_r12_the_bus_ends(self):
        self.world.start_logind()
        desktop = self.start()
        desktop.request("desktop/watch", lock=True, sleep=False)
        self.world.stop("system", signal.SIGKILL)
        self.assertEqual(desktop.notification("desktop/didStopWatching"), {"lock": True, "sleep": False})
        self.assertEqual(
            desktop.request("desktop/status")["session"], {"state": "busMissing", "package": "dbus"})


if __name__ == "__main__":
    unittest.main()
