"""R9, B: verification with the real fprintd and the virtual reader of libfprint."""

import signal
import unittest

from cases import STATE, ReaderCase
from world import FINGER


class Comparing(ReaderCase):
    def test_r9_an_enrolled_finger_matches(self):
        desktop = self.start()
        waiting = self.scanning(desktop)
        self.world.reader.scan("alice")
        desktop.notification(STATE, state="matched", attempt=1)
        result = desktop.answer(waiting)
        self.assertEqual((result["outcome"], result["attempts"]), ("matched", 1))

    def test_r9_another_finger_does_not(self):
        desktop = self.start()
        waiting = self.scanning(desktop)
        self.world.reader.scan("mallory")
        desktop.notification(STATE, state="notMatched", attempt=1)
        result = desktop.answer(waiting)
        self.assertEqual((result["outcome"], result["attempts"]), ("notMatched", 1))

    def test_r9_three_attempts_in_one_call(self):
        desktop = self.start()
        waiting = desktop.send("fingerprint/verify", attempts=3)
        for attempt in (1, 2, 3):
            desktop.notification(STATE, state="scanning", attempt=attempt)
            self.world.reader.scan("mallory")
            desktop.notification(STATE, state="notMatched", attempt=attempt)
        result = desktop.answer(waiting)
        self.assertEqual((result["outcome"], result["attempts"]), ("notMatched", 3))

    def test_r9_the_second_attempt_may_match(self):
        desktop = self.start()
        waiting = desktop.send("fingerprint/verify", attempts=3)
        for attempt, person in ((1, "mallory"), (2, "alice")):
            desktop.notification(STATE, state="scanning", attempt=attempt)
            self.world.reader.scan(person)
        result = desktop.answer(waiting)
        self.assertEqual((result["outcome"], result["attempts"]), ("matched", 2))

    def test_r9_retries_are_told_and_not_counted(self):
        desktop = self.start()
        waiting = self.scanning(desktop, attempts=1)
        for number, reason in enumerate(["tryAgain", "swipeTooShort", "fingerNotCentered", "removeAndRetry"]):
            self.world.reader.retry(number)
            desktop.notification(STATE, state="retry", reason=reason, attempt=1)
        self.world.reader.scan("alice")
        result = desktop.answer(waiting)
        self.assertEqual((result["outcome"], result["attempts"]), ("matched", 1))

    def test_r9_one_verification_after_another(self):
        desktop = self.start()
        for person, outcome in (("mallory", "notMatched"), ("alice", "matched"), ("alice", "matched")):
            waiting = self.scanning(desktop)
            self.world.reader.scan(person)
            self.assertEqual(desktop.answer(waiting)["outcome"], outcome)

    def test_r9_a_cancelled_wait_leaves_nothing_behind(self):
        # VerifyStop makes fprintd report a mismatch.
        desktop = self.start()
        for _ in range(3):
            waiting = self.scanning(desktop)
            desktop.cancel(waiting)
            self.assert_refused("rpc.cancelled", desktop.answer, waiting)
        waiting = self.scanning(desktop)
        self.world.reader.scan("alice")
        self.assertEqual(desktop.answer(waiting)["outcome"], "matched")
        self.assertEqual([notification for notification in desktop.notifications(STATE) if notification["state"] == "notMatched"], [])


class Enrollment(ReaderCase):
    def test_t_it_changes_with_the_fingers_and_is_read_under_the_claim(self):
        desktop = self.start()

        def verified():
            waiting = self.scanning(desktop)
            self.world.reader.scan("alice")
            return desktop.answer(waiting)["enrollment"]

        first = verified()
        self.assertEqual(first, verified())
        self.assertEqual(first, desktop.request("desktop/status")["fingerprint"]["enrollment"])
        self.world.enroll("left-thumb")
        second = verified()
        self.assertNotEqual(first, second)
        self.assertEqual(
            desktop.request("desktop/status")["fingerprint"]["fingers"], ["left-thumb", FINGER])
        self.world.delete_prints()
        self.world.enroll(FINGER)
        self.assertEqual(first, verified())


