#!/usr/bin/python3
"""Takes away resources that the program needs, checks its answers, and gives them back.

    exhaustion.py PROGRAM

The cases are a full disk, a read-only file, directory and file system, a directory that disappears, no free descriptors, and
little memory. Each request must get an error of the right kind, no answered change may be lost, and the same process must
continue when the resource is back. A case that this machine does not allow is reported on standard error.
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

from server import KDF, MARK, Server, assert_not_stored, memory

PASSWORD = "exhaustion password " + MARK
NOBODY = 65534
TEXT = "x" * 3000


class Place:
    """A directory with a vault, and a server that does not run as root, which would ignore permissions.

    To change limits of the process, it must run as the same user (`same_user`).
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
        """Creates a card that must exist at the end."""
        text = "%d %s %s" % (len(self.texts), MARK, TEXT)
        self.server.must("card/create", title=MARK, group="personal", type="text", fields={"text": text})
        self.texts.append(text)

    def refuse(self, method, kinds, reason=None, **params):
        """Sends a request that must fail with one of these kinds."""
        answer = self.server.ask(method, **params)
        assert answer is not None and "error" in answer, (method, answer)
        data = answer["error"]["data"]
        assert data["kind"] in kinds, (method, answer)
        assert reason is None or data.get("reason") == reason, (method, answer)

    def refuse_card(self, kinds, reason=None):
        self.refuse("card/create", kinds, reason, title=MARK, group="personal", type="text", fields={"text": TEXT})

    def read_only(self):
        """Unlocks a vault that cannot be written, whose changes are refused, and locks it again."""
        answer = self.server.must("session/unlock", password=PASSWORD)
        assert answer["readOnly"] and answer["cardCount"] == len(self.texts), answer
        self.refuse_card({"vault.readOnly"})
        self.server.must("session/lock")

    def resume(self):
        """Unlocks, creates another card, and checks the vault."""
        self.unlock()
        self.create()
        self.check()

    def check(self):
        """Restarts the server: the vault must hold the answered changes and nothing else."""
        self.server.end()
        assert_not_stored(self.directory)
        self.server = self.start()
        self.unlock()
        assert self.server.must("vault/verify")["integrity"] == "intact"
        items = self.server.must("card/list", limit=1000)["items"]
        there = [self.server.must("card/get", id=item["id"])["card"]["fields"][0]["value"] for item in items]
        assert sorted(there) == sorted(self.texts), "%d cards, not %d" % (len(there), len(self.texts))
        self.server.end()


@contextlib.contextmanager
def small_disk(parent):
    """A file system of 1 MiB; None if this user may not mount one."""
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
        # The write-ahead log may still have room for a few cards.
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
        assert refused == 5, "the disk never filled up"
        place.server.must("card/list")
        other = Place(program, disk + "/b")
        other.refuse("vault/create", {"vault.unavailable"}, "diskFull", password=PASSWORD, kdf=KDF)
        assert not any("quickvault" in name for name in os.listdir(other.directory)), "files remain"
        os.remove(filler)
        place.create()
        place.check()
        other.create_vault()
        other.check()
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
        assert place.server.must("vault/status")["readOnly"], "not reported"
        place.read_only()
        subprocess.run(["mount", "-o", "remount,rw", disk], check=True)
        place.resume()
    return "read-only file system: read, changes refused as readOnly, and on when it was writable"


def read_only_file(program, parent):
    place = Place(program, parent + "/file")
    place.create_vault()
    place.server.must("session/lock")
    os.chmod(place.vault, 0o400)
    place.read_only()
    os.chmod(place.vault, 0o600)
    place.resume()
    return "read-only file: read, changes refused as readOnly, and on when it was writable"


def read_only_directory(program, parent):
    place = Place(program, parent + "/directory")
    place.create_vault()
    os.chmod(place.directory, 0o500)
    place.create()
    os.chmod(place.directory, 0o700)
    place.server.end()
    os.chmod(place.directory, 0o500)
    place.server = place.start()
    place.read_only()
    os.chmod(place.directory, 0o700)
    place.resume()
    return "read-only directory: an open vault goes on, another is read, changes refused as readOnly"


