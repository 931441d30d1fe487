"""Where the programs are that the tests in Python run."""

import os
import pathlib

TOP = pathlib.Path(__file__).resolve().parent.parent


def program(name, variable):
    """The path of a program: what an environment variable names, else what was built last."""
    named = os.environ.get(variable)
    if named:
        return named
    built = [TOP / ".build" / kind / name for kind in ("debug", "release")]
    built = [path for path in built if path.exists()]
    if not built:
        raise SystemExit(f"build the program first: swift build --product {name}")
    return str(max(built, key=lambda path: path.stat().st_mtime))
