"""`quickvault-carrier serve`: passwords, passes, deletion, cancellation, and what must not leave it (C)."""

import ctypes
import fcntl
import os
import pathlib
import unittest
import uuid

from dav import DEADLINE, PASSWORD, USER, Server
from hostile import Hostile
from machine import VAULT, Machine, files
from service import CarrierFailure, Service

LIBC = ctypes.CDLL(None)
IN_CLOSE_NOWRITE = 0x10
CREDENTIALS = {"kind": "password", "user": USER, "password": PASSWORD}


class ServiceTests(unittest.TestCase):
    def setUp(self):
        self.service = Service()
        self.addCleanup(self.end)

    def end(self):
        self.assertEqual(self.service.stop(), (0, b""))

    def start(self, server):
        self.addCleanup(server.stop)
        return server

    def machine(self, url):
        machine = Machine(url)
        self.addCleanup(machine.holder.cleanup)
        return machine

    def refuse(self, kind, method, /, **parameters):
        with self.assertRaises(CarrierFailure) as caught:
            self.service.ask(method, **parameters)
        self.assertEqual(caught.exception.kind, kind)
        self.assertNotIn(PASSWORD, str(caught.exception))
        return caught.exception

    def test_a_password_a_pass_and_the_deletion(self):
        for kind in ("apache", "rclone", "wsgidav"):
            with self.subTest(kind):
                server = self.start(Server(kind))
                self.carry_and_delete(server)

    def carry_and_delete(self, server):
        signed_in = self.service.ask(
            "carrier/signIn", method="password", address=server.url + "QuickVault", user=USER, password=PASSWORD)
        self.assertEqual(signed_in, {"address": server.url + "QuickVault/", "credentials": CREDENTIALS})
        machine = self.machine(server.url)
        for _ in range(3):
            machine.publish()
        self.service.notifications.clear()
        outcome = self.service.ask("carrier/mirror", folder=str(machine.folder), progressToken="p", **signed_in)
        self.assertEqual((outcome["sent"], outcome["received"], outcome["damaged"]), (3, 0, []))
        self.assertEqual(files(server.root / "QuickVault"), machine.files())
        reports = [message["params"] for message in self.service.notifications]
        self.assertEqual([report["token"] for report in reports], ["p"] * 3)
        self.assertEqual([report["value"]["percentage"] for report in reports], [33, 66, 100])

        other = server.root / "QuickVault" / str(uuid.uuid4())
        other.mkdir()
        self.assertEqual(self.delete(signed_in), {"deleted": True})
        self.assertEqual([path.name for path in (server.root / "QuickVault").iterdir() if path.name != ".DAV"], [other.name])
        self.assertEqual(self.delete(signed_in), {"deleted": False})

    def delete(self, signed_in):
        return self.service.ask("carrier/deleteData", vault=VAULT[:36], **signed_in)

    def test_a_pass_that_waits_does_not_begin_after_the_deletion(self):
        server = self.start(Server("rclone"))
        machine = self.machine(server.url)
        parameters = {"address": server.url, "credentials": CREDENTIALS}
        mirror = {"folder": str(machine.folder), "finishes": True, **parameters}
        deletion = {"folder": str(machine.folder), "vault": VAULT[:36], **parameters}
        machine.publish()
        self.assertEqual(self.service.ask("carrier/mirror", **mirror)["sent"], 1)
        [state] = (self.service.top / "state/quickvault/carrier").iterdir()
        watch = LIBC.inotify_init1(os.O_CLOEXEC)
        LIBC.inotify_add_watch(watch, os.fsencode(state), IN_CLOSE_NOWRITE)
        held = os.open(machine.folder, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(held, fcntl.LOCK_EX)
        waiting = self.service.send("carrier/mirror", **mirror)
        # It has read the state, which another carrier's deletion takes away.
        os.read(watch, 4096)
        kept = state.read_bytes()
        state.unlink()
        os.close(held)
        with self.assertRaises(CarrierFailure) as caught:
            self.service.answer(waiting)
        self.assertEqual(caught.exception.kind, "carrier.cancelled")
        state.write_bytes(kept)
        self.assertEqual(self.service.ask("carrier/deleteData", **deletion), {"deleted": True})
        self.assertFalse(state.exists())
        self.assertEqual(self.service.ask("carrier/mirror", **mirror)["sent"], 1)
        os.close(watch)

    def test_what_is_refused(self):
        server = self.start(Server("apache"))
        parameters = {"method": "password", "address": server.url, "user": USER}
        error = self.refuse("carrier.refused", "carrier/signIn", password="wrong", **parameters)
        self.assertTrue(all(error.data["messages"][language] for language in ("en", "zh-Hans")))
        invalid = [
            {**parameters, "password": "a\r\nb"}, {**parameters, "address": "http://example.org/", "password": "x"},
            parameters, {**parameters, "method": "none", "password": "x"},
            {**parameters, "password": "x", "timeoutSeconds": 0}, {**parameters, "password": "x", "caFile": "ca.pem"}]
        for given in invalid:
            self.refuse("rpc.invalidParameters", "carrier/signIn", **given)
        for vault in ("..", "", VAULT, "../" + VAULT[:36]):
            self.refuse(
                "rpc.invalidParameters", "carrier/deleteData", address=server.url, credentials=CREDENTIALS, vault=vault)
        self.refuse(
            "rpc.invalidParameters", "carrier/mirror", folder="folder", address=server.url, credentials=CREDENTIALS)
        self.refuse(
            "carrier.folder", "carrier/mirror", folder="/does/not/exist", address=server.url, credentials=CREDENTIALS)
        self.refuse("rpc.methodNotFound", "carrier/unknown")

    def test_it_is_confined(self):
        self.service.ask("initialize")
        status = pathlib.Path(f"/proc/{self.service.process.pid}/status").read_text()
        self.assertRegex(status, r"NoNewPrivs:\t1")
        self.assertRegex(status, r"Seccomp:\t2")

    def test_cancellation(self):
        server = self.start(Hostile())
        server.faults["PROPFIND"] = lambda handler, _: handler.stall() or True
        machine = self.machine(server.url)
        parameters = {"address": server.url, "credentials": CREDENTIALS}
        request = self.service.send("carrier/mirror", folder=str(machine.folder), **parameters)
        self.assertTrue(server.received.wait(DEADLINE))
        self.service.cancel(request)
        with self.assertRaises(CarrierFailure) as caught:
            self.service.answer(request)
        self.assertEqual(caught.exception.kind, "carrier.cancelled")
        # It serves on, and the folder is free again.
        server.faults.clear()
        self.assertEqual(self.service.ask("carrier/mirror", folder=str(machine.folder), **parameters)["sent"], 0)

    def test_the_end_of_the_input_ends_a_pass(self):
        server = self.start(Hostile())
        server.faults["PROPFIND"] = lambda handler, _: handler.stall() or True
        machine = self.machine(server.url)
        self.service.send("carrier/mirror", folder=str(machine.folder), address=server.url, credentials=CREDENTIALS)
        self.assertTrue(server.received.wait(DEADLINE))

    def test_a_pass_that_finishes_waits_for_another_and_outlives_the_input(self):
        server = self.start(Hostile())
        machine = self.machine(server.url)
        machine.publish()
        parameters = {"folder": str(machine.folder), "address": server.url, "credentials": CREDENTIALS}
        other = Service()

        def hold(*_):
            while not other.process.stdin.closed and not server.stopping.wait(0.01):
                pass
            return False

        server.faults["PROPFIND"] = hold
        other.send("carrier/mirror", finishes=True, **parameters)
        self.assertTrue(server.received.wait(DEADLINE))
        self.refuse("carrier.folderInUse", "carrier/mirror", **parameters)
        waiting = self.service.send("carrier/mirror", finishes=True, **parameters)
        other.process.stdin.close()
        self.assertEqual(self.service.answer(waiting)["sent"], 0)
        other.process.wait(DEADLINE)
        self.assertEqual(other.process.stderr.read(), b"")
        for pipe in (other.process.stdout, other.process.stderr):
            pipe.close()
        other.holder.cleanup()
        self.assertEqual(set(server.carried()), set(machine.files()))


if __name__ == "__main__":
    unittest.main()
