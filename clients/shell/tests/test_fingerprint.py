"""Fingerprint unlock on a bound device, with the real fprintd and keyring (R9, F, B)."""

import importlib.util
import os
import re
import unittest

from pictures import png
from terminal import Terminal
from world import CLIENT, PASSWORD, World

DESKTOP = os.path.join(CLIENT, "..", "..", "Tests", "DesktopTests", "world.py")


def desktop_world():
    specification = importlib.util.spec_from_file_location("desktop_world", DESKTOP)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module.World(logind=True)


class Fingerprint(unittest.TestCase):
    def test_r9_fingerprint_first_and_enter_for_the_password(self):
        desktop = self.enterContext(desktop_world())
        desktop.set_locked_hint(False)
        desktop.start_fprintd()
        desktop.start_keyring()
        world = World()
        self.addCleanup(world.close)
        for name in ("DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS", "XDG_RUNTIME_DIR"):
            world.environment[name] = desktop.environment()[name]
        world.create_vault()
        world.add("Licence", "harbor")
        terminal = Terminal(world, "bash")
        self.addCleanup(terminal.child.close, force=True)

        terminal.type("qv unlock")
        terminal.child.expect_exact("password: ")
        terminal.child.send(PASSWORD + "\n")
        if terminal.child.expect_exact(["on this device? [y/N]", "ready-for-qv> "]) == 0:
            terminal.child.send("n\n")
            terminal.child.expect_exact("ready-for-qv> ")
        self.assertIn("Keychain: ready", terminal.run("qv fingerprint"))
        terminal.type("qv fingerprint on")
        terminal.child.expect_exact("password: ")
        terminal.child.send(PASSWORD + "\n")
        self.touch(terminal, desktop)
        terminal.child.expect_exact("you can now unlock the vault with your fingerprint")
        terminal.child.expect_exact("ready-for-qv> ")
        listed = terminal.run("qv devices")
        self.assertIn("this device", listed)
        device = re.search(r"^[0-9a-f]{8}", listed, re.MULTILINE)[0]
        terminal.child.send(f"qv devices revoke {device[:2]}\t")
        terminal.child.expect_exact(device + " ")
        terminal.child.send("\x05\x15\n")
        terminal.child.expect_exact("ready-for-qv> ")

        terminal.run("qv lock")
        terminal.type("qv unlock")
        self.touch(terminal, desktop)
        terminal.child.expect_exact("unlocked")
        terminal.child.expect_exact("ready-for-qv> ")

        terminal.run("qv lock")
        self.assertIn("unlocked", terminal.run("qv unlock", ("Enter for the password", ""), ("password: ", PASSWORD)))

        # R13: the binding stays when fingerprint unlock is turned off.
        self.assertIn("biometricUnlock=off", terminal.run("qv settings biometricUnlock=off"))
        self.assertIn("turned off in the settings", terminal.run("qv fingerprint"))
        terminal.run("qv lock")
        self.assertNotIn("Enter for the password", terminal.run("qv unlock", ("password: ", PASSWORD)))
        self.assertIn("this device", terminal.run("qv devices"))
        terminal.run("qv settings biometricUnlock=on")
        terminal.run("qv lock")
        terminal.type("qv unlock")
        self.touch(terminal, desktop)
        terminal.child.expect_exact("unlocked")
        terminal.child.expect_exact("ready-for-qv> ")

        # R6: the original of a watermarked image needs a fingerprint or the password.
        picture = png(64, 64)
        with open(world.path("home", "front.png"), "wb") as file:
            file.write(picture)
        terminal.run("qv attach Licence front.png --watermark 'For the visa office'")
        terminal.type("qv save Licence --original --to fingerprint.png")
        self.touch(terminal, desktop)
        terminal.child.expect_exact("ready-for-qv> ")
        terminal.run("qv save Licence --original --to typed.png", ("Enter for the password", ""), ("original: ", PASSWORD))
        terminal.run("qv save Licence --to marked.png")
        saved = {}
        for name in ("fingerprint", "typed", "marked"):
            with open(world.path("home", name + ".png"), "rb") as file:
                saved[name] = file.read()
        self.assertEqual((saved["fingerprint"], saved["typed"]), (picture, picture))
        self.assertNotEqual(saved["marked"], picture)

        terminal.run("qv fingerprint off")
        self.assertEqual(terminal.status(), 0)
        terminal.run("qv lock")
        self.assertNotIn("Enter for the password", terminal.run("qv unlock", ("password: ", PASSWORD)))

    def touch(self, terminal, desktop):
        terminal.child.expect("waiting for your fingerprint.*\nqv: .*\n")
        desktop.reader.scan("alice")
