"""qv pick among 10,000 cards, when Enter follows the letters at once."""

import json
import os
import subprocess
import unittest

import pexpect

from cases import InBothShells
from compositor import Compositor, fuzzel_is_ready
from display import Display
from terminal import PROMPT
from world import CLIENT, DEADLINE, PASSWORD, QV, wait_for

CARDS = 10_000
# The prompt for a field. The labels are in the preview of the card, too: the picker for cards, which may not have ended yet,
# would get what is typed for the one for fields.
FIELDS = "Several:"
HOSTILE = "--print-query -1 -0 --multi --filter x --tac --nth 1 --bind enter:abort --print0 --expect ctrl-v --color=dark"


def fill(world):
    """Stores many cards, of which the last is listed first."""
    path = world.path("tmp", "cards.csv")
    with open(path, "w", encoding="utf-8") as file:
        file.write("title,text\n")
        file.writelines(f"Card {number:05},value {number:05}\n" for number in range(CARDS))
    status, _, errors = world.qv("import", path, "--type", "text", "--yes", password=PASSWORD)
    assert status == 0, errors
    card = {"title": "Several", "group": "personal", "type": "text", "fields": {"text": "the text"}, "extraFields": [
        {"label": "PIN code", "value": "1", "concealed": False}, {"label": "Zone", "value": "2", "concealed": False}]}
    status, _, errors = world.qv("new", "-", password=PASSWORD, stdin=json.dumps(card))
    assert status == 0, errors


