"""`account/deleteData` that ends in the middle: nothing is told as done, and it can be repeated (C)."""

import json
import threading
import unittest

import machine  # noqa: F401  (finds modules)
from dav import DEADLINE, PASSWORD, USER, Server
from liar import Liar
from test_account import MASTER, Carried, segments


class DeletionTests(Carried, unittest.TestCase):
    def start(self):
        self.files = Server("rclone")
        self.addCleanup(self.files.stop)
        return Liar(behind=self.files.port)

    def setUp(self):
        super().setUp()
        self.only = self.synchronised()
        self.only.must("account/signIn", method="password", address=self.dav.url, user=USER, password=PASSWORD)
        self.carried()
        [vault] = self.files.root.iterdir()
        self.deletion = ("DELETE", f"/{vault.name}/")
        self.there = segments(self.files.root)

    def carried(self):
        """Waits until everything is carried."""
        return self.until(self.only, lambda status: "lastMirrored" in status)

    def begin(self, deletes):
        """Asks for the deletion. The server has the request then, and has done it if it `deletes`, but does not answer."""
        held, ends = threading.Event(), threading.Event()

        def wait(*_):
            held.set()
            ends.wait(DEADLINE)

        def answer(handler, _):
            handler.close_connection = True
            handler.pass_on(before=wait) if deletes else wait()

        self.dav.answers[self.deletion] = answer
        self.addCleanup(ends.set)
        request = self.only.send("account/deleteData", {"password": MASTER, "confirm": "vault.quickvault"})
        self.assertTrue(held.wait(DEADLINE))
        return request, ends

    def check(self, ends):
        """It is signed in, what the server has lost is carried again, and the data can be deleted."""
        ends.set()
        del self.dav.answers[self.deletion]
        self.assertTrue(self.only.must("account/status")["signedIn"])
        self.assertNotIn("failure", self.carried())
        self.assertGreaterEqual(segments(self.files.root), self.there)
        answer = self.only.must("account/deleteData", password=MASTER, confirm="vault.quickvault")
        self.assertEqual(answer, {"deleted": True, "revoked": False})
        self.assertEqual(list(self.files.root.iterdir()), [])
        self.assertEqual(self.only.must("account/status"), {"signedIn": False})

    def cancel(self, deletes):
        request, ends = self.begin(deletes)
        message = {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": request}}
        self.only.process.stdin.write(json.dumps(message).encode() + b"\n")
        answer = self.only.answer()
        self.assertEqual((answer["id"], answer["error"]["data"]["kind"]), (request, "rpc.cancelled"))
        self.check(ends)

    def lock(self, deletes):
        request, ends = self.begin(deletes)
        lock = self.only.send("session/lock", {})
        answers = {answer["id"]: answer for answer in (self.only.answer(), self.only.answer())}
        self.assertIn("result", answers[lock])
        self.assertEqual(answers[request]["error"]["data"]["kind"], "vault.locked")
        self.only.must("session/unlock", password=MASTER)
        self.check(ends)

    def test_it_is_cancelled_before_the_server_deletes(self):
        self.cancel(deletes=False)

    def test_it_is_cancelled_before_the_server_answers(self):
        self.cancel(deletes=True)

    def test_the_vault_is_locked_before_the_server_deletes(self):
        self.lock(deletes=False)

    def test_the_vault_is_locked_before_the_server_answers(self):
        self.lock(deletes=True)


if __name__ == "__main__":
    unittest.main()
