"""Programs that carry the folder from machine to machine. Nothing leaves this one, but over loopback."""

import contextlib
import itertools
import os
import pathlib
import select
import signal
import subprocess
import sys
import threading
import time

from machine import DEADLINE

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "Soak"))
# At the end: it has modules with the names of some of these.
sys.path += [str(TESTS / "CarrierTests"), str(TESTS)]

import dav  # noqa: E402
import programs  # noqa: E402
from liar import Liar  # noqa: E402
from syncthing_group import FOLDER, Group  # noqa: E402


class CarryingError(Exception):
    """A program did not carry the folder."""


class Carrier:
    """Carries the folder of one machine to and from a common place."""

    # Whether what it carries arrives by itself.
    is_unasked = False

    def __init__(self, directory, machines):
        self.machines = machines
        self.home = os.path.join(directory, "carrier")
        self.hub = os.path.join(self.home, "hub")
        self.offline = set()
        os.makedirs(self.home)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def run(self, *command, directory=None):
        """Runs a program with a home of its own. Returns its output."""
        environment = dict(os.environ, HOME=self.home, XDG_CACHE_HOME=self.home, XDG_CONFIG_HOME=self.home)
        done = subprocess.run(
            command, cwd=directory, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=DEADLINE, check=False)
        if done.returncode:
            raise CarryingError(command, done.stdout[-2000:].decode(errors="replace"))
        return done.stdout

    def go_offline(self, machine):
        self.offline.add(machine.name)

    def go_online(self, machine):
        self.offline.discard(machine.name)

    def moved(self, machine):
        """Handles that the folder of a machine has another path."""

    def carry(self, machine):
        """Carries the changes of a machine away, and those of others to it."""
        raise NotImplementedError

    def carry_all(self):
        for machine in self.machines:
            if machine.name not in self.offline:
                self.carry(machine)


class Rsync(Carrier):
    """rsync in both directions, which deletes nothing."""

    def carry(self, machine):
        os.makedirs(self.hub, exist_ok=True)
        self.run("rsync", "-a", machine.folder + "/", self.hub)
        self.run("rsync", "-a", self.hub + "/", machine.folder)


class Git(Carrier):
    """A bare repository. A merge that is not automatic fails the test."""

    def __init__(self, directory, machines):
        super().__init__(directory, machines)
        self.run("git", "init", "-q", "--bare", "-b", "main", self.hub)
        self.run("git", "config", "--global", "user.name", "Lin")
        self.run("git", "config", "--global", "user.email", "lin@localhost")
        # No compression in the background, which would outlive the test.
        self.run("git", "config", "--global", "gc.auto", "0")

    def carry(self, machine):
        git = lambda *arguments: self.run("git", *arguments, directory=machine.folder)
        if not os.path.exists(os.path.join(machine.folder, ".git")):
            self.run("git", "init", "-q", "-b", "main", machine.folder)
            git("remote", "add", "origin", self.hub)
        git("add", "--all")
        if git("status", "--porcelain"):
            git("commit", "-qm", "QuickVault")
        if self.run("git", "branch", "--list", "main", directory=self.hub):
            git("pull", "-q", "--no-rebase", "--no-edit", "--allow-unrelated-histories", "origin", "main")
        git("push", "-q", "origin", "main")


class Bisync(Carrier):
    """rclone bisync with a directory."""

    def __init__(self, directory, machines):
        super().__init__(directory, machines)
        self.known = set()

    def remote(self):
        os.makedirs(self.hub, exist_ok=True)
        return self.hub

    def carry(self, machine):
        for attempt in range(8):
            # The first time, after the folder was renamed and after a failure, rclone has no list to compare with.
            first = [] if machine.folder in self.known else ["--resync"]
            self.known.discard(machine.folder)
            try:
                self.run("rclone", "bisync", machine.folder, self.remote(), *first, "--force", "--workdir",
                         os.path.join(self.home, "bisync-" + machine.name))
            except CarryingError as error:
                # rclone gives up if a file is removed after it has listed it, as a snapshot does.
                if attempt == 7 or "error listing" not in str(error) or "no such file or directory" not in str(error):
                    raise
            else:
                return self.known.add(machine.folder)


