#!/usr/bin/python3
"""An independent reader of QuickVault files, written from VAULT-FORMAT.md.

  read_vault.py VAULT < PASSWORD     the password is the first line of standard input

Checks everything that a reader must check, including the content of every attachment. Then prints the cards, one JSON
object per line: pinned first, then the most recently modified. Prints nothing if a check fails.

Only reads the vault and its -wal file, and creates nothing beside them. It takes no lock, so no other program should be
writing to the vault.

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
import struct
import sys
import urllib.parse
import uuid

import vault_log
from vault_records import (ATTACHMENT, CARD, DOCUMENT, HEAD, HISTORY, RENDITION, Records, VaultError, damaged, document_id,
                           open_slot, plain_hash, read_card, read_head, read_history)

MIGRATIONS = ["vault, slots, cards, documents, lockout, events", "histories", "attachments",
              "slots and plain settings in the head", "version vectors in histories", "transaction IDs",
              "invoice titles, earlier versions, trash"]
# The most bytes of a text or a blob without a fixed length, and the most rows of a table.
LENGTHS = {"migration.name": 1_000, "vault.head": 4_096, "vault.open_settings": 10_000, "slot.sealed": 4_096,
           "card.sealed": 33_554_432, "document.name": 1_000, "document.sealed": 1_048_576, "history.sealed": 393_216,
           "content.sealed": 10_485_792, "rendition.sealed": 16_777_264}
ROWS = {"migration": 1_000, "slot": 1_000, "document": 64}
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
# The years 0000 and 9999, in milliseconds.
EARLIEST, LATEST = -62_167_219_200_000, 253_402_300_799_999


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
    if first[18] > 2 or first[19] > 2:
        raise damaged("the file is written in a way that SQLite does not know")


@contextlib.contextmanager
def database(path):
    """Opens a connection that sees the file with its log, if that belongs to it."""
    path = pathlib.Path(path).resolve()
    log = path.with_name(path.name + "-wal")
    try:
        if log.exists() and log.stat().st_size > 0:
            connection = vault_log.opened(vault_log.with_log(path.read_bytes(), log.read_bytes()))
        else:
            connection = sqlite3.connect(f"file:{urllib.parse.quote(str(path))}?mode=ro&immutable=1", uri=True)
        with contextlib.closing(connection):
            connection.execute("PRAGMA trusted_schema = OFF")
            # The names and statements in the list of tables.
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 10_000)
            yield connection
    except sqlite3.Error as error:
        raise damaged(f"SQLite cannot read it: {error}") from error


def rows(connection, table, columns, absent=None):
    """Returns all rows of a table; a column's kind is a type, or a number of bytes.

    SQLite refuses a value that is longer than any column of the table may have, without reading it. If `absent` is given,
    it takes the place of a blob that is too long.
    """
    if connection.execute("SELECT type FROM sqlite_master WHERE name = ?", [table]).fetchall() != [("table",)]:
        raise damaged(f"there is no table {table}")
    longest = {column: LENGTHS.get(f"{table}.{column}", 16) for column in columns}
    values = [f"CASE WHEN length({column}) > {longest[column]} THEN {absent} ELSE {column} END"
              if absent and kind is bytes else column for column, kind in columns.items()]
    before = connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, max(longest.values()))
    found = connection.execute(f"SELECT {', '.join(values)} FROM {table} LIMIT {ROWS.get(table, -2) + 1}").fetchall()
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, before)
    if len(found) > ROWS.get(table, len(found)):
        raise damaged(f"{table} has too many rows")
    for row in found:
        for value, (column, kind) in zip(row, columns.items()):
            size = kind if isinstance(kind, int) else None
            if not isinstance(value, bytes if size else kind) or (size and len(value) != size):
                raise damaged(f"{table}.{column} has the wrong type or length")
            if not isinstance(value, int) and len(value.encode() if kind is str else value) > longest[column]:
                raise damaged(f"{table}.{column} is too long")
    return found


class Vault:
    """What was found in a vault that its password opens."""

    def __init__(self, records):
        self.records = records
        self.cards, self.settings, self.renditions = [], {}, []
        # The IDs of the cards and attachments that are damaged, and everything that is wrong.
        self.damaged, self.errors = set(), []

    @contextlib.contextmanager
    def noting(self, identifier=None):
        """Notes that a check fails, and goes on with the next record."""
        try:
            yield
        except VaultError as error:
            self.errors.append(error)
            if identifier is not None:
                self.damaged.add(str(uuid.UUID(bytes=identifier)))


def read_vault(path, password):
    """Returns the cards in order, or raises VaultError if a check fails."""
    vault = examine(path, password)
    if vault.errors:
        raise vault.errors[0]
    return vault.cards


def examine(path, password):
    """Opens a vault and every record in it; raises VaultError if the password does not open it."""
    check_first_bytes(path)
    with database(path) as connection:
        if connection.execute("SELECT 1 FROM sqlite_master WHERE type NOT IN ('table', 'index')").fetchone():
            raise damaged("there is a trigger or a view")
        steps = check_migrations(rows(connection, "migration", {"name": str, "position": int}))
        vaults = rows(connection, "vault", {"vault_id": 16, "generation": int, "head": bytes, "open_settings": str})
        if "transaction IDs" in steps:
            # SQLite fails if there are no such columns. Only a log makes their values matter.
            connection.execute("SELECT transaction_id, previous_transaction_id FROM vault LIMIT 0")
        slots = rows(connection, "slot", {"id": 16, "kind": int, "algorithm": int, "iterations": int,
                                          "memory_kib": int, "salt": 16, "sealed": bytes})
        lockouts = rows(connection, "lockout", {"failed_attempts": int})
        cards = rows(connection, "card", {"number": int, "id": 16, "revision": int, "sealed": bytes})
        documents = rows(connection, "document", {"name": str, "revision": int, "sealed": bytes})
        histories, contents, renditions = [], [], []
        if "histories" in steps:
            histories = rows(connection, "history", {"number": int, "revision": int, "id": 16, "sealed": bytes})
        if "attachments" in steps:
            contents = rows(connection, "content", {"number": int, "id": 16, "sealed": bytes})
            renditions = rows(connection, "rendition", {"number": int, "size": int, "sealed": bytes},
                              absent="x''")
    if len(vaults) != 1:
        raise damaged("there must be one vault")
    vault_id, generation, head, plain_settings = vaults[0]
    vault = Vault(Records(open_slot(password, vault_id, *password_slot(slots)), vault_id))
    is_bound = MIGRATIONS[3] in steps
    attachments = read_cards(vault, cards)
    check_contents(vault, attachments, contents)
    for name, revision, sealed in documents:
        with vault.noting():
            read_document(vault, name, revision, sealed)
    for number, revision, identifier, sealed in histories:
        what = f"the history of {uuid.UUID(bytes=identifier)}"
        with vault.noting():
            if number != number_of(identifier):
                raise damaged(f"{what} is not at its number")
            read_history(vault.records.open(HISTORY, identifier, revision, sealed, what), what)
    with vault.noting():
        records = vault.records
        expected = read_head(records.open(HEAD, bytes(16), generation, head, "the head"), generation)
        total = sum(records.term(CARD, i, revision, sealed) for _, i, revision, sealed in cards)
        total += sum(records.term(DOCUMENT, document_id(n), revision, sealed) for n, revision, sealed in documents)
        total += sum(records.term(HISTORY, i, revision, sealed) for _, revision, i, sealed in histories)
        total += sum(records.term(ATTACHMENT, i, 1, sealed) for _, i, sealed in contents)
        if (total % 2 ** 256, len(cards), len(documents), len(contents)) != expected[:4]:
            raise damaged("the rows do not match the head")
        if expected[4] != (plain_hash(slots, plain_settings) if is_bound else None):
            raise damaged("the slots or the plain settings do not match the head")
        if is_bound and not (len(lockouts) == 1 and lockouts[0][0] >= 0):
            raise damaged("the row of lockout is missing, or was")
    vault.renditions = read_renditions(vault.records, attachments, renditions)
    return vault


def password_slot(slots):
    """Returns the password's slot, which must be the only one of its kind."""
    for _, kind, algorithm, iterations, memory_kib, _, _ in slots:
        if not (0 <= kind < 2 ** 8 and 0 <= algorithm < 2 ** 8 and 0 <= iterations < 2 ** 32 and 0 <= memory_kib < 2 ** 32):
            raise damaged("a number in a slot is out of range")
    slots = [slot for slot in slots if slot[1] == 1]
    if len(slots) != 1:
        raise damaged("there must be one password slot")
    return slots[0]


