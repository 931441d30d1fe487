"""The changelog has the form of Keep a Changelog, and its newest version is that of everything that has one."""

import datetime
import re
import subprocess
import unittest

from documents import PROGRAM, ROOT

KINDS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


class Changelog(unittest.TestCase):
    def setUp(self):
        self.text = (ROOT / "CHANGELOG.md").read_text()
        printed = subprocess.run([PROGRAM, "--version"], check=True, capture_output=True, text=True, timeout=60).stdout
        self.version = re.fullmatch(r"quickvault (\d+\.\d+\.\d+)\n", printed)[1]

    def test_sections(self):
        titles = re.findall(r"^## (.*)", self.text, flags=re.M)
        unreleased = titles[0] == "[Unreleased]"
        released = [re.fullmatch(r"\[(\d+)\.(\d+)\.(\d+)\] - (\S+)", title) for title in titles[unreleased:]]
        self.assertTrue(all(released), titles)
        versions = [tuple(map(int, match.groups()[:3])) for match in released]
        dates = [datetime.date.fromisoformat(match[4]) for match in released]
        self.assertEqual((versions, dates), (sorted(set(versions), reverse=True), sorted(dates, reverse=True)))
        self.assertLessEqual(set(re.findall(r"^### (.*)", self.text, flags=re.M)), KINDS)
        newest = re.search(r"released as (\S+)\.\n", self.text)[1] if unreleased else ".".join(map(str, versions[0]))
        self.assertEqual(newest, self.version)

    def test_every_part_has_the_same_version(self):
        for path, pattern in [
                ("clients/emacs/quickvault.el", r"^;; Version: (\S+)$"), 
                ("Sources/qv/*.swift", r'static let version = "(\S+)"'),
                ("Sources/quickvault-desktop/*.swift", r'"version": "(\S+)"'),
                ("Sources/quickvault-carrier/*.swift", r'static let version = "(\S+)"')]:
            with self.subTest(path=path):
                text = "".join(file.read_text() for file in ROOT.glob(path))
                self.assertEqual(re.findall(pattern, text, flags=re.M), [self.version])


if __name__ == "__main__":
    unittest.main()
