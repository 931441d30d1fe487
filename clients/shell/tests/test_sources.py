"""Checks of the sources: shellcheck, syntax, the same messages in both languages, no temporary files."""

import os
import re
import subprocess
import unittest

from world import CLIENT


def sources():
    for name in ["qv", "quickvault.bash", "session.bash", "session.zsh"]:
        yield os.path.join(CLIENT, name)
    for name in sorted(os.listdir(os.path.join(CLIENT, "lib"))):
        yield os.path.join(CLIENT, "lib", name)


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Sources(unittest.TestCase):
    def succeeds(self, *words):
        done = subprocess.run(words, cwd=CLIENT, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))

    def test_shellcheck(self):
        self.succeeds("shellcheck", "-x", "-a", "qv")
        self.succeeds("shellcheck", "-x", "-a", "quickvault.bash")
        self.succeeds("shellcheck", "lib/messages.en.bash", "lib/messages.zh.bash", "tests/run")

    def test_syntax(self):
        for path in sources():
            if path.endswith(".bash") or path.endswith("/qv"):
                self.succeeds("bash", "-n", path)
        self.succeeds("zsh", "-n", "quickvault.bash")
        self.succeeds("zsh", "-n", "session.zsh")

    def test_both_languages_have_the_same_messages(self):
        def messages(language):
            pairs = re.findall(r"^  \[([\w-]+)\]='(.*)'$", text_of(f"{CLIENT}/lib/messages.{language}.bash"), re.M)
            return {name: sorted(re.findall(r"%s", text)) for name, text in pairs}

        english = messages("en")
        self.assertGreater(len(english), 80)
        self.assertEqual(english, messages("zh"))
        sections = [re.findall(r"^== (.*)$", text_of(f"{CLIENT}/lib/help.{language}.txt"), re.M)
                    for language in ("en", "zh")]
        self.assertEqual(sections[0], sections[1])

    def test_every_message_is_used_and_every_used_message_exists(self):
        defined = set(re.findall(r"^  \[([\w-]+)\]=", text_of(f"{CLIENT}/lib/messages.en.bash"), re.M))
        text = "\n".join(text_of(path) for path in sources()
                         if "/messages." not in path and "/help." not in path and not path.endswith(".jq"))
        used = set(re.findall(r"(?:report|message_text|usage_error|fail \"\$\w+\"|(?:read|request_with)_password \S+|unlock_with_password) \"?(\w+)", text))
        prefixes = ("lockedBy_", "status_", "about_")
        self.assertEqual({name for name in used if name not in defined and not name.endswith("_")}, set())
        self.assertEqual({name for name in defined if name not in used and not name.startswith(prefixes)}, set())

    def test_every_command_has_a_help_and_a_function(self):
        table = re.search(r"command_options=\((.*?)\n\)", text_of(f"{CLIENT}/lib/options.bash"), re.S)[1]
        commands = set(re.findall(r"\[([\w-]+)\]", table)) - {"complete"}
        help_sections = set(re.findall(r"^== (.*)$", text_of(f"{CLIENT}/lib/help.en.txt"), re.M)) - {"qv"}
        self.assertEqual(commands, help_sections)
        text = "\n".join(text_of(path) for path in sources() if path.endswith(".bash"))
        for command in commands:
            self.assertRegex(text, rf"\bcommand_{command.replace('-', '_')}\(\)")

    def test_here_documents_and_strings_are_not_used(self):
        # bash before 5.1 writes them to temporary files.
        for path in sources():
            if path.endswith((".bash", ".zsh", "/qv")):
                self.assertNotRegex(text_of(path), r"<<[<'\"A-Z-]", path)