def number_of(identifier):
    """Returns the number of the row of a card, a history or a content."""
    return int.from_bytes(identifier[:8], "big", signed=True)


def check_migrations(migrations):
    """Returns the names of the migrations, which must be known and in order."""
    steps = [name for name, _ in sorted(migrations, key=lambda row: row[1])]
    if any(name not in MIGRATIONS for name in steps[len(MIGRATIONS):]):
        raise VaultError("newer version", "the file has an unknown migration")
    if not steps or steps != MIGRATIONS[:len(steps)] or {at for _, at in migrations} != set(range(len(steps))):
        raise damaged("the migrations are not in order")
    return steps


def read_cards(vault, cards):
    """Opens the cards, and returns their attachments."""
    attachments = []
    for number, identifier, revision, sealed in cards:
        what = f"card {uuid.UUID(bytes=identifier)}"
        with vault.noting(identifier):
            if number != number_of(identifier):
                raise damaged(f"{what} is not at its number")
            card, described = read_card(vault.records.open(CARD, identifier, revision, sealed, what), what)
            card = {"id": str(uuid.UUID(bytes=identifier)), "revision": revision, **card}
            if described:
                card["attachments"] = [{k: v for k, v in one.items() if k != "revision"} for one, _, _ in described]
            if not card.pop("isInTrash", False):
                vault.cards.append(card)
            attachments += described
    vault.cards.sort(key=lambda card: (not card["pinned"], -card["modifiedAt"], card["id"]))
    return attachments


