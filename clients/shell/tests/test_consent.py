"""Being admitted by somebody who uses another program, or by the program that starts qv."""

import json
import os
import subprocess
import unittest

from cases import both
from terminal import PROMPT
from world import DEADLINE, PASSWORD, QV, World, wait_for


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

    def ticket(self):
        self.send(id=4, method="client/ticket")
        while True:
            message = self.receive()
            if message.get("id") == 4:
                return message["result"]["ticket"]

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


@both
class Asked:
    """`qv clients allow`: a terminal whose user answers for other programs."""

    def setUp(self):
        super().setUp()
        self.world.add("Note", "the text")
        self.world.end_service()
        self.user = self.terminal()
        self.user.type("qv clients allow")
        self.user.child.expect_exact("password: ")
        self.user.child.send(PASSWORD + "\n")
        self.user.child.expect_exact("waiting until a program asks")
        self.other = Asking(self.world)
        self.addCleanup(self.other.close)

    def test_u_an_editor_asks_and_is_allowed(self):
        self.assertIn("consent", self.other.request(2, "card/list")["error"]["data"]["ways"])
        self.other.begin(3, "client/requestConsent")
        self.user.child.expect_exact("Allow ")
        shown = self.user.answer(("[y/N] ", "maybe"), ("[y/N] ", "y"))
        self.assertIn("allowed", shown)
        self.assertEqual(self.user.status(), 0)
        self.assertIn("result", self.other.answer(3))
        self.assertEqual(self.other.request(4, "card/list")["result"]["total"], 1)

    def test_u_refused_withdrawn_and_locked(self):
        self.other.begin(2, "client/requestConsent")
        self.user.child.expect_exact("[y/N] ")
        self.other.send(method="$/cancelRequest", params={"id": 2})
        self.user.child.expect_exact("the question was withdrawn")
        self.assertIn("error", self.other.answer(2))
        self.other.begin(3, "client/requestConsent")
        self.assertIn("refused", self.user.answer(("[y/N] ", "n")))
        self.assertEqual(self.user.status(), 13)
        self.assertEqual(self.other.answer(3)["error"]["data"]["kind"], "auth.admissionRefused")
        self.user.type("qv clients allow")
        self.user.child.expect_exact("waiting until a program asks")
        self.other.request(4, "session/lock")
        self.assertIn("the vault was locked", self.user.answer())
        self.assertEqual(self.user.status(), 5)


    def test_m_an_agent_is_allowed_until_the_lock(self):
        # The program between is the agent: what it has started itself is not asked.
        agent = Asking(self.world, "setsid", "--wait", protocolVersion="2025-11-25", capabilities={},
                       clientInfo={"name": "test", "version": "1"})
        self.addCleanup(agent.close)
        search = {"name": "find_cards", "arguments": {"query": "Note"}}
        agent.begin(2, "tools/call", **search)
        self.user.child.expect_exact("titles and field names")
        self.assertIn("allowed", self.user.answer(("never] ", "l")))
        for number in (2, 3):
            found = agent.answer(2) if number == 2 else agent.request(3, "tools/call", **search)
            self.assertEqual([card["title"] for card in found["result"]["structuredContent"]["cards"]], ["Note"])


class Asking(Answering):
    """A program of another session that was not admitted, as an editor is."""

    def __init__(self, world, *way, **greeting):
        self.process = subprocess.Popen(
            [*way, world.program, "mcp" if way else "--shared"], env=world.environment, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, start_new_session=True, text=True)
        self.request(1, "initialize", **greeting)

    def begin(self, identifier, method, **parameters):
        self.send(id=identifier, method=method, **({"params": parameters} if parameters else {}))

    def answer(self, identifier):
        while True:
            message = self.receive()
            if message.get("id") == identifier:
                return message

    def request(self, identifier, method, **parameters):
        self.begin(identifier, method, **parameters)
        return self.answer(identifier)


class Tickets(unittest.TestCase):
    """An editor starts qv in a session of its own, with a ticket in its environment."""

    def setUp(self):
        self.world = World()
        self.addCleanup(self.world.close)
        self.world.create_vault()
        self.world.add("Note", "the text")
        self.world.end_service()
        self.editor = Answering(self.world)
        self.addCleanup(self.editor.close)

    def start(self, ticket, *arguments):
        return subprocess.Popen(
            [QV, *arguments], env=dict(self.world.environment, QUICKVAULT_TICKET=ticket), start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def test_u_a_ticket_admits_one_qv(self):
        ticket = self.editor.ticket()
        output, errors = self.start(ticket, "list").communicate(timeout=DEADLINE)
        self.assertIn("Note", output)
        self.assertEqual(errors, "")
        again = self.start(ticket, "list", "--password-command", "false")
        self.assertIn("--password-command failed", again.communicate(timeout=DEADLINE)[1])
        self.assertEqual(again.returncode, 5)
        seen = json.loads(self.start(self.editor.ticket(), "clients", "--json").communicate(timeout=DEADLINE)[0])
        self.assertEqual([client["means"] for client in seen["items"]], ["password", "ticket"])

    def test_u_qv_keeps_the_ticket_from_others(self):
        wrong = "0" * 64
        written = self.world.path("tmp", "environment")
        asking = self.start(wrong, "list")
        self.assertEqual(self.editor.question()["params"]["program"]["process"], asking.pid)
        with open(f"/proc/{asking.pid}/environ", "rb") as file:
            self.assertNotIn(wrong.encode(), file.read())
        asking.kill()
        asking.communicate()
        self.start(wrong, "list", "--password-command", f"env >{written}; false").communicate(timeout=DEADLINE)
        wait_for(lambda: os.path.exists(written), "the command runs")
        self.assertIn("QUICKVAULT_VAULT", self.world.read("tmp", "environment"))
        self.assertNotIn("QUICKVAULT_TICKET", self.world.read("tmp", "environment"))