class Failing(ReaderCase):
    def test_b_the_reader_fails(self):
        for number, kind in ((0, "failed"), (1, "failed"), (4, "failed"), (5, "disconnected")):
            with self.subTest(number=number):
                desktop = self.start()
                waiting = self.scanning(desktop)
                self.world.reader.error(number)
                self.assert_refused(f"fingerprint.{kind}", desktop.answer, waiting)
                waiting = self.scanning(desktop)
                self.world.reader.scan("alice")
                self.assertEqual(desktop.answer(waiting)["outcome"], "matched")

    def test_b_the_reader_is_unplugged(self):
        desktop = self.start()
        waiting = self.scanning(desktop)
        self.world.reader.unplug()
        self.assert_refused("fingerprint.disconnected", desktop.answer, waiting)
        self.assert_refused("fingerprint.noReader", desktop.request, "fingerprint/verify")

    def test_b_fprintd_is_killed(self):
        for how in (signal.SIGKILL, signal.SIGTERM):
            with self.subTest(how=how):
                desktop = self.start()
                waiting = self.scanning(desktop)
                self.world.stop("fprintd", how)
                self.assert_refused("fingerprint.serviceStopped", desktop.answer, waiting)
                refused = self.assert_refused("fingerprint.serviceMissing", desktop.request, "fingerprint/verify")
                self.assertEqual(refused.data["package"], "fprintd")
                self.world.start_fprintd(enrolled=[])
                waiting = self.scanning(desktop)
                self.world.reader.scan("alice")
                self.assertEqual(desktop.answer(waiting)["outcome"], "matched")

    def test_b_nothing_comes_in_time(self):
        desktop = self.start()
        # A busy machine may need longer until the reader is ready.
        for seconds in (1, 10, 100):
            self.assert_refused("fingerprint.timedOut", desktop.request, "fingerprint/verify", timeoutSeconds=seconds)
            if desktop.notifications(STATE):
                break
        self.assertEqual([notification["state"] for notification in desktop.notifications(STATE)], ["scanning"])
        desktop.kept.clear()
        waiting = self.scanning(desktop)
        self.world.reader.scan("alice")
        self.assertEqual(desktop.answer(waiting)["outcome"], "matched")

    def test_b_retries_do_not_lengthen_the_wait(self):
        desktop = self.start()
        # As long as a busy machine needs until the reader is ready and has failed.
        waiting = self.scanning(desktop, timeoutSeconds=10)
        self.world.reader.retry(0)
        desktop.notification(STATE, state="retry")
        self.assert_refused("fingerprint.timedOut", desktop.answer, waiting)

    def test_b_somebody_else_has_the_reader(self):
        first, second = self.start(), self.start()
        waiting = self.scanning(first)
        self.assert_refused("fingerprint.busy", second.request, "fingerprint/verify")
        self.world.reader.scan("alice")
        self.assertEqual(first.answer(waiting)["outcome"], "matched")
        waiting = self.scanning(second)
        self.world.reader.scan("alice")
        self.assertEqual(second.answer(waiting)["outcome"], "matched")

    def test_b_the_end_of_input_releases_the_reader(self):
        first, second = self.start(), self.start()
        self.scanning(first, timeoutSeconds=300)
        self.assertEqual(first.close(), (0, b""))
        waiting = self.scanning(second)
        self.world.reader.scan("alice")
        self.assertEqual(second.answer(waiting)["outcome"], "matched")

    def test_b_being_killed_releases_the_reader(self):
        first, second = self.start(), self.start()
        self.scanning(first, timeoutSeconds=300)
        first.process.kill()
        first.process.wait()
        waiting = self.scanning(second)
        self.world.reader.scan("alice")
        self.assertEqual(second.answer(waiting)["outcome"], "matched")

    def test_b_polkit_denies(self):
        self.world.allow(False)
        desktop = self.start()
        self.assert_refused("fingerprint.permissionDenied", desktop.request, "fingerprint/verify")
        status = desktop.request("desktop/status")["fingerprint"]
        self.assertEqual(status["state"], "permissionDenied")
        self.assertEqual(status["reader"], "Virtual device for debugging")

    def test_b_nobody_is_enrolled(self):
        self.world.delete_prints()
        desktop = self.start()
        self.assert_refused("fingerprint.notEnrolled", desktop.request, "fingerprint/verify")
        self.assertEqual(desktop.request("desktop/status")["fingerprint"]["state"], "notEnrolled")
        self.world.enroll()
        self.assertEqual(desktop.request("desktop/status")["fingerprint"]["state"], "ready")


class Hanging(ReaderCase):
    def setUp(self):
        super().setUp()
        self.world.have_polkit_hang(True)
        self.addCleanup(self.world.have_polkit_hang, False)

    def test_b_polkit_asks_and_the_wait_is_cancelled(self):
        desktop = self.start()
        waiting = desktop.send("fingerprint/verify", timeoutSeconds=300)
        self.world.wait_for_polkit()
        desktop.cancel(waiting)
        self.assert_refused("rpc.cancelled", desktop.answer, waiting)
        self.world.have_polkit_hang(False)
        self.world.release_polkit()
        waiting = self.scanning(desktop)
        self.world.reader.scan("alice")
        self.assertEqual(desktop.answer(waiting)["outcome"], "matched")

    def test_b_polkit_asks_and_nobody_answers(self):
        desktop = self.start()
        self.assert_refused("fingerprint.timedOut", desktop.request, "fingerprint/verify", timeoutSeconds=1)


class Sleeping(ReaderCase):
    options = {"logind": True}

    def test_b_the_machine_goes_to_sleep(self):
        desktop = self.start()
        waiting = self.scanning(desktop)
        self.world.prepare_for_sleep(True)
        self.assert_refused("fingerprint.sleeping", desktop.answer, waiting)
        self.world.prepare_for_sleep(False)


class Missing(ReaderCase):
    def setUp(self):
        self.addCleanup(self.stop_fprintd)

    def test_b_fprintd_is_not_there(self):
        desktop = self.start()
        refused = self.assert_refused("fingerprint.serviceMissing", desktop.request, "fingerprint/verify")
        self.assertEqual((refused.code, refused.data["package"]), (2001, "fprintd"))
        self.assertEqual(
            desktop.request("desktop/status")["fingerprint"], {"state": "serviceMissing", "package": "fprintd"})

    def test_b_there_is_no_reader(self):
        self.world.start_fprintd(enrolled=[], reader=False)
        desktop = self.start()
        self.assert_refused("fingerprint.noReader", desktop.request, "fingerprint/verify")
        self.assertEqual(desktop.request("desktop/status")["fingerprint"], {"state": "noReader"})

    def test_b_parameters(self):
        desktop = self.start()
        for parameters in (
                {"timeoutSeconds": 0}, {"timeoutSeconds": 301}, {"attempts": 0}, {"attempts": 11}, {"attempts": "3"},
                {"finger": "any"}):
            with self.subTest(parameters=parameters):
                refused = self.assert_refused(
                    "rpc.invalidParameters", desktop.request, "fingerprint/verify", **parameters)
                self.assertEqual(refused.code, -32602)


if __name__ == "__main__":
    unittest.main()
