"""What the test cases have in common."""

import unittest

from desktop import Desktop, Refused
from world import World

SECRET = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
STATE = "fingerprint/didChangeState"


class Case(unittest.TestCase):
    """A case with a desktop that its tests share, and a program of its own for each."""

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
        """The program answers with an error of this kind."""
        with self.assertRaises(Refused) as caught:
            act(*arguments, **parameters)
        self.assertEqual(caught.exception.kind, kind)
        return caught.exception


class ReaderCase(Case):
    """A case with a reader: each test has a fresh fprintd, since a test may leave the virtual reader stuck."""

    def setUp(self):
        self.world.allow(True)
        self.addCleanup(self.stop_fprintd)
        self.world.start_fprintd()

    def stop_fprintd(self):
        if "fprintd" in self.world.processes:
            self.world.stop("fprintd")
        self.world.forget_prints()

    def scanning(self, desktop, **parameters):
        """Begins a verification and waits until the reader is ready for a finger."""
        identifier = desktop.send("fingerprint/verify", **parameters)
        desktop.notice(STATE, state="scanning")
        return identifier
