"""Temporary directories of programs that a test starts."""

import contextlib
import os
import pathlib
import shutil
import signal
import tempfile
import time

# In seconds, long enough for a busy machine
DEADLINE = 60


def remove(directory):
    """Ends the programs that have been started with a file in a directory, such as services, and removes it. One that ends may
    still write there for a moment."""
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if f"{directory}/".encode() in (process / "cmdline").read_bytes():
                os.kill(int(process.name), signal.SIGKILL)
    end = time.monotonic() + DEADLINE
    while True:
        try:
            return shutil.rmtree(directory)
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.02)


@contextlib.contextmanager
def directory(prefix):
    """A new directory, which is removed at the end."""
    path = tempfile.mkdtemp(prefix=prefix)
    try:
        yield path
    finally:
        remove(path)
