"""An agent uses values and does not get to know them: files, commands, memory, and 200 attempts to obtain one."""

import base64
import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys
import threading
import time
import unittest

from agents import DEADLINE, HERE, NEVER, ONCE, PIN, PLANTED, STATELESS, UNTIL_LOCK, World, display

from suite import more  # noqa: E402

FILLED = "Main street 5"


class Files(World):
    answers = UNTIL_LOCK

    def test_m_a_file_is_filled_in_as_a_whole_and_kept_to_oneself(self):
        agent = self.agent()
        for text in ("{{qv:Tax office.text}}|qv://Tax%20office/text|{{qv:" + self.secret + ".text}}|{{qv:Tax office.Text}}",):
            letter = self.file(text)
            letter.chmod(0o644)
            self.assertEqual(agent.do("fill_file", path="letter.md"), {"filled": 4})
            self.assertEqual(letter.read_text("utf-8"), "|".join([FILLED] * 4))
            self.assertEqual(letter.stat().st_mode & 0o777, 0o600)
        self.assertEqual(os.listdir(self.root), ["letter.md"])
        whole = self.file("{{qv:Tax office}}")
        agent.do("fill_file", path=str(whole))
        self.assertIn(PLANTED, whole.read_text("utf-8"))

    def test_m_what_cannot_be_filled_in_changes_nothing(self):
        agent = self.agent()
        self.person.add("Same")
        self.person.add("Same")
        for text, reason in (
                ("no placeholder", "no placeholders"), ("x\n{{qv:}} {{qv:Home.text", "Line 2"), ("qv://Home", "Line 1"),
                ("{{qv:Home.text}} {{qv:Nothing.text}}", "no such card"), ("{{qv:Home.nothing}}", "no such field"),
                ("{{qv:Same.text}}", "Several"), ("".join("{{qv:Home.f%d}}" % n for n in range(51)), "too much"),
                ("{{qv:Home.text}}" * 1001, "at most 1000")):
            letter = self.file(text)
            self.assertIn(reason, agent.refused("fill_file", path="letter.md"))
            self.assertEqual(letter.read_text("utf-8"), text)
        self.file("{{qv:Home.text}} qv://Tax%20office/text")
        self.assertIn("argument cards", agent.refused("fill_file", path="letter.md", cards=["Home"]))
        agent.do("fill_file", path="letter.md", cards=["Home", "Tax office"])

    def test_m_only_files_below_a_root_without_links(self):
        outside = self.directory / "outside.md"
        outside.write_text("{{qv:Tax office.text}}", "utf-8")
        (self.root / "link.md").symlink_to(outside)
        (self.root / "up").symlink_to(self.directory)
        (self.root / "inner").mkdir()
        (self.root / "inner" / "deep.md").write_text("{{qv:Tax office.text}}", "utf-8")
        (self.root / "inside.md").symlink_to("inner/deep.md")
        os.mkfifo(self.root / "pipe")
        (self.root / "folder").mkdir()
        (self.root / "latin").write_bytes(b"\xff{{qv:Tax office.text}}")
        (self.root / "large").write_bytes(b"{{qv:Tax office.text}}" + b"x" * (1 << 20))
        root = str(self.root)
        for version in ("2025-11-25", STATELESS):
            agent = self.agent(version)
            for path in (str(outside), "../outside.md", root + "/../outside.md", "link.md", "up/outside.md", "inside.md",
                         root + "/up/outside.md", "inner/../../outside.md", "pipe", "folder", ".", "..", "/", root, "large",
                         "latin", "nothing.md", "/proc/self/environ", "/proc/self/cwd/../outside.md", root + "x/letter.md",
                         "inner/../inner/deep.md\n"):
                agent.refused("fill_file", path=path)
            self.assertEqual(outside.read_text("utf-8"), "{{qv:Tax office.text}}")
            (self.root / "inner" / "deep.md").write_text("{{qv:Tax office.text}}", "utf-8")
            agent.do("fill_file", path="inner/deep.md")
            agent.close()
        self.assertIn("--root", self.agent(roots=None).refused("fill_file", path=str(outside)))
        self.assertIn("--root", self.agent(roots=[]).refused("fill_file", path=str(outside)))
        self.file("{{qv:Tax office.text}}")
        self.agent(roots=None, arguments=["--root", root]).do("fill_file", path="letter.md")
        self.file("{{qv:Tax office.text}}")
        self.agent(roots=None, arguments=["--root", "root"]).do("fill_file", path=root + "/letter.md")

    @more
    def test_m_a_path_that_is_replaced_meanwhile_leads_nowhere_else(self):
        outside = self.directory / "outside"
        outside.mkdir()
        (outside / "letter.md").write_text("{{qv:Tax office.text}}", "utf-8")
        real, over = self.root / "inner", threading.Event()
        real.mkdir()

        def swap():
            while not over.is_set():
                with contextlib.suppress(OSError):
                    real.rename(self.root / "away")
                    real.symlink_to(outside)
                    real.unlink()
                    (self.root / "away").rename(real)

        swapping = threading.Thread(target=swap)
        swapping.start()
        agent = self.agent()
        try:
            for _ in range(40):
                for place in (real, self.root / "away"):
                    with contextlib.suppress(OSError):
                        (place / "letter.md").write_text("{{qv:Tax office.text}}", "utf-8")
                agent.call("fill_file", path="inner/letter.md")
        finally:
            over.set()
            swapping.join()
        self.assertIn((outside / "letter.md").read_text("utf-8"), ("{{qv:Tax office.text}}",))

    def test_m_a_file_that_changes_while_a_person_is_asked_is_left_alone(self):
        agent = self.agent()
        letter = self.file("{{qv:Tax office.text}}")

        def answer(question):
            letter.write_text("{{qv:Tax office.Tax ID}} and more", "utf-8")
            return ONCE

        self.person.answer = answer
        self.assertIn("changed meanwhile", agent.refused("fill_file", path="letter.md"))
        self.assertEqual(letter.read_text("utf-8"), "{{qv:Tax office.Tax ID}} and more")
        self.assertEqual(os.listdir(self.root), ["letter.md"])


