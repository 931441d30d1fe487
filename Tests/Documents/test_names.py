"""Everything that sentences and tables name exists: targets, commands, options, methods, files, packages.

A command that none of these tests checks fails `test_every_command_is_checked`.
"""
import functools
import json
import re
import shutil
import subprocess
import unittest

from documents import DOCUMENTS, PROGRAM, QV, ROOT, spans

#: Programs whose commands are checked below, and commands of other programs.
CHECKED = {"make", "swift", "quickvault", "qv", "apt", "apt-get"}
OTHERS = {"vim -es", "wl-copy --sensitive", "ulimit -l", "rclone copy --size-only REMOTE:quickvault ~/Sync/quickvault"}


@functools.cache
def run(*command):
    environment = {"PATH": "/usr/bin:/bin", "HOME": "/nowhere", "LANG": "C.UTF-8", "QUICKVAULT_PROGRAM": str(PROGRAM)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)


def read(pattern):
    return "\n".join(path.read_text() for path in sorted(ROOT.glob(pattern)))


@functools.cache
def error_of_make(target):
    """Why make cannot make a target; an empty text if it can."""
    done = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, timeout=60)
    return done.stderr if done.returncode else ""


def check_build_command(test, line):
    """Checks that the targets, products and tests of a `make` or `swift` command exist."""
    words = line.split()
    if words[0] == "make":
        for target in [word for word in words[1:] if "=" not in word and not word.startswith("-")]:
            test.assertEqual(error_of_make(target), "", line)
    elif "--product" in words:
        products = re.findall(r'\.(?:executable|library)\(name: "([^"]+)"', read("Package.swift"))
        test.assertIn(words[words.index("--product") + 1], products)
    elif "--filter" in words:
        wanted = words[words.index("--filter") + 1]
        found = subprocess.run(["grep", "-rlE", rf"\b(struct|class|enum|func) {wanted}\b", "Tests"], cwd=ROOT, capture_output=True)
        test.assertTrue(found.stdout, f"{line}: no such tests")


@functools.cache
def help_of_shell(command):
    done = run(QV, "help", command) if command else run(QV, "help")
    return done.stdout if done.returncode == 0 else None


def help_of_all_commands():
    names = re.findall(r"^  ([a-z][a-z-]+) {2,}", help_of_shell(""), re.M)
    return "".join([help_of_shell(""), *map(help_of_shell, names)])


class Names(unittest.TestCase):
    def each(self, pattern, look):
        """Calls `look` with each span that matches the pattern at its beginning; there must be one."""
        found = [(document, span) for document in DOCUMENTS for span in spans(document) if re.match(pattern, span)]
        self.assertTrue(found)
        for document, span in found:
            with self.subTest(document=document.relative_to(ROOT), span=span):
                look(document, span)

    def test_every_command_is_checked(self):
        def look(_, span):
            first = span.split()[0]
            self.assertTrue(first in CHECKED or span in OTHERS or not shutil.which(first))
        self.each(r"[a-z][\w-]* [^ ]", look)

    def test_make_and_swift(self):
        self.each(r"(make [a-z]|swift (build|test))", lambda _, span: check_build_command(self, span))

    def test_names_of_emacs(self):
        sources = read("clients/emacs/*.el")

        def look(_, span):
            name = span.removeprefix("M-x ")
            self.assertTrue((ROOT / "Sources" / name).is_dir() or re.search(rf"\(((quickvault--)?def[\w-]+ {name}[ )\n]|{name} \")", sources))
        self.each(r"(M-x )?quickvault-[a-z-]+$|M-x quickvault$", look)

    def test_commands_of_vim(self):
        sources = read("clients/vim/**/*.vim")

        def look(_, span):
            name = re.match(r":(\w+)", span)[1]
            self.assertTrue(re.search(rf"command!.*\b{name}\b", sources))
            for option in re.findall(r"(?<=[\[ ])-[a-z]+", span):
                self.assertTrue(option.removeprefix("-") in sources, option)
        self.each(r":QuickVault", look)
        self.each(r"g:quickvault_\w+$", lambda _, span: self.assertTrue(span.removeprefix("g:") in sources))

    def test_commands_of_the_shell(self):
        def look(_, span):
            for command in re.findall(r"^qv ([a-z][a-z-]+)", span) or [""]:
                told = help_of_shell("" if command == "help" else command)
                self.assertIsNotNone(told, "no such command")
                for option in re.findall(r"(?<= )--[a-z-]+|(?<= )-[a-z]\b", span):
                    self.assertIn(option, told + help_of_shell(""))
        self.each(r"qv( |$)", look)

    def test_options(self):
        told = run(PROGRAM, "--help").stdout + help_of_all_commands()
        self.each(r"--[a-z-]+", lambda _, span: self.assertTrue(re.match(r"--[a-z-]+", span)[0] in told))

    def test_commands_of_the_program(self):
        told = run(PROGRAM, "--help").stdout

        def look(_, span):
            for word in re.findall(r"(?<= )(--?[a-z]+|[a-z]+)\b", span):
                self.assertIn(word, told)
        self.each(r"quickvault [^ ]", look)

    def test_packages_of_debian(self):
        def look(_, span):
            for name in span.split()[2:]:
                known = (ROOT / "packaging/debian" / name).exists() or run("apt-cache", "show", name).returncode == 0
                self.assertTrue(known, name)
        self.each(r"apt(-get)? install ", look)

    def test_methods_and_files(self):
        methods = {method["name"] for method in json.loads((ROOT / "protocol/openrpc.json").read_text())["methods"]}
        others = "".join(
            read(f"Sources/{files}.swift") for files in ("HelperProtocols/*/*", "Service/LanguageServer/*"))

        def look(document, span):
            places = [ROOT / span, document.parent / span, ROOT / "Sources" / span]
            self.assertTrue(span in methods or f'"{span}"' in others or any(place.exists() for place in places))
        self.each(r"(?!(image|application)/)[\w-]+/[\w./-]+$", look)


if __name__ == "__main__":
    unittest.main()
