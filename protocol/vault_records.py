"""The algorithms and layouts of VAULT-FORMAT.md: key derivation, sealed records, the head and the card."""
import collections
import hashlib
import hmac
import struct
import unicodedata
import uuid

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

CARD, HEAD, DOCUMENT, ATTACHMENT, RENDITION, HISTORY = 1, 2, 3, 4, 5, 6
GROUPS = {1: "personal", 2: "company"}
TYPES = {1: "address", 2: "invoice", 3: "text", 4: "title"}
FIELDS = {
    "address": ["name", "phone", "province", "city", "district", "address", "postalCode", "notes"],
    "invoice": ["companyName", "taxId", "address", "phone", "bankName", "bankAccount", "notes"],
    "title": ["companyName", "taxId", "address", "phone", "bankName", "bankAccount", "notes"],
    "text": ["text"],
}
MEDIA_TYPES = {1: "image/jpeg", 2: "image/png", 3: "image/heic", 4: "application/pdf"}
# The bits of the flags that a history may have, by its version.
HISTORY_FLAGS = {1: 0b111011, 2: 0b111111}
# Of a card: its own and seen tags; when the content of each own tag was modified, or nothing if all have the record's
# time; whether it was deleted; the id of the card that it is a copy of, how many bytes of its title are its own,
# and whether its attachments have a mask; its versions, or None.
History = collections.namedtuple("History", "own seen times is_deleted origin title has_mask versions")


class VaultError(Exception):
    """A vault that cannot be read. `kind` is the class of the failure in VAULT-FORMAT.md."""

    def __init__(self, kind, reason):
        super().__init__(f"{kind}: {reason}")
        self.kind = kind


def damaged(reason):
    """Returns the error for anything that departs from the specification."""
    return VaultError("damaged", reason)


def mac(key, message):
    """Computes HMAC-SHA256."""
    return hmac.new(key, message, hashlib.sha256).digest()


def expand(key, info):
    """Computes 32 bytes of HKDF-Expand, which is one HMAC."""
    return mac(key, info + b"\x01")


def open_sealed(key, sealed, associated):
    """Decrypts AES-256-GCM with the zero nonce; returns None if the tag is wrong."""
    try:
        return AESGCM(key).decrypt(bytes(12), sealed, associated)
    except InvalidTag:
        return None


def check_parameters(algorithm, iterations, memory_kib):
    """Refuses parameters outside the limits before a key is derived."""
    limits = {1: (100_000, 10_000_000, 0, 0), 2: (1, 64, 19_456, 1_048_576)}.get(algorithm)
    if limits is None:
        raise VaultError("unsupported parameters", f"algorithm {algorithm} is not one for passwords")
    if not (limits[0] <= iterations <= limits[1] and limits[2] <= memory_kib <= limits[3]):
        raise VaultError("unsupported parameters", f"{iterations} iterations, {memory_kib} KiB are outside the limits")


def derive(password, salt, algorithm, iterations, memory_kib):
    """Derives the key-encryption key from a password."""
    check_parameters(algorithm, iterations, memory_kib)
    secret = unicodedata.normalize("NFC", password).encode("utf-8")
    if algorithm == 1:
        return hashlib.pbkdf2_hmac("sha256", secret, salt, iterations, 32)
    try:
        from argon2 import low_level  # pylint: disable=import-outside-toplevel
    except ImportError as error:
        raise VaultError("unsupported parameters", "this vault uses Argon2id; install argon2-cffi (python3-argon2) to "
                         "read it here") from error
    return low_level.hash_secret_raw(secret, salt, iterations, memory_kib, 1, 32, low_level.Type.ID, version=0x13)


