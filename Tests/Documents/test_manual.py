"""Manual pages and completions agree with `quickvault --help` and with the commands of qv."""

import re
import subprocess
import unittest

from documents import PROGRAM, QV, ROOT

PACKAGING = ROOT / "packaging"


def completed(script, function, *words):
    """Returns what a bash completion offers."""
    source = """compopt() { :; }; . "$1"; function=$2; shift 2; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        COMP_LINE=$* COMP_POINT=${#COMP_LINE}; "$function"
        printf '%s\\n' "${COMPREPLY[@]}" """
    done = subprocess.run(
        ["bash", "-c", source, "bash", script, function, *words], check=True, capture_output=True, text=True, timeout=60,
        env={"PATH": f"{PROGRAM.parent}:/usr/bin:/bin", "LANG": "C.UTF-8", "QUICKVAULT_PROGRAM": str(PROGRAM)})
    return set(done.stdout.split())


class Manual(unittest.TestCase):
    def help(self, language):
        return subprocess.run([PROGRAM, "--help"], check=True, capture_output=True, text=True, timeout=60,
                              env={"PATH": "/usr/bin:/bin", "LC_ALL": language}).stdout

    def setUp(self):
        self.told = self.help("C.UTF-8")
        self.options = set(re.findall(r"--[a-z]+", self.told))
        self.commands = set(re.findall(r"^       quickvault ([a-z]+)", self.told, re.M))
        self.assertGreaterEqual(self.options, {"--vault", "--helpers", "--json"})
        self.assertGreaterEqual(self.commands, {"demo", "doctor"})

    def test_the_help_in_chinese_tells_the_same(self):
        told = self.help("zh_CN.UTF-8")
        self.assertIn("用法：", told)
        self.assertEqual(set(re.findall(r"--[a-z]+|-[a-zA-Z]\b|\$[A-Z_]+", told)),
                         set(re.findall(r"--[a-z]+|-[a-zA-Z]\b|\$[A-Z_]+", self.told)))
        self.assertEqual(set(re.findall(r"^ {6}quickvault ([a-z]+)", told, re.M)), self.commands)

    def test_the_manual_page(self):
        shown = subprocess.run(["man", "-l", PACKAGING / "man/quickvault.1"], check=True, capture_output=True, text=True,
                               timeout=60, env={"PATH": "/usr/bin:/bin", "MANWIDTH": "100", "LC_ALL": "C.UTF-8",
                                                "MANROFFOPT": "-ww"})
        self.assertEqual(shown.stderr, "")
        self.assertEqual(self.options - set(re.findall(r"--[a-z]+", shown.stdout)), set())
        # The synopsis has each command line of the help.
        usage = re.findall(r"quickvault[^\n]*", self.told.split("Usage: ")[1].split("\n\n")[0])
        for line in usage:
            words = set(re.findall(r"--[a-z]+|\bserve\b|\bdemo\b|\bdoctor\b", line))
            synopsis = shown.stdout.split("SYNOPSIS")[1].split("DESCRIPTION")[0]
            self.assertTrue(any(words <= set(re.findall(r"--[a-z]+|\w+", part)) for part in synopsis.split("\n")), line)

    def test_completion_in_bash(self):
        offered = completed(PACKAGING / "completions/quickvault.bash", "_quickvault", "quickvault", "")
        of_commands = {"--json", "--report", "--socket", "--background", "--root"}
        self.assertEqual(offered, self.options - of_commands | self.commands)
        self.assertEqual(completed(PACKAGING / "completions/quickvault.bash", "_quickvault", "quickvault", "serve", "--s"), {"--socket"})
        self.assertEqual(completed(PACKAGING / "completions/quickvault.bash", "_quickvault", "quickvault", "doctor", "--j"), {"--json"})
        self.assertEqual(completed(PACKAGING / "completions/quickvault.bash", "_quickvault", "quickvault", "doctor", "--r"), {"--report"})

    def test_completion_in_zsh(self):
        script = (PACKAGING / "completions/_quickvault").read_text()
        self.assertEqual(self.options - set(re.findall(r"--[a-z]+", script)), set())
        self.assertEqual(self.commands - set(re.findall(r"\b(\w+)\\:", script)), set())
        subprocess.run(["zsh", "-n", PACKAGING / "completions/_quickvault"], check=True, timeout=60)

    def commands_of_qv(self):
        told = subprocess.run([QV, "help"], check=True, capture_output=True, text=True, timeout=60,
                              env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}).stdout
        commands = set(re.findall(r"^  ([a-z][a-z-]+) {2,}", told, re.M))
        self.assertGreaterEqual(commands, {"list", "sync", "rekey"})
        return commands

    def test_completion_of_qv(self):
        def offered(*words):
            return completed(ROOT / "clients/shell/qv.bash", "_qv_complete", "qv", *words)

        commands = self.commands_of_qv()
        self.assertEqual(offered(""), commands)
        for name in commands:
            self.assertGreaterEqual(offered(name, "-"), {"--help", "--vault", "--alone"}, name)
        for line, wanted in [("devices ", {"revoke"}), ("fingerprint ", {"on", "off", "status"}),
                             ("export --format m", {"markdown"}), ("new i", {"invoice"})]:
            self.assertEqual(offered(*line.split(" ")), wanted)

    def test_the_manual_page_of_qv(self):
        shown = subprocess.run(["man", "-l", PACKAGING / "man/qv.1"], check=True, capture_output=True, text=True, timeout=60,
                               env={"PATH": "/usr/bin:/bin", "MANWIDTH": "100", "LC_ALL": "C.UTF-8", "MANROFFOPT": "-ww"})
        self.assertEqual(shown.stderr, "")
        listed = shown.stdout.split("COMMANDS")[1].split("OPTIONS")[0]
        self.assertEqual(set(re.findall(r"^ {3}([a-z][a-z-]+)$", listed, re.M)), self.commands_of_qv())


if __name__ == "__main__":
    unittest.main()