def check_contents(vault, attachments, contents):
    """Checks that every attachment has its whole content, and that there is no other content."""
    rows_by_id = {identifier: (number, sealed) for number, identifier, sealed in contents}
    for description, identifier, seal in attachments:
        what = f"attachment {description['id']}"
        with vault.noting(identifier):
            number, sealed = rows_by_id.get(identifier, (None, b""))
            if number != number_of(identifier) or sealed[:16] + sealed[-16:] != seal:
                raise damaged(f"{what} has no content, or one that does not match its card")
            if len(vault.records.open(ATTACHMENT, identifier, 1, sealed, what)) != description["size"]:
                raise damaged(f"{what} does not have the length that its card says")
    with vault.noting():
        if len(rows_by_id) != len(contents) or sorted(rows_by_id) != sorted(identifier for _, identifier, _ in attachments):
            raise damaged("the contents do not match the attachments")


def read_renditions(records, attachments, renditions):
    """Returns the renditions that open. Only the cards tell whose they are, and with which revision they were sealed."""
    found = []
    for description, identifier, _ in attachments:
        for number, size, sealed in renditions:
            if number != number_of(identifier):
                continue
            with contextlib.suppress(VaultError):
                plaintext = records.open(RENDITION, identifier, description["revision"], sealed, "rendition")
                if len(plaintext) <= 16:
                    continue
                told, picture_format, width, height = struct.unpack(">IIII", plaintext[-16:])
                if told == size and picture_format < 3:
                    found.append({"attachment": description["id"], "size": size, "format": ("jpeg", "png", "heic")[picture_format],
                                  "width": width, "height": height, "picture": plaintext[:-16]})
    return found


def read_document(vault, name, revision, sealed):
    """Checks that a document opens, and that settings and devices are lines of names and values."""
    plaintext = vault.records.open(DOCUMENT, document_id(name), revision, sealed, f"document {name}")
    if name == "settings":
        vault.settings = read_settings(plaintext)
    elif name == "devices":
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


def moment(milliseconds):
    """Formats a time as RFC 3339 prescribes, or the nearest one that it can write."""
    milliseconds = min(max(milliseconds, EARLIEST), LATEST)
    # Python's calendar begins with the year 1.
    shift = 400 if milliseconds < -62_135_596_800_000 else 0
    time = EPOCH + datetime.timedelta(days=146_097 * (shift // 400), milliseconds=milliseconds)
    return f"{time.year - shift:04}" + time.isoformat(timespec="milliseconds")[4:].replace("+00:00", "Z")


def with_times(card):
    """Returns a card with its times, and those of its attachments, as text."""
    card = {**card, **{name: moment(card[name]) for name in ("createdAt", "modifiedAt")}}
    if "attachments" in card:
        card["attachments"] = [{**one, "addedAt": moment(one["addedAt"])} for one in card["attachments"]]
    return card


def main():
    """Runs the command line and returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vault", help="the vault file")
    path = parser.parse_args().vault
    try:
        password = sys.stdin.buffer.readline().decode("utf-8").removesuffix("\n")
        lines = []
        for card in read_vault(path, password):
            lines.append(json.dumps(with_times(card), ensure_ascii=False))
    except UnicodeDecodeError:
        parser.error("the password is not UTF-8")
    except VaultError as error:
        print(f"read_vault.py: {error}", file=sys.stderr)
        return 1
    sys.stdout.buffer.write("".join(line + "\n" for line in lines).encode("utf-8"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