def open_slot(password, vault_id, slot_id, kind, algorithm, iterations, memory_kib, salt, sealed):
    """Opens a key slot and returns the vault key."""
    check_parameters(algorithm, iterations, memory_kib)
    if len(password) > 1024:
        raise VaultError("wrong password", "the password has more than 1,024 code points")
    if len(sealed) != 48:
        raise damaged("the slot does not hold 48 bytes")
    associated = (b"quickvault/v1/sl" + vault_id + slot_id
                  + struct.pack(">BBII", kind, algorithm, iterations, memory_kib) + salt)
    key = open_sealed(derive(password, salt, algorithm, iterations, memory_kib), sealed, associated)
    if key is None:
        raise VaultError("wrong password", "the password slot does not open")
    return key


def document_id(name):
    """Returns the record ID of a document."""
    return hashlib.sha256(name.encode("utf-8")).digest()[:16]


class Records:
    """Opens sealed records and computes their terms of the record hash."""

    def __init__(self, vault_key, vault_id):
        self.record_key = expand(vault_key, b"quickvault/v1/record")
        self.hash_key = expand(vault_key, b"quickvault/v1/record-hash")
        self.vault_id = vault_id

    def open(self, kind, record_id, revision, sealed, what):
        """Returns the plaintext of a record."""
        if revision < 0 or len(sealed) < 32:
            raise damaged(f"{what} has a negative revision or is too short")
        associated = b"quickvault/v1/ad" + self.vault_id + struct.pack(">B16sQ", kind, record_id, revision)
        plaintext = open_sealed(expand(self.record_key, sealed[:16]), sealed[16:], associated)
        if plaintext is None:
            raise damaged(f"{what} does not open")
        return plaintext

    def term(self, kind, record_id, revision, sealed):
        """Returns the record's term of the record hash."""
        if revision < 0:
            raise damaged("a record has a negative revision")
        place = struct.pack(">B16sQ", kind, record_id, revision)
        return int.from_bytes(mac(self.hash_key, place + sealed[:16] + sealed[-16:]), "big")


def read_head(plaintext, generation):
    """Returns the record hash, the numbers of cards, documents and attachments, and the plain hash, None in version 1."""
    if not plaintext or plaintext[0] not in (1, 2):
        raise damaged("the head has an unknown version")
    fixed = 67 if plaintext[0] == 1 else 99
    if len(plaintext) < fixed:
        raise damaged("the head is too short")
    record_hash, cards, documents, attachments, since = struct.unpack(">32sQQQQ", plaintext[1:65])
    count = int.from_bytes(plaintext[fixed - 2:fixed], "big")
    if count > 64 or len(plaintext) != fixed + 24 * count or since > generation:
        raise damaged("the head's list of changes has a wrong length, or begins in the future")
    last = since + 1
    for at in range(fixed, len(plaintext), 24):
        change = int.from_bytes(plaintext[at:at + 8], "big")
        if not last <= change <= generation:
            raise damaged("the head's list of changes is out of order")
        last = change
    plain = plaintext[65:97] if plaintext[0] == 2 else None
    return int.from_bytes(record_hash, "big"), cards, documents, attachments, plain


def plain_hash(slots, settings):
    """Returns the hash of the slots, each a row of the table, and of the plain settings."""
    message = b"quickvault/v1/plain" + struct.pack(">I", len(slots))
    for identifier, kind, algorithm, iterations, memory_kib, salt, sealed in sorted(slots):
        message += identifier + struct.pack(">BBII16sI", kind, algorithm, iterations, memory_kib, salt, len(sealed)) + sealed
    settings = settings.encode("utf-8")
    return hashlib.sha256(message + struct.pack(">I", len(settings)) + settings).digest()


def read_header(plaintext, what):
    """Returns the members of the header of a card."""
    if len(plaintext) < 24 or plaintext[0] != 1:
        raise damaged(f"{what} has an unknown version or is too short")
    flags, group, card_type, zero, created, modified = struct.unpack(">BBB4sqq", plaintext[1:24])
    if flags > 3 or group not in GROUPS or card_type not in TYPES or zero != bytes(4):
        raise damaged(f"{what} has an unknown flag, group or type")
    return flags, group, card_type, created, modified


