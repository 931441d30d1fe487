"""A program that is missing, too old, too new or killed; the program exits with the shell."""

import os
import signal

from cases import both
from world import PASSWORD, processes, wait_for

# Stand-ins for programs with other protocol versions: they answer once and exit.
OTHER = """#!/bin/sh
read -r request
id=${{request#*'"id":"'}}; id=${{id%%'"'*}}
{answer}
printf '{{"jsonrpc":"2.0","id":"%s-","result":{{}}}}\\n' "$id"
cat >/dev/null
"""
VERSION = """printf '{{"jsonrpc":"2.0","id":"%s","result":{{"protocolVersion":{version}}}}}\\n' "$id" """
UNKNOWN = """printf '{"jsonrpc":"2.0","id":"%s","error":{"code":-32601,"message":"?"}}\\n' "$id" """


@both
class Program:
    def replace_program(self, text):
        os.unlink(self.world.program)
        if text is not None:
            with open(self.world.program, "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(self.world.program, 0o700)

    def server(self):
        return wait_for(self.world.servers, "the session's process")[0]

    def test_missing(self):
        os.unlink(self.world.program)
        terminal = self.terminal()
        self.assertIn("Install QuickVault", terminal.run("qv list"))
        self.assertEqual(terminal.status(), 11)
        self.replace_program_by_the_real_one()
        terminal.run("qv list", ("password: ", PASSWORD))
        self.assertEqual(terminal.status(), 0)

    def replace_program_by_the_real_one(self):
        os.symlink(os.environ["QUICKVAULT_PROGRAM"], self.world.program)

    def test_other_versions(self):
        terminal = self.terminal()
        for answer, words in [(VERSION.format(version=0), "too old"), (UNKNOWN, "too old"),
                              (VERSION.format(version=2), "newer than this qv")]:
            self.replace_program(OTHER.format(answer=answer))
            self.assertIn(words, terminal.run("qv list"))
            self.assertEqual(terminal.status(), 11)

    def test_a_program_that_cannot_start_is_reported_with_the_reason(self):
        self.replace_program("#!/bin/sh\necho 'no library today' >&2\nexit 127\n")
        terminal = self.terminal()
        self.assertIn("no library today", terminal.run("qv list"))
        self.assertEqual(terminal.status(), 11)

    def test_found_on_the_search_path(self):
        del self.world.environment["QUICKVAULT_PROGRAM"]
        terminal = self.terminal()
        terminal.run("qv list", ("password: ", PASSWORD))
        self.assertEqual(terminal.status(), 0)

    def test_killed_between_commands(self):
        terminal = self.unlocked()
        os.kill(self.server(), signal.SIGKILL)
        wait_for(lambda: not self.world.servers(), "the process exits")
        shown = terminal.run("qv list", ("password: ", PASSWORD))
        self.assertIn("was restarted", shown)
        self.assertEqual(terminal.status(), 0)

    def test_killed_during_a_request(self):
        self.world.add("Note", "text")
        terminal = self.unlocked()
        server = self.server()
        before = set(receivers())
        terminal.type("qv edit Note")
        for question, answer in [("Title: ", "\n"), ("company): ", "\n"), ("remove it:", "\x04"), ("commas): ", "\n"),
                                 ("none): ", "")]:
            terminal.child.expect_exact(question)
            terminal.child.send(answer)
        os.kill(server, signal.SIGSTOP)
        terminal.child.send("\n")
        wait_for(lambda: set(receivers()) - before, "the request was sent")
        os.kill(server, signal.SIGKILL)
        terminal.child.expect_exact("exited before it responded")
        terminal.child.expect_exact("ready-for-qv> ")
        self.assertEqual(terminal.status(), 11)
        self.assertIn("Note", terminal.run("qv list", ("password: ", PASSWORD)))

    def test_interrupted_during_a_request(self):
        status, _, errors = self.world.qv("password", "--iterations", "10000000", passwords=[PASSWORD, PASSWORD])
        self.assertEqual(status, 0, errors)
        terminal = self.terminal()
        terminal.run("qv status")
        before = set(receivers())
        terminal.type("qv unlock")
        terminal.child.expect_exact("password: ")
        wait_for(lambda: not set(receivers()) - before, "the prompt is shown")
        terminal.child.send(PASSWORD + "\n")
        wait_for(lambda: set(receivers()) - before, "the request was sent")
        terminal.interrupt()
        self.assertEqual(terminal.status(), 130)
        self.assertIn("\nlocked", terminal.run("qv status"), "the request was cancelled, and its response discarded")
        self.assertEqual(terminal.status(), 0)

    def test_a_partially_read_response_is_discarded(self):
        self.world.add("Note", "text")
        terminal = self.unlocked()
        to, come = (("/proc/$$/fd/${_QV_SERVER[1]}", "/proc/$$/fd/${_QV_SERVER[0]}") if self.shell == "bash"
                    else ("&$_QV_TO", "&$_QV_FROM"))
        terminal.run(f"""printf '%s\\n' '{{"jsonrpc":"2.0","id":1,"method":"card/list"}}' >{to}""")
        terminal.run(f"head -c 60 <{come}")
        self.assertIn("text · personal", terminal.run("qv show Note"))

    def test_exits_with_the_shell(self):
        terminal = self.unlocked()
        server = self.server()
        terminal.run(f"{self.world.lingering} 1000 & disown")
        terminal.close()
        wait_for(lambda: server not in self.world.servers(), "the process exits with its shell")

    def test_exits_with_a_killed_shell(self):
        terminal = self.unlocked()
        server = self.server()
        terminal.run(f"({self.world.lingering} 1000; :) & disown")
        os.kill(terminal.child.pid, signal.SIGKILL)
        wait_for(lambda: server not in self.world.servers(), "the process exits with its shell")

    def test_no_program_inherits_the_pipes(self):
        terminal = self.unlocked()
        pipes = [os.readlink(f"/proc/{self.server()}/fd/{number}") for number in (0, 1)]
        shown = terminal.run("ls -l /proc/self/fd") + terminal.run("(ls -l /proc/self/fd) | cat")
        for pipe in pipes:
            self.assertNotIn(pipe, shown)

    def test_pipelines_substitutions_and_jobs_share_the_session(self):
        self.world.add("Note", "the text")
        terminal = self.unlocked()
        self.assertIn("=the text=", terminal.run('x=$(qv copy Note -p); echo "=$x="'))
        self.assertEqual(terminal.run("qv list | cat | wc -l; qv list | wc -l").split(), ["1", "1"])
        shown = terminal.run("for i in 1 2 3 4 5 6; do qv copy Note -p & done; wait")
        self.assertEqual(shown.count("the text"), 6)
        terminal.run("qv show Note | true")
        self.assertIn("unlocked", terminal.run("qv status"))


def receivers():
    """The processes that parse responses, which are started with the request."""
    return processes(lambda words: words[0] == "jq" and any("receive(" in word for word in words))
