"""What `sync/now` carries, for somebody who does not want to wait for the next pass (C)."""

import threading
import unittest

from dav import DEADLINE, PASSWORD, USER, Server
from liar import Liar
from test_account import MASTER, Carried


class NowTests(Carried, unittest.TestCase):
    """With a real server behind one that is full when the test says so."""

    def start(self):
        self.files = Server("rclone")
        self.addCleanup(self.files.stop)
        front = Liar(behind=self.files.port)
        self.is_full, pass_on = False, front.otherwise
        self.reached, self.released = threading.Event(), threading.Event()
        self.released.set()
        self.addCleanup(self.released.set)

        def answer(handler, form):
            if not self.released.is_set():
                self.reached.set()
                self.released.wait()
            return (507, {}) if self.is_full else pass_on(handler, form)

        front.otherwise = answer
        return front

    def sign_in(self, vault):
        vault.must("account/signIn", method="password", address=self.dav.url + "/", user=USER, password=PASSWORD)

    def add(self, vault, title):
        vault.must("card/create", title=title, group="personal", type="text", fields={"text": "a"})

    def now(self, vault):
        return vault.must("sync/now", waitsForServer=True)["mirror"]

    def titles(self, vault):
        return {card["title"] for card in vault.must("card/list")["items"]}

    def test_a_change_goes_to_another_machine_at_once(self):
        first = self.carried_vault()
        second = self.vault("second")
        self.sign_in(second)
        second.must("sync/join", folder=str(self.top / "second/folder"), password=MASTER)
        self.until(second, lambda status: "lastMirrored" in status)
        for here, there, title in ((first, second, "to the second"), (second, first, "to the first")):
            self.add(here, title)
            self.assertNotIn("failure", self.now(here))
            self.assertNotIn("failure", self.now(there))
            self.assertIn(title, self.titles(there))

    def test_it_is_tried_at_once_after_failures(self):
        vault = self.carried_vault()
        self.is_full = True
        self.assertEqual(self.now(vault)["failure"]["kind"], "carrier.noQuota")
        since = self.now(vault)["failure"]["since"]
        self.assertEqual(vault.must("account/status")["failure"]["since"], since)
        self.is_full = False
        # Without the wait the next pass begins at once, too.
        self.assertTrue(vault.must("sync/now")["enabled"])
        self.until(vault, lambda status: "failure" not in status)

    def test_a_lock_ends_the_wait(self):
        vault = self.carried_vault()
        self.released.clear()
        waiting = vault.send("sync/now", {"waitsForServer": True})
        self.assertTrue(self.reached.wait(DEADLINE))
        lock = vault.send("session/lock", {})
        answers = {answer["id"]: answer for answer in (vault.answer(), vault.answer())}
        self.assertIn("result", answers[lock])
        self.assertEqual(answers[waiting]["error"]["data"]["kind"], "vault.locked")
        self.released.set()
        vault.must("session/unlock", password=MASTER)
        self.assertNotIn("failure", self.now(vault))

    def test_without_an_account_nothing_waits(self):
        vault = self.synchronised()
        self.assertNotIn("mirror", vault.must("sync/now", waitsForServer=True))


if __name__ == "__main__":
    unittest.main()
