#!/usr/bin/python3
"""Runs the independent reader over the testkit, and checks that its files are those that its generator makes.

Run with `/usr/bin/python3 -m unittest` in this directory.
"""
import base64
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import read_sync
import read_vault

TESTKIT = pathlib.Path(__file__).resolve().parent / "testkit"
FILES = TESTKIT / "files"


class TestkitTests(unittest.TestCase):
    """The reader finds what each scenario says."""

    def test_the_reader(self):
        scenarios = sorted(FILES.glob("*.json"))
        self.assertGreater(len(scenarios), 150)
        for description in scenarios:
            with self.subTest(description.stem), tempfile.TemporaryDirectory() as directory:
                for path in FILES.glob(description.stem + ".quickvault*.gz"):
                    (pathlib.Path(directory) / path.stem).write_bytes(gzip.decompress(path.read_bytes()))
                said = json.loads(description.read_text(encoding="utf-8"))
                self.check(said, pathlib.Path(directory) / (description.stem + ".quickvault"))

    def check(self, said, path):
        """Checks what the reader finds in a vault."""
        before = {path.name: path.read_bytes() for path in path.parent.iterdir()}
        try:
            vault = read_vault.examine(path, said["password"])
        except read_vault.VaultError as error:
            self.assertEqual(error.kind.replace(" ", "-"), said["outcome"], error)
        else:
            self.assertEqual("damaged" if vault.errors else "intact", said["outcome"], vault.errors)
            if "cards" in said:
                self.assertEqual([read_vault.with_times(card) for card in vault.cards], said["cards"])
                self.assertEqual(vault.settings, said["settings"])
            if "damaged" in said:
                self.assertEqual(sorted(vault.damaged), said["damaged"], vault.errors)
            if "renditions" in said:
                found = [{**one, "picture": base64.b64encode(one["picture"]).decode()} for one in vault.renditions]
                self.assertEqual(found, said["renditions"])
        self.assertEqual({path.name: path.read_bytes() for path in path.parent.iterdir()}, before)

    def test_the_reader_of_folders(self):
        scenarios = sorted((TESTKIT / "folders").glob("*.json"))
        self.assertGreater(len(scenarios), 20)
        for description in scenarios:
            with self.subTest(description.stem), tempfile.TemporaryDirectory() as directory:
                said = json.loads(description.read_text(encoding="utf-8"))
                for name, content in said["files"].items():
                    path = pathlib.Path(directory) / name
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(base64.b64decode(content))
                self.check_folder(said, pathlib.Path(directory))

    def check_folder(self, said, directory):
        """Checks what the reader finds in a synchronised folder."""
        try:
            cards, missing, problems = read_sync.read_folder(directory, said["password"])
        except read_vault.VaultError as error:
            self.assertEqual(error.kind.replace(" ", "-"), said["outcome"], error)
            return
        self.assertEqual("read", said["outcome"])
        self.assertEqual([dict(zip(("replica", "kind", "segment"), problem)) for problem in problems],
                         sorted(said["problems"], key=lambda problem: problem["replica"]))
        self.assertEqual(bool(missing), any(problem["kind"] == "contentMissing" for problem in said["problems"]))
        found = [{"id": card["id"], "title": card["title"],
                  "attachments": [one["name"] for one in card.get("attachments", [])]}
                 for card in cards if not {one["id"] for one in card.get("attachments", [])} & set(missing)]
        self.assertEqual(sorted(found, key=lambda card: card["id"]), said["cards"])

    def test_the_generator(self):
        done = subprocess.run([sys.executable, "-B", TESTKIT / "make.py", "--check"], capture_output=True, timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stderr.decode())


if __name__ == "__main__":
    unittest.main()
