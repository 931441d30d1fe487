"""Every code block of a document works as it is.

Blocks marked `sh` run in bash, in a copy of the repository with a home directory of its own and the program on the
search path. `make` and `swift` do not run there, because they run these tests: their targets must exist.
"""
import json
import pathlib
import re
import sqlite3
import subprocess
import tempfile
import tomllib
import unittest

from documents import DOCUMENTS, PROGRAM, QV, ROOT, blocks, links
from test_names import check_build_command

import check
import temporary
from openrpc_document import Document, violations

# Those in Lua are run by Tests/EditorTests.
LANGUAGES = {"", "sh", "elisp", "sql", "conversation", "lua", "json", "toml"}


class Place:
    """A copy of the repository and a home directory for the blocks of one document."""

    def __init__(self, test):
        self.place = pathlib.Path(tempfile.mkdtemp())
        test.addCleanup(temporary.remove, self.place)
        self.tree, home, programs = self.place / "quickvault", self.place / "home", self.place / "bin"
        home.mkdir()
        programs.mkdir()
        subprocess.run(["cp", "-R", ROOT, self.tree], check=True, timeout=120)
        for program in (PROGRAM, QV):
            (programs / program.name).symlink_to(program)
        self.asked = self.place / "asked"
        self.asked.touch()
        for name in ["make", "swift"]:
            (programs / name).write_text(f"#!/bin/sh\nprintf '%s\\n' \"{name} $*\" >>{self.asked}\n")
            (programs / name).chmod(0o755)
        self.environment = {
            "HOME": str(home), "PATH": f"{programs}:/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "dumb",
            "QUICKVAULT_PROGRAM": str(PROGRAM)}

    def run(self, *command):
        return subprocess.run(command, cwd=self.tree, env=self.environment, text=True, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=120)


    def shell(self, script):
        return self.run("bash", "-euo", "pipefail", "-c", script.replace("/path/to/quickvault", str(self.tree)))


class Blocks(unittest.TestCase):
    maxDiff = None

    def run_blocks(self, document):
        """Runs the blocks of a document one after the other, in a place that is returned."""
        place = Place(self)
        for block in blocks(document, "sh"):
            with self.subTest(document=document.name, block=block):
                done = place.shell(block)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertNotIn('"error"', done.stdout)
        for line in place.asked.read_text().splitlines():
            with self.subTest(document=document.name, line=line):
                check_build_command(self, line)
        return place

    def test_every_kind_of_block_is_known(self):
        for document in DOCUMENTS:
            marks = re.findall(r"^```(\S*)\n.*?^```", document.read_text(), flags=re.M | re.S)
            self.assertLessEqual(set(marks), LANGUAGES, document.name)

    def test_configuration_is_well_formed(self):
        for document in DOCUMENTS:
            for block in blocks(document, "json"):
                json.loads(block)
            for block in blocks(document, "toml"):
                tomllib.loads(block)

    def test_shell_commands_run(self):
        # Translated comments make no other commands. Those of the README run below.
        done = {self.commands(ROOT / "README.md")}
        for document in DOCUMENTS:
            commands = self.commands(document)
            if commands and commands not in done:
                done.add(commands)
                self.run_blocks(document)
        self.assertGreater(sum(map(len, done)), 8)

    @staticmethod
    def commands(document):
        return tuple(re.sub(r" +# .*", "", block) for block in blocks(document, "sh"))

    def test_the_installation_in_the_readme_works(self):
        place = self.run_blocks(ROOT / "README.md")
        emacs = place.run("emacs", "--batch", "-l", "package", "-f", "package-initialize", "--eval",
                          "(princ (mapcar #'commandp '(quickvault quickvault-copy quickvault-demo quickvault-import)))")
        self.assertEqual(emacs.stdout, "(t t t t)", emacs.stderr)
        home = pathlib.Path(place.environment["HOME"])
        place.run("vim", "-N", "-es", "-c", "packloadall", "-c", "help quickvault", "-c",
                  "call writefile([expand('%:t'), exists(':QuickVault')], $HOME . '/seen')", "-c", "qall!")
        self.assertEqual((home / "seen").read_text().split(), ["quickvault.txt", "2"])

    def test_lisp_is_evaluated(self):
        place, count = Place(self), 0
        sources = "".join(path.read_text() for path in (ROOT / "clients/emacs").glob("*.el"))
        for document in DOCUMENTS:
            for block in blocks(document, "elisp"):
                with self.subTest(document=document.name, block=block):
                    done = place.run("emacs", "--batch", "-L", "clients/emacs", "-l", "quickvault", "--eval",
                                     f"(progn {block})")
                    self.assertEqual(done.returncode, 0, done.stderr)
                    for name in re.findall(r"#'([a-z-]+)", block):
                        self.assertIn(f"(defun {name} ", sources)
                    count += 1
        self.assertGreater(count, 0)

    def test_the_schema_of_the_format(self):
        statements, = blocks(ROOT / "protocol/VAULT-FORMAT.md", "sql")
        told = sqlite3.connect(":memory:")
        told.executescript(statements)
        with tempfile.TemporaryDirectory() as place:
            request = {"jsonrpc": "2.0", "id": 1, "method": "vault/create", "params": {
                "password": "correct horse battery", "kdf": {"algorithm": "pbkdf2-hmac-sha256", "iterations": 100_000}}}
            subprocess.run([PROGRAM, "--vault", f"{place}/vault"], input=json.dumps(request) + "\n", text=True, check=True,
                           capture_output=True, timeout=60)
            made = sqlite3.connect(f"{place}/vault")
            self.assertEqual(schema(told), schema(made))
            made.close()