class WebDAV(Carrier):
    """A WebDAV server, and rclone as its client, which copies what is missing on either side.

    It copies from the server first, so that a file that was cut short here, on a full disk, is replaced and not copied.
    """

    def __enter__(self):
        os.makedirs(self.hub)
        self.server = subprocess.Popen(
            ["rclone", "serve", "webdav", self.hub, "--addr", "127.0.0.1:0", "-v"], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=dict(os.environ, HOME=self.home))
        self.address = None
        for line in self.server.stderr:
            if b"http://127.0.0.1:" in line:
                self.address = "http://127.0.0.1:" + line.split(b"http://127.0.0.1:")[1].split(b"/")[0].decode().strip()
                break
        assert self.address, "the WebDAV server does not start"
        threading.Thread(target=self.server.stderr.read, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.send_signal(signal.SIGTERM)
        self.server.wait(DEADLINE)

    def carry(self, machine):
        remote = ["--webdav-url", self.address, "--size-only", "--no-traverse"]
        self.run("rclone", "copy", ":webdav:", machine.folder, *remote[:-1])
        self.run("rclone", "copy", machine.folder, ":webdav:", *remote)


class Apache(Carrier):
    """Apache's mod_dav, and quickvault-carrier as its client."""

    kind = "apache"

    def __enter__(self):
        self.server = dav.Server(self.kind)
        self.hub = str(self.server.root)
        return self

    def __exit__(self, *_):
        self.server.stop()

    def carry(self, machine):
        state = os.path.join(self.home, machine.name)
        done = subprocess.run(
            [programs.program("quickvault-carrier"), "mirror", machine.folder, self.server.url, "--user", dav.USER,
             "--password-fd", "0"],
            input=dav.PASSWORD, env=dict(os.environ, HOME=self.home, XDG_STATE_HOME=state), capture_output=True, text=True,
            timeout=DEADLINE, check=False)
        if done.returncode:
            raise CarryingError(done.stderr)


class Rclone(Apache):
    """rclone's server, and quickvault-carrier as its client."""

    kind = "rclone"


class Wsgidav(Apache):
    """wsgidav, and quickvault-carrier as its client."""

    kind = "wsgidav"


class Service(Apache):
    """Apache's mod_dav, and the vault's own process as its client, which carries when it likes, too."""

    def __init__(self, directory, machines):
        super().__init__(directory, machines)
        self.fronts = {}

    def __enter__(self):
        super().__enter__()
        for machine in self.machines:
            self.fronts[machine.name] = front = Liar(behind=self.server.port)
            front.otherwise = lambda handler, _, name=machine.name: self.pass_on(handler, name)
        return self

    def __exit__(self, *arguments):
        for front in self.fronts.values():
            front.stop()
        super().__exit__(*arguments)

    def pass_on(self, handler, name):
        if name in self.offline:
            handler.close_connection = True
        else:
            # The server compares it with the destination of a move.
            handler.pass_on(Host=self.fronts[name].url.removeprefix("http://"))

    def carry(self, machine):
        """Signs in, or has the next pass begin; waits for it if there is a vault."""
        machine.open()
        if machine.ask("account/status")["signedIn"]:
            machine.ask("session/lock")
            machine.unlock()
        else:
            machine.ask("account/signIn", method="password", address=self.fronts[machine.name].url + "/dav/", user=dav.USER,
                        password=dav.PASSWORD)
        end = time.monotonic() + DEADLINE
        while os.path.exists(machine.vault) and "lastMirrored" not in (status := machine.ask("account/status")):
            assert time.monotonic() < end, status
            if "failure" in status:
                raise CarryingError(status)
            select.select([], [], [], 0.05)


class Stick(Carrier):
    """A stick that is plugged into one machine after the other, and on which the folder lies."""

    def __init__(self, directory, machines):
        super().__init__(directory, machines)
        os.makedirs(self.hub)
        for machine in machines:
            os.rmdir(machine.folder)

    def carry(self, machine):
        self.plug_in(machine)
        machine.synchronise()
        self.pull_out(machine)

    def plug_in(self, machine):
        os.rename(self.hub, machine.folder)

    def pull_out(self, machine):
        os.rename(machine.folder, self.hub)


class Syncthing(Carrier):
    """A Syncthing process for each machine."""

    is_unasked = True

    def __enter__(self):
        self.group = Group(self.home, [machine.folder for machine in self.machines])
        self.group.__enter__()
        return self

    def __exit__(self, *arguments):
        self.group.__exit__(*arguments)

    def side(self, machine):
        return self.group.sides[self.machines.index(machine)]

    def go_offline(self, machine):
        super().go_offline(machine)
        self.side(machine).pause(True)

    def go_online(self, machine):
        super().go_online(machine)
        self.side(machine).pause(False)

    def moved(self, machine):
        side = self.side(machine)
        side.folder = machine.folder
        side.share_with([other for other in self.group.sides if other is not side])

    def restart(self, machine):
        side = self.side(machine)
        side.stop(signal.SIGKILL)
        side.start()

    def carry(self, machine):
        self.side(machine).scan()

    def wait_until_alike(self):
        """Waits until the folders of all machines have the same files."""
        end = time.monotonic() + DEADLINE
        self.scan_until_done()
        # A side that has not heard of another's files yet says that nothing is left to do.
        while len({frozenset(carried_files(machine.folder)) for machine in self.machines}) > 1:
            assert time.monotonic() < end, "the folders differ"
            self.scan_until_done()

    def scan_until_done(self):
        """Looks for changed files on all sides, and waits until each says that the others have what it knows."""
        for side in self.group.sides:
            side.scan()
        # What arrives at one side has to go on to the next.
        for _ in self.group.sides[1:]:
            for side, other in itertools.permutations(self.group.sides, 2):
                path = "/rest/db/completion?folder=%s&device=%s" % (FOLDER, other.identifier)
                assert side.wait_until(lambda side: side.api("GET", path)["completion"] == 100), "Syncthing is not done"


def carried_files(folder):
    """The path and size of each file that Syncthing carries."""
    for directory, names, files in os.walk(folder):
        names[:] = [name for name in names if not name.startswith(".st")]
        for name in files:
            if not name.startswith(".sync"):
                path = os.path.join(directory, name)
                with contextlib.suppress(FileNotFoundError):
                    yield os.path.relpath(path, folder), os.path.getsize(path)
