"""Builds the vault files of the testkit in memory, from VAULT-FORMAT.md and without code of the reader.

Nothing is random: keys, ids and salts are hashes of what they are for, so the same scenario always gives the same bytes.
"""
import functools
import hashlib
import hmac
import pathlib
import re
import sqlite3
import struct
import sys
import unicodedata
import uuid

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from vault_writer import SCHEMA, card_bytes, entry, hkdf, plain_hash  # noqa: E402 pylint: disable=wrong-import-position

PASSWORD = "三月的雨 and café"
STEPS = ["vault, slots, cards, documents, lockout, events", "histories", "attachments",
         "slots and plain settings in the head", "version vectors in histories", "transaction IDs", "invoice titles, earlier versions, trash"]
STEP_OF_TABLE = {"history": 1, "content": 2, "rendition": 2}
CARD, HEAD, DOCUMENT, ATTACHMENT, RENDITION, HISTORY = range(1, 7)
GROUPS, TYPES = {"personal": 1, "company": 2}, {"address": 1, "invoice": 2, "text": 3, "title": 4}
MEDIA_TYPES = {"image/jpeg": 1, "image/png": 2, "image/heic": 3, "application/pdf": 4}


def fixed(name, count):
    """Returns bytes that stand for random ones."""
    return hashlib.shake_256(b"quickvault testkit " + name.encode()).digest(count)


def identifier(name):
    """Returns a version 4 UUID as bytes."""
    return uuid.UUID(bytes=fixed(name, 16), version=4).bytes


def number_of(identity):
    """Returns the row number that follows from an id."""
    return int.from_bytes(identity[:8], "big", signed=True)


def document_id(name):
    """Returns the record id of a document."""
    return hashlib.sha256(name.encode()).digest()[:16]


def text_id(identity):
    """Returns an id as text."""
    return str(uuid.UUID(bytes=identity))


@functools.lru_cache
def derive(secret, salt, algorithm, iterations, memory):
    """Derives a key-encryption key; parameters outside the limits give any key, for they must be rejected before."""
    if algorithm == 1 and 100_000 <= iterations <= 1_000_000:
        return hashlib.pbkdf2_hmac("sha256", secret, salt, iterations)
    if algorithm == 2 and iterations <= 3 and 19_456 <= memory <= 65_536:
        from argon2 import low_level  # pylint: disable=import-outside-toplevel
        return low_level.hash_secret_raw(secret, salt, iterations, memory, 1, 32, low_level.Type.ID, version=0x13)
    return hkdf(hmac.digest(salt, secret, "sha256"), b"quickvault/v1/device")


class Card:
    """A card, as the reader prints it, and in the bytes of a record."""

    def __init__(self, name, title, group="personal", card_type="text", *, fields=None, extra=(), tags=(), pinned=False,
                 modified=1_790_000_000_000, revision=1, first_byte=None):
        self.id = identifier("card " + name)
        if first_byte is not None:
            self.id = bytes([first_byte]) + self.id[1:]
        self.revision, self.created, self.modified, self.pinned = revision, 1_780_000_000_000, modified, pinned
        self.title, self.group, self.type, self.tags = title, group, card_type, list(tags)
        self.fields, self.extra, self.attachments = dict(fields or {}), list(extra), []

    @property
    def json(self):
        """The card as the reader prints it."""
        card = {"id": text_id(self.id), "revision": self.revision, "title": self.title, "group": self.group,
                "type": self.type, "tags": self.tags, "pinned": self.pinned, "createdAt": moment(self.created),
                "modifiedAt": moment(self.modified), "fields": self.fields,
                "extraFields": [{"label": label, "value": value, "concealed": concealed}
                                for label, value, concealed in self.extra]}
        if self.attachments:
            card["attachments"] = [described for described, _ in self.attachments]
        return card

    def entries(self):
        """The entries of the record."""
        return ([entry(1, 0, "", self.title)] + [entry(2, 0, "", tag) for tag in self.tags]
                + [entry(3, 0, key, value) for key, value in self.fields.items()]
                + [entry(4, int(concealed), label, value) for label, value, concealed in self.extra]
                + [entry(5, 0, described["name"], value) for described, value in self.attachments])

    def header(self):
        """The first 24 bytes of the record."""
        header = card_bytes(GROUPS[self.group], TYPES[self.type], int(self.pinned), self.modified)
        return header[:8] + struct.pack(">q", self.created) + header[16:]

    def plaintext(self):
        """The bytes of the record."""
        return self.header() + b"".join(self.entries())

    def order(self):
        """Where the card stands in a list."""
        return (not self.pinned, -self.modified, self.id)


