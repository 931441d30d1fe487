"""Servers behind a proxy that ends TLS, and servers that cannot rename files (C)."""

import pathlib
import tempfile
import unittest

from dav import Server
from hostile import Hostile
from liar import Liar
from machine import Machine, files
from wild import Proxy, answers


class ProxyTests(unittest.TestCase):
    """Apache and wsgidav answer 502 to a MOVE to a URL with another scheme than theirs."""

    def machine(self, url):
        machine = Machine(url)
        self.addCleanup(machine.holder.cleanup)
        return machine

    def test_a_proxy_that_ends_tls(self):
        for kind in ("apache", "wsgidav", "rclone"):
            with self.subTest(kind=kind):
                server = Server(kind)
                self.addCleanup(server.stop)
                holder = tempfile.TemporaryDirectory(prefix="proxy-")
                self.addCleanup(holder.cleanup)
                proxy = Proxy(server, pathlib.Path(holder.name))
                self.addCleanup(proxy.stop)
                first, second = self.machine(proxy.url), self.machine(proxy.url)
                first.write_key(1)
                first.publish()
                first.add_content()
                options = "--ca-file", str(proxy.certificate)
                for machine in (first, second, first):
                    status, outcome = machine.carry(*options)
                    self.assertEqual((status, outcome.get("notice")), (0, None), outcome)
                self.assertEqual(second.files(), first.files())
                self.assertEqual(files(server.root), first.files())


class RenamingTests(unittest.TestCase):
    """A server that refuses each MOVE."""

    def setUp(self):
        self.server = Hostile()
        self.addCleanup(self.server.stop)
        self.machine = Machine(self.server.url)
        self.addCleanup(self.machine.holder.cleanup)
        self.server.faults["MOVE"] = answers(502)

    def test_files_are_written_under_their_names(self):
        self.machine.write_key(1)
        for _ in range(3):
            self.machine.publish()
        status, outcome = self.machine.carry()
        self.assertEqual((status, outcome["sent"], outcome["damaged"]), (0, 4, []))
        self.assertEqual((outcome["notice"]["kind"], outcome["notice"]["status"]), ("carrier.renameRefused", 502))
        self.assertIn("cannot rename files", outcome["notice"]["messages"]["en"])
        self.assertEqual(self.server.carried(), self.machine.files())
        moves = [headers["Destination"] for method, _, headers in self.server.requests if method == "MOVE"]
        self.assertEqual([move.startswith("http") for move in moves], [True, False])
        conditions = [headers.get("If-None-Match") for method, path, headers in self.server.requests
                      if method == "PUT" and "carrier-" not in path]
        self.assertEqual(conditions, ["*"] * 4)

    def test_a_file_of_the_same_name_is_not_replaced(self):
        name = self.machine.publish()

        def race(handler, _):
            self.server.files[name] = b"another"
            return handler.answer(502) or True

        self.server.faults["MOVE"] = race
        status, outcome = self.machine.carry()
        self.assertEqual((status, outcome["damaged"], self.server.carried()), (65, [name], {name: b"another"}))

    def test_an_upload_that_is_cut_off_is_sent_again(self):
        name = self.machine.publish()

        def cut(handler, path):
            if path != name:
                return False
            self.server.files[path] = handler.body[:100]
            handler.close_connection = True
            return True

        self.server.faults["PUT"] = cut
        status, outcome = self.machine.carry()
        self.assertEqual((status, outcome["error"]["kind"]), (75, "carrier.interrupted"), outcome)
        self.server.faults.pop("PUT")
        status, outcome = self.machine.carry()
        self.assertEqual((status, outcome["sent"], outcome["damaged"]), (0, 1, []), outcome)
        self.assertEqual(self.server.carried(), self.machine.files())

    def test_a_server_that_takes_neither(self):
        name = self.machine.publish()
        self.server.faults["PUT"] = answers(403, when=lambda _, path: path == name)
        status, outcome = self.machine.carry()
        self.assertEqual((status, outcome["error"]["kind"], outcome["error"]["status"]), (76, "carrier.renameRefused", 502))

    def test_a_redirect_to_the_same_server_without_tls(self):
        holder = tempfile.TemporaryDirectory(prefix="proxy-")
        self.addCleanup(holder.cleanup)
        server = Liar()
        self.addCleanup(server.stop)
        server.port, url = server.server.server_port, "http://localhost:1/"
        server.url += "/"
        proxy = Proxy(server, pathlib.Path(holder.name))
        self.addCleanup(proxy.stop)
        proxy.otherwise = lambda *_: None
        proxy.answers["PROPFIND", "/"] = lambda handler, _: handler.answer(301, b"", Location=url)
        status, outcome = self.machine.carry("--ca-file", str(proxy.certificate), url=proxy.url)
        self.assertEqual((status, outcome["error"]["kind"]), (76, "carrier.overwriteHost"), outcome)
        self.assertIn("overwriteprotocol", outcome["error"]["messages"]["en"])


if __name__ == "__main__":
    unittest.main()