def vanished_directory(program, parent):
    place = Place(program, parent + "/away")
    place.create_vault()
    os.rename(place.directory, parent + "/elsewhere")
    place.refuse_card({"vault.changed"})
    place.refuse_card({"vault.locked", "vault.notFound"})
    place.refuse("session/unlock", {"vault.notFound"}, password=PASSWORD)
    os.rename(parent + "/elsewhere", place.directory)
    place.resume()
    return "vanished directory: the vault locks, and opens again where it came back"


def no_descriptors(program, parent):
    """Tries every limit from no free descriptor to enough."""
    place = Place(program, parent + "/descriptors", same_user=True)
    place.create_vault()
    limits = resource.prlimit(place.server.process.pid, resource.RLIMIT_NOFILE)
    process, kinds, ends = place.server.process.pid, set(), 0
    for limit in range(0, 24):
        for password in (PASSWORD, "wrong " + PASSWORD):
            place.server.must("session/lock")
            place.server.must("vault/status")
            # The runtime opens its own descriptors early, during the first answer.
            wait_until_idle(place.server)
            try:
                kinds |= ask_with_few(place, password, limit, limits)
            except Ended:
                # While work waits for a thread, libdispatch opens a file each second, and ends the process if it cannot.
                assert place.server.process.wait() == -signal.SIGILL, place.server.process.returncode
                ends += 1
                place.server = place.start()
                process = place.server.process.pid
            # After a wrong password the process replaces itself, and the new one may have to wait for descriptors.
            resource.prlimit(process, resource.RLIMIT_NOFILE, limits)
            place.unlock()
            place.create()
    # An open vault needs no more descriptors. Requests that read and write other files must have failed at each of theirs.
    assert kinds == {"auth.wrongPassword", "vault.unavailable", "file.notWritable", "file.unreadable"}, kinds
    assert place.server.process.pid == process
    place.check()
    return "no descriptors: answered as %s, and the same process went on%s; %s" % (
        ", ".join(sorted(kinds)), ", but %d times" % ends if ends else "", start_with_few_descriptors(program, place))


class Ended(Exception):
    """The server ended instead of an answer."""


def ask_with_few(place, password, limit, limits):
    """Unlocks with few descriptors, and works with files. Returns the kinds of errors."""
    resource.prlimit(place.server.process.pid, resource.RLIMIT_NOFILE, (limit, limits[1]))
    place.server.send("session/unlock", {"password": password})
    place.server.flush()
    if limit < 8:
        # With this few it can neither wait for input nor end, so it must sleep until there are more.
        wait_until_idle(place.server)
        resource.prlimit(place.server.process.pid, resource.RLIMIT_NOFILE, limits)
    answer = place.server.answer()
    if answer is None:
        raise Ended
    return {answer["error"]["data"]["kind"]} if "error" in answer else ask_for_files(place)


def ask_for_files(place):
    """Writes and reads files beside the vault; a failed request must leave no file. Returns the kinds of errors."""
    kinds = set()
    table, export, backup = (place.directory + name for name in ("/table.csv", "/cards.json", "/copy.quickvault"))
    with open(table, "w", encoding="ascii") as file:
        file.write("title,text\nDoor,1984#\n")
    there = set(os.listdir(place.directory))
    for method, params in (
            ("vault/import", {"path": table, "dryRun": True}),
            ("vault/export", {"path": export, "format": "json", "password": PASSWORD}), ("vault/backup", {"path": backup})):
        answer = ask_while_it_runs(place.server, method, **params)
        if answer is None:
            raise Ended
        if "error" in answer:
            kinds.add(answer["error"]["data"]["kind"])
            assert set(os.listdir(place.directory)) == there, "files remain"
        elif method != "vault/import":
            os.remove(params["path"])
    os.remove(table)
    return kinds