def read_card(plaintext, what):
    """Returns a card, with times in milliseconds, and its attachments."""
    flags, group, card_type, created, modified = read_header(plaintext, what)
    card = {"title": None, "group": GROUPS[group], "type": TYPES[card_type], "tags": [], "pinned": bool(flags & 1),
            "createdAt": created, "modifiedAt": modified, "fields": {}, "extraFields": []}
    if flags & 2:
        card["isInTrash"] = True
    attachments, keys = [], iter(FIELDS[card["type"]])
    for role, entry_flags, key, value in read_entries(plaintext, what):
        if (card["title"] is None) != (role == 1) or entry_flags > (1 if role == 4 else 0) or (role < 3 and key):
            raise damaged(f"{what} has a misplaced title, an unknown flag or an unexpected key")
        if attachments and role != 5:
            raise damaged(f"{what} has an entry after its attachments")
        if role == 1:
            card["title"] = value
        elif role == 2:
            card["tags"].append(value)
        elif role == 3:
            # Each key of the template at most once, and in the template's order.
            if key not in keys or not value:
                raise damaged(f"{what} has a misplaced or empty field")
            card["fields"][key] = value
        elif role == 4:
            card["extraFields"].append({"label": key, "value": value, "concealed": entry_flags == 1})
        else:
            attachments.append(read_attachment(key, value, what))
    if card["title"] is None:
        raise damaged(f"{what} has no title")
    return card, attachments


def read_attachment(name, value, what):
    """Returns an attachment's description, its ID, and the salt and tag of its content."""
    if len(value) < 80:
        raise damaged(f"{what} has an attachment that is cut off")
    identifier, revision, media_type, marked, zero, size, width, height, added, seal = struct.unpack(
        ">16sqBB2sIIIq32s", value[:80])
    if revision < 1 or media_type not in MEDIA_TYPES or marked > 1 or zero != bytes(2) or (not marked and len(value) != 80):
        raise damaged(f"{what} has an attachment of an unknown layout")
    watermark = None
    if marked:
        watermark = read_watermark(value[80:], what)
    return {"id": str(uuid.UUID(bytes=identifier)), "revision": revision, "name": name, "mediaType": MEDIA_TYPES[media_type],
            "size": size, "width": width, "height": height, "addedAt": added, "watermark": watermark}, identifier, seal


def read_watermark(value, what):
    """Returns the text of a watermark and its layout."""
    if len(value) < 9:
        raise damaged(f"{what} has a watermark without a text")
    opacity, angle, size, spacing = struct.unpack(">HhHH", value[:8])
    try:
        text = value[8:].decode("utf-8")
    except UnicodeDecodeError as error:
        raise damaged(f"{what} has a watermark that is not UTF-8") from error
    controls = any(unicodedata.category(character) == "Cc" and character != "\n" for character in text)
    if len(text) > 200 or text.count("\n") > 7 or controls or not text.strip():
        raise damaged(f"{what} has a watermark with an invalid text")
    if not (5 <= opacity <= 100 and -180 <= angle <= 180 and 10 <= size <= 500 and 50 <= spacing <= 2000):
        raise damaged(f"{what} has a watermark with a value out of range")
    return {"text": text, "opacity": opacity, "angle": angle, "size": size, "spacing": spacing}


def read_entries(plaintext, what):
    """Yields role, flags, key and value of each entry."""
    at = 24
    while at < len(plaintext):
        if len(plaintext) - at < 8:
            raise damaged(f"{what} has bytes left over")
        role, flags, key_count, value_count = struct.unpack(">BBHI", plaintext[at:at + 8])
        at += 8
        if not 1 <= role <= 5 or key_count + value_count > len(plaintext) - at:
            raise damaged(f"{what} has an unknown role or a length beyond its end")
        try:
            key = plaintext[at:at + key_count].decode("utf-8")
            value = plaintext[at + key_count:at + key_count + value_count]
            value = value if role == 5 else value.decode("utf-8")
        except UnicodeDecodeError as error:
            raise damaged(f"{what} has text that is not UTF-8") from error
        at += key_count + value_count
        yield role, flags, key, value


