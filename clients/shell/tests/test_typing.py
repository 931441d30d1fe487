"""What is typed and pasted at prompts."""

import json
import os

from cases import both
from world import PASSWORD

# The terminal's own line editing drops what exceeds 4,095 bytes of a line.
LONG = "长" * 1500
# What is typed, and the text that it is: Ctrl-D in an empty line, and twice after a text.
WHOLE, PART = ("one\ntwo\n\x04", "one\ntwo\n"), ("one\ntwo\x04\x04", "one\ntwo\n")
BEGIN_PASTE, END_PASTE = "\x1b[200~", "\x1b[201~"
BRACKETS_ON, BRACKETS_OFF = "\x1b[?2004h", "\x1b[?2004l"


@both
class Typing:
    def card(self, title):
        card = json.loads(self.world.qv("show", title, "--json", "--reveal", password=PASSWORD)[1])
        values = {field["key"]: field["value"] for field in card["fields"]}
        return values, {field["label"]: field["value"] for field in card["extraFields"]}

    def test_r4_a_long_line_is_whole(self):
        terminal = self.unlocked()
        terminal.run("qv new text --title Asked", ("company): ", ""), ("new line):", f"\tone\n{LONG}"), ("长", None),
                     ("commas): ", ""), ("none): ", "*Token"), ("(hidden): ", LONG), ("none): ", ""))
        self.assertEqual(terminal.status(), 0)
        self.assertEqual(self.card("Asked"), ({"text": f"\tone\n{LONG}"}, {"Token": LONG}))
        terminal.type("qv new text --title Given text=-")
        terminal.answer(("Ctrl-D\r\n", LONG), ("长", None))
        self.assertEqual(terminal.status(), 0)
        self.assertEqual(self.card("Given")[0], {"text": LONG + "\n"})

    def test_ctrl_d_ends_a_text(self):
        terminal = self.unlocked()
        for title, typed, text in [("Whole", *WHOLE), ("Part", *PART), ("Tab", "a\tb\n\x04", "a\tb\n")]:
            terminal.type(f"qv new text --title {title} text=-")
            terminal.child.expect_exact("Ctrl-D\r\n")
            terminal.child.send(typed)
            terminal.child.expect_exact("ready-for-qv> ")
            self.assertEqual(terminal.status(), 0)
            self.assertEqual(self.card(title)[0], {"text": text})

    def test_what_is_typed_ahead_is_whole(self):
        terminal = self.unlocked()
        path = self.world.path("home", "gate")
        os.mkfifo(path)
        gate = os.open(path, os.O_RDWR)
        self.addCleanup(os.close, gate)
        for typed, text in (WHOLE, PART, ("one\n\x04", "one\n")):
            terminal.type(f"echo waiting; read -r line <{path}; qv new text --title Ahead text=-")
            terminal.child.expect_exact("waiting\r\n")
            terminal.child.send(typed)
            terminal.child.expect_exact("one")
            os.write(gate, b"\n")
            terminal.child.expect_exact("ready-for-qv> ")
            self.assertEqual(terminal.status(), 0)
            self.assertEqual(self.card("Ahead")[0], {"text": text})
            self.world.qv("delete", "Ahead", "--yes", password=PASSWORD)

    def test_r21_a_paste_is_no_answer_to_the_next_prompts(self):
        terminal = self.unlocked()
        pasted = f"{BEGIN_PASTE}科技路88号\r3栋\r{END_PASTE}"
        answers = [("Title: ", f"{BEGIN_PASTE}Home\r\tand office{END_PASTE}"), ("company): ", ""), ("Name: ", "王芳"),
                   ("Phone: ", "13800138000"), ("Province: ", "广东省"), ("City: ", "深圳市"), ("District: ", "南山区"),
                   ("Address: ", pasted), ("optional): ", ""), ("optional): ", ""), ("commas): ", ""),
                   ("none): ", "*Key"), ("(hidden): ", pasted), ("none): ", "Note"),
                   ("Note: ", pasted), ("none): ", "")]
        shown = terminal.run("qv new address", *answers)
        self.assertEqual(terminal.status(), 0, shown)
        values, extras = self.card("Home \tand office")
        self.assertEqual(values["address"], "科技路88号\n3栋")
        self.assertEqual(extras, {"Key": "科技路88号\n3栋", "Note": "科技路88号\n3栋"})

    def test_pastes_are_marked_at_prompts_only(self):
        terminal = self.unlocked()
        for before, marks in [("", True), ("TERM=dumb ", False)]:
            terminal.type(f"{before}qv new text")
            terminal.child.expect_exact("Title: ")
            if marks:
                terminal.child.expect_exact(BRACKETS_ON)
            terminal.child.send("\x04")
            if marks:
                terminal.child.expect_exact(BRACKETS_OFF)
            terminal.child.expect_exact("ready-for-qv> ")
            self.assertNotIn("?2004", terminal.child.before)

    def test_a_password_can_be_corrected(self):
        terminal = self.terminal()
        terminal.run("qv unlock", ("password: ", f"x\x15y z\x17\x7f\x7f{PASSWORD}长\x7f"))
        self.assertEqual(terminal.status(), 0)

    def refuses(self, terminal, command, question):
        terminal.type(command)
        terminal.child.expect_exact(question)
        os.write(terminal.child.fileno(), b"p\xe4ssword\n")
        terminal.child.expect_exact("the input is not UTF-8 text")
        terminal.child.expect_exact("ready-for-qv> ")
        self.assertEqual(terminal.status(), 9)

    def test_r11_what_is_no_text_is_no_password_and_no_value(self):
        self.refuses(self.terminal(), "qv unlock", "password: ")
        self.refuses(self.unlocked(), "qv new text --title Note text=-", "Ctrl-D\r\n")
