"""The scenarios of faults.py, with the expected content of the vault after each."""

import base64
import contextlib
import hashlib
import json
import os
import pathlib
import sqlite3
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "protocol/testkit"))
import testkit  # pylint: disable=wrong-import-position
from pictures import coded, picture
from server import KDF, MARK, known_kinds

PASSWORD, OTHER = "a first password " + MARK, "another password " + MARK
# The kinds of errors that a fault may cause.
KINDS = {
    "vault.unavailable", "vault.damaged", "vault.changed", "vault.locked", "file.notFound", "sync.folderNotFound", "file.unreadable",
    "file.notWritable", "backup.notVerified", "merge.damagedCopy", "card.notFound", "attachment.notFound",
    "vault.readOnly",
}
# Methods that fail without a fault, with the kind and the reason. Every other method succeeds at least once.
REFUSED = {
    "field/code": ("code.none", "needs a key for one-time codes"),
    "card/version": ("card.versionNotFound", "needs the name of a version"),
    "account/signIn": ("rpc.invalidParameters", "needs a server"),
    "account/deleteData": ("account.notSignedIn", "needs a server"),
    "account/signOut": ("account.notSignedIn", "needs a server"),
    "biometric/enable": ("biometric.biometryNotAvailable", "needs a desktop and a finger"),
    "biometric/disable": ("biometric.notEnabled", "needs a bound device"),
    "client/revoke": ("client.notFound", "needs a client on a socket"),
    "client/ticket": ("auth.notShared", "needs a vault on a socket"),
    "device/revoke": ("device.notFound", "needs a bound device"),
    "sync/forget": ("sync.unknownReplica", "needs another machine"),
    "sync/join": ("vault.exists", "needs a machine without a vault"),
    "sync/rejoin": ("sync.noVault", "needs another machine that made a new key"),
}
# Methods with a password, which counts as a failed attempt until it has been verified.
COUNTED = {
    "session/unlock", "vault/changePassword", "vault/rekey", "vault/export", "vault/merge", "vault/repair", "attachment/get",
    "attachment/export", "biometric/enable",
}
DRAWN = {"text": "mark " + MARK}


def hashed(data):
    """The hash by which contents are compared."""
    return hashlib.sha256(data).hexdigest()


