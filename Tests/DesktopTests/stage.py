"""Runs a desktop with a fingerprint reader for a client test in another language.

Writes its environment as shell assignments to the file in the first argument. Then it executes the lines of standard
input, `scan PERSON` and `enroll FINGER`, and says when a finger is enrolled. The second argument is the home directory
of the keychain.
"""

import pathlib
import shlex
import sys

from world import World


def main(ready, home):
    with World(logind=True) as world:
        world.home = pathlib.Path(home)
        world.allow(True)
        world.set_locked_hint(False)
        world.start_fprintd()
        world.start_keyring()
        environment = world.environment()
        lines = [f"export {name}={shlex.quote(environment[name])}"
                 for name in ("DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS", "XDG_RUNTIME_DIR")]
        unfinished = pathlib.Path(ready + ".new")
        unfinished.write_text("\n".join(lines) + "\n", encoding="utf-8")
        unfinished.rename(ready)
        acts = {"scan": world.reader.scan, "enroll": world.enroll}
        for line in sys.stdin:
            act, argument = line.split()
            acts[act](argument)
            if act == "enroll":
                print("enrolled", flush=True)


main(*sys.argv[1:])
