"""How far a pass of the service is (C)."""

import threading
import time
import unittest

import machine  # noqa: F401  (finds modules)
from dav import DEADLINE, PASSWORD, USER, Server
from liar import Liar
from test_account import Carried

#: Passes say nothing before, in seconds
QUIET = 1


class ProgressTests(Carried, unittest.TestCase):
    def start(self):
        self.server = Server("rclone")
        self.addCleanup(self.server.stop)
        self.free, self.began, self.uploads = threading.Event(), None, 0
        self.addCleanup(self.free.set)
        front = Liar(behind=self.server.port)
        front.otherwise = self.delay
        return front

    def delay(self, handler, _):
        """Has the first upload take longer than what is quick, and keeps the fourth until it is told."""
        if handler.command == "PUT":
            self.uploads += 1
            self.began = self.began or time.monotonic()
            while time.monotonic() < self.began + 2 * QUIET:
                self.free.wait(self.began + 2 * QUIET - time.monotonic())
            if self.uploads >= 4:
                self.free.wait(DEADLINE)
        handler.pass_on()

    def test_a_long_pass_says_how_far_it_is(self):
        vault = self.synchronised()
        for number in range(8):
            vault.must("card/create", title=str(number), group="personal", type="text", fields={"text": "a"})
            vault.must("sync/now")
        vault.must("account/signIn", method="password", address=self.dav.url, user=USER, password=PASSWORD)
        # Also before there is a file of which the pass can tell.
        self.assertEqual(self.until(vault, lambda status: "percentage" in status)["percentage"], 0)
        status = self.until(vault, lambda status: status.get("percentage"))
        self.assertNotIn("lastMirrored", status)
        self.assertIn(status["percentage"], range(1, 100))
        self.assertIn(vault.must("sync/status")["mirror"].get("percentage"), range(status["percentage"], 100))
        self.free.set()
        done = self.until(vault, lambda status: "lastMirrored" in status)
        self.assertNotIn("percentage", done)
        self.assertNotIn("failure", done)


if __name__ == "__main__":
    unittest.main()
