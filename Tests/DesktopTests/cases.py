"""Base classes of the tests."""

import signal
import sys
import unittest

from desktop import Desktop, Refused
from world import World

SECRET = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
STATE = "fingerprint/didChangeState"


class Case(unittest.TestCase):
    """Tests that share a desktop; each starts its own quickvault-desktop."""

    options = {}

    @classmethod
    def setUpClass(cls):
        cls.world = World(**cls.options)
        cls.world.__enter__()
        cls.addClassCleanup(cls.world.close)

    def start(self, **environment):
        """Starts the program on this desktop."""
        desktop = Desktop(self.world.environment(**environment))
        self.addCleanup(desktop.close)
        return desktop

    def assert_refused(self, kind, act, *arguments, **parameters):
        """Checks that a request fails with an error of this kind."""
        with self.assertRaises(Refused) as caught:
            act(*arguments, **parameters)
        self.assertEqual(caught.exception.kind, kind)
        return caught.exception


class ReaderCase(Case):
    """Tests with a fingerprint reader; each starts a new fprintd, because a test may leave the virtual reader stuck."""

    def setUp(self):
        self.world.allow(True)
        self.addCleanup(self.stop_fprintd)
        self.world.start_fprintd()

    def _callTestMethod(self, method):
        """Runs the test again, once, if fprintd crashed in it: Debian's sometimes does when a wait is cancelled."""
        try:
            method()
        except AssertionError:
            fprintd = self.world.processes.get("fprintd")
            if fprintd is None or fprintd.poll() != -signal.SIGSEGV:
                raise
            print(f"fprintd crashed in {self.id()}, which runs again", file=sys.stderr)
            self.doCleanups()
            self.setUp()
            method()

    def stop_fprintd(self):
        if "fprintd" in self.world.processes:
            self.world.stop("fprintd")
        self.world.forget_prints()

    def scanning(self, desktop, **parameters):
        """Starts a verification and waits until the reader is ready."""
        identifier = desktop.send("fingerprint/verify", **parameters)
        desktop.notification(STATE, state="scanning")
        return identifier
