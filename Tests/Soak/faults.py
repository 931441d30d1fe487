#!/usr/bin/python3
"""Makes every opening, read, write, sync, truncation, lock, link and removal of the vault's files fail in turn.

    faults.py PROGRAM [STRIDE]

For each kind of call and each error that the system could give, the Nth call of a script of all methods fails, for every
N (every STRIDEth with a stride). Each failure must be answered by an error of a known kind, the server must go on when the
fault is gone, what was answered must be in the vault afterwards, and what was refused must be there whole or not at all. A
vault that is created or deleted meanwhile is there whole or not at all. Nothing of what was stored may stand readable in any
file that is left.
"""

import contextlib
import errno
import json
import os
import sqlite3
import subprocess
import sys
import tempfile

from server import KDF, MARK, Server, document, known_kinds, look_through

HERE = os.path.dirname(os.path.abspath(__file__))
KINDS = {"vault.unavailable", "vault.damaged", "vault.changed", "vault.locked", "card.notFound"}
EVER = 1000000
# Kind of call, error, how many calls; without an error a write takes half and says so.
FAULTS = [
    ("r", errno.EIO, 1), ("w", errno.EIO, 1), ("w", errno.EIO, EVER), ("w", errno.ENOSPC, 1), ("w", errno.ENOSPC, EVER),
    ("w", 0, 1), ("w", 0, EVER), ("s", errno.EIO, 1), ("s", errno.EIO, EVER), ("t", errno.EIO, 1), ("l", errno.EIO, 1),
    ("l", errno.ENOLCK, 1), ("o", errno.EMFILE, 1), ("o", errno.EMFILE, EVER), ("o", errno.EIO, 1), ("n", errno.EIO, 1),
    ("n", errno.ENOSPC, 1), ("u", errno.EIO, 1),
]
PASSWORD, OTHER = "a first password " + MARK, "another password " + MARK


def examples(directory):
    """A request of every method that the script below does not make by itself, from the examples of the document."""
    for method in document()["methods"]:
        if method["name"] in Script.OWN or "result" not in method:
            continue
        for example in method.get("examples", [])[:1]:
            params = {part["name"]: part["value"] for part in example["params"]}
            for name in params:
                if name.lower().endswith("path"):
                    params[name] = directory + "/file"
            yield method["name"], params


class FaultyServer(Server):
    """The program with the library preloaded that makes calls fail, and derives keys at little cost."""

    def __init__(self, program, vault, library, plan, trace=None):
        environment = dict(os.environ, LD_PRELOAD=library, FAULT_FILE=plan)
        if trace:
            environment["FAULT_TRACE"] = trace
        super().__init__(program, vault, env=environment)


