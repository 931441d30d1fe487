"""One vault on several machines, with a carrier between them."""

import collections
import errno
import os
import shutil
import subprocess

from carriers import CarryingError
from history import History
from machine import Machine
from server import assert_not_stored

NAMES = ["desk", "laptop", "attic"]
# How a machine says that its disk is full, while the vault was open before, and when it was opened then.
FULL = {"vault.unavailable", "vault.readOnly"}


class Exercise:
    """Changes, spells without a connection, kills and renamed folders, and the check at the end."""

    def __init__(self, program, directory, carrier, machines, draw, has_small_disk=os.geteuid() == 0):
        self.random = draw
        self.small = os.path.join(directory, NAMES[machines - 1])
        # Only the administrator can mount a file system.
        self.has_small_disk = has_small_disk
        if self.has_small_disk:
            mount(self.small)
        self.machines = [Machine(program, directory, name) for name in NAMES[:machines]]
        self.carrier = carrier(directory, self.machines)
        self.history = History(draw)
        self.acts = collections.Counter()

    def __enter__(self):
        self.carrier.__enter__()
        return self

    def __exit__(self, *arguments):
        self.carrier.__exit__(*arguments)
        for machine in self.machines:
            if machine.server is not None:
                machine.server.kill()
        if self.has_small_disk:
            subprocess.run(["umount", "--lazy", self.small], check=True)

    def begin(self):
        """Makes the vault on the first machine; the others join."""
        first, *others = self.machines
        first.create()
        for machine in others:
            self.carry_for_joining(machine)
            machine.join()
        self.converge()

    def carry_for_joining(self, machine):
        self.carrier.carry(self.machines[0])
        if self.carrier.is_unasked:
            self.carrier.wait_until_alike()
        else:
            self.carrier.carry(machine)

    def change(self, count):
        """Makes so many changes, with whatever happens in between."""
        end = self.history.answered + count
        while self.history.answered < end:
            machine = self.random.choice(self.machines)
            for _ in range(self.random.randrange(1, 8)):
                self.history.change(machine)
            act = self.random.choices(
                ["carry", "carry all", "look", "offline", "online", "kill", "close", "nothing"],
                [6, 3, 3, 1, 2, 1, 1, 3])[0]
            self.acts[act] += 1
            if act == "carry" and machine.name not in self.carrier.offline:
                machine.synchronise()
                self.carrier.carry(machine)
            elif act == "carry all":
                self.carry_all()
            elif act == "look":
                self.history.look(machine)
            elif act == "offline" and not self.carrier.offline:
                self.carrier.go_offline(machine)
            elif act == "online":
                self.all_online()
            elif act == "kill":
                machine.kill(self.random)
                machine.open()
            elif act == "close":
                machine.close()
                machine.open()
        self.all_online()

    def carry_all(self):
        for machine in self.machines:
            machine.synchronise()
        self.carrier.carry_all()
        for machine in self.machines:
            machine.synchronise()

    def all_online(self):
        for machine in self.machines:
            if machine.name in self.carrier.offline:
                self.carrier.go_online(machine)

    def converge(self):
        """Carries until all machines have the same cards and nothing is missing."""
        for _ in range(2 * len(self.machines) + 1):
            self.carry_all()
            if self.carrier.is_unasked:
                self.carrier.wait_until_alike()
                for machine in self.machines:
                    machine.synchronise()
            first, *others = [machine.cards() for machine in self.machines]
            troubled = any(machine.problems() or machine.is_behind() for machine in self.machines)
            if not troubled and all(cards == first for cards in others):
                return
        raise AssertionError("the machines differ: %r" % [
            (machine.name, sorted(set(machine.cards().items()) - set(first.items())), machine.problems(),
             machine.ask("sync/status")["replicas"]) for machine in self.machines])

    def check(self):
        """Checks that all machines have the same, that nothing is lost, and that nobody can read the folder."""
        self.converge()
        for machine in self.machines:
            lost = self.history.lost(machine)
            assert not lost, "%d values are lost on %s: %r" % (len(lost), machine.name, lost[:5])
            assert machine.ask("vault/verify")["integrity"] == "intact", machine.name
        place = self.carrier.hub if os.path.isdir(self.carrier.hub) else self.machines[0].folder
        assert_not_stored(place)

    def full_disk(self):
        """Fills the disk of a machine, where its vault is, too, and goes on when there is room again."""
        if not self.has_small_disk:
            print("without a full disk: only the administrator can mount a file system", flush=True)
            return
        ballast = fill(self.small)
        self.acts["refused"] += sum(self.history.change(machine, FULL) is None for machine in self.machines for _ in range(5))
        for machine in self.machines[:-1]:
            machine.synchronise()
        for machine in self.machines:
            try:
                self.carrier.carry(machine)
            except CarryingError:
                self.acts["not carried"] += 1
        self.machines[-1].server.ask("sync/now")
        os.remove(ballast)
        self.check()

    # What a carrier may do wrong

    def misdeeds(self):
        """Truncates a file, puts back an older copy and replaces a file, and checks that each is named and nothing is applied."""
        writer, reader = self.machines[:2]
        self.named("unreadable", writer, reader, lambda paths: truncate(paths[0]))
        self.named("missing", writer, reader, lambda paths: os.remove(paths[-1]), after=True)
        self.named("replaced", writer, reader, lambda paths: shutil.copyfile(paths[0], paths[-1]), after=True)

    def named(self, problem, writer, reader, misdeed, after=False):
        """Does something wrong to what a writer published, before or after it is read, and checks that the reader names it."""
        self.converge()
        before, known = reader.cards(), writer.stream()
        if not after:
            # Otherwise it would read what arrives at once.
            reader.close()
        self.history.change(writer)
        self.history.change(writer)
        writer.synchronise()
        if not set(known) <= set(writer.stream()):
            # A snapshot took the place of the stream, and would excuse what is wrong before it.
            if not after:
                reader.open()
            self.named(problem, writer, reader, misdeed, after)
            return
        self.carrier.carry(writer)
        self.arrive(writer, reader)
        if after:
            reader.synchronise()
            assert writer.name not in reader.problems(), reader.problems()
            before = reader.cards()
        # Each change may be a segment of its own: what is unreadable is the first that the reader has not read. A carrier that
        # deletes nothing brings back those before a snapshot, which nobody reads.
        stream = writer.stream()
        paths = [os.path.join(reader.folder, path) for path in stream if after or path > max(known)]
        kept = [(path, read(path), os.stat(path)) for path in paths]
        misdeed(paths)
        reader.open()
        reader.synchronise()
        assert reader.problems().get(writer.name) == problem, (problem, reader.problems())
        assert reader.cards() == before, "something was applied"
        for path, content, status in kept:
            with open(path, "wb") as file:
                file.write(content)
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
        reader.synchronise()
        assert writer.name not in reader.problems(), reader.problems()
        self.all_online()

    def arrive(self, writer, reader):
        """Carries what a writer published to a reader's folder, and keeps the carrier away from it until all are alike again."""
        if self.carrier.is_unasked:
            self.carrier.wait_until_alike()
            self.carrier.go_offline(reader)
        else:
            self.carrier.carry(reader)


def mount(place):
    """Makes a small file system, which can be full."""
    os.mkdir(place)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m,mode=700", "tmpfs", place], check=True)


def fill(place):
    """Fills a file system to the last block. Returns the path of the file that does."""
    path = os.path.join(place, "ballast")
    with open(path, "wb", buffering=0) as file:
        for size in (1 << 20, 4096):
            try:
                while file.write(bytes(size)) == size:
                    pass
            except OSError as error:
                assert error.errno == errno.ENOSPC, error
    return path


def read(path):
    with open(path, "rb") as file:
        return file.read()


def truncate(path):
    os.truncate(path, os.path.getsize(path) // 2)
