"""Writes vault files for the tests of the reader, from VAULT-FORMAT.md and without code of the reader."""
import hashlib
import hmac
import os
import pathlib
import sqlite3
import struct

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

HERE = pathlib.Path(__file__).resolve().parent
PASSWORD = "三月的雨 and café"
SCHEMA = "".join(
    block for block in (HERE / "VAULT-FORMAT.md").read_text(encoding="utf-8").split("```sql\n")[1].split("```")[:1])


def hkdf(key, info):
    """Computes one block of HKDF-Expand."""
    return hmac.new(key, info + b"\1", hashlib.sha256).digest()


def entry(role, flags, key, value):
    """Encodes one entry of a card."""
    key, value = key.encode(), value if isinstance(value, bytes) else value.encode()
    return bytes([role, flags]) + len(key).to_bytes(2, "big") + len(value).to_bytes(4, "big") + key + value


def card_bytes(group, card_type, pinned, modified, *entries):
    """Encodes a card."""
    return bytes([1, pinned, group, card_type, 0, 0, 0, 0]) + struct.pack(">qq", 1000, modified) + b"".join(entries)


CARDS = [
    card_bytes(1, 1, 0, 5000, entry(1, 0, "", "家"), entry(2, 0, "", "home"), entry(2, 0, "", "税务"),
               entry(3, 0, "name", "王芳"), entry(3, 0, "phone", "138 0013 8000")),
    card_bytes(2, 3, 1, 2000, entry(1, 0, "", "Meeting room"), entry(3, 0, "text", "Floor 12\nleft"),
               entry(4, 1, "Door code", "4711#"), entry(4, 0, "Seats", "")),
    card_bytes(2, 2, 0, 1795244098345, entry(1, 0, "", "Harbor 开票"), entry(3, 0, "taxId", "91440300MA5FA6HQ2F")),
]
CONTENT = bytes(range(256)) * 40
CONTENT_ID = bytes([0x93]) + bytes(14) + b"\4"


def attachment_entry(seal, size=len(CONTENT), revision=1, media_type=1, name="身份证.jpg", watermark=b""):
    """Encodes the entry of the attachment with CONTENT_ID."""
    value = struct.pack(">16sqBBHIIIq", CONTENT_ID, revision, media_type, 1 if watermark else 0, 0, size, 640, 480, 7000)
    return entry(5, 0, name, value + seal + watermark)


def watermark_bytes(text="仅供办理\nvisa", opacity=35, angle=-30, size=40, spacing=250):
    """Encodes a watermark, which follows the seal."""
    return struct.pack(">HhHH", opacity, angle, size, spacing) + (text if isinstance(text, bytes) else text.encode())


IDS = [bytes([0xF3]) + bytes(14) + b"\1", bytes([0x13]) + bytes(14) + b"\2", bytes([0x23]) + bytes(14) + b"\3"]


def plain_hash(connection):
    """Computes the hash of the slots and plain settings."""
    slots = connection.execute("SELECT * FROM slot ORDER BY id").fetchall()
    text = connection.execute("SELECT open_settings FROM vault").fetchone()[0].encode()
    encoded = b"".join(identity + bytes([kind, algorithm]) + iterations.to_bytes(4, "big") + memory.to_bytes(4, "big") + salt
                       + len(sealed).to_bytes(4, "big") + sealed
                       for identity, kind, algorithm, iterations, memory, salt, sealed in slots)
    return hashlib.sha256(b"quickvault/v1/plain" + len(slots).to_bytes(4, "big") + encoded
                          + len(text).to_bytes(4, "big") + text).digest()


