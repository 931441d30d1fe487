#!/usr/bin/python3
"""Replaces, removes and truncates the files of an open vault, and checks that no answered card is lost.

    replaced_log.py PROGRAM [ROUNDS] [PROCESSES] [SEED [ROUND]]

In each round, up to PROCESSES processes (default 1) create cards in a new vault while its file, its log (-wal) and the log's
index (-shm) are replaced by copies and older copies (all three at once), removed, and renamed away and back, some of them when
the directory looks as if no name in it had changed for long. Each process answers something before the next act after the file
was replaced; of several processes, each does so after every act. Each is asked for something after the last one, and then
closes the vault or is killed (SIGKILL). Every answered card must then be in the vault, or in a file that the program has put
aside beside it (-stray, -wal-stray) and that vault/merge takes. In half of the rounds, the processes keep the state of the vault
outside of it, as they do for a user, and then record unlocks there instead of in the vault. In some rounds, files are also truncated, or the processes are
killed in the middle: then only what was in the file when the round began must be there, and vault/verify must not call a vault
intact that cannot be read.

ROUND repeats one round of a seed: the same acts in the same order, though the processes may be at another point.
"""

import collections
import os
import random
import shutil
import signal
import sys
import tempfile
import threading

from recovery import create, merge, read
from server import KDF, MARK, Server, assert_not_stored

PASSWORD = "password of a replaced vault " + MARK
# What a client may be told while somebody moves the files of its vault about.
EXPECTED_KINDS = {"vault.changed", "vault.locked", "vault.notFound", "vault.unavailable"}
# In seconds, long enough for a busy machine; a process without an answer by then hangs.
DEADLINE = 300
ENDINGS = {"file": "", "log": "-wal", "index": "-shm"}


class Writer(threading.Thread):
    """A process that creates cards until it is stopped, and what it answered."""

    def __init__(self, program, vault, state, name, progress, events):
        super().__init__(daemon=True)
        self.server = Server(program, vault, state=state)
        self.name = name
        self.events = events
        self.progress = progress
        self.answered = []
        self.sent = 0
        # How many requests were begun and answered.
        self.begun, self.done = 0, 0
        self.kinds = collections.Counter()
        self.stops = threading.Event()
        self.is_killed = False
        self.failure = None
        self.unlock()

    def run(self):
        try:
            while not self.stops.is_set() and self.create():
                pass
        except BrokenPipeError:
            pass
        except BaseException as failure:  # the main thread reports it
            self.failure = failure
        finally:
            with self.progress:
                self.progress.notify_all()

    def create(self):
        """Creates a card, or unlocks. False when the process has ended."""
        self.sent += 1
        title = "%s-%d %s" % (self.name, self.sent, MARK)
        self.begun += 1
        answer = create(self.server, title)
        if answer is None:
            return False
        with self.progress:
            self.done += 1
            if "result" in answer:
                self.answered.append(title)
                self.events.append("%s-%d" % (self.name, self.sent))
            self.progress.notify_all()
        if "result" in answer:
            return True
        self.tell(answer)
        return self.unlock()

    def unlock(self):
        answer = self.server.ask("session/unlock", password=PASSWORD)
        if answer is not None and "error" in answer:
            self.tell(answer)
            return True
        self.events.append("%s unlocked" % self.name)
        if answer is not None and answer["result"]["integrity"] == "older":
            self.kinds["accepted an older file"] += 1
            answer = self.server.ask("vault/acceptOlder")
            if answer is not None and "error" in answer:
                self.tell(answer)
        return answer is not None

    def tell(self, answer):
        kind = answer["error"]["data"]["kind"]
        assert kind in EXPECTED_KINDS, answer
        self.kinds[kind] += 1
        self.events.append("%s %s" % (self.name, kind))

    def notice(self, truncates):
        """Makes a request, so that the process sees what was done to its files."""
        try:
            answer = self.server.ask("card/list", limit=1)
        except BrokenPipeError:
            answer = None
        self.events.append("%s asked" % self.name)
        if answer is None:
            # The system ends a process that reads shared memory where the file was cut off.
            status = self.server.process.wait()
            assert truncates and status == -signal.SIGBUS, "the process has ended with %d" % status
            self.is_killed = True
        elif "error" in answer:
            self.tell(answer)


