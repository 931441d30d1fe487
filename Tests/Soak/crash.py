#!/usr/bin/python3
"""Kills the server at random moments and checks that nothing was lost.

    crash.py PROGRAM [KILLS] [SEED]

A client sends random changes, several at a time (cards, attachments, settings, the password), and kills the server (SIGKILL)
while some are unanswered. The vault must then open with exactly one of the possible passwords, its record hash must be
correct, and it must hold the effect of all answered requests and of the first few unanswered ones, in order; each request
takes effect completely or not at all. No file that remains may contain stored text in the clear.
"""

import copy
import os
import random
import sys
import tempfile

from pictures import coded, picture
from server import KDF, MARK, Server, assert_not_stored


class Model:
    """The expected content of the vault: cards by the token in their text, and the password."""

    def __init__(self, password):
        self.cards = {}
        self.password = password

    def apply(self, change):
        kind, token, value = change
        if kind == "create":
            self.cards[token] = {"title": value, "pinned": False, "attachments": []}
        elif kind == "title" and token in self.cards:
            self.cards[token]["title"] = value
        elif kind == "pin" and token in self.cards:
            self.cards[token]["pinned"] = value
        elif kind == "attach" and token in self.cards:
            self.cards[token]["attachments"].append(value)
        elif kind == "detach" and token in self.cards and value in self.cards[token]["attachments"]:
            self.cards[token]["attachments"].remove(value)
        elif kind == "delete":
            self.cards.pop(token, None)
        elif kind == "password":
            self.password = value

    def after(self, changes):
        model = copy.deepcopy(self)
        for change in changes:
            model.apply(change)
        return model


# A limit on attachments, because the whole vault is read after each kill.
MOST_ATTACHMENTS = 12