def read_versions(data, own, what):
    """Returns base, generation, context, dots and conflict copies of a history of version 2."""
    if len(data) < 22:
        raise damaged(f"the versions of {what} are too short")
    base, generation, known, made, copies = struct.unpack(">qqHHH", data[:22])
    if max(known, made, copies) > 1000 or generation < 0 or len(data) != 22 + 24 * known + 26 * made + 16 * copies:
        raise damaged(f"the versions of {what} have a wrong length")
    context = [(data[at:at + 16], int.from_bytes(data[at + 16:at + 24], "big")) for at in range(22, 22 + 24 * known, 24)]
    start = 22 + 24 * known
    dots = [(int.from_bytes(data[at:at + 2], "big"), data[at + 2:at + 18], int.from_bytes(data[at + 18:at + 26], "big"))
            for at in range(start, start + 26 * made, 26)]
    replicas = [replica for replica, _ in context]
    if replicas != sorted(set(replicas)) or not all(number for *_, number in context + dots):
        raise damaged(f"the versions of {what} have a replica out of order or a number of 0")
    if any(index >= own for index, *_ in dots):
        raise damaged(f"the versions of {what} have a dot of no tag")
    start += 26 * made
    return base, generation, dict(context), dots, [data[at:at + 16] for at in range(start, len(data), 16)]


def skip_earlier(plaintext, at, has_none, what):
    """Checks the earlier versions of a card, and returns where they end."""
    count, size = plaintext[at] if at < len(plaintext) else 0, 0
    if has_none or not 1 <= count <= 50:
        raise damaged(f"{what} has a wrong number of earlier versions")
    at += 1
    for _ in range(count):
        length = int.from_bytes(plaintext[at:at + 4], "big")
        size += length
        if at + 4 + length > len(plaintext) or size > 262_144:
            raise damaged(f"{what} has earlier versions of a wrong length")
        read_header(plaintext[at + 4:at + 4 + length], what)
        at += 4 + length
    return at


def read_history(plaintext, what):
    """Returns what the history of a card says."""
    if len(plaintext) < 14 or plaintext[0] not in HISTORY_FLAGS or plaintext[1] & ~HISTORY_FLAGS[plaintext[0]]:
        raise damaged(f"{what} has an unknown version or flag or is too short")
    flags, own, seen, deleted_at = struct.unpack(">BHHq", plaintext[1:14])
    is_deleted, is_copy, has_times, has_mask = (flags & bit == bit for bit in (1, 2, 8, 16))
    times = 14 + 8 * (own + seen)
    origin = times + (8 * own if has_times else 0)
    end = origin + (20 if is_copy else 0)
    if own > 64 or seen > 64 or len(plaintext) < end or plaintext[0] == 1 and not flags & 32 and len(plaintext) != end:
        raise damaged(f"{what} has a wrong length")
    if (own or is_copy) if is_deleted else deleted_at:
        raise damaged(f"{what} mixes the members of a deleted card and of an existing one")
    if has_times and own < 2:
        raise damaged(f"{what} has times of fewer than two tags")
    if has_mask and not is_copy:
        raise damaged(f"{what} has a mask, but is no conflict copy")
    if flags & 32:
        end = skip_earlier(plaintext, end, is_deleted or is_copy, what)
        if plaintext[0] == 1 and len(plaintext) != end:
            raise damaged(f"{what} has a wrong length")
    tags = [plaintext[at:at + 8] for at in range(14, times, 8)]
    moments = [moment for moment, in struct.iter_unpack(">q", plaintext[times:origin])]
    card, title = struct.unpack(">16sI", plaintext[origin:end]) if is_copy else (None, None)
    versions = read_versions(plaintext[end:], own, what) if plaintext[0] == 2 else None
    return History(tags[:own], tags[own:], moments, is_deleted, card, title, has_mask, versions)
