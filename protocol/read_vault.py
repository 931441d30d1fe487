#!/usr/bin/python3
"""An independent reader of QuickVault files, written from VAULT-FORMAT.md.

  read_vault.py VAULT < PASSWORD     the password is the first line of standard input

Checks everything that a reader must check, including the content of every attachment. Then prints the cards, one JSON
object per line: pinned first, then the most recently modified. Prints nothing if a check fails.

Never writes the vault or its -wal file. Without a -wal file, the vault is read without a lock, so no other program
should be writing to it; with one, SQLite may create its -shm file.

The exit status is 0; 1 if a check fails, with the class and the reason on standard error; 2 for wrong arguments.
Needs python3-cryptography, and argon2-cffi for vaults whose password slot uses Argon2id.
"""
import argparse
import contextlib
import datetime
import json
import pathlib
import re
import sqlite3
import sys
import urllib.parse
import uuid

from vault_records import (ATTACHMENT, CARD, DOCUMENT, HEAD, HISTORY, Records, VaultError, damaged, document_id, open_slot,
                           read_card, read_head, read_history)

MIGRATIONS = ["vault, slots, cards, documents, lockout, events", "histories", "attachments"]
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def check_first_bytes(path):
    """Refuses a file that is not a vault, or a newer one, before SQLite reads it."""
    try:
        with open(path, "rb") as file:
            first = file.read(100)
    except OSError as error:
        raise VaultError("not a vault", error.strerror) from error
    if len(first) < 100 or first[:16] != b"SQLite format 3\0" or first[68:72] != b"QVLT":
        raise VaultError("not a vault", "the first 100 bytes are not a vault's")
    version = int.from_bytes(first[60:64], "big")
    if version != 1:
        raise VaultError("newer version" if version > 1 else "not a vault", f"the file has version {version}")


@contextlib.contextmanager
def database(path):
    """Opens a read-only connection with one transaction, for a consistent view."""
    path = pathlib.Path(path).resolve()
    log = path.with_name(path.name + "-wal")
    mode = "mode=ro" if log.exists() and log.stat().st_size > 0 else "mode=ro&immutable=1"
    try:
        with contextlib.closing(sqlite3.connect(f"file:{urllib.parse.quote(str(path))}?{mode}", uri=True)) as connection:
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("BEGIN")
            yield connection
    except sqlite3.Error as error:
        raise damaged(f"SQLite cannot read it: {error}") from error


def rows(connection, table, columns):
    """Returns all rows of a table; a column's kind is a type, or a number of bytes."""
    if connection.execute("SELECT type FROM sqlite_master WHERE name = ?", [table]).fetchall() != [("table",)]:
        raise damaged(f"there is no table {table}")
    found = connection.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall()
    for row in found:
        for value, (column, kind) in zip(row, columns.items()):
            size = kind if isinstance(kind, int) else None
            if not isinstance(value, bytes if size else kind) or (size and len(value) != size):
                raise damaged(f"{table}.{column} has the wrong type or length")
    return found


def read_vault(path, password):
    """Returns the cards in order, or raises VaultError if a check fails."""
    check_first_bytes(path)
    with database(path) as connection:
        if connection.execute("SELECT 1 FROM sqlite_master WHERE type NOT IN ('table', 'index')").fetchone():
            raise damaged("there is a trigger or a view")
        steps = check_migrations(rows(connection, "migration", {"name": str, "position": int}))
        vaults = rows(connection, "vault", {"vault_id": 16, "generation": int, "head": bytes, "open_settings": str})
        slots = rows(connection, "slot", {"id": 16, "kind": int, "algorithm": int, "iterations": int,
                                          "memory_kib": int, "salt": 16, "sealed": bytes})
        cards = rows(connection, "card", {"number": int, "id": 16, "revision": int, "sealed": bytes})
        documents = rows(connection, "document", {"name": str, "revision": int, "sealed": bytes})
        histories = []
        if "histories" in steps:
            histories = rows(connection, "history", {"number": int, "revision": int, "id": 16, "sealed": bytes})
        contents = []
        if "attachments" in steps:
            contents = rows(connection, "content", {"number": int, "id": 16, "sealed": bytes})
            rows(connection, "rendition", {"number": int, "size": int, "sealed": bytes})
    slots = [slot for slot in slots if slot[1] == 1]
    if len(vaults) != 1 or len(slots) != 1:
        raise damaged("there must be one vault with one password slot")
    vault_id, generation, head, _ = vaults[0]
    records = Records(open_slot(password, vault_id, *slots[0]), vault_id)
    expected = read_head(records.open(HEAD, bytes(16), generation, head, "the head"), generation)
    found = [read_row(records, *row) for row in cards]
    check_contents(records, [attachment for _, attachments in found for attachment in attachments], contents)
    for name, revision, sealed in documents:
        check_document(records, name, revision, sealed)
    for number, revision, identifier, sealed in histories:
        what = f"the history of {uuid.UUID(bytes=identifier)}"
        if number != int.from_bytes(identifier[:8], "big", signed=True):
            raise damaged(f"{what} is not at its number")
        read_history(records.open(HISTORY, identifier, revision, sealed, what), what)
    total = sum(records.term(CARD, i, revision, sealed) for _, i, revision, sealed in cards)
    total += sum(records.term(DOCUMENT, document_id(n), revision, sealed) for n, revision, sealed in documents)
    total += sum(records.term(HISTORY, i, revision, sealed) for _, revision, i, sealed in histories)
    total += sum(records.term(ATTACHMENT, i, 1, sealed) for _, i, sealed in contents)
    if (total % 2 ** 256, len(cards), len(documents), len(contents)) != expected:
        raise damaged("the rows do not match the head")
    return sorted((card for card, _ in found), key=lambda card: (not card["pinned"], -card["modifiedAt"], card["id"]))