class Script:
    """One run of all methods, with what must be in the vault after it."""

    # What the script asks for by itself, and what ends the conversation.
    OWN = {
        "initialize", "shutdown", "vault/status", "vault/create", "vault/verify", "vault/changePassword", "vault/delete",
        "session/unlock", "session/lock", "card/create", "card/get", "card/update", "card/delete", "card/setPinned",
        "card/list", "card/search", "card/copy", "tag/list", "settings/update", "log/list",
    }

    def __init__(self, server, directory):
        self.server = server
        self.others = list(examples(directory))
        self.known = known_kinds()
        self.cards = {}
        self.unsure = {}
        self.kinds = set()
        self.passwords = [PASSWORD]
        self.tries = 0

    def ask(self, method, **params):
        answer = self.answer(method, params)
        if "error" in answer:
            self.refused(method, answer)
            return None
        return answer.get("result") or {}

    def answer(self, method, params):
        answer = self.server.ask(method, **params)
        assert answer is not None, "the server is gone after %s" % method
        # A password is counted before it is tried, and a fault may keep it from being taken back: after three there is a wait.
        if "error" in answer and any(name.lower().endswith("password") for name in params):
            self.tries += answer["error"]["data"]["kind"] in ("vault.unavailable", "auth.wrongPassword")
        return answer

    def refused(self, method, answer):
        kind = answer["error"]["data"]["kind"]
        assert kind in KINDS or kind == "auth.lockedOut" and self.tries >= 3, (method, answer)
        self.kinds.add(kind)

    def unlock(self):
        # Only where it is not known which password holds is a wrong one tried, lest there be a wait.
        for password in list(self.passwords):
            answer = self.answer("session/unlock", {"password": password})
            if "result" in answer:
                self.passwords = [password]
                return True
            if answer["error"]["data"]["kind"] != "auth.wrongPassword":
                self.refused("session/unlock", answer)
        return False

    def create(self, text):
        result = self.ask("card/create", title="t " + text[:9], group="personal", type="text", fields={"text": text})
        if result:
            self.cards[text] = result["card"]["id"]
        else:
            self.unsure[text] = None

    def ask_others(self, identifier):
        """What the document gives an example of, on a card that is there; any error that it knows will do."""
        for method, params in self.others:
            # Wrong passwords would count and lead to a wait; only an export gets one, so that it writes nothing to search.
            known = {"id": identifier, "cardId": identifier}
            if method != "vault/export":
                known["password"] = self.passwords[0]
            params = {name: known.get(name, value) for name, value in params.items()}
            answer = self.answer(method, params)
            if "error" in answer:
                kind = answer["error"]["data"]["kind"]
                assert self.known[kind] == answer["error"]["code"], (method, answer)

    def run(self):
        self.ask("vault/status")
        self.unlock()
        for number in range(3):
            self.create("text %d %s " % (number, MARK) + "y" * 3000)
        self.ask("card/list")
        self.ask("card/search", query="text")
        for text, identifier in list(self.cards.items())[:1]:
            self.ask("card/setPinned", id=identifier, pinned=True)
            self.ask("card/get", id=identifier)
            self.ask("card/copy", id=identifier)
            self.ask("card/update", id=identifier, title="changed " + MARK)
            self.ask_others(identifier)
        for text, identifier in list(self.cards.items())[1:2]:
            if self.ask("card/delete", id=identifier) is None:
                self.unsure[text] = identifier
            del self.cards[text]
        self.ask("settings/update", autoLockSeconds=600)
        self.ask("tag/list")
        self.ask("vault/verify")
        self.ask("log/list")
        changed = self.ask("vault/changePassword", oldPassword=PASSWORD, newPassword=OTHER, kdf=KDF)
        self.passwords = [PASSWORD, OTHER] if changed is None else [OTHER]
        self.create("last")
        self.ask("session/lock")
        self.unlock()
        self.create("after the lock")

    def check(self, start, vault):
        """Opens the vault without faults and compares."""
        if self.tries >= 3:
            # As if the wait were over.
            with contextlib.closing(sqlite3.connect(vault)) as file, file:
                file.execute("UPDATE lockout SET failed_attempts = 0, wait_milliseconds = 0")
        # The server that met the fault goes on, now that it is gone.
        assert self.unlock(), "the vault does not open in the server that met the fault"
        self.create("when the fault is gone")
        assert "when the fault is gone" in self.cards, "the server does not go on"
        self.server.end()
        self.server = start()
        assert self.unlock(), "the vault does not open"
        assert self.ask("vault/verify")["intact"], "the vault is damaged"
        there = {}
        for item in self.ask("card/list", limit=1000)["items"]:
            card = self.ask("card/get", id=item["id"])["card"]
            there[card["fields"][0]["value"]] = card["id"]
        self.server.end()
        missing = set(self.cards) - set(there)
        assert not missing, "answered and lost: %r" % [text[:20] for text in missing]
        extra = set(there) - set(self.cards) - set(self.unsure)
        assert not extra, "never asked for, or deleted: %r" % [text[:20] for text in extra]


