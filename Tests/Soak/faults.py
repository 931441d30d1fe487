#!/usr/bin/python3
"""Injects a fault into each file operation in turn: open, read, write, sync, truncate, lock, link, rename and unlink.

    faults.py PROGRAM [STRIDE]

The scenarios call all methods. For each kind of call and each error, the Nth call fails, for every N (with STRIDE, every
STRIDEth of all these faults): calls on the vault, and on files that are imported, exported, attached, merged or written as
backups. Each failure must be answered with an error of a known kind. The server must continue when the fault is over. An
answered change must be in the vault afterwards, and a failed one must have taken effect completely or not at all; so must
the creation or deletion of a vault. No file beside the vault may contain stored text in the clear.
"""

import errno
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

from pictures import picture
from fault_scenarios import KINDS, PASSWORD, REFUSED, Attachments, Cards, Migrations, Repairs, Synchronised, Transfers
from server import KDF, MARK, Server, document, assert_not_stored

HERE = os.path.dirname(os.path.abspath(__file__))
EVER = 1000000
# Kind of call, error, number of calls; error 0 means a short write.
FAULTS = [
    ("r", errno.EIO, 1), ("w", errno.EIO, 1), ("w", errno.EIO, EVER), ("w", errno.ENOSPC, 1), ("w", errno.ENOSPC, EVER),
    ("w", 0, 1), ("w", 0, EVER), ("s", errno.EIO, 1), ("s", errno.EIO, EVER), ("t", errno.EIO, 1), ("l", errno.EIO, 1),
    ("l", errno.ENOLCK, 1), ("o", errno.EMFILE, 1), ("o", errno.EMFILE, EVER), ("o", errno.EIO, 1), ("n", errno.EIO, 1),
    ("n", errno.ENOSPC, 1), ("u", errno.EIO, 1), ("m", errno.EIO, 1), ("m", errno.ENOSPC, 1),
]
LETTERS = "rwstlonum"


class FaultyServer(Server):
    """The program with a preloaded library that makes calls fail and makes key derivation cheap."""

    def __init__(self, program, vault, library, plan, trace=None):
        environment = dict(os.environ, LD_PRELOAD=library, FAULT_FILE=plan)
        if trace:
            environment["FAULT_TRACE"] = trace
        super().__init__(program, vault, env=environment)


