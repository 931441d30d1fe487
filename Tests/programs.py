"""Finds the programs under test."""

import os
import pathlib
import subprocess

TOP = pathlib.Path(__file__).resolve().parent.parent


def program(name):
    """The path of `quickvault`, which QUICKVAULT_PROGRAM names, or of a helper program beside it."""
    if not os.environ.get("QUICKVAULT_PROGRAM"):
        raise SystemExit('QUICKVAULT_PROGRAM is not set: QUICKVAULT_PROGRAM=$(Tests/find-program)')
    path = pathlib.Path(os.environ["QUICKVAULT_PROGRAM"]).with_name(name)
    if not path.exists():
        raise SystemExit(f"{path} does not exist: run 'make programs' first")
    return str(path)


def version():
    """The version that `quickvault` prints."""
    printed = subprocess.run([program("quickvault"), "--version"], check=True, capture_output=True, text=True, timeout=60)
    return printed.stdout.split()[1]
