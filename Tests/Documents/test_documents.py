"""Every command that a document shows runs, everything that it names exists, and every link leads somewhere.

Blocks marked `sh` are run by bash in a copy of the repository, with a home of their own and the program on the search path.
`make` and `swift` are not run there, since the tests themselves are run by them: what they are asked for must exist.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ["QUICKVAULT_PROGRAM"])
DOCUMENTS = sorted(
    ROOT / name for name in subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "*.md"], cwd=ROOT, check=True, capture_output=True,
        text=True).stdout.split() if (ROOT / name).exists())


def blocks(document):
    """The blocks of a document that are marked as shell."""
    return re.findall(r"^```sh\n(.*?)^```", document.read_text(), flags=re.M | re.S)


def spans(document):
    """The pieces of code within sentences."""
    text = re.sub(r"^```.*?^```", "", document.read_text(), flags=re.M | re.S)
    return re.findall(r"`([^`\n]+)`", text)


class Blocks(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.place = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.place)
        self.home = self.place / "home"
        programs = self.place / "bin"
        tree = self.place / "quickvault"
        self.home.mkdir()
        programs.mkdir()
        shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(".build", ".git"))
        (programs / "quickvault").symlink_to(PROGRAM)
        for name in ["make", "swift"]:
            (programs / name).write_text(f"#!/bin/sh\nprintf '%s\\n' \"{name} $*\" >>{self.place}/asked\n")
            (programs / name).chmod(0o755)
        self.environment = {
            "HOME": str(self.home), "PATH": f"{programs}:/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "dumb",
            "QUICKVAULT_PROGRAM": str(PROGRAM)}
        self.tree = tree

    def test_every_block_runs(self):
        count = 0
        for document in DOCUMENTS:
            for block in blocks(document):
                with self.subTest(document=document.name, block=block):
                    script = block.replace("/path/to/quickvault", str(self.tree)).replace("/path/to", str(self.place))
                    done = subprocess.run(
                        ["bash", "-euo", "pipefail", "-c", script], cwd=self.tree, env=self.environment, text=True,
                        stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                    self.assertNotIn('"error"', done.stdout)
                    count += 1
        self.assertGreater(count, 5)
        for line in (self.place / "asked").read_text().splitlines():
            with self.subTest(line=line):
                check_build_command(self, line)


def check_build_command(test, line):
    """What `make` and `swift` are asked for exists."""
    words = line.split()
    if words[0] == "make":
        for target in [word for word in words[1:] if "=" not in word and not word.startswith("-")]:
            done = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, timeout=60)
            test.assertEqual(done.returncode, 0, f"{line}: {done.stderr}")
    elif "--product" in words:
        described = subprocess.run(["swift", "package", "dump-package"], cwd=ROOT, check=True, capture_output=True, timeout=60)
        products = {product["name"] for product in json.loads(described.stdout)["products"]}
        test.assertIn(words[words.index("--product") + 1], products)
    elif "--filter" in words:
        wanted = words[words.index("--filter") + 1]
        found = subprocess.run(["grep", "-rlE", rf"\b(struct|class|enum|func) {wanted}\b", "Tests"], cwd=ROOT, capture_output=True)
        test.assertTrue(found.stdout, f"{line}: no such tests")


class Names(unittest.TestCase):
    """What sentences and tables name in passing."""

    def test_make_and_swift(self):
        for document in DOCUMENTS:
            for span in spans(document):
                if re.match(r"(make [a-z]|swift (build|test))", span):
                    with self.subTest(document=document.name, span=span):
                        check_build_command(self, span)

    def test_commands_of_emacs(self):
        sources = "\n".join(path.read_text() for path in (ROOT / "clients/emacs").glob("*.el"))
        for document in DOCUMENTS:
            for name in re.findall(r"M-x (quickvault[a-z-]*)", document.read_text()):
                with self.subTest(document=document.name, name=name):
                    self.assertRegex(sources, rf"\(defun {name} \(")

    def test_commands_of_vim(self):
        plugin = (ROOT / "clients/vim/plugin/quickvault.vim").read_text()
        syntax = "\n".join(path.read_text() for path in (ROOT / "clients/vim").rglob("*.vim"))
        for document in DOCUMENTS:
            for name in re.findall(r":(QuickVault[A-Za-z]*)", document.read_text()):
                with self.subTest(document=document.name, name=name):
                    self.assertTrue(re.search(rf"\b{name}\b", plugin) or re.search(rf"command!.*\b{name}\b", syntax))

    def test_commands_of_the_shell(self):
        environment = {"PATH": "/usr/bin:/bin", "HOME": "/nowhere", "LANG": "C.UTF-8", "QUICKVAULT_PROGRAM": str(PROGRAM)}
        for document in DOCUMENTS:
            names = {word for span in spans(document) for word in re.findall(r"^qv ([a-z][a-z-]+)", span)}
            for name in sorted(names - {"help"}):
                with self.subTest(document=document.name, name=name):
                    done = subprocess.run(
                        [ROOT / "clients/shell/qv", "help", name], env=environment, capture_output=True, text=True,
                        stdin=subprocess.DEVNULL, timeout=30)
                    self.assertEqual(done.returncode, 0, done.stderr)

    def test_options_of_the_program(self):
        told = subprocess.run([PROGRAM, "--help"], check=True, capture_output=True, text=True, timeout=30).stdout
        for document in DOCUMENTS:
            for span in spans(document):
                if span.startswith("quickvault ") and not span.startswith("quickvault -h"):
                    for word in re.findall(r"(?<= )(--?[a-z]+|demo|doctor)\b", span):
                        with self.subTest(document=document.name, span=span):
                            self.assertIn(word, told)

    def test_packages_of_debian(self):
        for document in DOCUMENTS:
            for line in re.findall(r"apt(?:-get)? install ([a-z0-9 +.-]+)", document.read_text()):
                for name in line.split():
                    with self.subTest(document=document.name, package=name):
                        known = subprocess.run(["apt-cache", "show", name], capture_output=True, timeout=60)
                        self.assertEqual(known.returncode, 0)


class Links(unittest.TestCase):
    def test_links_lead_somewhere(self):
        count = 0
        for document in DOCUMENTS:
            for target in re.findall(r"\]\(([^)\s]+)\)", document.read_text()):
                if target.startswith(("http:", "https:")):
                    continue
                path, _, anchor = target.partition("#")
                with self.subTest(document=document.name, link=target):
                    found = (document.parent / path) if path else document
                    self.assertTrue(found.exists())
                    if anchor:
                        titles = re.findall(r"^#+ (.*)", found.read_text(), flags=re.M)
                        slugs = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
                        self.assertIn(anchor, slugs)
                count += 1
        self.assertGreater(count, 10)


if __name__ == "__main__":
    unittest.main()
