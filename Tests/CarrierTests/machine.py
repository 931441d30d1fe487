"""Machines with a folder each, which quickvault-carrier mirrors."""

import contextlib
import json
import os
import pathlib
import secrets
import subprocess
import sys
import tempfile
import uuid

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "Soak")]

import programs  # noqa: E402
from dav import DEADLINE, PASSWORD, USER  # noqa: E402

#: The directories of the vault and of its epoch
VAULT = f"{uuid.uuid4()}/{uuid.uuid4()}"


class Machine:
    """A folder, the replica that writes in it, and the state of its carrier."""

    def __init__(self, url):
        self.url = url
        self.holder = tempfile.TemporaryDirectory(prefix="machine-")
        self.top = pathlib.Path(self.holder.name)
        self.folder = self.top / "folder"
        self.folder.mkdir()
        self.replica = str(uuid.uuid4())
        self.last = 0

    # What the vault does in the folder

    def publish(self, size=2_048):
        """Writes a segment."""
        self.last += 1
        return self._write(f"changes/{self.replica}/{self.last:016x}", os.urandom(size))

    def add_content(self, size=10_000):
        content = os.urandom(size)
        return self._write(f"contents/{self.replica}/{content[:16].hex()}", content)

    def write_key(self, number):
        head = b"quickvault/v1/keys" + uuid.UUID(VAULT[:36]).bytes + uuid.UUID(self.replica).bytes + number.to_bytes(8, "big")
        self._write(f"keys/{self.replica}-{number:016x}", head + secrets.token_bytes(160))
        if number > 1:
            (self.folder / VAULT / "keys" / f"{self.replica}-{number - 1:016x}").unlink()

    def snapshot(self):
        """Writes a segment that stands for all before it."""
        self.publish(4_096)
        for number in range(1, self.last):
            (self.folder / VAULT / "changes" / self.replica / f"{number:016x}").unlink(missing_ok=True)

    def forget(self, replica):
        for path in (self.folder / VAULT).rglob(f"*{replica}*"):
            for file in path.iterdir() if path.is_dir() else ():
                file.unlink()
            path.rmdir() if path.is_dir() else path.unlink()

    def _write(self, name, content):
        path = self.folder / VAULT / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return f"{VAULT}/{name}"

    # The carrier

    def start(self, *options, url=None, password=PASSWORD, **more):
        """`prefix` are the words of a program that runs it."""
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.top), "XDG_STATE_HOME": str(self.top / "state"),
                       **more.pop("environment", {})}
        process = subprocess.Popen(
            [*more.pop("prefix", []), programs.program("quickvault-carrier"), "mirror", self.folder, url or self.url, "--json", "--user", USER,
             "--password-fd", "0", *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, **more)
        process.stdin.write(password.encode() + b"\n")
        process.stdin.close()
        process.stdin = None
        return process

    def finish(self, process):
        """The exit status and what was printed."""
        output, errors = process.communicate(timeout=2 * DEADLINE)
        assert PASSWORD.encode() not in output + errors
        assert not errors, errors
        return process.returncode, json.loads(output)

    def carry(self, *options, **more):
        return self.finish(self.start(*options, **more))

    def files(self):
        return files(self.folder)


def files(top):
    """The files of a folder that have a name of the format, with their bytes."""
    found = {}
    for path in top.rglob("*"):
        name = str(path.relative_to(top))
        if path.is_file() and not path.name.startswith(".") and "/.DAV/" not in f"/{name}":
            # A server may still do what a carrier that was killed has asked for.
            with contextlib.suppress(FileNotFoundError):
                found[name] = path.read_bytes()
    return found