class Runs:
    """Runs the scenarios with each fault, each time on a new vault."""

    def __init__(self, program, parent):
        self.program = program
        self.library = parent + "/faults.so"
        self.plan = parent + "/plan"
        self.trace = parent + "/trace"
        subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-Wall", "-Werror", "-o", self.library, HERE + "/faults.c", "-ldl"],
                       check=True)
        # No file in `directory` may be readable; `outside` has the unencrypted files that were requested. Faults affect both.
        self.directory = parent + "/vault"
        self.vault = self.directory + "/vault.quickvault"
        self.outside = parent + "/outside.quickvault"
        self.prepared = parent + "/prepared"
        self.kinds, self.answered, self.refused = set(), set(), {}

    def made(self, name, fill):
        """Makes a vault that each run copies."""
        path = self.prepared + "/" + name
        server = self.start(path)
        server.must("vault/create" if not os.path.exists(path) else "session/unlock", password=PASSWORD,
                    **({} if os.path.exists(path) else {"kdf": KDF}))
        fill(server)
        server.end()
        assert not os.path.exists(path + "-wal")
        return path

    def prepare(self):
        """Makes the vaults that the scenarios begin with, and the files that they read."""
        os.makedirs(self.prepared + "/files")
        self.set_plan("")
        self.made("empty.quickvault", lambda server: None)
        self.made("kept.quickvault", lambda server: server.must(
            "card/create", title="t", group="personal", type="text", fields={"text": "kept " + MARK}))
        kept = self.prepared + "/kept.quickvault"
        shutil.copy(kept, self.prepared + "/files/copy.quickvault")
        self.made("files/copy.quickvault", Transfers.change_copy)
        shutil.copy(kept, self.prepared + "/damaged.quickvault")
        lost = {}
        self.made("damaged.quickvault", lambda server: lost.update(server.must(
            "card/create", title="t", group="personal", type="text", fields={"text": "lost " + MARK})["card"]))
        with sqlite3.connect(self.prepared + "/damaged.quickvault") as connection:
            connection.execute("UPDATE card SET sealed = zeroblob(length(sealed)) WHERE id = ?",
                               (bytes.fromhex(lost["id"].replace("-", "")),))
        connection.close()

        def export(server):
            Transfers.fill_import(server)
            server.must("vault/export", path=self.prepared + "/files/in.json", format="json", password=PASSWORD,
                        attachments=True)
        self.made("import.quickvault", export)
        Migrations.write_vault(self.prepared + "/older.quickvault")
        with open(self.prepared + "/files/picture.png", "wb") as file:
            file.write(picture(note="b.png"))

    def start(self, vault=None, trace=None):
        return FaultyServer(self.program, vault or self.vault, self.library, self.plan, trace)

    def set_plan(self, text):
        with open(self.plan + ".new", "w") as file:
            file.write(text)
        with open(self.plan + ".seen.new", "wb") as file:
            file.write(bytes(1024))
        os.rename(self.plan + ".seen.new", self.plan + ".seen")
        os.rename(self.plan + ".new", self.plan)

    def clear(self):
        for directory in (self.directory, self.outside):
            shutil.rmtree(directory, ignore_errors=True)
        os.makedirs(self.directory)

    def create_and_delete(self, plan, trace=None):
        """Creates and deletes a vault during the fault: it must exist completely or not at all."""
        self.clear()
        self.set_plan("")
        server = self.start(trace=trace)
        server.must("vault/status")
        self.set_plan(plan)
        answers = [server.ask("vault/create", password=PASSWORD, kdf=KDF)]
        for _ in range(2):
            answers.append(server.ask("vault/delete", password=PASSWORD, confirm="vault.quickvault"))
        assert None not in answers, "the server has ended"
        for answer in answers:
            kind = answer["error"]["data"]["kind"] if "error" in answer else None
            assert kind in KINDS | {None, "vault.notFound"}, answer
        if not plan:
            assert "result" in answers[0] and "result" in answers[1], answers
            self.answered |= {"vault/create", "vault/delete"}
        self.set_plan("")
        if any("result" in answer for answer in answers[1:]):
            assert not os.path.exists(self.vault), "answered as deleted but still there"
        elif "result" in answers[0] and not os.path.exists(self.vault):
            # A failed request may have taken effect if only its sync failed.
            assert "error" in answers[1], "deleted without an error"
        if not os.path.exists(self.vault):
            server.must("vault/create", password=PASSWORD, kdf=KDF)
        else:
            server.must("session/unlock", password=PASSWORD)
        server.must("card/create", title=MARK, group="personal", type="text", fields={"text": MARK})
        assert server.must("vault/verify")["integrity"] == "intact"
        assert_not_stored(self.directory)
        server.must("vault/delete", password=PASSWORD, confirm="vault.quickvault")
        server.end()
        assert not os.listdir(self.directory), "files remain: %r" % os.listdir(self.directory)

    def run(self, kind, prepared, plan, trace=None):
        self.clear()
        shutil.copy(self.prepared + "/" + prepared, self.vault)
        shutil.copytree(self.prepared + "/files", self.outside)
        os.mkdir(self.outside + "/backups.quickvault")
        self.set_plan("")
        server = self.start(trace=trace)
        assert "result" in server.ask("vault/status")
        self.set_plan(plan)
        script = kind(server, self.outside)
        letter, _, count, *_ = plan.split() or ("", "", "0")
        script.fails_one_write = letter in ("w", "s", "t") and count == "1"
        script.run()
        self.set_plan("")
        assert_not_stored(self.directory)
        script.check(self.start, self.vault)
        left = [name for directory in (self.directory, self.outside, self.outside + "/backups.quickvault")
                for name in os.listdir(directory) if "unfinished" in name]
        assert not left or plan.startswith("u"), "files remain: %r" % left
        self.kinds |= script.kinds
        if not plan:
            assert not script.kinds and not script.unsure, "an error without a fault: %r" % script.refused
            self.answered |= script.answered
            self.refused.update(script.refused)

    def lying_disk(self):
        """Backs up to a disk that loses writes: the backup must be reported as not verified."""
        kinds = []
        for first in range(1, 100):
            self.clear()
            shutil.copy(self.prepared + "/kept.quickvault", self.vault)
            os.makedirs(self.outside)
            self.set_plan("")
            server = self.start()
            server.must("session/unlock", password=PASSWORD)
            self.set_plan("w %d 1 -1" % first)
            answer = server.ask("vault/backup", path=self.outside)
            self.set_plan("")
            server.end()
            if "result" in answer:
                break
            assert not os.listdir(self.outside), "failed but still there: %r" % os.listdir(self.outside)
            kinds.append(answer["error"]["data"]["kind"])
        assert kinds and set(kinds) == {"backup.notVerified"}, kinds

    def scripts(self):
        """The name of each scenario, and a function that runs it with a plan."""
        yield "create_and_delete", self.create_and_delete
        for kind, prepared in ((Cards, "empty"), (Attachments, "kept"), (Transfers, "kept"), (Synchronised, "kept"), (Repairs, "damaged"),
                               (Migrations, "older")):
            yield kind.__name__, lambda plan, trace=None, kind=kind, name=prepared + ".quickvault": self.run(
                kind, name, plan, trace)

    def count_calls(self, run):
        """Runs a scenario without a fault and counts its calls."""
        if os.path.exists(self.trace):
            os.remove(self.trace)
        run("", self.trace)
        with open(self.trace) as file:
            letters = file.read()
        return {letter: letters.count(letter) for letter in LETTERS}

    def check_coverage(self):
        """Checks that without faults every method succeeded, or failed as REFUSED says."""
        methods = {method["name"] for method in document()["methods"] if "result" in method and "x-direction" not in method}
        assert methods - self.answered == set(REFUSED), "methods without an answer: %r" % sorted(
            (methods - self.answered) ^ set(REFUSED))
        for method, (kind, reason) in REFUSED.items():
            assert self.refused.get(method) == kind, (method, reason, self.refused.get(method))


