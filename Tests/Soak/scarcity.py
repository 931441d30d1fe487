#!/usr/bin/python3
"""Takes away what the program needs from the system, looks at what it answers, and gives it back.

    scarcity.py PROGRAM

A disk that is really full, a file, a directory and a file system that may only be read, a directory that goes away, no
descriptors left, little memory. Each request is answered by an error of a stable kind, nothing that was answered is lost, and
the same process goes on when it has what it needs. What this machine does not allow to try is told, loudly.
"""

import contextlib
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from server import KDF, MARK, Server, look_through

PASSWORD = "scarce password " + MARK
NOBODY = 65534
TEXT = "x" * 3000


class Place:
    """A directory with a vault in it, and a server that is no superuser, to whom rights to files would mean nothing.

    A process whose limits are to be changed from here has to belong to the same user, though.
    """

    def __init__(self, program, directory, same_user=False):
        self.program, self.directory = program, directory
        self.vault = directory + "/vault.quickvault"
        os.makedirs(directory, exist_ok=True)
        self.options = {}
        if os.geteuid() == 0 and not same_user:
            os.chown(directory, NOBODY, NOBODY)
            self.options = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
        self.texts = []
        self.server = self.start()

    def start(self):
        return Server(self.program, self.vault, **self.options)

    def create_vault(self):
        self.server.must("vault/create", password=PASSWORD, kdf=KDF)
        self.create()

    def unlock(self):
        self.server.must("session/unlock", password=PASSWORD)

    def create(self):
        """Stores a card that must be there at the end."""
        text = "%d %s %s" % (len(self.texts), MARK, TEXT)
        self.server.must("card/create", title=MARK, group="personal", type="text", fields={"text": text})
        self.texts.append(text)

    def refuse(self, method, kinds, reason=None, **params):
        """A request that must be refused by one of some kinds."""
        answer = self.server.ask(method, **params)
        assert answer is not None and "error" in answer, (method, answer)
        data = answer["error"]["data"]
        assert data["kind"] in kinds, (method, answer)
        assert reason is None or data.get("reason") == reason, (method, answer)

    def refuse_card(self, kinds, reason=None):
        self.refuse("card/create", kinds, reason, title=MARK, group="personal", type="text", fields={"text": TEXT})

    def go_on(self):
        """Unlocks, stores another card, and looks."""
        self.unlock()
        self.create()
        self.look()

    def look(self):
        """Ends, and opens the vault anew: what was answered is there, and nothing else."""
        self.server.end()
        look_through(self.directory)
        self.server = self.start()
        self.unlock()
        assert self.server.must("vault/verify")["intact"]
        items = self.server.must("card/list", limit=1000)["items"]
        there = [self.server.must("card/get", id=item["id"])["card"]["fields"][0]["value"] for item in items]
        assert sorted(there) == sorted(self.texts), "%d cards, not %d" % (len(there), len(self.texts))
        self.server.end()


@contextlib.contextmanager
def small_disk(parent):
    """A file system of one MiB; None where this user may not have one."""
    directory = parent + "/disk"
    os.makedirs(directory)
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m,mode=777", "tmpfs", directory],
                          capture_output=True, check=False)
    try:
        yield directory if done.returncode == 0 else None
    finally:
        if done.returncode == 0:
            subprocess.run(["umount", "-l", directory], check=True)


def full_disk(program, parent):
    with small_disk(parent) as disk:
        if disk is None:
            return "NOT RUN: this user may mount no file system, so no disk is really full"
        place = Place(program, disk + "/a")
        place.create_vault()
        filler = disk + "/filler"
        with contextlib.suppress(OSError), open(filler, "wb", buffering=0) as file:
            while True:
                file.write(bytes(4096))
        # The log may still have room of its own for a few cards.
        refused = 0
        for _ in range(600):
            answer = place.server.ask(
                "card/create", title=MARK, group="personal", type="text",
                fields={"text": "%d %s %s" % (len(place.texts), MARK, TEXT)})
            if "result" in answer:
                place.texts.append("%d %s %s" % (len(place.texts), MARK, TEXT))
                continue
            assert answer["error"]["data"]["kind"] == "vault.unavailable", answer
            assert answer["error"]["data"]["reason"] == "diskFull", answer
            refused += 1
            if refused == 5:
                break
        assert refused == 5, "the disk was never full"
        place.server.must("card/list")
        other = Place(program, disk + "/b")
        other.refuse("vault/create", {"vault.unavailable"}, "diskFull", password=PASSWORD, kdf=KDF)
        assert not any("quickvault" in name for name in os.listdir(other.directory)), "something is left behind"
        os.remove(filler)
        place.create()
        place.look()
        other.create_vault()
        other.look()
    return "full disk: refused as diskFull, nothing left behind, and on when there was room"


