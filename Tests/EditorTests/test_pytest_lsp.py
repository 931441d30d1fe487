"""Runs the tests with pytest-lsp, in the Python environment that `run` makes for it."""

import os
import pathlib
import subprocess
import unittest

from language_client import DEADLINE
from suite import more


@more
class PytestLSP(unittest.TestCase):
    def test_all_recorded_editors(self):
        done = subprocess.run(
            [os.environ["PYTEST"], "-q", "-p", "no:cacheprovider", "-o", "asyncio_mode=auto",
             "-o", "asyncio_default_fixture_loop_scope=function", "PytestLSP"],
            cwd=pathlib.Path(__file__).parent, capture_output=True, text=True, timeout=10 * DEADLINE)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
