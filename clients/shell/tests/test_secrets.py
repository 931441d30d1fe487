"""Secrets of a whole session are in no argument, environment, file or history (R17, R18)."""

import os
import re

from cases import both
from world import PASSWORD, wait_for

VALUE, TYPED, CONCEALED, EXTRA = "PlantedValue71", "PlantedTyped72", "PlantedConcealed73", "PlantedExtra74"
WRONG = "PlantedWrong75"
TITLE, QUERY = "PlantedTitle76", "lantedT"
SECRETS = [PASSWORD, "umbrellas", VALUE, TYPED, CONCEALED, EXTRA, WRONG]
STRACE = ["strace", "-f", "-qq", "-v", "-s", "1000000", "-e", "trace=execve,open,openat,creat,memfd_create", "-o"]


@both
class Secrets:
    def run_session(self):
        """Types a session under strace and returns its system calls."""
        log = self.world.path("calls")
        history = "HISTFILE=~/.history HISTSIZE=1000 SAVEHIST=1000 HISTFILESIZE=1000"
        terminal = self.terminal(before=[history], prefix=[*STRACE, log])
        terminal.run("qv list", ("password: ", WRONG), ("password: ", PASSWORD))
        terminal.run(f"qv new text --title First text={VALUE} --extra Code={EXTRA}")
        self.assertEqual(terminal.status(), 0)
        terminal.run(f"qv new text --title=Quoted \"text={VALUE} and more\"")
        terminal.run("qv new text", ("Title: ", TITLE), ("company): ", ""), ("new line):", TYPED), (TYPED, ""),
                     ("\n", None), ("commas): ", ""), ("none): ", "Door"), ("[y/N]", "y"), ("(hidden): ", CONCEALED), ("none): ", ""))
        self.assertEqual(terminal.status(), 0)
        self.assertIn(VALUE, terminal.run("qv copy First"))
        self.assertIn(CONCEALED, terminal.run(f"qv show {TITLE} --reveal"))
        self.assertIn(TYPED, terminal.run(f"qv search {QUERY}"))
        terminal.run(f"qv edit First text={VALUE}again")
        self.assertIn(VALUE + "again", terminal.run("qv show First --json | jq -r '.fields[0].value'"))
        terminal.run("qv show First --json | qv edit First --from-json -")
        self.assertEqual(terminal.status(), 0)
        terminal.run("qv delete First -y")
        terminal.run("qv lock")
        terminal.close()
        wait_for(lambda: not self.world.servers(), "the process exits with its shell")
        with open(log, encoding="utf-8", errors="replace") as file:
            return file.read().splitlines()

    def test_r17_no_secret_leaves_the_pipes(self):
        calls = self.run_session()
        programs = [call for call in calls if " execve(" in call]
        self.assertGreater(len(programs), 30)
        self.assertTrue(any("--in-session" in call for call in programs), "the script is among them")
        for call in programs:
            for secret in [*SECRETS, TITLE, QUERY]:
                self.assertNotIn(ascii_part(secret), call)
        self.assertEqual([path for path in map(created, calls) if path and not self.is_expected(path)], [])
        with open(self.world.path("home", ".history"), encoding="utf-8", errors="replace") as file:
            self.assertIn("qv list", file.read())
        os.unlink(self.world.path("calls"))
        self.assertEqual(self.files_with_secrets(), [])

    def is_expected(self, path):
        error_log = self.world.path("home", ".local", "state", "quickvault", "log")
        return (path.startswith((self.world.vault, self.world.path("home", ".history"), error_log))
                or re.fullmatch(r"/dev/(null|tty)|/proc/(\d+|self)/fd/\d+", path))

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

    def test_values_stay_out_of_the_history_in_any_command_line(self):
        history = "HISTFILE=~/.history HISTSIZE=1000 SAVEHIST=1000 HISTFILESIZE=1000 HISTIGNORE='ls:&'"
        terminal = self.terminal(before=[history])
        terminal.run("qv unlock", ("password: ", PASSWORD))
        terminal.run(f"qv new text --title Piped text={VALUE} | cat")
        terminal.run(f"it=$(qv new text --title Substituted text={TYPED})")
        terminal.run(f"it=`qv new text --title Quoted text={TYPED}`")
        terminal.run(f"(qv new text --title Inside text={EXTRA}); {{ qv edit Inside text={CONCEALED}; }}")
        terminal.run(f"true;qv edit Inside text={WRONG} &")
        terminal.run("wait")
        terminal.run("echo a=b; qv list")
        self.assertIn("Piped", terminal.run("qv list"))
        terminal.close()
        wait_for(lambda: not self.world.servers(), "the process exits with its shell")
        with open(self.world.path("home", ".history"), encoding="utf-8", errors="replace") as file:
            kept = file.read()
        self.assertIn("echo a=b; qv list", kept)
        for secret in [VALUE, TYPED, EXTRA, CONCEALED, WRONG]:
            self.assertNotIn(secret, kept)

    def test_values_stay_out_of_the_history_with_an_alias(self):
        history = "HISTFILE=~/.history HISTSIZE=1000 SAVEHIST=1000 HISTFILESIZE=1000"
        terminal = self.terminal(before=[history, "alias q=qv"])
        terminal.run("qv unlock", ("password: ", PASSWORD))
        terminal.run(f"q new text --title Aliased text={VALUE}")
        self.assertEqual(terminal.status(), 0)
        terminal.close()
        wait_for(lambda: not self.world.servers(), "the process exits with its shell")
        with open(self.world.path("home", ".history"), encoding="utf-8", errors="replace") as file:
            kept = file.read()
        self.assertIn("alias q=qv", kept)
        self.assertNotIn(VALUE, kept)

    def test_the_search_for_secrets_finds_one(self):
        with open(self.world.path("tmp", "leak"), "w", encoding="utf-8") as file:
            file.write("x" + VALUE)
        self.assertEqual(self.files_with_secrets(), [(self.world.path("tmp", "leak"), VALUE)])

    def test_the_users_shell_keeps_nothing(self):
        names = "set | grep -aE '^[A-Za-z_][A-Za-z_0-9]*=' | cut -d= -f1 | sort > ~/{}"
        terminal = self.terminal()
        functions = "typeset -F | sort > ~/{}" if self.shell == "bash" else "print -l ${{(ko)functions}} > ~/{}"
        bare = self.terminal()
        bare.run("unset -f _qv_complete")
        terminal.run("qv unlock", ("password: ", PASSWORD))
        terminal.run("qv new text --title A text=" + VALUE)
        terminal.run("qv show A")
        terminal.run(names.format("names"))
        terminal.run(functions.format("functions"))
        shown = terminal.run("set | grep -ac " + VALUE[:-2])
        self.assertIn("0", shown)
        with open(self.world.path("home", "names"), encoding="utf-8") as file:
            mine = {line.strip() for line in file}
        for name in ("secret", "result", "card", "from", "to", "option", "words", "title", "values", "line", "REPLY_"):
            self.assertNotIn(name, mine)
        self.assertIn("_QV_DIRECTORY", mine)
        with open(self.world.path("home", "functions"), encoding="utf-8") as file:
            ours = [line.split()[-1] for line in file if "qv" in line]
        self.assertIn("_qv_start", ours)
        self.assertEqual([name for name in ours if not re.match(r"_?qv(_|$)", name)], [])

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