class Scenario:
    """A sequence of requests, and facts about the vault that they establish: card texts, titles, attachments."""

    def __init__(self, server, outside):
        self.server, self.outside = server, outside
        self.known = known_kinds()
        self.passwords = [PASSWORD]
        self.facts = set(self.BEFORE)
        self.unsure = []
        self.kinds, self.answered, self.refused = set(), set(), {}
        self.tries = 0
        # Whether one call fails that writes, flushes or truncates.
        self.fails_one_write = False
        # The kinds with which methods fail because of what failed before.
        self.follows = {}

    # The facts at the beginning.
    BEFORE = frozenset()

    def ask(self, method, /, **params):
        """The result; None after an error that a fault may cause."""
        answer = self.server.ask(method, **params)
        assert answer is not None, "the server is gone after %s" % method
        if "error" in answer:
            kind = answer["error"]["data"]["kind"]
            assert self.known.get(kind) == answer["error"]["code"], (method, answer)
            if kind not in (REFUSED.get(method, ("",))[0], self.follows.get(method)):
                self.expect(method, kind)
            self.refused[method] = kind
            return None
        self.answered.add(method)
        return answer["result"] if answer.get("result") is not None else {}

    def expect(self, method, kind):
        """Checks an error. A fault may leave an attempt counted as failed; after three, the program demands a wait."""
        assert kind in KINDS or kind == "auth.lockedOut" and self.tries >= 3, (method, kind)
        self.kinds.add(kind)
        self.tries += method in COUNTED

    def change(self, result, adds=(), removes=()):
        """Notes a change: if answered, it must be there; if failed, completely or not at all."""
        if result is None:
            self.unsure.append((frozenset(adds), frozenset(removes)))
        else:
            self.facts = self.facts - set(removes) | set(adds)
        return result

    def unlock(self):
        # Tries several passwords only if the current one is unknown, to avoid the wait after wrong ones.
        for password in list(self.passwords):
            answer = self.server.ask("session/unlock", password=password)
            assert answer is not None, "the server is gone after session/unlock"
            if "result" in answer:
                self.passwords = [password]
                self.answered.add("session/unlock")
                return True
            kind = answer["error"]["data"]["kind"]
            if kind == "auth.wrongPassword" and len(self.passwords) > 1:
                self.tries += 1
            else:
                self.expect("session/unlock", kind)
        return False

    def create(self, text, title="t"):
        """Creates a card and returns its ID."""
        result = self.ask("card/create", title=title, group="personal", type="text", fields={"text": text})
        self.change(result, {("card", text, title)})
        return result and result["card"]["id"]

    def attach(self, card, text, name, **params):
        """Adds an attachment and returns its ID."""
        result = self.ask("attachment/add", cardId=card, name=name, **params)
        mark = params["watermark"]["text"] if "watermark" in params else None
        self.change(result, {("attachment", text, name, hashed(picture(note=name))), ("mark", text, name, mark)})
        return result and result["attachment"]["id"]

    def written(self, result, path, is_whole):
        """Checks a requested unencrypted file: if answered, it exists; if failed, it is complete or absent."""
        assert result is None or os.path.exists(path), "answered and not there: %s" % path
        if os.path.exists(path):
            with open(path, "rb") as file:
                assert is_whole(file.read()), "not whole: %s" % path

    def check(self, start, vault):
        """Opens the vault without faults and compares it with the facts."""
        if self.tries >= 3:
            # Removes the wait.
            with contextlib.closing(sqlite3.connect(vault)) as file, file:
                file.execute("UPDATE lockout SET failed_attempts = 0, wait_milliseconds = 0")
        # The server must continue after the fault.
        assert self.unlock(), "the vault does not open in the server that met the fault"
        self.resume()
        assert self.create("when the fault is gone"), "the server does not go on"
        assert self.ask("shutdown") is not None
        self.server.end()
        self.server = start()
        assert self.unlock(), "the vault does not open"
        verification = self.ask("vault/verify")
        assert verification["integrity"] == "intact" and not verification["damaged"], "the vault is damaged"
        there = self.read()
        self.server.end()
        self.compare(there)

    def resume(self):
        """Requests to send after the fault."""

    def compare(self, there):
        open_facts = set()
        for adds, removes in self.unsure:
            is_done = adds <= there and not removes & there
            assert is_done or not adds & there, "refused, and there in part: %r" % named(adds)
            assert is_done or removes <= there | open_facts, "refused, and gone in part: %r" % named(removes)
            open_facts |= adds | removes
        missing = self.facts - there - open_facts
        assert not missing, "answered and lost: %r" % named(missing)
        extra = there - self.facts - open_facts
        assert not extra, "never asked for, or deleted: %r" % named(extra)

    def read(self):
        """The content of the vault as facts."""
        facts = {("settings", self.ask("settings/get")["settings"]["autoLockSeconds"])}
        for item in self.ask("card/list", limit=1000)["items"]:
            card = self.ask("card/get", id=item["id"])["card"]
            text = card["fields"][0]["value"]
            fact = ("card", text, card["title"]) + (("pinned",) if card["pinned"] else ())
            assert fact not in facts, "a card is there twice"
            facts.add(fact)
            for one in card["attachments"]:
                content = self.ask("attachment/get", id=one["id"], original=True, password=self.passwords[0])
                facts.add(("attachment", text, one["name"], hashed(base64.b64decode(content["data"]))))
                facts.add(("mark", text, one["name"], one["watermark"] and one["watermark"]["text"]))
        return facts


class Cards(Scenario):
    """Cards, settings, passwords and read-only requests."""

    BEFORE = {("settings", 300)}

    def run(self):
        self.ask("initialize", clientInfo={"name": "faults"})
        self.ask("vault/status")
        self.unlock()
        texts = ["text %d %s " % (number, MARK) + "y" * 3000 for number in range(3)]
        cards = [self.create(text) for text in texts]
        self.ask("card/list")
        self.ask("password/generate")
        self.ask("card/search", query="text")
        if cards[0]:
            facts = [{("card", texts[0], "t")}, {("card", texts[0], "t", "pinned")},
                     {("card", texts[0], "changed " + MARK, "pinned")}]
            pinned = self.change(self.ask("card/setPinned", id=cards[0], pinned=True), facts[1], facts[0])
            self.ask("card/get", id=cards[0])
            self.ask("card/resolve", name=cards[0])
            self.ask("card/copy", id=cards[0])
            self.ask("field/code", id=cards[0])
            self.ask("card/history", id=cards[0])
            self.ask("card/version", id=cards[0], version="00000000")
            self.ask("card/trash")
            if pinned:
                updated = self.change(
                    self.ask("card/update", id=cards[0], title="changed " + MARK), facts[2], facts[1])
                if updated:
                    self.change(self.ask("card/revert", id=cards[0]), facts[1], facts[2])
            self.ask("card/purge")
        if cards[1]:
            if self.change(self.ask("card/delete", id=cards[1]), (), {("card", texts[1], "t")}) is not None:
                self.change(self.ask("card/restore", id=cards[1]), {("card", texts[1], "t")})
        self.ask("draft/put", client="faults", type="text", text="draft " + MARK)
        self.ask("draft/get", client="faults")
        self.ask("form/open", client="faults", type="text")
        text = "form " + MARK
        saved = self.ask("form/save", client="faults", type="text", text="Title: t\nGroup: personal\n--- Text ---\n" + text)
        self.change(saved, {("card", text, "t")})
        self.ask("draft/discard", client="faults", type="text")
        for method in ("rpc.discover", "template/list", "tag/list", "card/conflicts", "settings/get", "biometric/status", "device/list",
                       "client/list", "client/requestConsent", "client/ticket", "biometric/disable"):
            self.ask(method)
        self.ask("client/revoke", id=1)
        self.ask("device/revoke", id="5b0c1f6e-8d2a-8c47-9e31-7f60a4d2c815")
        self.change(self.ask("settings/update", autoLockSeconds=600), {("settings", 600)}, {("settings", 300)})
        self.ask("biometric/enable", password=PASSWORD)
        self.ask("vault/verify")
        self.ask("vault/acceptOlder")
        self.ask("password/check", password="11111111")
        self.ask("card/parse", text="李雷 13800138000 广东深圳南山科技路88号")
        self.ask("agent/find", query="")
        self.ask("agent/use", kind="copy", values=[])
        note = "agent " + MARK
        self.change(self.ask("agent/save", text=note), {("card", note, note)})
        self.ask("log/list")
        changed = self.ask("vault/changePassword", oldPassword=PASSWORD, newPassword=OTHER, kdf=KDF)
        self.passwords = [PASSWORD, OTHER] if changed is None else [OTHER]
        self.create("last")
        self.ask("session/lock")
        self.unlock()
        self.create("after the lock")