class Storm:
    """Does to a vault's files what other programs do."""

    def __init__(self, vault, draw, events):
        self.vault = vault
        self.random = draw
        self.events = events
        self.old = os.path.join(os.path.dirname(os.path.dirname(vault)), "old")
        os.makedirs(self.old)
        self.count = 0

    def act(self, truncates, processes):
        """Returns whether another file may have the vault's name now."""
        names = self.random.choice([["file"], ["log"], ["index"], ["log"], ["log", "index"], ["file", "log", "index"]])
        acts = [self.copy, self.put_back, self.away, self.keep] + ([] if "file" in names else [self.remove])
        act = self.random.choice(acts + ([self.truncate] if truncates and len(names) == 1 and names != ["file"] else []))
        self.events.append("[%s %s" % (act.__name__, "+".join(names)))
        paths = [self.vault + ENDINGS[name] for name in names]
        self.random.shuffle(paths)
        # A process that has seen the older log closes the vault, whole under its name. It cannot save what then loses that name.
        stopped = processes if act == self.put_back and len(names) == 3 else []
        for process in stopped:
            process.send_signal(signal.SIGSTOP)
        # A process that closes the vault removes its files at any moment.
        away = []
        for path in paths:
            try:
                away.append(act(path))
            except FileNotFoundError:
                pass
        for path in filter(None, away):
            os.rename(path + ".away", path)
        for process in stopped:
            process.send_signal(signal.SIGCONT)
        self.events.append("]")
        return "file" in names and act in (self.copy, self.put_back)

    def quieten(self):
        """Makes the directory look as if no name in it had changed for long. A process then looks at fewer names."""
        os.utime(os.path.dirname(self.vault), (0, 0))
        self.events.append("quiet")

    def temporary(self, path, source):
        self.count += 1
        target = "%s.tmp%d" % (path, self.count)
        shutil.copyfile(source, target)
        os.chmod(target, 0o600)
        return target

    def copy(self, path):
        os.rename(self.temporary(path, path), path)

    def keep(self, path):
        shutil.copyfile(path, os.path.join(self.old, "%d-%s" % (self.count, os.path.basename(path))))
        self.count += 1

    def put_back(self, path):
        old = [name for name in os.listdir(self.old) if name.endswith("-" + os.path.basename(path))]
        if old:
            name = self.random.choice(sorted(old))
            os.rename(self.temporary(path, os.path.join(self.old, name)), path)

    def away(self, path):
        os.rename(path, path + ".away")
        return path

    def remove(self, path):
        os.unlink(path)

    def truncate(self, path):
        os.truncate(path, 0)