def moment(milliseconds):
    """Returns a time as RFC 3339 prescribes, the nearest that it can write."""
    milliseconds = min(max(milliseconds, -62_167_219_200_000), 253_402_300_799_999)
    days, rest = divmod(milliseconds, 86_400_000)
    # The proleptic Gregorian calendar by the days of 400 years, for Python's begins with the year 1.
    eras, day = divmod(days + 719_468, 146_097)
    year = (day - day // 1460 + day // 36524 - day // 146096) // 365
    day -= 365 * year + year // 4 - year // 100
    month = (5 * day + 2) // 153
    day -= (153 * month + 2) // 5
    year += 400 * eras + (month >= 10)
    seconds, thousandths = divmod(rest, 1000)
    return (f"{year:04}-{(month + 2) % 12 + 1:02}-{day + 1:02}"
            f"T{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{thousandths:03}Z")


class Vault:
    """A vault in memory, and what a reader must make of it; it has the first of the steps."""

    def __init__(self, name="vault", steps=4, page_size=512):
        self.key, self.id, self.generation = fixed(name + " key", 32), identifier(name + " id"), 0
        self.page_size = page_size
        self.db = sqlite3.connect(":memory:", isolation_level=None)
        self.run(f"PRAGMA page_size = {page_size}")
        self.run("PRAGMA secure_delete = ON")
        self.run(f"PRAGMA application_id = {0x51564C54}")
        self.run("PRAGMA user_version = 1")
        self.take_steps(0, steps)
        self.run("INSERT INTO vault (id, vault_id, generation, head, open_settings) "
                 "VALUES (1, ?, 0, x'', 'language=auto' || char(10))", self.id)
        self.head_version = 2 if steps >= 4 else 1
        if steps >= 4:
            self.run("INSERT INTO lockout VALUES (1, 0, 0, 0, 0, '')")
        self.password, self.cards, self.damaged, self.expected = PASSWORD, [], [], {}
        self.data, self.companions = None, {}

    def run(self, sql, *values):
        """Executes a statement."""
        return self.db.execute(sql, values).fetchall()

    def take_steps(self, first, end):
        """Takes the steps from the first to the one before the end."""
        for statement in SCHEMA.strip().split(";\n"):
            action, table = re.match(r"(CREATE|ALTER) TABLE (\w+)", statement).groups()
            if first <= (5 if action == "ALTER" else STEP_OF_TABLE.get(table, 0)) < end:
                self.run(statement.rstrip(";"))
        for position in range(first, end):
            self.run("INSERT INTO migration VALUES (?, ?)", STEPS[position], position)

    # Records

    def seal(self, kind, identity, revision, plaintext, *, salt=None):
        """Returns a sealed record."""
        place = self.id + bytes([kind]) + identity + revision.to_bytes(8, "big")
        salt = salt or hashlib.sha256(b"quickvault testkit salt" + self.key + place + plaintext).digest()[:16]
        key = hkdf(hkdf(self.key, b"quickvault/v1/record"), salt)
        return salt + AESGCM(key).encrypt(bytes(12), plaintext, b"quickvault/v1/ad" + place)

    def put_slot(self, kind=1, algorithm=1, iterations=100_000, memory=0, password=PASSWORD, name="slot", secret=None,
                 sealed=None):
        """Writes a slot."""
        identity, salt = identifier(name), fixed(name + " salt", 16)
        if sealed is None:
            key = derive(secret or unicodedata.normalize("NFC", password).encode(), salt, algorithm, iterations, memory)
            ad = (b"quickvault/v1/sl" + self.id + identity + bytes([kind, algorithm]) + iterations.to_bytes(4, "big")
                  + memory.to_bytes(4, "big") + salt)
            sealed = AESGCM(key).encrypt(bytes(12), self.key, ad)
        self.run("INSERT INTO slot VALUES (?, ?, ?, ?, ?, ?, ?)", identity, kind, algorithm, iterations, memory, salt, sealed)

    def put(self, card, plaintext=None):
        """Writes a card, in place of the one with its id."""
        self.cards = [other for other in self.cards if other.id != card.id] + [card]
        sealed = self.seal(CARD, card.id, card.revision, card.plaintext() if plaintext is None else plaintext)
        self.run("INSERT OR REPLACE INTO card VALUES (?, ?, ?, ?)", number_of(card.id), card.id, card.revision, sealed)

    def put_document(self, name, plaintext, revision=1):
        """Writes a document."""
        plaintext = plaintext if isinstance(plaintext, bytes) else plaintext.encode()
        self.run("INSERT OR REPLACE INTO document VALUES (?, ?, ?)", name, revision,
                 self.seal(DOCUMENT, document_id(name), revision, plaintext))

    def put_history(self, identity, plaintext, revision=1):
        """Writes a history."""
        self.run("INSERT OR REPLACE INTO history VALUES (?, ?, ?, ?)", number_of(identity), revision, identity,
                 self.seal(HISTORY, identity, revision, plaintext))

    def attach(self, card, name, content, media_type="image/png", *, revision=1, width=1, height=1, mark=None, size=None,
               seal=None, identity=None, writes=True):
        """Adds an attachment to a card, which is not written, and writes its content; returns its id."""
        identity = identity or identifier("attachment " + name)
        sealed = self.seal(ATTACHMENT, identity, 1, content)
        size = len(content) if size is None else size
        value = struct.pack(">16sqBBHIIIq", identity, revision, MEDIA_TYPES[media_type], 1 if mark else 0, 0, size, width,
                            height, 1_785_000_000_000) + (seal or sealed[:16] + sealed[-16:])
        if mark:
            value += struct.pack(">HhHH", mark["opacity"], mark["angle"], mark["size"], mark["spacing"]) + mark["text"].encode()
        described = {"id": text_id(identity), "name": name, "mediaType": media_type, "size": size, "width": width,
                     "height": height, "addedAt": moment(1_785_000_000_000), "watermark": mark}
        card.attachments.append((described, value))
        if writes:
            self.run("INSERT INTO content VALUES (?, ?, ?)", number_of(identity), identity, sealed)
        return identity

    def put_rendition(self, identity, size, picture, revision=1, picture_format=1, width=1, height=1):
        """Writes a rendition of an attachment."""
        tail = struct.pack(">IIII", size, picture_format, width, height)
        self.run("INSERT INTO rendition VALUES (?, ?, ?)", number_of(identity), size,
                 self.seal(RENDITION, identity, revision, picture + tail))

    def put_head(self, change=lambda head: head, recent=None, since=None):
        """Writes the head for the rows as they are, in the next generation."""
        places = [(CARD, i, r, s) for i, r, s in self.run("SELECT id, revision, sealed FROM card")]
        places += [(DOCUMENT, document_id(n), r, s) for n, r, s in self.run("SELECT name, revision, sealed FROM document")]
        tables = [name for name, in self.run("SELECT name FROM sqlite_master WHERE type = 'table'")]
        if "history" in tables:
            places += [(HISTORY, i, r, s) for i, r, s in self.run("SELECT id, revision, sealed FROM history")]
        if "content" in tables:
            places += [(ATTACHMENT, i, 1, s) for i, s in self.run("SELECT id, sealed FROM content")]
        key = hkdf(self.key, b"quickvault/v1/record-hash")
        total = sum(int.from_bytes(hmac.digest(key, bytes([k]) + i + r.to_bytes(8, "big") + s[:16] + s[-16:], "sha256"), "big")
                    for k, i, r, s in places)
        self.generation += 1
        counts = [sum(1 for place in places if place[0] == kind) for kind in (CARD, DOCUMENT, ATTACHMENT)]
        recent = [] if recent is None else recent
        plaintext = (bytes([self.head_version]) + (total % 2 ** 256).to_bytes(32, "big")
                     + struct.pack(">QQQQ", *counts, self.generation if since is None else since)
                     + (plain_hash(self.db) if self.head_version == 2 else b"") + struct.pack(">H", len(recent))
                     + b"".join(struct.pack(">Q", generation) + identity for generation, identity in recent))
        sealed = self.seal(HEAD, bytes(16), self.generation, change(plaintext))
        self.put_transaction(sealed.hex())
        self.run("UPDATE vault SET generation = ?, head = ?", self.generation, sealed)

    def put_transaction(self, name):
        """Gives the row of `vault` a new transaction ID, in a file with that step; the head must be the one before."""
        if not self.run("SELECT 1 FROM pragma_table_info('vault') WHERE name = 'transaction_id'"):
            return
        before = self.run("SELECT coalesce(transaction_id, substr(head, 1, 16), x'') FROM vault")[0][0]
        self.run("UPDATE vault SET transaction_id = ?, previous_transaction_id = ?",
                 fixed(f"transaction {before.hex()} {name}", 16), before or None)

    # Damage

    def lose(self, identity):
        """Notes that a card, or the attachment with this id, is damaged."""
        identity = identity.id if isinstance(identity, Card) else identity
        self.damaged.append(identity)
        self.miss(identity)

    def miss(self, identity):
        """Notes that a card is not there."""
        identity = identity.id if isinstance(identity, Card) else identity
        self.cards = [card for card in self.cards if card.id != identity]

    def flip(self, table, column, at, where="1"):
        """Flips a bit of a value."""
        value = bytearray(self.run(f"SELECT {column} FROM {table} WHERE {where}")[0][0])
        value[at] ^= 1
        self.run(f"UPDATE {table} SET {column} = ? WHERE {where}", bytes(value))

    # The file

    def serialized(self):
        """Returns the bytes of the file, in WAL mode."""
        data = bytearray(self.db.serialize())
        data[18:20] = b"\2\2"
        # SQLite counts changes and notes its version; neither may matter here.
        data[24:28] = data[92:96] = (1).to_bytes(4, "big")
        data[96:100] = (3_040_001).to_bytes(4, "big")
        return data

    def patch(self, at, change):
        """Overwrites bytes of the file."""
        self.data = self.data or self.serialized()
        self.data[at:at + len(change)] = change


def log(page_size, states, name="log", *, magic=0x377F0682, frame_salt=None, commits=True, bad_checksum=None):
    """Returns a write-ahead log that leads from the first of the states of a file to the others, one transaction each.

    `frame_salt` replaces the salts of the frames; without `commits` no transaction is complete; `bad_checksum` is the
    transaction, from 1, whose last frame has a wrong checksum.
    """
    order = ">" if magic & 1 else "<"

    def add(sums, data):
        first, second = sums
        for one, two in struct.iter_unpack(order + "II", data):
            first = (first + one + second) & 0xFFFFFFFF
            second = (second + two + first) & 0xFFFFFFFF
        return first, second

    header = struct.pack(">IIII", magic, 3_007_000, page_size, 0) + fixed(name + " salts", 8)
    sums = add((0, 0), header)
    salts, out = frame_salt or header[16:24], bytearray(header + struct.pack(">II", *sums))
    for transaction, (before, after) in enumerate(zip(states, states[1:]), 1):
        pages = [at for at in range(0, len(after), page_size) if before[at:at + page_size] != after[at:at + page_size]]
        for at in pages:
            is_last = at == pages[-1]
            begin = struct.pack(">II", at // page_size + 1, len(after) // page_size if is_last and commits else 0)
            page = after[at:at + page_size]
            sums = add(add(sums, begin), page)
            written = (sums[0] ^ 1, sums[1]) if is_last and bad_checksum == transaction else sums
            out += begin + salts + struct.pack(">II", *written) + page
    return bytes(out)


def journal(page_size, before, after, nonce=7):
    """Returns a rollback journal that leads from a state of a file back to the one before."""
    pages = [at for at in range(0, len(before), page_size) if before[at:at + page_size] != after[at:at + page_size]]
    header = (bytes.fromhex("d9d505f920a163d7")
              + struct.pack(">IIIII", len(pages), nonce, len(before) // page_size, 512, page_size))
    out = bytearray(header.ljust(512, b"\0"))
    for at in pages:
        page = before[at:at + page_size]
        checksum = nonce + sum(page[place] for place in range(page_size - 200, 0, -200))
        out += struct.pack(">I", at // page_size + 1) + page + struct.pack(">I", checksum & 0xFFFFFFFF)
    return bytes(out)