def read_only_disk(program, parent):
    with small_disk(parent) as disk:
        if disk is None:
            return "NOT RUN: this user may mount no file system, so none is read-only"
        place = Place(program, disk + "/a")
        place.create_vault()
        place.server.end()
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        place.server = place.start()
        place.refuse("vault/status", {"vault.unavailable"}, "readOnly")
        place.refuse("session/unlock", {"vault.unavailable"}, "readOnly", password=PASSWORD)
        subprocess.run(["mount", "-o", "remount,rw", disk], check=True)
        place.go_on()
    return "read-only file system: refused as readOnly, and on when it was writable"


def read_only_file(program, parent):
    place = Place(program, parent + "/file")
    place.create_vault()
    place.server.must("session/lock")
    os.chmod(place.vault, 0o400)
    place.refuse("session/unlock", {"vault.unavailable"}, "permissionDenied", password=PASSWORD)
    os.chmod(place.vault, 0o600)
    place.go_on()
    return "read-only file: refused as permissionDenied, and on when it was writable"


def read_only_directory(program, parent):
    place = Place(program, parent + "/directory")
    place.create_vault()
    os.chmod(place.directory, 0o500)
    place.create()
    os.chmod(place.directory, 0o700)
    place.server.end()
    os.chmod(place.directory, 0o500)
    place.server = place.start()
    place.refuse("session/unlock", {"vault.unavailable"}, "permissionDenied", password=PASSWORD)
    os.chmod(place.directory, 0o700)
    place.go_on()
    return "read-only directory: an open vault goes on, another is refused as permissionDenied"


def vanished_directory(program, parent):
    place = Place(program, parent + "/away")
    place.create_vault()
    os.rename(place.directory, parent + "/elsewhere")
    place.refuse_card({"vault.changed"})
    place.refuse_card({"vault.locked", "vault.notFound"})
    place.refuse("session/unlock", {"vault.notFound"}, password=PASSWORD)
    os.rename(parent + "/elsewhere", place.directory)
    place.go_on()
    return "vanished directory: the vault locks, and opens again where it came back"


def no_descriptors(program, parent):
    """Every limit from none at all to enough: whatever descriptor is the one that is missing."""
    place = Place(program, parent + "/descriptors", same_user=True)
    place.create_vault()
    limits = resource.prlimit(place.server.process.pid, resource.RLIMIT_NOFILE)
    process, kinds = place.server.process.pid, set()
    for limit in range(0, 24):
        for password in (PASSWORD, "wrong " + PASSWORD):
            place.server.must("session/lock")
            place.server.must("vault/status")
            # What the runtime takes for itself it takes in the first moments, behind the first answer.
            rests(place.server)
            resource.prlimit(process, resource.RLIMIT_NOFILE, (limit, limits[1]))
            place.server.send("session/unlock", {"password": password})
            place.server.flush()
            if limit < 8:
                # With so few it can neither wait for input nor end: it has to be idle until there are more.
                rests(place.server)
                resource.prlimit(process, resource.RLIMIT_NOFILE, limits)
            answer = place.server.answer()
            assert answer is not None, "it ended"
            if "error" in answer:
                kinds.add(answer["error"]["data"]["kind"])
            else:
                kinds |= ask_for_files(place)
            # After a wrong password it replaces itself, and a new process may wait until it has what it needs.
            resource.prlimit(process, resource.RLIMIT_NOFILE, limits)
            place.unlock()
            place.create()
    # An open vault needs no descriptor more; what reads and writes other files was short of each of its own.
    assert kinds == {"auth.wrongPassword", "vault.unavailable", "file.notWritable", "file.unreadable"}, kinds
    assert place.server.process.pid == process
    place.look()
    return "no descriptors: answered as %s, and the same process went on; %s" % (
        ", ".join(sorted(kinds)), begun_with_few(program, place))


def ask_for_files(place):
    """Writes and reads files beside the vault; one that is refused leaves nothing behind. Returns the kinds of errors."""
    kinds = set()
    table, export, backup = (place.directory + name for name in ("/table.csv", "/cards.json", "/copy.quickvault"))
    with open(table, "w", encoding="ascii") as file:
        file.write("title,text\nDoor,1984#\n")
    there = set(os.listdir(place.directory))
    for method, params in (
            ("vault/import", {"path": table, "dryRun": True}),
            ("vault/export", {"path": export, "format": "json", "password": PASSWORD}), ("vault/backup", {"path": backup})):
        answer = place.server.ask(method, **params)
        assert answer is not None, "it ended"
        if "error" in answer:
            kinds.add(answer["error"]["data"]["kind"])
            assert set(os.listdir(place.directory)) == there, "something is left behind"
        elif method != "vault/import":
            os.remove(params["path"])
    os.remove(table)
    return kinds