class Writer:
    """Writes one vault file."""

    def __init__(self, path, cards=CARDS, head_change=None, settings=b"language=auto\n", **slot):
        self.resume(path, head_change)
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.executescript("PRAGMA application_id = 0x51564C54; PRAGMA user_version = 1;" + SCHEMA)
        self.run("INSERT INTO migration VALUES ('vault, slots, cards, documents, lockout, events', 0), ('histories', 1), "
                 "('attachments', 2), ('slots and plain settings in the head', 3), ('version vectors in histories', 4), "
                 "('transaction IDs', 5), ('invoice titles, earlier versions, trash', 6)")
        self.run("INSERT INTO lockout VALUES (1, 0, 0, 0, 0, '')")
        self.run("INSERT INTO vault (id, vault_id, generation, head, open_settings) "
                 "VALUES (1, ?, 0, x'', 'language=auto' || char(10))", self.vault_id)
        self.write_slot(**slot)
        for identifier, plaintext in zip(IDS, cards):
            self.put_card(identifier, 1, plaintext)
        if settings is not None:
            identity = hashlib.sha256(b"settings").digest()[:16]
            self.run("INSERT INTO document VALUES ('settings', 1, ?)", self.seal(3, identity, 1, settings))
        self.finish()

    def resume(self, path, head_change=None):
        """Opens the file to write to it."""
        self.path = path
        self.key, self.vault_id = hashlib.sha256(b"vault key").digest(), hashlib.sha256(b"vault").digest()[:16]
        self.head_change = head_change or (lambda plaintext: plaintext)
        self.connection = sqlite3.connect(path, isolation_level=None)

    def run(self, sql, *values):
        """Executes a statement."""
        self.connection.execute(sql, values)

    def write_slot(self, algorithm=1, iterations=100_000, memory=0, password=PASSWORD):
        """Writes the password's slot."""
        slot_id, salt = hashlib.sha256(b"slot").digest()[:16], hashlib.sha256(b"salt").digest()[:16]
        key = hashlib.pbkdf2_hmac("sha256", password.encode(), salt, iterations)
        ad = (b"quickvault/v1/sl" + self.vault_id + slot_id + bytes([1, algorithm])
              + iterations.to_bytes(4, "big") + memory.to_bytes(4, "big") + salt)
        self.run("INSERT INTO slot VALUES (?, 1, ?, ?, ?, ?, ?)", slot_id, algorithm, iterations, memory, salt,
                 AESGCM(key).encrypt(bytes(12), self.key, ad))

    def seal(self, kind, identifier, revision, plaintext):
        """Returns a sealed record."""
        salt = os.urandom(16)
        ad = b"quickvault/v1/ad" + self.vault_id + bytes([kind]) + identifier + revision.to_bytes(8, "big")
        return salt + AESGCM(hkdf(hkdf(self.key, b"quickvault/v1/record"), salt)).encrypt(bytes(12), plaintext, ad)

    def put_card(self, identifier, revision, plaintext):
        """Writes a card."""
        self.run("INSERT OR REPLACE INTO card VALUES (?, ?, ?, ?)", int.from_bytes(identifier[:8], "big", signed=True),
                 identifier, revision, self.seal(1, identifier, revision, plaintext))

    def put_history(self, identifier, revision, plaintext):
        """Writes the history of a card."""
        self.run("INSERT OR REPLACE INTO history VALUES (?, ?, ?, ?)", int.from_bytes(identifier[:8], "big", signed=True),
                 revision, identifier, self.seal(6, identifier, revision, plaintext))

    def put_attachment(self, content=CONTENT, change=lambda seal: seal, **said):
        """Writes a card with an attachment, and its content."""
        sealed = self.seal(4, CONTENT_ID, 1, content)
        self.run("INSERT OR REPLACE INTO content VALUES (?, ?, ?)", int.from_bytes(CONTENT_ID[:8], "big", signed=True),
                 CONTENT_ID, sealed)
        described = attachment_entry(change(sealed[:16] + sealed[-16:]), **said)
        self.put_card(IDS[0], 2, CARDS[0] + described)
        self.finish()

    def finish(self):
        """Writes the head for the current rows, in the next generation, and a new transaction ID.

        Together with the statements since the last head, this stands for one transaction.
        """
        places = [(1, i, r, s) for i, r, s in self.connection.execute("SELECT id, revision, sealed FROM card")]
        places += [(3, hashlib.sha256(n.encode()).digest()[:16], r, s)
                   for n, r, s in self.connection.execute("SELECT name, revision, sealed FROM document")]
        places += [(6, i, r, s) for i, r, s in self.connection.execute("SELECT id, revision, sealed FROM history")]
        places += [(4, i, 1, s) for i, s in self.connection.execute("SELECT id, sealed FROM content")]
        hash_key = hkdf(self.key, b"quickvault/v1/record-hash")
        total = sum(int.from_bytes(hmac.new(hash_key, bytes([k]) + i + r.to_bytes(8, "big") + s[:16] + s[-16:],
                                            hashlib.sha256).digest(), "big") for k, i, r, s in places)
        generation = self.connection.execute("SELECT generation FROM vault").fetchone()[0] + 1
        cards, documents, contents = (sum(1 for place in places if place[0] == kind) for kind in (1, 3, 4))
        plaintext = (b"\2" + (total % (1 << 256)).to_bytes(32, "big")
                     + struct.pack(">QQQQ", cards, documents, contents, generation - 1) + plain_hash(self.connection)
                     + struct.pack(">HQ", 1, generation) + IDS[0])
        self.run("UPDATE vault SET generation = ?, head = ?, transaction_id = ?, "
                 "previous_transaction_id = transaction_id", generation,
                 self.seal(2, bytes(16), generation, self.head_change(plaintext)), os.urandom(16))

    def close(self):
        """Folds the log into the file, closes it and returns its path."""
        self.run("PRAGMA wal_checkpoint(TRUNCATE)")
        self.connection.close()
        return self.path
