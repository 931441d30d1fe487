"""A program that is missing, too old, too new or killed, and what other programs share of it."""

import os
import re
import signal

from cases import both
from world import PASSWORD, wait_for

# Stand-ins for programs with other protocol versions: they answer once and exit.
OTHER = """#!/bin/sh
read -r request
id=${{request#*'"id":"'}}; id=${{id%%'"'*}}
{answer}
cat >/dev/null
"""
VERSION = """printf '{{"jsonrpc":"2.0","id":"%s","result":{{"protocolVersion":{version}}}}}\\n' "$id" """
UNKNOWN = """printf '{"jsonrpc":"2.0","id":"%s","error":{"code":-32601,"message":"?"}}\\n' "$id" """
# Another version, which answers each request with an object that no method has.
EMPTY = VERSION.format(version=1) + """
while read -r request; do
  id=${request#*'"id":"'}; id=${id%%'"'*}
  printf '{"jsonrpc":"2.0","id":"%s","result":{}}\\n' "$id"
done"""


def written(process):
    """How many bytes a process has written to files, pipes, sockets and terminals."""
    with open(f"/proc/{process}/io", encoding="utf-8") as file:
        return int(re.search(r"^wchar: (\d+)$", file.read(), re.M)[1])


@both
class Program:
    def replace_program(self, text):
        os.unlink(self.world.program)
        if text is not None:
            with open(self.world.program, "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(self.world.program, 0o700)

    def test_missing(self):
        self.world.end_service()
        os.unlink(self.world.program)
        terminal = self.terminal()
        self.assertIn("Install QuickVault", terminal.run("qv list"))
        self.assertEqual(terminal.status(), 11)
        os.symlink(os.environ["QUICKVAULT_PROGRAM"], self.world.program)
        terminal.run("qv list", ("password: ", PASSWORD))
        self.assertEqual(terminal.status(), 0)

    def test_other_versions(self):
        terminal = self.terminal()
        for answer, words in [(VERSION.format(version=0), "too old"), (UNKNOWN, "too old"),
                              (VERSION.format(version=2), "newer than this qv"), (EMPTY, "of another version")]:
            self.replace_program(OTHER.format(answer=answer))
            self.assertIn(words, terminal.run("qv list --alone"))
            self.assertEqual(terminal.status(), 11)

    def test_a_program_that_cannot_start_is_reported_with_the_reason(self):
        self.world.end_service()
        self.replace_program("#!/bin/sh\necho 'no library today' >&2\nexit 127\n")
        terminal = self.terminal()
        for line in ("qv list", "qv list --alone"):
            self.assertIn("no library today", terminal.run(line))
            self.assertEqual(terminal.status(), 11)

    def test_found_beside_qv_and_on_the_search_path(self):
        self.world.end_service()
        del self.world.environment["QUICKVAULT_PROGRAM"]
        terminal = self.terminal()
        terminal.run("PATH=/nowhere", )
        terminal.run(f"{self.world.path('bin', 'qv')} list", ("password: ", PASSWORD))
        self.assertEqual(terminal.status(), 0)

    def test_killed_between_commands(self):
        terminal = self.unlocked()
        self.world.end_service()
        terminal.run("qv list", ("password: ", PASSWORD))
        self.assertEqual(terminal.status(), 0)

    def test_killed_during_a_request(self):
        self.world.add("Note", "text")
        terminal = self.unlocked()
        for answers, status, title in [([("[Y/n]", "n")], 11, "Note"),
                                       ([("[Y/n]", ""), ("password: ", PASSWORD)], 0, "Other")]:
            terminal.type("qv edit Note")
            for question, answer in [("Title: ", "\x15Other\n"), ("company): ", "\n"), ("remove it:", "\x04"),
                                     ("commas): ", "\n"), ("none): ", "")]:
                terminal.child.expect_exact(question)
                terminal.child.send(answer)
            servers = self.world.servers()
            for process in servers:
                os.kill(process, signal.SIGSTOP)
            [client] = self.world.processes(lambda words: words[:2] == ["qv", "edit"])
            before = written(client)
            terminal.child.send("\n")
            # More than what it shows at the end of the prompt.
            wait_for(lambda: written(client) > before + 60, "it has sent its request")
            for process in servers:
                os.kill(process, signal.SIGKILL)
            terminal.child.expect_exact("exited before it responded")
            terminal.answer(*answers)
            self.assertEqual(terminal.status(), status)
            self.assertIn(title, terminal.run("qv list", *([("password: ", PASSWORD)] if status else [])))

    def test_interrupted_during_a_request(self):
        status, _, errors = self.world.qv("password", "--iterations", "10000000", passwords=[PASSWORD, PASSWORD])
        self.assertEqual(status, 0, errors)
        self.assertEqual(self.world.qv("lock")[0], 0)
        terminal = self.terminal()
        terminal.type("qv unlock; echo not reached")
        terminal.child.expect_exact("password: ")
        terminal.child.send(PASSWORD + "\n\n")
        terminal.child.expect_exact("\r\n")
        terminal.interrupt()
        self.assertEqual(terminal.status(), 130)
        self.assertIn("\nlocked", terminal.run("qv status"), "the request was cancelled")

    def test_no_program_inherits_the_connection(self):
        self.world.environment["VISUAL"] = "ls -l /proc/self/fd;:"
        self.world.add("Note", "the text")
        terminal = self.unlocked()
        shown = terminal.run("qv edit Note")
        self.assertIn("->", shown)
        self.assertNotIn("socket:", shown)

    def test_pipelines_substitutions_children_and_jobs_share_the_vault(self):
        self.world.add("Note", "the text")
        terminal = self.unlocked()
        self.assertIn("=the text=", terminal.run('x=$(qv copy Note -p); echo "=$x="'))
        self.assertEqual(terminal.run("qv list | cat | wc -l; qv list | wc -l").split(), ["1", "1"])
        self.assertIn("the text", terminal.run("echo Note | xargs qv show"))
        self.assertIn("the text", terminal.run("env -i QUICKVAULT_VAULT=$QUICKVAULT_VAULT XDG_RUNTIME_DIR=$XDG_RUNTIME_DIR "
                                               f"{self.world.path('bin', 'qv')} show Note"))
        shown = terminal.run("for i in 1 2 3 4 5 6; do qv copy Note -p & done; wait")
        self.assertEqual(shown.count("the text"), 6)
        terminal.run("qv show Note | true")
        self.assertIn("unlocked", terminal.run("qv status"))

    def test_another_terminal_is_admitted_by_the_password(self):
        self.world.add("Note", "the text")
        self.unlocked()
        other = self.terminal()
        self.assertIn("not for this terminal", other.run("qv status"))
        self.assertIn("Note", other.run("qv list", ("password: ", PASSWORD)))
        self.assertIn("the text", other.run("qv show Note"))

    def test_alone_shares_nothing(self):
        self.world.add("Note", "the text")
        terminal = self.unlocked()
        self.assertIn("the text", terminal.run("qv show Note --alone", ("password: ", PASSWORD)))

    def test_forty_columns(self):
        self.world.add("A title that is much longer than the terminal is wide, 终端很窄", "text", tags=["office", "税务"])
        terminal = self.unlocked()
        terminal.child.setwinsize(8, 40)
        rows = terminal.run("stty size; qv list").splitlines()
        self.assertIn("8 40", rows)
        self.assertTrue(all(width(row) <= 40 for row in rows), rows)


def width(text):
    return sum(2 if ord(character) > 0x2E80 else 1 for character in text)