def start_with_few_descriptors(program, place):
    """Starts with few descriptors: the program must report the error and end, or work."""
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
            assert server.process.wait() == 71, "with %d descriptors it ended with status %d" % (limit, server.process.wait())
            assert b"Too many open files" in server.process.stderr.read(), "no reason on standard error"
            server.process.stdin = None
            continue
        assert "result" in answer or answer["error"]["data"]["kind"] == "vault.unavailable", answer
        if "result" in answer:
            serving = serving or limit
            server.must("card/list")
        server.end()
    assert serving, "no limit was enough"
    return "with fewer than %d from the beginning it says so and ends" % serving


def wait_until_idle(server):
    """Waits until all threads sleep and use no CPU time in three checks in a row, or the process has ended."""
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
        assert time.monotonic() < end, "the process is not idle"
        select.select([], [], [], 0.02)
        seen.append(work())


def little_memory(program, parent):
    """Limits the address space: Argon2id without memory is an error; without any memory the process may end."""
    place = Place(program, parent + "/memory", same_user=True)
    place.create_vault()
    place.server.must("session/lock")
    place.server.must("vault/status")
    unlimited = resource.prlimit(place.server.process.pid, resource.RLIMIT_AS)
    used = memory(place.server.process.pid, "VmSize")
    resource.prlimit(place.server.process.pid, resource.RLIMIT_AS, (used + (64 << 20), unlimited[1]))
    answer = place.server.ask(
        "vault/changePassword", oldPassword=PASSWORD, newPassword=PASSWORD + "2",
        kdf={"algorithm": "argon2id", "iterations": 1, "memoryKiB": 524288})
    if answer is None:
        # There was not even memory for the thread.
        place.server.process.wait()
        place.server = place.start()
        argon = "ended the process"
    else:
        assert answer["error"]["data"]["kind"] == "vault.unavailable", answer
        assert answer["error"]["data"]["reason"] == "outOfMemory", answer
        resource.prlimit(place.server.process.pid, resource.RLIMIT_AS, unlimited)
        argon = "failed with outOfMemory"
    place.unlock()
    ends = 0
    for step in range(24):
        place.server.must("vault/status")
        used = memory(place.server.process.pid, "VmSize")
        resource.prlimit(place.server.process.pid, resource.RLIMIT_AS, (used + (step << 17), unlimited[1]))
        text = "%d %s %s" % (len(place.texts), MARK, TEXT)
        answer = ask_while_it_runs(
            place.server, "card/create", title=MARK, group="personal", type="text", fields={"text": text})
        if answer is not None and "result" in answer:
            place.texts.append(text)
        alive = answer is not None and ask_while_it_runs(place.server, "card/search", query="y" * 900) is not None
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
    place.check()
    return "little memory: Argon2id %s; %d of 24 limits ended the process; nothing lost" % (argon, ends)


def ask_while_it_runs(server, method, /, **params):
    """The answer; None if the process ends before it has read the request, or before it answers."""
    try:
        return server.ask(method, **params)
    except BrokenPipeError:
        return None


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    missing = []
    # A hang ends after half an hour, of which a busy machine may need some.
    signal.alarm(1800)
    with tempfile.TemporaryDirectory(prefix="quickvault-exhaustion-") as directory:
        os.chmod(directory, 0o755)
        # Other users may not be able to reach the program, so they run a copy.
        program = shutil.copy(os.path.abspath(sys.argv[1]), directory + "/program")
        os.chmod(program, 0o755)
        for case in (full_disk, read_only_disk, read_only_file, read_only_directory, vanished_directory, no_descriptors,
                      little_memory):
            parent = "%s/%s" % (directory, case.__name__)
            os.makedirs(parent)
            try:
                told = case(program, parent)
            except AssertionError as failure:
                sys.exit("exhaustion: %s: %s" % (case.__name__, failure))
            print("exhaustion: " + told, flush=True)
            if told.startswith("NOT RUN"):
                missing.append(case.__name__)
    if missing:
        print("exhaustion: NOT RUN HERE: %s (run it as root)" % ", ".join(missing), file=sys.stderr)


if __name__ == "__main__":
    main()
