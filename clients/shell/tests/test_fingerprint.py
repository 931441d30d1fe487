"""Fingerprint unlock on a bound device, with the real fprintd and keyring (R9, F, B)."""

import importlib.util
import os
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
        # The service finds the buses of the system, and not those of the test.
        world.environment["QUICKVAULT_ALONE"] = "1"
        world.create_vault()
        world.add("Licence", "harbor")
        terminal = Terminal(world, "bash")
        self.addCleanup(terminal.child.close, force=True)
        given = f"--password-command \"echo '{PASSWORD}'\""

        self.assertRegex(terminal.run("qv fingerprint"), "Keychain: +ready")
        terminal.type("qv fingerprint on")
        terminal.child.expect_exact("password: ")
        terminal.child.send(PASSWORD + "\n")
        self.touch(terminal, desktop)
        terminal.child.expect_exact("you can now unlock the vault with your fingerprint")
        terminal.child.expect_exact("ready-for-qv> ")
        self.assertIn("this device", terminal.run(f"qv devices {given}"))
        self.assertIn("This device is bound", terminal.run("qv fingerprint on"))
        self.unlock(terminal, desktop)
        self.assertIn("unlocked", terminal.run("qv unlock", ("Enter for the password", ""), ("password: ", PASSWORD)))

        # R13: the binding stays when fingerprint unlock is turned off.
        self.assertRegex(terminal.run(f"qv settings biometricUnlock=off {given}"), "Unlock with a fingerprint: +off")
        for action in ("", "on"):
            self.assertIn("turned off in the settings", terminal.run(f"qv fingerprint {action}"))
        self.assertNotIn("Enter for the password", terminal.run("qv unlock", ("password: ", PASSWORD)))
        self.assertIn("this device", terminal.run(f"qv devices {given}"))
        terminal.run(f"qv settings biometricUnlock=on {given}")
        self.unlock(terminal, desktop)

        # R6: the original of a watermarked image needs a fingerprint or the password.
        picture = png(64, 64)
        with open(world.path("home", "front.png"), "wb") as file:
            file.write(picture)
        terminal.run(f"qv attach Licence front.png --watermark 'For the visa office' {given}")
        terminal.type("qv save Licence --original --to fingerprint.png")
        self.touch(terminal, desktop)
        self.touch(terminal, desktop)
        terminal.child.expect_exact("ready-for-qv> ")
        enter = ("Enter for the password", "")
        terminal.run("qv save Licence --original --to typed.png", enter, ("password: ", PASSWORD), enter,
                     ("original: ", PASSWORD))
        terminal.run(f"qv save Licence --to marked.png {given}")
        saved = {}
        for name in ("fingerprint", "typed", "marked"):
            with open(world.path("home", name + ".png"), "rb") as file:
                saved[name] = file.read()
        self.assertEqual((saved["fingerprint"], saved["typed"]), (picture, picture))
        self.assertNotEqual(saved["marked"], picture)

        terminal.run(f"qv fingerprint off {given}")
        self.assertEqual(terminal.status(), 0)
        self.assertNotIn("Enter for the password", terminal.run("qv unlock", ("password: ", PASSWORD)))

    def unlock(self, terminal, desktop):
        terminal.type("qv unlock")
        self.touch(terminal, desktop)
        terminal.child.expect_exact("unlocked")
        terminal.child.expect_exact("ready-for-qv> ")

    def touch(self, terminal, desktop):
        terminal.child.expect("waiting for your fingerprint.*\nqv: .*\n")
        desktop.reader.scan("alice")