class Round:
    """One vault and what is done to it."""

    def __init__(self, program, directory, processes, seed, number):
        self.program = program
        self.processes = processes
        self.random = random.Random("%d-%d" % (seed, number))
        self.directory = os.path.join(directory, "vault")
        os.makedirs(self.directory, mode=0o700)
        self.vault = os.path.join(self.directory, "vault.quickvault")
        self.progress = threading.Condition()
        self.kinds = collections.Counter()
        self.state = os.path.join(directory, "state") if self.random.random() < 0.5 else "/dev/null"
        self.stored = ["before-%d %s" % (count, MARK) for count in range(self.random.randrange(1, 40))]
        server = Server(program, self.vault, state=self.state)
        server.must("vault/create", password=PASSWORD, kdf=KDF)
        for title in self.stored:
            assert "result" in create(server, title)
        server.end()
        # What happened, in order, for who looks for the cause of a failure.
        self.events = []
        self.storm = Storm(self.vault, self.random, self.events)

    def run(self):
        """Returns the number of answered cards."""
        truncates = self.random.random() < 0.15
        kills_midway = self.random.random() < 0.15
        count = self.random.randrange(1, self.processes + 1)
        writers = [
            Writer(self.program, self.vault, self.state, "writer%d" % number, self.progress, self.events)
            for number in range(count)]
        for writer in writers:
            writer.start()
        for _ in range(self.random.randrange(1, 8)):
            self.wait_for_answers(writers, self.random.randrange(0, 6))
            if self.random.random() < 0.3:
                self.storm.quieten()
                self.wait_for_answers(writers, 2)
            replaces = self.storm.act(truncates, [writer.server.process for writer in writers])
            # If the next act removed what replaced the file, or its log, there would be nothing to save the cards beside.
            if count > 1 or replaces:
                self.wait_until_noticed(writers)
        self.wait_for_answers(writers, self.random.randrange(0, 6))
        for writer in writers:
            if kills_midway and self.random.random() < 0.7:
                writer.is_killed = True
                writer.server.process.kill()
            writer.stops.set()
        for writer in writers:
            writer.join(DEADLINE)
            assert not writer.is_alive(), "a process hangs"
            if writer.failure is not None:
                raise writer.failure
            self.kinds += writer.kinds
        self.end(writers, kills_midway, truncates)
        answered = [title for writer in writers for title in writer.answered]
        self.check(self.stored + ([] if truncates or kills_midway else answered), self.stored + [
            "writer%d-%d %s" % (number, sent + 1, MARK) for number, writer in enumerate(writers)
            for sent in range(writer.sent)])
        return len(answered)

    def wait_for_answers(self, writers, count):
        """Waits until so many more cards are created, or every process waits or has ended."""
        with self.progress:
            goal = sum(len(writer.answered) for writer in writers) + count
            assert self.progress.wait_for(
                lambda: sum(len(writer.answered) for writer in writers) >= goal
                or not any(writer.is_alive() for writer in writers), DEADLINE), "no answers"

    def wait_until_noticed(self, writers):
        """Waits until each process has answered a request that came after the last act."""
        with self.progress:
            goals = [writer.begun + 1 for writer in writers]
            assert self.progress.wait_for(
                lambda: all(writer.done >= goal or not writer.is_alive() for writer, goal in zip(writers, goals)), DEADLINE
            ), "no answers"

    def end(self, writers, kills_midway, truncates):
        """Closes or kills the processes, each after a request."""
        running = [writer for writer in writers if not writer.is_killed]
        for writer in running:
            if not kills_midway:
                writer.notice(truncates)
        self.random.shuffle(running)
        for writer in running:
            if writer.is_killed:
                continue
            if kills_midway or self.random.random() < 0.5:
                writer.server.kill()
                self.events.append("%s killed" % writer.name)
            else:
                writer.server.end()
                self.events.append("%s closed" % writer.name)
        for writer in writers:
            writer.server.process.wait()

    def check(self, expected, possible):
        """Opens the vault, merges what was put aside, and compares the cards."""
        names = sorted(os.listdir(self.directory))
        found, integrity = read(self.program, self.vault, PASSWORD)
        for name in names:
            if "-stray" in name and not set(expected) <= found:
                self.merge(name)
                found, integrity = read(self.program, self.vault, PASSWORD)
        assert found <= set(possible), "cards that nobody created: %r" % sorted(found - set(possible))
        missing = sorted(set(expected) - found)
        assert not missing, "%d of %d answered cards are lost: %r; %s; files %r" % (
            len(missing), len(expected), missing, integrity, names)
        assert integrity == "intact", integrity
        assert_not_stored(self.directory)

    def merge(self, name):
        """Merges a file that was put aside; a log, with a copy of the vault."""
        stray = os.path.join(self.directory, name)
        if "-wal-stray" in name:
            kind = merge(self.program, self.vault, self.vault, PASSWORD, log=stray)
        else:
            kind = merge(self.program, self.vault, stray, PASSWORD)
        self.kinds[kind or "merged " + name.rstrip("-0123456789")] += 1


def main():
    if not 2 <= len(sys.argv) <= 6:
        sys.exit(__doc__)
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    processes = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else random.SystemRandom().randrange(10**9)
    numbers = [int(sys.argv[5])] if len(sys.argv) > 5 else range(1, rounds + 1)
    print("replaced_log: seed %d" % seed, flush=True)
    answered, kinds = 0, collections.Counter()
    for number in numbers:
        with tempfile.TemporaryDirectory(prefix="quickvault-replaced-") as directory:
            one = Round(os.path.abspath(sys.argv[1]), directory, processes, seed, number)
            try:
                answered += one.run()
            except BaseException:
                print("replaced_log: seed %d, round %d: %s" % (seed, number, ", ".join(one.events)), flush=True)
                raise
            kinds += one.kinds
        if number % 100 == 0:
            print("replaced_log: %d rounds, %d answered cards" % (number, answered), flush=True)
    told = ", ".join("%s %d" % pair for pair in sorted(kinds.items()))
    print("replaced_log: %d rounds, %d answered cards, none lost; %s" % (len(numbers), answered, told))


if __name__ == "__main__":
    main()