class Commands(World):
    answers = ONCE

    def setUp(self):
        super().setUp()
        self.setting(agentCommands="ask")

    def run_shell(self, agent, script, **variables):
        return agent.do("run_command", argv=["/bin/sh", "-c", script], env=variables)

    def test_m_a_command_gets_values_and_its_output_is_masked(self):
        agent = self.agent(environment={"OTHER": "qv://Home/text", "KEPT": "yes", "QUICKVAULT_X": "1"})
        given = self.run_shell(
            agent, 'echo "$ID"; echo "$ID" >&2; test "$ID" = "$WANTED" && echo same; echo "$OTHER$QUICKVAULT_X$KEPT"; '
            'cat; exit 3', ID="qv://Tax%20office/Tax%20ID", WANTED="{{qv:Tax office.Tax ID}}")
        self.assertEqual(given, {"status": 3, "output": "••••\n••••\nsame\nyes\n", "truncated": False})
        (question,) = self.person.questions
        self.assertIn("/bin/sh -c 'echo", question["message"])
        self.assertIn("“Tax office” (Tax ID)", question["message"])
        given = self.run_shell(agent, "head -c 100000 /dev/zero | tr '\\0' x", ID="qv://Home/text")
        self.assertEqual((len(given["output"]), given["truncated"]), (65536, True))

    def test_m_what_a_command_may_not_be_given(self):
        agent = self.agent()
        for variables in ({}, {"A": "text"}, {"A": "qv://Home/text and more"}, {"A-B": "qv://Home/text"},
                          {"A": "qv://Home/text' '"}, {"A": "qv://Home/text\nB=qv://Home/text"}, {"A": "{{qv:Home.text}}{{qv:Home.text}}"}):
            agent.refused("run_command", argv=["true"], env=variables)
        self.assertEqual(self.person.questions, [])
        self.assertEqual(agent.do("run_command", argv=["no-such-program"], env={"A": "qv://Home/text"})["status"], 127)

    def test_m_a_command_ends_with_its_request(self):
        agent = self.agent()
        mark = self.path("begun")
        number = agent.begin("tools/call", name="run_command", arguments={
            "argv": ["/bin/sh", "-c", f"echo $$ > {mark}.new; mv {mark}.new {mark}; sleep 1000"], "env": {"A": "qv://Home/text"}})
        end = time.monotonic() + DEADLINE
        while not os.path.exists(mark) and time.monotonic() < end:
            self.assertEqual(agent.request("ping")["result"], {})
        process = int(pathlib.Path(mark).read_text("ascii"))
        agent.send({"method": "notifications/cancelled", "params": {"requestId": number}})
        while os.path.exists(f"/proc/{process}") and time.monotonic() < end:
            agent.request("ping")
        self.assertFalse(os.path.exists(f"/proc/{process}"))
        self.assertEqual(agent.do("find_cards", query="home")["more"], False)


