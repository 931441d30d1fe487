"""Secrets of a whole session are in no argument, environment, file or history (R17, R18)."""

import os
import re

from cases import both
from world import PASSWORD

VALUE, TYPED, CONCEALED = "PlantedValue71", "PlantedTyped72", "PlantedConcealed73"
WRONG = "PlantedWrong75"
TITLE = "PlantedTitle76"
SECRETS = [PASSWORD, "umbrellas", VALUE, TYPED, CONCEALED, WRONG]
STRACE = ["strace", "-f", "-qq", "-v", "-s", "1000000", "-e", "trace=execve,open,openat,creat,memfd_create", "-o"]


@both
class Secrets:
    def run_session(self):
        """Types a session under strace and returns its system calls."""
        log = self.world.path("calls")
        terminal = self.terminal(prefix=[*STRACE, log])
        terminal.run("qv list", ("password: ", WRONG), ("password: ", PASSWORD))
        terminal.run("qv new text", ("Title: ", TITLE), ("company): ", ""), ("new line):", TYPED), (TYPED, ""),
                     ("\n", None), ("commas): ", ""), ("none): ", "*Door"), ("(hidden): ", CONCEALED), ("none): ", ""))
        self.assertEqual(terminal.status(), 0)
        self.assertIn(CONCEALED, terminal.run("qv show Planted --reveal"))
        self.assertIn(TYPED, terminal.run("qv search anted"))
        # In a pipe and with -y, a part of the title names no card, and the title may be in no argument.
        terminal.run("id=$(qv list | cut -f 1)")
        terminal.run("qv show $id --json | qv edit $id -")
        self.assertEqual(terminal.status(), 0)
        terminal.run("qv copy Planted -f text")
        self.assertEqual(terminal.status(), 0)
        terminal.run("EDITOR='sed -i s/^Tags:/Tags:.new/' qv edit Planted")
        self.assertEqual(terminal.status(), 0)
        terminal.run("qv delete $id -y")
        self.assertEqual(terminal.status(), 0)
        terminal.run("qv lock")
        terminal.close()
        with open(log, encoding="utf-8", errors="replace") as file:
            return file.read().splitlines()

    def test_r17_no_secret_leaves_the_pipes(self):
        calls = self.run_session()
        programs = [call for call in calls if " execve(" in call]
        self.assertGreater(len(programs), 8)
        for call in programs:
            for secret in [*SECRETS, TITLE]:
                self.assertNotIn(ascii_part(secret), call)
        self.assertEqual([path for path in map(created, calls) if path and not self.is_expected(path)], [])
        os.unlink(self.world.path("calls"))
        self.assertEqual(self.files_with_secrets(), [])

    def is_expected(self, path):
        error_log = self.world.path("home", ".local", "state", "quickvault", "log")
        memory = (self.world.path("run", "quickvault"), self.world.path("run", "quickvault-view."))
        history = self.world.path("home", ".bash_history")
        return (path.startswith((self.world.vault, error_log, history, *memory))
                or re.fullmatch(r"/dev/(null|tty)|/proc/(\d+|self)/fd/\d+|sed\w+|\./sed\w+", path))

    def files_with_secrets(self):
        found = []
        for directory, _, names in os.walk(self.world.top):
            for name in names:
                path = os.path.join(directory, name)
                if os.path.isfile(path) and not os.path.islink(path):
                    with open(path, "rb") as file:
                        content = file.read()
                    found += [(path, secret) for secret in SECRETS if secret.encode() in content]
        return found

    def test_the_search_for_secrets_finds_one(self):
        with open(self.world.path("tmp", "leak"), "w", encoding="utf-8") as file:
            file.write("x" + VALUE)
        self.assertEqual(self.files_with_secrets(), [(self.world.path("tmp", "leak"), VALUE)])

    def test_strict_shell_options_work(self):
        self.world.add("Note", "text")
        terminal = self.terminal(before=["set -u", "set -C", "set -o pipefail", "alias printf=false cat=false"])
        self.assertIn("Note", terminal.run("qv list", ("password: ", PASSWORD)))
        terminal.run("set -e")
        self.assertIn("text", terminal.run("qv show Note"))
        self.assertIn("gone on", terminal.run("qv show nothing || echo gone on"))
        self.assertIn("Note", terminal.run("qv list"))


def ascii_part(secret):
    """The part that strace prints literally; it prints other bytes as octal numbers."""
    return max(re.findall(r"[ -~]+", secret), key=len)


def created(call):
    """The path that a call may create, or None; pipes and memory have none."""
    if "memfd_create(" in call and "memfd_create(\"" in call and "<unfinished" not in call:
        return None
    match = re.search(r"(?:open|openat|creat)\((?:AT_FDCWD, )?\"([^\"]*)\"(.*)", call)
    if match and ("O_CREAT" in match[2] or "creat(" in call):
        return match[1]
    return None