def schema(database):
    """Returns the statements of tables and indexes, with comments removed and white space normalised."""
    found = database.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name").fetchall()
    return {name: re.sub(r"[\s\"]+", " ", re.sub(r"--.*", "", text)).replace("( ", "(").replace(" )", ")")
            for name, text in found}


def unwrapped(text):
    """The lines of a block; an indented line continues the one before it."""
    return re.sub(r"\n +", "", text).splitlines()


#: Values that differ from run to run: ids, times and the vault's path.
VARYING = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z|/.*\.quickvault")


class Conversation:
    """A running program that repeats what a document shows."""

    def __init__(self, test):
        place = tempfile.mkdtemp()
        test.addCleanup(temporary.remove, place)
        # No desktop, so that the answers are the same on every machine.
        self.process = subprocess.Popen(
            [PROGRAM, "--vault", f"{place}/vault.quickvault"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={"HOME": place, "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin",
                 "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"})
        test.addCleanup(self.end)
        self.shown, self.actual = {}, {}

    def send(self, message):
        text = json.dumps(message, ensure_ascii=False)
        for shown, actual in self.actual.items():
            text = text.replace(shown, actual)
        print(text, file=self.process.stdin, flush=True)

    def receive(self, expected):
        """The next message, with varying values as the document shows them."""
        return self.substitute(json.loads(self.process.stdout.readline()), expected)

    def substitute(self, actual, shown):
        if isinstance(actual, dict) and isinstance(shown, dict):
            return {key: self.substitute(value, shown.get(key)) for key, value in actual.items()}
        if isinstance(actual, list) and isinstance(shown, list) and len(actual) == len(shown):
            return [self.substitute(*pair) for pair in zip(actual, shown)]
        if all(isinstance(text, str) and VARYING.fullmatch(text) for text in (actual, shown)):
            self.actual.setdefault(self.shown.setdefault(actual, shown), actual)
            return self.shown[actual]
        return actual

    def end(self):
        self.process.communicate(timeout=60)


class Messages(unittest.TestCase):
    """The messages in documents agree with the reference and with the program."""

    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.document = Document.read(ROOT / "protocol/openrpc.json")

    def test_conversations(self):
        count = 0
        for document in DOCUMENTS:
            conversation = Conversation(self) if blocks(document, "conversation") else None
            waiting = {}
            for line in unwrapped("".join(blocks(document, "conversation"))):
                arrow, message = line[0], json.loads(line[1:])
                with self.subTest(document=document.name, line=line):
                    if arrow == "→":
                        waiting[message["id"]] = message
                        conversation.send(message)
                        continue
                    self.assertEqual(arrow, "←")
                    self.assertEqual(conversation.receive(message), message)
                    if "id" in message:
                        self.assertEqual(check.check_exchange(
                            self.document, waiting.pop(message["id"]), message, False), [])
                    else:
                        self.assertEqual(check.check_notification(self.document, message, False), [])
                count += 1
            self.assertEqual(waiting, {}, "not answered")
        self.assertGreater(count, 10)

    def test_single_messages(self):
        count = 0
        for document in DOCUMENTS:
            for line in unwrapped("".join(blocks(document, "") + blocks(document, "sh"))):
                line = re.sub(r"^[\s']+|['\s\\|]+$", "", line)
                if not line.startswith('{"jsonrpc"'):
                    continue
                message = json.loads(line)
                with self.subTest(document=document.name, line=line):
                    validator = self.document.parameter_validators.get(message["method"])
                    self.assertIsNotNone(validator)
                    self.assertEqual(list(violations(validator, message.get("params", {}), "params")), [])
                count += 1
        self.assertGreater(count, 10)


class Guide(unittest.TestCase):
    """The guide for clients keeps its promise and names every kind of error and notification that exists."""

    def setUp(self):
        self.guide = ROOT / "protocol/README.md"
        self.reference = json.loads((ROOT / "protocol/openrpc.json").read_text())

    def test_it_takes_ten_minutes(self):
        self.assertLessEqual(len(self.guide.read_bytes()), 8 * 1024)

    def test_lines_are_short(self):
        topics = [link for link in links(self.guide) if re.fullmatch(r"[A-Z-]+\.md", link)]
        self.assertGreater(len(topics), 8)
        for page in [self.guide, *(self.guide.parent / topic for topic in set(topics) - {"SECURITY.md"})]:
            for line in page.read_text().splitlines():
                with self.subTest(page=page.name, line=line):
                    self.assertLessEqual(len(line), 120)

    def test_kinds_of_errors(self):
        kinds = {error["data"]["kind"] for error in self.reference["components"]["errors"].values()}
        table = self.guide.read_text().partition("## Errors")[2].partition("\n## ")[0]
        told = [kind for row in re.findall(r"^\|([^|]*)\|", table, re.M) for kind in re.findall(r"`([^`]+)`", row)]
        self.assertGreater(len(told), 15)
        for kind in told:
            pattern = re.escape(kind).replace(r"\*", ".*")
            self.assertTrue(any(re.fullmatch(pattern, known) for known in kinds), kind)

    def test_notifications(self):
        sent = {method["name"] for method in self.reference["methods"] if method.get("x-direction") == "serverToClient"}
        table = self.guide.read_text().partition("## Notifications")[2].partition("\n## ")[0]
        self.assertEqual(set(re.findall(r"^\| `([^`]+)` \|", table, re.M)), sent)


if __name__ == "__main__":
    unittest.main()
