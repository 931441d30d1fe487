"""Runs the tests and prints how many passed."""

import signal
import sys
import unittest


def main():
    # What runs the tests in the background, or without a terminal, ignores these; a shell cannot trap what it was
    # given to ignore.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    loader = unittest.TestLoader()
    names = sys.argv[1:]
    tests = loader.loadTestsFromNames(names) if names else loader.discover(".", "test_*.py")
    result = unittest.TextTestRunner(verbosity=2, stream=sys.stdout).run(tests)
    failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses) + len(result.skipped)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(0 if failed == 0 and result.testsRun > 0 else 1)


main()
