"""What people do with the files that they find beside a vault: BACKUP-AND-MERGE.md and DAMAGE.md say so."""

import os
import shutil

from server import Server


def read(program, vault, password):
    """The titles of all cards, each of which is opened and has its title in its text, and the vault's integrity."""
    server = Server(program, vault)
    integrity = server.must("session/unlock", password=password)["integrity"]
    titles, cursor = [], None
    while True:
        page = server.must("card/list", limit=1000, **({"cursor": cursor} if cursor else {}))
        for item in page["items"]:
            answer = server.ask("card/get", id=item["id"])
            if integrity != "intact" and "error" in answer:
                continue
            card = answer["result"]["card"]
            assert card["fields"][0]["value"] == text(card["title"]), card
            titles.append(card["title"])
        cursor = page.get("nextCursor")
        if cursor is None:
            break
    assert len(titles) == len(set(titles)) or integrity != "intact", "a card exists twice"
    verified = server.must("vault/verify")["integrity"]
    assert integrity == "damaged" or verified == "intact", "unlock says %s, vault/verify %s" % (integrity, verified)
    server.end()
    return set(titles), verified


def text(title):
    """The text of a card that a soak test creates with a title."""
    return title * 20


def create(server, title):
    """The answer to the creation of such a card."""
    return server.ask("card/create", title=title, group="personal", type="text", fields={"text": text(title)})


def repair(program, vault, password):
    """Makes a damaged vault intact; the kind of the error where it cannot be."""
    server = Server(program, vault)
    answer = server.ask("vault/repair", password=password, backup=free_name(vault + ".damaged"))
    server.end()
    return None if "result" in answer else answer["error"]["data"]["kind"]


def merge(program, vault, copy, password, log=None):
    """Merges a copy, with its log or another, which is repaired before where it is damaged. Returns the kind of an error."""
    own = free_name(os.path.join(os.path.dirname(os.path.dirname(vault)), "copy.quickvault"))
    shutil.copyfile(copy, own)
    log = log or copy + "-wal"
    if os.path.exists(log):
        shutil.copyfile(log, own + "-wal")
    kind = merged(program, vault, own, password)
    if kind == "merge.damagedCopy":
        kind = repair(program, own, password) or merged(program, vault, own, password)
    return kind


def merged(program, vault, copy, password):
    server = Server(program, vault)
    server.must("session/unlock", password=password)
    answer = server.ask("vault/merge", path=copy, password=password)
    server.end()
    return None if "result" in answer else answer["error"]["data"]["kind"]


def free_name(path):
    """The path, or one with a number where it is taken."""
    numbers = (path if number == 0 else "%d-%s" % (number, os.path.basename(path)) for number in range(10**6))
    return next(one for one in (os.path.join(os.path.dirname(path), name) for name in numbers) if not os.path.exists(one))
