"""Inserts a value in the real Kate, under an X server without a screen. `make soak` runs it: its packages are large."""

import json
import os
import subprocess
import unittest

from editors import Surroundings, eventually
from language_client import DEADLINE, TAX_ID


class Kate(unittest.TestCase):
    def test_a_code_action_inserts_and_one_undo_gives_the_text_back(self):
        surroundings = Surroundings(self)
        home = surroundings.home
        (home / ".config" / "kate" / "lspclient").mkdir(parents=True)
        (home / ".config" / "katerc").write_text(
            "[Kate Plugins]\nlspclientplugin=true\n[lspclient]\n"
            f"AllowedServerCommandLines={home}/bin/quickvault lsp\n")
        # That of the page, for Markdown.
        (home / ".config" / "kate" / "lspclient" / "settings.json").write_text(json.dumps(
            {"servers": {"markdown": {"command": ["quickvault", "lsp"], "rootIndicationFileNames": []}}}))
        file = home / "letter.md"
        file.write_text("Dear all\n\nYours\n")
        environment = {**surroundings.environment, "DISPLAY": self.display(), "XDG_CONFIG_HOME": f"{home}/.config"}
        with open(home / "kate.log", "wb") as log:
            kate = subprocess.Popen(
                ["dbus-run-session", "--", "kate", "-n", str(file)], env=environment, stdout=log, stderr=log,
                start_new_session=True)
        self.addCleanup(kate.wait)
        self.addCleanup(os.killpg, kate.pid, 9)

        def xdotool(*arguments):
            return subprocess.run(
                ["xdotool", *arguments], env=environment, capture_output=True, text=True, timeout=DEADLINE,
                check=False).stdout.split()

        def press_until(keys, condition, what):
            """Kate says nothing when it is ready for a key: presses it again, which changes nothing, until it has an effect."""
            def pressed():
                xdotool("key", *keys)
                return condition()
            eventually(pressed, what)

        window = xdotool("search", "--sync", "--onlyvisible", "--name", "letter.md")[0]
        eventually(surroundings.has_relay, "Kate starts no server")
        xdotool("windowfocus", "--sync", window)
        xdotool("key", "ctrl+Home", "Down", "End")
        xdotool("type", ";;gsfp.tax")
        press_until(["ctrl+s"], lambda: ";;gsfp.tax" in file.read_text(), "nothing was typed")
        press_until(["alt+Return", "Down", "Return", "ctrl+s"], lambda: TAX_ID in file.read_text(), "no value came")
        self.assertEqual(file.read_text(), f"Dear all\n{TAX_ID}\nYours\n")
        press_until(["ctrl+z", "ctrl+s"], lambda: TAX_ID not in file.read_text(), "it is not undone")
        self.assertEqual(file.read_text(), "Dear all\n;;gsfp.tax\nYours\n")

    def display(self):
        """Starts an X server, and returns its name."""
        reading, writing = os.pipe()
        server = subprocess.Popen(
            ["Xvfb", "-noreset", "-displayfd", str(writing), "-screen", "0", "900x600x24", "-nolisten", "tcp"],
            pass_fds=(writing,),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        os.close(writing)
        with os.fdopen(reading) as file:
            return ":" + file.readline().strip()


if __name__ == "__main__":
    unittest.main()