def main():
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    stride = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    began = time.monotonic()
    # In memory if possible: real disk errors are not needed here.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="quickvault-faults-", dir=memory) as directory:
        runs = Runs(os.path.abspath(sys.argv[1]), directory)
        runs.prepare()
        calls = {name: runs.count_calls(run) for name, run in runs.scripts()}
        runs.check_coverage()
        runs.lying_disk()
        all_calls = {letter: sum(of[letter] for of in calls.values()) for letter in LETTERS}
        assert all(all_calls.values()), "a scenario without calls: %r" % all_calls
        plans = [(name, run, "%s %d %d %d" % (letter, first, count, number), number)
                 for name, run in runs.scripts() for letter, number, count in FAULTS
                 for first in range(1, calls[name][letter] + 1)][stride // 2::stride]
        for done, (name, run, plan, number) in enumerate(plans):
            try:
                run(plan)
            except AssertionError as failure:
                sys.exit("faults: %s: %s (%s): %s" % (name, plan, os.strerror(number), failure))
            if stride == 1 and done % 200 == 0:
                print("faults: %s: %d of %d faults so far" % (name, done, len(plans)), flush=True)
        assert runs.kinds, "no fault caused an error"
        print("faults: %d faults in %s calls, answered with %s; nothing lost, in %d s" % (
            len(plans), json.dumps(all_calls), ", ".join(sorted(runs.kinds)), time.monotonic() - began))


if __name__ == "__main__":
    main()