def begun_with_few(program, place):
    """A process that has few descriptors from its beginning: it says so and ends, or it serves."""
    serving = 0
    for limit in range(5, 36):
        def few():
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))

        server = Server(program, place.vault, stderr=subprocess.PIPE, preexec_fn=few)
        try:
            answer = server.ask("session/unlock", password=PASSWORD)
        except BrokenPipeError:
            answer = None
        if answer is None:
            assert server.process.wait() == 71, "with %d descriptors it ended by %d" % (limit, server.process.wait())
            assert b"Too many open files" in server.process.stderr.read(), "it does not say why"
            server.process.stdin = None
            continue
        assert "result" in answer or answer["error"]["data"]["kind"] == "vault.unavailable", answer
        if "result" in answer:
            serving = serving or limit
            server.must("card/list")
        server.end()
    assert serving, "it never served"
    return "with fewer than %d from the beginning it says so and ends" % serving


def rests(server):
    """Waits until all threads of the process sleep and use no processor, three looks in a row, or it has ended."""
    process = "/proc/%d/task" % server.process.pid

    def work():
        state = {}
        for thread in os.listdir(process):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it may end between
                with open("%s/%s/stat" % (process, thread), encoding="ascii") as file:
                    fields = file.read().rpartition(")")[2].split()
                state[thread] = (fields[0], fields[11:13])
        return state

    end = time.monotonic() + 60
    seen = []
    while len(seen) < 3 or seen[-3:] != [seen[-1]] * 3 or any(state not in "SZ" for state, _ in seen[-1].values()):
        assert time.monotonic() < end, "the process does not come to rest"
        select.select([], [], [], 0.02)
        seen.append(work())


def little_memory(program, parent):
    """Less and less address space: what cannot be had for Argon2id is an error; where nothing is left at all the process ends."""
    place = Place(program, parent + "/memory", same_user=True)
    place.create_vault()
    place.server.must("session/lock")
    place.server.must("vault/status")
    unlimited = resource.prlimit(place.server.process.pid, resource.RLIMIT_AS)
    used = address_space(place.server)
    resource.prlimit(place.server.process.pid, resource.RLIMIT_AS, (used + (64 << 20), unlimited[1]))
    answer = place.server.ask(
        "vault/changePassword", oldPassword=PASSWORD, newPassword=PASSWORD + "2",
        kdf={"algorithm": "argon2id", "iterations": 1, "memoryKiB": 524288})
    if answer is None:
        # Not even a thread could be had to try it on.
        place.server.process.wait()
        place.server = place.start()
        argon = "ended the process"
    else:
        assert answer["error"]["data"]["kind"] == "vault.unavailable", answer
        assert answer["error"]["data"]["reason"] == "outOfMemory", answer
        resource.prlimit(place.server.process.pid, resource.RLIMIT_AS, unlimited)
        argon = "was refused as outOfMemory"
    place.unlock()
    ends = 0
    for step in range(24):
        place.server.must("vault/status")
        resource.prlimit(
            place.server.process.pid, resource.RLIMIT_AS, (address_space(place.server) + (step << 17), unlimited[1]))
        text = "%d %s %s" % (len(place.texts), MARK, TEXT)
        answer = place.server.ask("card/create", title=MARK, group="personal", type="text", fields={"text": text})
        if answer is not None and "result" in answer:
            place.texts.append(text)
        alive = answer is not None and place.server.ask("card/search", query="y" * 900) is not None
        if alive:
            resource.prlimit(place.server.process.pid, resource.RLIMIT_AS, unlimited)
            place.server.must("card/list")
            continue
        place.server.process.wait()
        ends += 1
        place.server = place.start()
        place.unlock()
        if answer is None:
            there = place.server.must("card/list", limit=1)["total"]
            assert there in (len(place.texts), len(place.texts) + 1), "%d cards" % there
            if there > len(place.texts):
                place.texts.append(text)
    place.create()
    place.look()
    return "little memory: Argon2id %s; %d of 24 limits ended the process; nothing lost" % (argon, ends)


def address_space(server):
    with open("/proc/%d/status" % server.process.pid, encoding="ascii") as file:
        return next(int(line.split()[1]) << 10 for line in file if line.startswith("VmSize:"))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    missing = []
    # What stands still would otherwise stand still for ever.
    signal.alarm(600)
    with tempfile.TemporaryDirectory(prefix="quickvault-scarcity-") as directory:
        os.chmod(directory, 0o755)
        # Anybody may execute a copy here, wherever the program lies.
        program = shutil.copy(os.path.abspath(sys.argv[1]), directory + "/program")
        os.chmod(program, 0o755)
        for trial in (full_disk, read_only_disk, read_only_file, read_only_directory, vanished_directory, no_descriptors,
                      little_memory):
            parent = "%s/%s" % (directory, trial.__name__)
            os.makedirs(parent)
            try:
                told = trial(program, parent)
            except AssertionError as failure:
                sys.exit("scarcity: %s: %s" % (trial.__name__, failure))
            print("scarcity: " + told, flush=True)
            if told.startswith("NOT RUN"):
                missing.append(trial.__name__)
    if missing:
        print("scarcity: NOT RUN HERE: %s (run it as root)" % ", ".join(missing), file=sys.stderr)


if __name__ == "__main__":
    main()
