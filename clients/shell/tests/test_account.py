"""A server that carries the folder of a vault (C): `qv account` with the real carrier and a real WebDAV server."""

import json
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

from terminal import Terminal
from world import PASSWORD, World, wait_for

# At the end: both directories have a test_program.
sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "Tests/CarrierTests"))

import dav  # noqa: E402
import liar  # noqa: E402


class Account(unittest.TestCase):
    def setUp(self):
        folder = tempfile.mkdtemp(prefix="qv-test-folder.")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        self.server = dav.Server("rclone")
        self.addCleanup(self.server.stop)
        self.world = World()
        self.addCleanup(self.world.close)
        self.world.create_vault()
        self.done("sync", "enable", os.path.join(folder, "folder"))

    def done(self, *arguments, **more):
        """Runs qv and expects success; returns what it prints."""
        status, output, errors = self.world.qv(*arguments, **(more or {"password": PASSWORD}))
        self.assertEqual(status, 0, errors)
        return output

    def test_c_signed_in_carried_and_signed_out(self):
        self.assertIn("not signed in", self.done("account"))
        terminal = Terminal(self.world, "bash")
        self.addCleanup(terminal.child.close, force=True)
        shown = terminal.run(f"qv account sign-in {self.server.url} --user {dav.USER}",
                             ("Master password: ", PASSWORD), ("App password of the server: ", dav.PASSWORD))
        self.assertEqual(terminal.status(), 0, shown)
        self.assertIn("user: " + dav.USER, shown)
        self.assertNotIn(dav.PASSWORD, shown)
        wait_for(lambda: "carried: " in self.done("account", "status"), "the folder on the server")
        self.assertTrue(any(self.server.root.rglob("keys/*")))
        status = json.loads(self.done("account", "--json"))
        self.assertEqual((status["signedIn"], status["method"], status["address"]), (True, "password", self.server.url))
        self.assertEqual(self.done("account", "sign-out"), "signed out\n")
        self.assertIn("not signed in", self.done("account"))

    def test_c_page_is_shown_and_ctrl_c_gives_up(self):
        cloud = liar.Liar()
        self.addCleanup(cloud.stop)
        page = cloud.url + "/index.php/login/v2/flow/x"
        cloud.answers["POST", "/index.php/login/v2"] = lambda *_: (
            200, {"poll": {"token": "t", "endpoint": cloud.url + "/index.php/login/v2/poll"}, "login": page})
        cloud.answers["POST", "/index.php/login/v2/poll"] = lambda *_: (404, [])
        terminal = Terminal(self.world, "bash")
        self.addCleanup(terminal.child.close, force=True)
        terminal.run(f"qv account sign-in {cloud.url}", ("Master password: ", PASSWORD), (f"open {page} in your browser", "\x03"))
        self.assertNotEqual(terminal.status(), 0)
        self.assertIn("not signed in", self.done("account"))

    def test_c_refusals(self):
        for arguments, text in (
                (("sign-in",), "which server"), (("sign-up",), "no sign-up"),
                (("sign-in", self.server.url, "--issuer", "https://localhost"), "belong together"),
                (("sign-in", self.server.url, "--issuer", "https://localhost", "--client-id", "a", "--user", "b"), "either")):
            status, _, errors = self.world.qv("account", *arguments, password=PASSWORD)
            self.assertEqual(status, 2, errors)
            self.assertIn(text, errors)
        status, _, errors = self.world.qv("account", "sign-out", password=PASSWORD)
        self.assertNotEqual(status, 0)
        self.assertIn("sign", errors)


if __name__ == "__main__":
    unittest.main()