class Migrations(Scenario):
    """A vault of an older format, which the first unlock brings up to date: completely or not at all."""

    BEFORE = {("settings", 300), ("card", "kept " + MARK, "t")}

    @staticmethod
    def write_vault(path):
        """Writes the vault, with the key derivation of the preloaded library."""
        testkit.derive = lambda secret, salt, *_: hashlib.pbkdf2_hmac("sha256", secret, salt, 100)
        vault = testkit.Vault("faults", steps=3, page_size=4096)
        vault.put_slot(password=PASSWORD)
        vault.put(testkit.Card("kept", "t", fields={"text": "kept " + MARK}))
        vault.put_head()
        with open(path, "wb") as file:
            file.write(vault.serialized())

    def run(self):
        self.unlock()
        self.create("in the new format")
        self.ask("session/lock")
        self.unlock()

    def check(self, start, vault):
        super().check(start, vault)
        with contextlib.closing(sqlite3.connect(vault)) as file:
            assert file.execute("SELECT count(*) FROM migration").fetchone() == (7,), "not brought up to date"


class Attachments(Scenario):
    """Attachments that are added, shown, watermarked, exported and deleted."""

    BEFORE = {("settings", 300), ("card", "kept " + MARK, "t")}

    def run(self):
        self.unlock()
        text = "kept " + MARK
        card = self.ask("card/list")
        if not card:
            return
        card = card["items"][0]["id"]
        path = self.outside + "/picture.png"
        first = self.attach(card, text, "a.png", data=coded(picture(note="a.png")))
        second = self.attach(card, text, "b.png", path=path, watermark=DRAWN)
        self.ask("attachment/list", cardId=card)
        if first:
            original = picture(note="a.png")
            got = self.ask("attachment/get", id=first)
            assert got is None or base64.b64decode(got["data"]) == original
            self.ask("attachment/thumbnail", id=first, size=64)
            out = self.outside + "/a.out.png"
            self.written(self.ask("attachment/export", id=first, path=out), out, lambda data: data == original)
            mark = [{("mark", text, "a.png", None)}, {("mark", text, "a.png", DRAWN["text"])}]
            self.change(self.ask("attachment/setWatermark", id=first, **DRAWN), mark[1], mark[0])
        if second:
            self.ask("attachment/get", id=second)
            out = self.outside + "/b.out.png"
            exported = self.ask("attachment/export", id=second, path=out, original=True, password=PASSWORD)
            self.written(exported, out, lambda data: data == picture(note="b.png"))
            gone = {("attachment", text, "b.png", hashed(picture(note="b.png"))), ("mark", text, "b.png", DRAWN["text"])}
            self.change(self.ask("attachment/delete", id=second), (), gone)