class Soak:
    """One vault and its expected content over many kills."""

    def __init__(self, program, vault, seed):
        self.program = program
        self.vault = vault
        self.random = random.Random(seed)
        self.model = Model("first password " + MARK)
        self.identifiers = {}
        self.attached = {}
        self.tokens = 0
        self.answered = 0
        server = Server(program, vault)
        assert "result" in server.ask("vault/create", password=self.model.password, kdf=KDF)
        server.end()

    def change(self):
        """A random request and the change that it makes to the model."""
        kind = self.random.choices(
            ["create", "title", "pin", "delete", "settings", "attach", "detach", "password"], [8, 4, 2, 2, 1, 2, 1, 0.3])[0]
        known = [token for token in self.model.cards if token in self.identifiers]
        if kind == "password":
            value = "password %s %d" % (MARK, self.random.randrange(10**9))
            params = {"oldPassword": self.model.password, "newPassword": value}
            return "vault/changePassword", params, ("password", None, value)
        if kind == "settings":
            return "settings/update", {"autoLockSeconds": self.random.randrange(15, 86400)}, ("none", None, None)
        if kind == "create" or not known:
            self.tokens += 1
            token, title = "token %s %d" % (MARK, self.tokens), "title %s %d" % (MARK, self.random.randrange(10**9))
            text = token + "\n" + "x" * self.random.choice([0, 100, 5000])
            params = {"title": title, "group": "personal", "type": "text", "fields": {"text": text}}
            return "card/create", params, ("create", token, title)
        if kind == "attach" and sum(len(card["attachments"]) for card in self.model.cards.values()) >= MOST_ATTACHMENTS:
            kind = "detach"
            known = [token for token in known if self.model.cards[token]["attachments"]] or known
        token = self.random.choice(known)
        identifier = self.identifiers[token]
        if kind == "title":
            title = "title %s %d" % (MARK, self.random.randrange(10**9))
            return "card/update", {"id": identifier, "title": title}, ("title", token, title)
        if kind == "detach":
            names = [name for name in self.model.cards[token]["attachments"] if name in self.attached]
            if names:
                name = self.random.choice(names)
                return "attachment/delete", {"id": self.attached[name]}, ("detach", token, name)
            kind = "attach"
        if kind == "attach":
            self.tokens += 1
            name = "picture %d.png" % self.tokens
            data = coded(picture(filling=self.random.choice([0, 20000, 1000000])))
            return "attachment/add", {"cardId": identifier, "data": data, "name": name}, ("attach", token, name)
        if kind == "pin":
            pinned = self.random.random() < 0.5
            return "card/setPinned", {"id": identifier, "pinned": pinned}, ("pin", token, pinned)
        return "card/delete", {"id": identifier}, ("delete", token, None)

    def round(self):
        """Sends some requests, kills the server, and checks the vault."""
        server = Server(self.program, self.vault)
        assert "result" in server.ask("session/unlock", password=self.model.password)
        pending = []
        for _ in range(self.random.randrange(1, 6)):
            for _ in range(self.random.randrange(1, 8)):
                method, params, change = self.change()
                pending.append((server.send(method, params), change))
                if change[0] == "password":
                    break
            server.flush()
            keep = self.random.randrange(0, len(pending) + 1)
            while len(pending) > keep:
                self.settle(pending, server.answer())
            if pending and pending[-1][1][0] == "password":
                break
        for answer in server.kill():
            if answer.get("id") is not None:
                self.settle(pending, answer)
        assert_not_stored(os.path.dirname(self.vault))
        self.check([change for _, change in pending])

    def settle(self, pending, answer):
        """Applies an answered change to the model: from now on it must not be lost."""
        identifier, change = pending.pop(0)
        assert answer["id"] == identifier, (answer, identifier)
        # A request may name a card that an unanswered request of this round has deleted.
        if "error" in answer:
            assert answer["error"]["data"]["kind"] in ("card.notFound", "attachment.notFound"), answer
            return
        self.answered += 1
        self.model.apply(change)
        if change[0] == "create":
            self.identifiers[change[1]] = answer["result"]["card"]["id"]
        if change[0] == "attach":
            self.attached[change[2]] = answer["result"]["attachment"]["id"]

    def check(self, unanswered):
        """Opens the vault and compares it with the model."""
        server = Server(self.program, self.vault)
        possible = [self.model.after(unanswered[:count]) for count in range(len(unanswered) + 1)]
        opening = []
        for password in dict.fromkeys(model.password for model in possible):
            if "result" in server.ask("session/unlock", password=password):
                opening.append(password)
        assert len(opening) == 1, "%d passwords open the vault" % len(opening)
        verification = server.ask("vault/verify")["result"]
        assert verification["integrity"] == "intact" and not verification["damaged"], verification
        cards = self.read(server)
        assert verification["attachments"] == sum(len(card["attachments"]) for card in cards.values()), verification
        server.end()
        for model in possible:
            if model.password == opening[0] and model.cards == cards:
                self.model = model
                return
        raise AssertionError("the cards match no possible state: %r, unanswered %r" % (
            {token: card for token, card in cards.items() if self.model.cards.get(token) != card}, unanswered))

    def read(self, server):
        cards, cursor = {}, None
        while True:
            page = server.ask("card/list", limit=1000, **({"cursor": cursor} if cursor else {}))["result"]
            for item in page["items"]:
                card = server.ask("card/get", id=item["id"])["result"]["card"]
                token = card["fields"][0]["value"].split("\n")[0]
                assert token not in cards, "a card exists twice"
                self.attached.update((one["name"], one["id"]) for one in card["attachments"])
                names = [one["name"] for one in card["attachments"]]
                cards[token] = {"title": card["title"], "pinned": card["pinned"], "attachments": names}
                self.identifiers[token] = card["id"]
            cursor = page.get("nextCursor")
            if cursor is None:
                return cards


def main():
    if not 2 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    kills = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.SystemRandom().randrange(10**9)
    print("crash: seed %d" % seed, flush=True)
    with tempfile.TemporaryDirectory(prefix="quickvault-crash-") as directory:
        soak = Soak(os.path.abspath(sys.argv[1]), directory + "/vault.quickvault", seed)
        for number in range(1, kills + 1):
            soak.round()
            if number % 100 == 0:
                print("crash: %d kills, %d answered changes" % (number, soak.answered), flush=True)
    print("crash: %d kills, %d answered changes, nothing lost" % (kills, soak.answered))


if __name__ == "__main__":
    main()