class Many(InBothShells, unittest.TestCase):
    shell = "bash"

    def setUp(self):
        super().setUp()
        fill(self.world)

    def always(self):
        status, _, errors = self.world.qv("settings", "sharedUnlock=always", password=PASSWORD)
        self.assertEqual(status, 0, errors)

    def pick(self, terminal, command, first, *bursts):
        """Runs a command, types each burst as one write once the picker shows its first row, and returns what is picked."""
        terminal.type(f"{command} >~/picked; echo ended=$?")
        for row, burst in zip(first, bursts):
            terminal.child.expect_exact(row)
            terminal.child.send(burst)
        terminal.child.expect(r"ended=(\d+)")
        status = int(terminal.child.match[1])
        terminal.child.expect_exact(PROMPT)
        return status, self.world.read("home", "picked")

    def test_the_choice_is_of_the_query_at_enter(self):
        terminal = self.unlocked()
        for number in (4711, 77, 9999, 1234, 6):
            self.assertEqual(self.pick(terminal, "qv pick", ["Several"], f"card {number:05}\r"),
                             (0, f"value {number:05}\n"))
        self.assertEqual(self.pick(terminal, "qv pick", ["Several"], "no such card\r"), (3, ""))
        self.assertEqual(self.pick(terminal, "qv pick several", ["Several", FIELDS], "\r", "zo\r"), (0, "2\n"))
        self.assertEqual(self.pick(terminal, "qv pick several", ["Several", FIELDS], "\r", "it's\\no\r"), (3, ""))

    def test_letters_typed_before_there_are_rows(self):
        terminal = self.unlocked()
        terminal.child.send("qv pick >~/picked\ncard 00042\r")
        terminal.child.expect_exact("\x1b[?1049l")
        terminal.child.expect_exact(PROMPT)
        self.assertEqual(self.world.read("home", "picked"), "value 00042\n")

    def test_options_of_the_user_do_not_change_what_is_chosen(self):
        self.world.environment["FZF_DEFAULT_OPTS"] = HOSTILE
        self.world.environment["FZF_DEFAULT_COMMAND"] = "echo nonsense"
        terminal = self.unlocked()
        self.assertEqual(self.pick(terminal, "qv pick", ["Several"], "card 04711\r"), (0, "value 04711\n"))
        self.assertEqual(self.pick(terminal, "qv pick several", ["Several", FIELDS], "\r", "zo\r"), (0, "2\n"))
        self.assertEqual(self.pick(terminal, "qv pick card 00007", ["00007"], "\r"), (0, "value 00007\n"))

    def test_marked_cards(self):
        terminal = self.unlocked()
        terminal.type("qv pick --multiple --field text >~/picked")
        terminal.child.expect_exact("Several")
        terminal.child.send("card 0123\x20")
        terminal.child.expect_exact("11/11")
        terminal.child.send("\x1b[Z\x1b[Z\r")
        terminal.child.expect_exact(PROMPT)
        self.assertEqual(len(self.world.read("home", "picked").split("\n")), 3)

    def test_the_picker_of_qv(self):
        self.world.environment["PATH"] = self.world.without("fzf")
        terminal = self.unlocked()
        self.assertEqual(self.pick(terminal, "qv pick", ["Several"], "card 04711\r"), (0, "value 04711\n"))
        self.assertEqual(self.pick(terminal, "qv pick several", ["Several", "Zone"], "\r", "zo\r"), (0, "2\n"))

    def test_alt_v(self):
        self.always()
        for shell, words, ready in [
                ("bash", ["bash", "--norc", "--noprofile", "-i"], f"PS1='ready''> '; . {CLIENT}/key-bindings.bash\r"),
                ("zsh", ["zsh", "-d", "-f", "-i"], f"PS1='ready''> '; . {CLIENT}/key-bindings.zsh\r"),
                ("fish", ["fish", "--no-config", "-C", "function fish_prompt; echo 'ready> '; end", "-C",
                          f"source {CLIENT}/key-bindings.fish"], None)]:
            with self.subTest(shell):
                child = pexpect.spawn(words[0], words[1:], env={**self.world.environment, "fish_greeting": ""},
                                      encoding="utf-8", timeout=DEADLINE, dimensions=(30, 100), cwd=self.world.path("home"))
                child.delaybeforesend = None
                self.addCleanup(child.close, force=True)
                if ready:
                    child.send(ready)
                child.expect_exact("ready> ")
                child.send("printf %s \x1bv")
                child.expect_exact("Several")
                child.send("card 04711\r")
                # fzf has ended; it may have shown nothing of what was typed.
                child.expect_exact("\x1b[?1049l")
                child.expect("value.{1,3}04711")
                child.send(f" >~/inserted.{shell}\r")
                wait_for(lambda name=shell: os.path.exists(self.world.path("home", f"inserted.{name}"))
                         and self.world.read("home", f"inserted.{name}") == "value 04711", "the value is written")

    def test_menus_of_x(self):
        self.always()
        display = Display(depth=24)
        self.addCleanup(display.close)
        self.world.environment["DISPLAY"] = display.name
        for menu, name in [("dmenu", "dmenu"), ("rofi -dmenu -sync -no-config", "rofi")]:
            with self.subTest(menu):
                qv = subprocess.Popen([QV, "pick", "--menu", menu], env=self.world.environment, stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, start_new_session=True, cwd=self.world.path("home"))
                self.addCleanup(qv.stdout.close)
                self.addCleanup(qv.kill)
                subprocess.run(["xdotool", "search", "--sync", "--onlyvisible", "--class", name], check=True,
                               env=self.world.environment, timeout=DEADLINE, capture_output=True)
                subprocess.run(["xdotool", "key", "--delay", "0", "0", "4", "7", "1", "1", "Return"],
                               env=self.world.environment, check=True, timeout=DEADLINE)
                self.assertEqual(qv.communicate(timeout=DEADLINE)[0].decode(), "value 04711\n")

    def test_fuzzel(self):
        self.always()
        compositor = Compositor(self.world.environment)
        self.addCleanup(compositor.close)
        log = self.world.path("tmp", "menu")
        with open(log, "wb") as file:
            qv = subprocess.Popen(
                [QV, "pick", "--menu", "WAYLAND_DEBUG=1 fuzzel --dmenu"], env=self.world.environment,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=file, start_new_session=True,
                cwd=self.world.path("home"))
        self.addCleanup(qv.stdout.close)
        self.addCleanup(qv.kill)
        wait_for(lambda: fuzzel_is_ready(log), "the menu is ready")
        compositor.press("0", "4", "7", "1", "1", "Return")
        self.assertEqual(qv.communicate(timeout=DEADLINE)[0].decode(), "value 04711\n")
