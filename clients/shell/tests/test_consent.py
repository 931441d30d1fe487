"""Being admitted by somebody who uses another program."""

import json
import os
import subprocess

from cases import both
from terminal import PROMPT
from world import DEADLINE, PASSWORD, QV


class Answering:
    """A program of another session that has unlocked the vault, and whose user answers questions."""

    def __init__(self, world):
        self.process = subprocess.Popen(
            [world.program, "--shared"], env=world.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            start_new_session=True, text=True)
        self.send(id=1, method="initialize", params={"processId": None, "capabilities": {"sessionAdmit": True}})
        self.send(id=2, method="session/unlock", params={"password": PASSWORD})
        while self.receive().get("id") != 2:
            pass

    def send(self, **message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def receive(self):
        return json.loads(self.process.stdout.readline())

    def question(self):
        while True:
            message = self.receive()
            if message.get("method") == "session/admit":
                return message

    def answer(self, allow):
        self.send(id=self.question()["id"], result={"allow": allow})

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


@both
class Consent:
    def setUp(self):
        super().setUp()
        self.world.add("Note", "the text")
        self.world.end_service()
        self.other = Answering(self.world)
        self.addCleanup(self.other.close)
        self.shell_terminal = self.terminal()

    def begin(self, command):
        self.shell_terminal.type(command)
        self.shell_terminal.child.expect_exact("waiting for consent in ")
        self.shell_terminal.child.expect_exact(f"({os.getpid()}")

    def test_u_allowed_for_the_whole_terminal(self):
        self.begin("qv show Note")
        self.other.answer(True)
        self.shell_terminal.child.expect_exact("the text")
        self.shell_terminal.child.expect_exact(PROMPT)
        self.assertIn("the text", self.shell_terminal.run("qv show Note | cat"))

    def test_u_refused_and_not_asked_again(self):
        self.begin("qv list")
        self.other.answer(False)
        self.shell_terminal.child.expect_exact("was refused")
        self.shell_terminal.child.expect_exact("password: ")
        self.shell_terminal.interrupt()
        self.assertNotIn("waiting", self.shell_terminal.run("qv list", ("password: ", PASSWORD)))
        self.assertIn("Note", self.shell_terminal.run("qv list"))

    def test_u_enter_ends_the_wait_for_the_password(self):
        self.begin("qv list")
        identifier = self.other.question()["id"]
        self.shell_terminal.child.send("\n")
        withdrawn = self.other.receive()
        self.assertEqual((withdrawn["method"], withdrawn["params"]["id"]), ("$/cancelRequest", identifier))
        self.shell_terminal.child.expect_exact("password: ")
        self.shell_terminal.child.send(PASSWORD + "\n")
        self.shell_terminal.child.expect_exact("Note")

    def test_u_a_script_without_a_terminal_asks_too(self):
        script = subprocess.Popen(
            [QV, "list"], env=self.world.environment, start_new_session=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.other.answer(True)
        output, errors = script.communicate(timeout=DEADLINE)
        self.assertIn("Note", output)
        self.assertIn("waiting for consent in", errors)

    def test_u_a_given_password_asks_nobody(self):
        shown = self.shell_terminal.run(f"qv list --password-command 'echo \"{PASSWORD}\"'")
        self.assertIn("Note", shown)
        self.assertNotIn("waiting", shown)
