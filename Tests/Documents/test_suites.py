"""The runner of the Python suites selects what its arguments say, and says what failed."""

import pathlib
import subprocess
import tempfile
import unittest

from documents import ROOT

SUITE = '''
import unittest
from suite import more

class Shared(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kept = []

    def test_one(self):
        self.kept.append(1)

    def test_two(self):
        self.assertEqual(self.kept, [1])

    @more
    def test_long(self):
        pass

@more
class Long(unittest.TestCase):
    def test_parts(self):
        for number in range(3):
            with self.subTest(number):
                self.assertNotEqual(number, 1, "line\\n" * 1000)
'''


class Suites(unittest.TestCase):
    def setUp(self):
        self.place = self.enterContext(tempfile.TemporaryDirectory())
        (pathlib.Path(self.place) / "test_sample.py").write_text(SUITE)

    def run_suite(self, *arguments):
        """The exit status, the names of the tests that ran, and all that was printed."""
        done = subprocess.run(["/usr/bin/python3", ROOT / "Tests/suite.py", "--times", *arguments], cwd=self.place,
                              capture_output=True, text=True, timeout=60)
        ran = {line.split(".")[-1] for line in done.stdout.splitlines() if " s  test_sample." in line}
        return done.returncode, ran, done.stdout + done.stderr

    def test_two_parts_are_all_and_repeat_nothing(self):
        quick, more = self.run_suite("--quick")[:2], self.run_suite("--more")[:2]
        self.assertEqual(quick, (0, {"test_one", "test_two"}))
        self.assertEqual(more, (1, {"test_long", "test_parts"}))
        self.assertEqual(self.run_suite()[:2], (1, quick[1] | more[1]))

    def test_parts_of_names_select(self):
        for names, ran in [(["Shared.test_t"], {"test_two"}), (["_one", "_tw"], {"test_one", "test_two"}),
                           (["test_sample"], {"test_one", "test_two", "test_long", "test_parts"})]:
            self.assertEqual(self.run_suite(*names)[1], ran)
        status, ran, printed = self.run_suite("test_one", "nothing")
        self.assertEqual((status, ran), (1, set()))
        self.assertIn("'nothing'", printed)

    def test_a_failure_fits_a_screen(self):
        status, _, printed = self.run_suite("test_parts")
        self.assertEqual(status, 1)
        self.assertLess(len(printed.splitlines()), 40)
        self.assertIn("1 failed", printed)
        self.assertIn("run test_sample.Long.test_parts\n", printed)

    def test_a_class_that_cannot_be_prepared_fails(self):
        path = pathlib.Path(self.place) / "test_sample.py"
        path.write_text(SUITE.replace("cls.kept = []", "raise OSError"))
        status, _, printed = self.run_suite("Shared")
        self.assertEqual(status, 1)
        self.assertIn("run test_sample.Shared\n", printed)

    def test_a_module_that_cannot_be_loaded_fails(self):
        (pathlib.Path(self.place) / "test_broken.py").write_text("import nothing_of_this_name\n")
        for arguments in ([], ["--quick"], ["--more"], ["test_broken"]):
            self.assertEqual(self.run_suite(*arguments)[0], 1, arguments)
