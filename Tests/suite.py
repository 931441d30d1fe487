"""Runs the tests of the working directory, or those whose names contain one of the arguments: a module, a class, a test or a
part of such a name. An argument that matches nothing is an error.

--quick leaves out the tests that are marked with `more`; --more runs only those. --jobs is how many run side by side (one more
than there are processors, because most of them wait); --times lists the seconds of each test.
"""

import argparse
import concurrent.futures
import multiprocessing
import os
import pathlib
import signal
import sys
import time
import unittest

# How much of a failure is printed
LINES, COLUMNS = 30, 400


def more(test):
    """Marks a test or a test case that takes long and rarely finds anything: `make test-more` runs it."""
    test.is_more = True
    return test


def is_more(test):
    return hasattr(test, "is_more") or hasattr(getattr(test, test._testMethodName, None), "is_more")


def shortened(text):
    """The beginning and the end of a long text."""
    lines = [line if len(line) <= COLUMNS else line[:COLUMNS] + " …" for line in text.splitlines()]
    if len(lines) > LINES:
        lines[LINES // 3:-2 * LINES // 3] = [f"… {len(lines) - LINES} lines …"]
    return "\n".join(lines)


class Result(unittest.TestResult):
    """Prints a dot for each test that passes, and each failure, shortened, as soon as it happens."""

    def __init__(self):
        super().__init__()
        self.seconds, self.failed = {}, []

    def startTest(self, test):
        super().startTest(test)
        self.began = time.monotonic()

    def stopTest(self, test):
        super().stopTest(test)
        self.seconds[test.id()] = time.monotonic() - self.began

    def addSuccess(self, test):
        super().addSuccess(test)
        print(".", end="", flush=True)

    def _exc_info_to_string(self, error, test):
        text = super()._exc_info_to_string(error, test)
        # A subtest has the name of its test; that of a class whose preparation failed is in parentheses.
        self.failed.append(getattr(test, "test_case", test).id().split("(")[-1].rstrip(")"))
        print(f"\nFAILED: {test.id()}\n{shortened(text)}", flush=True)
        return text


def flat(tests):
    """The tests of a suite of suites."""
    for test in tests:
        if isinstance(test, unittest.TestSuite):
            yield from flat(test)
        else:
            yield test


def selected(options):
    """The tests that the arguments select."""
    loader = unittest.TestLoader()
    tests = list(flat(loader.discover(".", "test_*.py")))
    for name in options.names:
        # A module that runs only when it is named
        if os.path.exists(name + ".py") and not name.startswith("test_"):
            tests += flat(loader.loadTestsFromName(name))
        if not any(name in test.id() for test in tests):
            sys.exit(f"no module, class or test has {name!r} in its name")
    if options.names:
        tests = [test for test in tests if any(name in test.id() for name in options.names)]
    if options.part:
        # A module that cannot be loaded fails in both parts.
        tests = [test for test in tests if is_more(test) == (options.part == "more") or "_FailedTest" in test.id()]
    return tests


def groups(tests):
    """What can run side by side: a test, or the tests of a class that share what it prepares."""
    found = {}
    for test in tests:
        shares = type(test).setUpClass.__func__ is not unittest.TestCase.setUpClass.__func__
        found.setdefault(type(test) if shares else test.id(), []).append(test)
    return list(found.values())


def run(tests):
    """Runs tests one after the other. Returns the names of those that failed, what was skipped, and the seconds of each."""
    result = Result()
    unittest.TestSuite(tests).run(result)
    return result.failed, [f"{test.id()}: {reason}" for test, reason in result.skipped], result.seconds


def run_group(number):
    return run(ALL[number])


def main():
    global ALL
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", dest="part", action="store_const", const="quick")
    parser.add_argument("--more", dest="part", action="store_const", const="more")
    parser.add_argument("--jobs", type=int, default=(os.cpu_count() or 1) + 1)
    parser.add_argument("--times", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    # A program that runs the tests in the background may ignore these; a shell cannot trap what it was given to ignore.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    sys.path.insert(0, os.getcwd())
    suite = os.path.relpath(os.getcwd(), pathlib.Path(__file__).resolve().parents[1])
    began, tests = time.monotonic(), selected(options)
    if not tests and not options.part:
        sys.exit(f"{suite} has no tests")
    ALL = groups(tests)
    with concurrent.futures.ProcessPoolExecutor(options.jobs, multiprocessing.get_context("fork")) as pool:
        results = list(pool.map(run_group, range(len(ALL))))
    failed = list(dict.fromkeys(name for names, _, _ in results for name in names))
    print()
    if options.times:
        times = {name: seconds for _, _, measured in results for name, seconds in measured.items()}
        for name, seconds in sorted(times.items(), key=lambda item: -item[1]):
            print(f"{seconds:7.2f} s  {name}")
    for _, skipped, _ in results:
        for reason in skipped:
            print("skipped:", reason)
    print(f"{suite}: {len(tests) - len(failed)} passed, {len(failed)} failed in {time.monotonic() - began:.0f} s")
    if failed:
        print(f"run them again: {suite}/run {' '.join(failed)}")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