class Synchronised(Scenario):
    """A vault that is synchronised over a folder, and gets a new key."""

    BEFORE = {("settings", 300), ("card", "kept " + MARK, "t")}

    def run(self):
        self.unlock()
        folder = self.outside + "/folder"
        if self.ask("sync/enable", folder=folder, machine="faults") is None:
            self.follows = dict.fromkeys(("sync/now", "sync/forget", "sync/rejoin", "sync/disable"), "sync.notEnabled")
        self.create("synchronised")
        self.ask("sync/now")
        self.ask("sync/status")
        self.ask("account/signIn", method="password", address="https://example.org/")
        self.ask("account/status")
        self.ask("account/providers")
        self.ask("account/signOut")
        self.ask("account/deleteData", password=PASSWORD, confirm="vault.quickvault")
        self.ask("sync/forget", replica="5b0c1f6e-8d2a-8c47-9e31-7f60a4d2c815")
        self.ask("sync/join", folder=folder, password=PASSWORD)
        self.ask("sync/rejoin", password=OTHER)
        changed = self.ask("vault/rekey", oldPassword=PASSWORD, newPassword=OTHER)
        self.passwords = [PASSWORD, OTHER] if changed is None else [OTHER]
        if changed is None:
            # A fault while the file is opened again leaves it open for reading only, or locked.
            self.ask("session/lock")
            self.unlock()
            # One write that fails is no reason to say that the key is the old one when it is not.
            assert self.passwords == [PASSWORD] or not self.fails_one_write, "failed, but the vault has the new key"
        self.create("under the new key")
        self.ask("sync/now")
        self.ask("sync/disable")
        self.create("last")


class Transfers(Scenario):
    """Imports, exports, backups and merges."""

    BEFORE = {("settings", 300), ("card", "kept " + MARK, "t")}

    IMPORTED = {("card", "in 0", "t"), ("card", "in 1", "t"), ("mark", "in 1", "in.png", None),
                ("attachment", "in 1", "in.png", hashed(picture(note="in.png")))}
    MERGED = {("card", "kept " + MARK, "merged"), ("card", "merged in", "t"), ("mark", "merged in", "m.png", None),
              ("attachment", "merged in", "m.png", hashed(picture(note="m.png")))}

    @staticmethod
    def fill_import(server):
        """Fills the vault from which the import file is made."""
        for number in range(2):
            card = server.must("card/create", title="t", group="personal", type="text", fields={"text": "in %d" % number})
        server.must("attachment/add", cardId=card["card"]["id"], name="in.png", data=coded(picture(note="in.png")))

    @staticmethod
    def change_copy(server):
        """Changes the copy that is merged later."""
        card = server.must("card/list")["items"][0]["id"]
        server.must("card/update", id=card, title="merged")
        new = server.must("card/create", title="t", group="personal", type="text", fields={"text": "merged in"})
        server.must("attachment/add", cardId=new["card"]["id"], name="m.png", data=coded(picture(note="m.png")))

    def run(self):
        self.unlock()
        self.ask("vault/import", path=self.outside + "/in.json", dryRun=True)
        self.change(self.ask("vault/import", path=self.outside + "/in.json"), self.IMPORTED)
        table = base64.b64encode("title,text\nby data,by data\n".encode()).decode()
        self.change(self.ask("vault/import", data=table, type="text"), {("card", "by data", "by data")})
        out = self.outside + "/out.json"
        exported = self.ask("vault/export", path=out, format="json", password=PASSWORD, attachments=True)
        self.written(exported, out, lambda data: json.loads(data)["cards"] is not None and (
            not exported or len(json.loads(data)["cards"]) == exported["cards"]))
        self.backup()
        copy = self.outside + "/copy.quickvault"
        self.ask("vault/merge", path=copy, password=PASSWORD, dryRun=True)
        self.change(self.ask("vault/merge", path=copy, password=PASSWORD), self.MERGED, {("card", "kept " + MARK, "t")})

    def backup(self):
        """An answered backup can be opened; so can the file of a failed one, if it exists."""
        self.backups = self.outside + "/backups.quickvault"
        self.made = self.ask("vault/backup", path=self.backups, keep=1)
        assert not self.made or os.path.exists(self.made["path"])

    def check(self, start, vault):
        super().check(start, vault)
        for name in os.listdir(self.backups):
            if name.startswith(".") or not name.endswith(".quickvault"):
                continue
            server = start(self.backups + "/" + name)
            server.must("session/unlock", password=PASSWORD)
            assert server.must("vault/verify")["integrity"] == "intact", "a backup is damaged"
            server.end()


class Repairs(Scenario):
    """The repair of a damaged vault: afterwards it is the damaged or the repaired one, with all readable cards."""

    BEFORE = {("settings", 300), ("card", "kept " + MARK, "t")}

    def run(self):
        self.repaired = self.ask("vault/repair", password=PASSWORD)
        self.unlock()

    def resume(self):
        self.ask("session/lock")
        answer = self.ask("vault/repair", password=PASSWORD)
        assert answer and answer["integrity"] == "intact", "it is not repaired when the fault is gone"
        assert not self.repaired or answer["backup"] is None, "what was answered as repaired was not"
        assert self.unlock()


def named(facts):
    """Facts in a form for failure messages."""
    return [tuple(str(part)[:30] for part in fact) for fact in facts]