class Runs:
    """Every fault in turn, each on a vault of its own."""

    def __init__(self, program, directory):
        self.program, self.directory = program, directory
        self.library = directory + "/faults.so"
        self.plan = directory + "/plan"
        subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-Wall", "-Werror", "-o", self.library, HERE + "/faults.c", "-ldl"],
                       check=True)
        self.vault = directory + "/vault.quickvault"
        self.fresh = None
        self.kinds = set()

    def set_plan(self, text):
        with open(self.plan + ".new", "w") as file:
            file.write(text)
        with open(self.plan + ".seen.new", "wb") as file:
            file.write(bytes(1024))
        os.rename(self.plan + ".seen.new", self.plan + ".seen")
        os.rename(self.plan + ".new", self.plan)

    def start(self, trace=None):
        return FaultyServer(self.program, self.vault, self.library, self.plan, trace)

    def clear(self):
        for name in os.listdir(self.directory):
            if "quickvault" in name:
                os.remove(os.path.join(self.directory, name))

    def fresh_vault(self):
        """The same empty vault each time."""
        self.clear()
        self.set_plan("")
        if self.fresh is None:
            server = self.start()
            server.must("vault/create", password=PASSWORD, kdf=KDF)
            server.end()
            with open(self.vault, "rb") as file:
                self.fresh = file.read()
            return
        with open(os.open(self.vault, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(self.fresh)

    def create_and_delete(self, plan, trace=None):
        """A vault that is made and deleted while the fault lasts: it is there whole, or not at all."""
        self.clear()
        self.set_plan("")
        server = self.start(trace)
        server.must("vault/status")
        self.set_plan(plan)
        answers = [server.ask("vault/create", password=PASSWORD, kdf=KDF)]
        for _ in range(2):
            answers.append(server.ask("vault/delete", password=PASSWORD, confirm="vault.quickvault"))
        assert None not in answers, "the server is gone"
        for answer in answers:
            kind = answer["error"]["data"]["kind"] if "error" in answer else None
            assert kind in KINDS | {None, "vault.notFound"}, answer
        self.set_plan("")
        if any("result" in answer for answer in answers[1:]):
            assert not os.path.exists(self.vault), "answered as deleted, and there"
        elif "result" in answers[0] and not os.path.exists(self.vault):
            # What was refused may have been done all the same where only its durability could not be had.
            assert "error" in answers[1], "gone without a word"
        if not os.path.exists(self.vault):
            server.must("vault/create", password=PASSWORD, kdf=KDF)
        else:
            server.must("session/unlock", password=PASSWORD)
        server.must("card/create", title=MARK, group="personal", type="text", fields={"text": MARK})
        assert server.must("vault/verify")["intact"]
        look_through(self.directory)
        server.must("vault/delete", password=PASSWORD, confirm="vault.quickvault")
        server.end()
        left = [name for name in os.listdir(self.directory) if "quickvault" in name]
        assert not left, "left behind: %r" % left

    def run(self, plan, trace=None):
        self.fresh_vault()
        server = self.start(trace)
        server.must("vault/status")
        self.set_plan(plan)
        script = Script(server, self.directory)
        script.run()
        self.set_plan("")
        look_through(self.directory)
        script.check(self.start, self.vault)
        self.kinds |= script.kinds

    def count_calls(self, run):
        trace = self.directory + "/trace"
        if os.path.exists(trace):
            os.remove(trace)
        run("", trace)
        with open(trace) as file:
            letters = file.read()
        return {letter: letters.count(letter) for letter in "rwstlonu"}


def main():
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    stride = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    # In memory where the system has such a place: what is to fail there is made to.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="quickvault-faults-", dir=memory) as directory:
        runs = Runs(os.path.abspath(sys.argv[1]), directory)
        total, all_calls = 0, {}
        for run, needed in ((runs.run, "rwslo"), (runs.create_and_delete, "rwslonu")):
            calls = runs.count_calls(run)
            assert all(calls[letter] > 0 for letter in needed), "no fault would be met: %r" % calls
            all_calls = {letter: all_calls.get(letter, 0) + calls[letter] for letter in calls}
            for letter, number, count in FAULTS:
                # Not always the same ones where not all are tried.
                for first in range(1 + total % stride, calls[letter] + 1, stride):
                    plan = "%s %d %d %d" % (letter, first, count, number)
                    try:
                        run(plan)
                    except AssertionError as failure:
                        sys.exit("faults: %s: %s (%s): %s" % (run.__name__, plan, os.strerror(number), failure))
                    total += 1
                if stride == 1:
                    print("faults: %s: every %s of %d by %s: %d faults so far" % (
                        run.__name__, letter + ("…" if count == EVER else ""), calls[letter], os.strerror(number), total), flush=True)
        assert runs.kinds, "no fault reached an answer"
        print("faults: %d faults in %s calls, answered as %s; nothing lost" % (
            total, json.dumps(all_calls), ", ".join(sorted(runs.kinds))))


if __name__ == "__main__":
    main()