class Memory(World):
    answers = UNTIL_LOCK

    def test_m_the_server_of_an_agent_never_has_a_value_in_its_memory(self):
        self.setting(agentCommands="ask")
        agent = self.agent()
        for _ in range(3):
            self.file("{{qv:Tax office.Tax ID}} {{qv:Tax office.PIN}} {{qv:Tax office}}\n")
            agent.do("fill_file", path="letter.md")
            agent.do("run_command", argv=["/bin/sh", "-c", "echo $A"], env={"A": "qv://Tax%20office/Tax%20ID"})
        self.assertEqual(occurrences(agent.server(), PLANTED.encode()), 0)
        self.assertGreater(occurrences(agent.server(), b"Tax office"), 0)

    def test_m_the_server_of_an_agent_forbids_tracing(self):
        agent = self.agent()
        agent.do("find_cards", query="")
        # The files of a process that forbids it belong to root.
        self.assertEqual(os.stat(f"/proc/{agent.server()}/environ").st_uid, 0)
        limits = pathlib.Path(f"/proc/{agent.server()}/limits").read_text("ascii")
        self.assertRegex(limits, r"Max core file size +0 ")


def occurrences(process, text):
    """How often a text is in the memory of a process."""
    count = 0
    with open(f"/proc/{process}/maps", encoding="utf-8") as maps, open(f"/proc/{process}/mem", "rb", 0) as memory:
        for line in maps:
            found = re.match(r"([0-9a-f]+)-([0-9a-f]+) r", line)
            if found and int(found[1], 16) < 1 << 63:
                with contextlib.suppress(OSError):
                    memory.seek(int(found[1], 16))
                    count += memory.read(int(found[2], 16) - int(found[1], 16)).count(text)
    return count


class Attempts(World):
    """A hostile agent asks for a planted value by every tool and path. The person allows what is named as harmless, which
    is all about the card Home, and refuses the rest; settings are as in a new vault."""

    def answer(self, question):
        return NEVER if "Tax office" in question["message"] else UNTIL_LOCK

    FIELDS = ("Tax ID", "PIN", "text", "title", "notes", "tax id", "TAX ID", "totp", "0", "*", "Tax ID ", "fields", "value")
    NAMES = ("Tax office", "tax office", "TAX OFFICE", "Tax office ", "Tax%20office", "Tax offic", "Tax", "Home", "*", "..")

    def attempts(self, secret):
        """Calls of tools, with what they may name."""
        yield from (("find_cards", {"query": query}) for query in (
            "", "Tax office", PLANTED[:3], "Zq", "8341", "8", "tax:Zq", "Tax ID:Zq", "text:Main", '"Tax office"', "has:attachment",
            "type:text", "group:personal", "tag:x", "is:pinned", "{{qv:Tax office.Tax ID}}", "qv://Tax%20office/Tax%20ID"))
        for name in (*self.NAMES, secret, secret[:8]):
            for field in self.FIELDS[:5]:
                yield "fill_file", {"path": "letter.md"}, f"{{{{qv:{name}.{field}}}}}"
            yield "fill_file", {"path": "letter.md", "cards": ["Home"]}, f"{{{{qv:Home.text}}}} {{{{qv:{name}}}}}"
            yield "fill_file", {"path": "letter.md"}, f"qv://{name.replace(' ', '%20')}/Tax%20ID"
            yield "copy_to_clipboard", {"card": name, "field": "Tax ID"}
            yield "type_into_window", {"card": name, "field": "PIN"}
            yield "reveal_field", {"card": name, "field": "Tax ID"}
            yield "run_command", {"argv": ["env"], "env": {"A": f"qv://{name}/Tax%20ID"}}
        for path in (str(self.person_files() / name) for name in ("v.quickvault", "outside.md", "home/letter.md")):
            yield "fill_file", {"path": path}
        for path in ("/proc/self/environ", "/proc/self/mem", "/proc/self/fd/0", "../v.quickvault", "link", "/dev/stdin"):
            yield "fill_file", {"path": path}
        for text in ("{{qv:Tax office.Tax ID}}", "qv://Tax%20office/Tax%20ID", "Tax office", PLANTED[:4]):
            yield "save_card", {"text": text}
        for field in self.FIELDS:
            yield "copy_to_clipboard", {"card": "Home", "field": field}
            yield "reveal_field", {"card": "Home", "field": field}
        for name, arguments in (("card/get", {"id": secret}), ("card/copy", {"id": secret}), ("session/unlock", {}),
                                ("find_cards", {"query": "x", "reveal": True}), ("fill_file", {"path": "letter.md", "field": "x"}),
                                ("lock", {"dry": True})):
            yield name, arguments

    def person_files(self):
        return self.directory

    def test_m_0_of_200_attempts_give_a_value_to_an_agent(self):
        (self.root / "link").symlink_to("../v.quickvault")
        count, logs = 0, ""
        for version in ("2025-11-25", STATELESS):
            agent = self.agent(version)
            for tool, arguments, *text in self.attempts(self.secret):
                letter = self.file(text[0] if text else "{{qv:Tax office.Tax ID}}")
                answer = agent.request("tools/call", name=tool, arguments=arguments)
                if answer.get("result", {}).get("resultType") == "input_required":
                    answer = agent.request("tools/call", name=tool, arguments=arguments,
                                           inputResponses={"roots": {"roots": [{"uri": self.root.as_uri()}]}})
                count += 1
                for there in (json.dumps(answer, ensure_ascii=False), letter.read_text("utf-8")):
                    self.assert_hidden(there)
                for message in agent.arrived:
                    self.assert_hidden(json.dumps(message, ensure_ascii=False))
                agent.arrived.clear()
            agent.close()
            logs += pathlib.Path(agent.log).read_text("utf-8")
        self.assertGreaterEqual(count, 200)
        # What the agent has written itself apart
        self.assertNotIn(PLANTED, logs)
        for file in self.directory.rglob("*"):
            if file.is_file() and file.stat().st_size < 1 << 22:
                self.assertNotIn(PLANTED.encode(), file.read_bytes(), file)

    def assert_hidden(self, text):
        for form in (PLANTED, PLANTED[::-1], base64.b64encode(PLANTED.encode()).decode(), PIN):
            self.assertNotIn(form, text)