def check_migrations(migrations):
    """Returns the names of the migrations, which must be known and in order."""
    steps = [name for name, _ in sorted(migrations, key=lambda row: row[1])]
    if any(name not in MIGRATIONS for name in steps[len(MIGRATIONS):]):
        raise VaultError("newer version", "the file has an unknown migration")
    if not steps or steps != MIGRATIONS[:len(steps)] or {at for _, at in migrations} != set(range(len(steps))):
        raise damaged("the migrations are not in order")
    return steps


def read_row(records, number, identifier, revision, sealed):
    """Returns the card of one row, and its attachments."""
    what = f"card {uuid.UUID(bytes=identifier)}"
    if number != int.from_bytes(identifier[:8], "big", signed=True):
        raise damaged(f"{what} is not at its number")
    card, attachments = read_card(records.open(CARD, identifier, revision, sealed, what), what)
    card = {"id": str(uuid.UUID(bytes=identifier)), "revision": revision, **card}
    if attachments:
        card["attachments"] = [{k: v for k, v in description.items() if k != "revision"} for description, _, _ in attachments]
    return card, attachments


def check_contents(records, attachments, contents):
    """Checks that every attachment has its whole content, and that there is no other content."""
    rows_by_id = {identifier: (number, sealed) for number, identifier, sealed in contents}
    if len(rows_by_id) != len(contents) or sorted(rows_by_id) != sorted(identifier for _, identifier, _ in attachments):
        raise damaged("the contents do not match the attachments")
    for description, identifier, seal in attachments:
        what = f"attachment {description['id']}"
        number, sealed = rows_by_id[identifier]
        if number != int.from_bytes(identifier[:8], "big", signed=True) or sealed[:16] + sealed[-16:] != seal:
            raise damaged(f"{what} is not at its number, or does not match its card")
        if len(records.open(ATTACHMENT, identifier, 1, sealed, what)) != description["size"]:
            raise damaged(f"{what} does not have the length that its card says")


def check_document(records, name, revision, sealed):
    """Checks that a document opens, and that settings are lines of names and values."""
    plaintext = records.open(DOCUMENT, document_id(name), revision, sealed, f"document {name}")
    if name == "settings":
        read_settings(plaintext)


def read_settings(plaintext):
    """Returns the settings by name."""
    try:
        lines = [line for line in plaintext.decode("utf-8").split("\n") if line]
    except UnicodeDecodeError as error:
        raise damaged("the settings are not UTF-8") from error
    settings = {}
    for line in lines:
        name, equals, value = line.partition("=")
        if not name or not equals or re.search(r"\\[^n\\]|\\$", value.replace("\\\\", "")):
            raise damaged("a line of the settings is not name=value")
        settings[name] = re.sub(r"\\(.)", lambda escape: "\n" if escape[1] == "n" else "\\", value)
    return settings


def moment(milliseconds, what):
    """Formats a time as RFC 3339 prescribes."""
    try:
        time = EPOCH + datetime.timedelta(milliseconds=milliseconds)
    except OverflowError as error:
        raise damaged(f"{what} has a time beyond the calendar") from error
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def main():
    """Runs the command line and returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vault", help="the vault file")
    path = parser.parse_args().vault
    try:
        password = sys.stdin.buffer.readline().decode("utf-8").removesuffix("\n")
        lines = []
        for card in read_vault(path, password):
            times = {name: moment(card[name], f"card {card['id']}") for name in ("createdAt", "modifiedAt")}
            for attachment in card.get("attachments", []):
                attachment["addedAt"] = moment(attachment["addedAt"], f"attachment {attachment['id']}")
            lines.append(json.dumps({**card, **times}, ensure_ascii=False))
    except UnicodeDecodeError:
        parser.error("the password is not UTF-8")
    except VaultError as error:
        print(f"read_vault.py: {error}", file=sys.stderr)
        return 1
    sys.stdout.buffer.write("".join(line + "\n" for line in lines).encode("utf-8"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