class Sockets(World):
    """A program that talks to the service itself, as the server of an agent does."""

    answers = NEVER

    def socket(self):
        (path,) = pathlib.Path(self.path("run")).rglob("*.sock")
        return str(path)

    def hostile(self, **use):
        """What the program gets, started by a shell, which is the agent."""
        child = subprocess.run(
            ["/bin/sh", "-c", '"$@"; exit $?', "sh", sys.executable, str(HERE / "hostile.py"), "server", self.socket(),
             self.environment["QUICKVAULT_VAULT"], json.dumps(use)],
            env=self.environment, capture_output=True, text=True, timeout=DEADLINE, start_new_session=True)
        self.assertEqual(child.returncode, 0, child.stderr)
        return json.loads(child.stdout)

    def use(self):
        return self.hostile(kind="copy", target="", values=[{"card": "Tax office", "field": "Tax ID", "id": self.secret}])

    def test_m_who_greets_as_an_agent_gets_nothing_without_a_question(self):
        answers = self.use()
        self.assertEqual(len(self.person.questions), 1)
        self.assertNotIn("result", answers["use"])
        for answer in (*answers["own"], *answers["stranger"], *answers["child"], *answers["second"]):
            self.assertNotIn("result", answer)

    def test_m_the_program_of_a_server_takes_what_was_allowed_and_nothing_else(self):
        self.answers = UNTIL_LOCK
        answers = self.use()
        self.assertEqual(answers["use"]["result"], {"cards": [self.secret]})
        for answer in (*answers["own"], *answers["stranger"], *answers["second"]):
            self.assertNotIn("result", answer)
        given = [answer["result"]["text"] for answer in answers["child"] if "result" in answer]
        self.assertEqual(given, [PLANTED, PLANTED])
        self.assertEqual(len(self.person.questions), 1)


@unittest.skipUnless(os.path.exists("/usr/bin/Xvfb") and os.path.exists("/usr/bin/xclip"), "no display")
class Display(World):
    answers = ONCE

    def test_m_a_value_is_copied_and_not_told(self):
        name = display(self)
        trap = self.directory / "bin"
        trap.mkdir()
        for program_name in ("xclip", "xsel", "wl-copy", "xdotool", "wtype"):
            (trap / program_name).write_text(f"#!/bin/sh\ncat > {trap}/caught\n", "ascii")
            (trap / program_name).chmod(0o755)
        agent = self.agent(environment={"DISPLAY": name, "PATH": f"{trap}:/usr/bin:/bin", "TERM": "xterm",
                                        "QUICKVAULT_CLIPBOARD_COMMAND": f"cat > {trap}/caught"})
        self.assertEqual(agent.do("copy_to_clipboard", card="Tax office", field="Tax ID"), {"done": True})
        copied = subprocess.run(["xclip", "-selection", "clipboard", "-o"], env={"DISPLAY": name}, capture_output=True,
                                text=True, timeout=DEADLINE).stdout
        self.assertEqual(copied, PLANTED)
        self.assertFalse((trap / "caught").exists())
        self.assertIn("to the clipboard", self.person.questions[-1]["message"])


if __name__ == "__main__":
    unittest.main()
