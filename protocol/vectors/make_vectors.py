#!/usr/bin/python3
"""Make the vectors of the vault format, or check those that are there.

    make_vectors.py            write the files beside this script
    make_vectors.py --check    say which files differ from what would be written, and fail if any does

This is an implementation of its own, with Python's hashlib and hmac and with
python3-cryptography for AES-GCM. It knows Argon2id by three stored keys, which
argon2-cffi 25.1.0 computed (argon2.low_level.hash_secret_raw, version 19, one lane).

A file holds one scenario as lines `name: value`; a line that starts with `#` is a
comment; a name may occur again. Bytes are in hexadecimal, numbers in decimal, `text-…`
is UTF-8. `expect` is `success`, `authentication-failed`, `parameters-out-of-range` or
`malformed`.
"""

import hashlib
import hmac
import pathlib
import sys
import unicodedata

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

HERE = pathlib.Path(__file__).resolve().parent
CARD, HEAD, DOCUMENT, ATTACHMENT = 1, 2, 3, 4
PASSWORD, DEVICE = 1, 2
PBKDF2, ARGON2ID, HKDF = 1, 2, 3

# Every fixed value is a hash of its name, so that nobody need wonder where it comes from.


def fixed(name, count):
    return hashlib.shake_256(b"quickvault vector " + name.encode()).digest(count)


VAULT_KEY = fixed("vault key", 32)
VAULT = fixed("vault", 16)
RECORD = fixed("record", 16)
SLOT = fixed("slot", 16)
SALT = fixed("salt", 16)
DEVICE_SECRET = fixed("device secret", 32)
ZERO_ID = bytes(16)

# Password, salt, iterations, memory in KiB: key. From argon2-cffi, as the head of this file says.
ARGON2ID_KEYS = {
    (b"correct horse", SALT, 3, 65536): "f5fd157d9ec9c8f24d10049902a8a30135ad54c523f0c2a55aa078c16a918b38",
    (b"correct horse", SALT, 1, 19456): "30a1cbeb54754826da866cb03a580227d28c31c027c6e03c9d4a48f0c6c4e3cb",
    ("随取密码一二三四".encode(), SALT, 2, 20000): "53c5655791383bbad0b6a00d0c9b72b5cc5d6e1268a573ff399f1dc03ce6e956",
}


def number(value, count):
    return value.to_bytes(count, "big")


def mac(key, message):
    return hmac.new(key, message, hashlib.sha256).digest()


def expand(key, info):
    return mac(key, info + b"\x01")


def purpose_key(purpose):
    return expand(VAULT_KEY, b"quickvault/v1/" + purpose)


def gcm(key, plaintext, associated_data):
    return AESGCM(key).encrypt(bytes(12), plaintext, associated_data)


def seal_record(plaintext, kind, record, revision, salt, vault=VAULT):
    place = b"quickvault/v1/ad" + vault + number(kind, 1) + record + number(revision, 8)
    assert len(place) == 57
    return salt + gcm(expand(purpose_key(b"record"), salt), plaintext, place)


def derive(algorithm, secret, salt, iterations, memory):
    if algorithm == PBKDF2:
        return hashlib.pbkdf2_hmac("sha256", secret, salt, iterations, 32)
    if algorithm == ARGON2ID:
        return bytes.fromhex(ARGON2ID_KEYS[secret, salt, iterations, memory])
    return expand(mac(salt, secret), b"quickvault/v1/device")


def seal_slot(secret, kind, algorithm, iterations, memory, salt=SALT, slot=SLOT, vault=VAULT):
    data = (b"quickvault/v1/sl" + vault + slot + number(kind, 1) + number(algorithm, 1)
            + number(iterations, 4) + number(memory, 4) + salt)
    assert len(data) == 74
    return gcm(derive(algorithm, secret, salt, iterations, memory), VAULT_KEY, data)


def element(kind, record, revision, sealed):
    message = number(kind, 1) + record + number(revision, 8) + sealed[:16] + sealed[-16:]
    assert len(message) == 57
    return int.from_bytes(mac(purpose_key(b"record-hash"), message), "big")


def nfc(password):
    return unicodedata.normalize("NFC", password).encode()


def flip(data, position):
    return data[:position] + bytes([data[position] ^ 1]) + data[position + 1:]


def render(what, fields):
    lines = ["# " + what]
    for name, value in fields:
        if isinstance(value, bytes):
            value = value.hex()
        lines.append(f"{name}: {value}".rstrip())
    return "\n".join(lines) + "\n"


FILES = {}


def vector(name, what, operation, fields, expect="success"):
    assert name not in FILES
    FILES[name] = render(what, [("operation", operation), ("expect", expect)] + fields)


# Records


def record_fields(kind=CARD, record=RECORD, revision=1, vault=VAULT):
    return [("vault-key", VAULT_KEY), ("vault", vault), ("kind", kind), ("record", record),
            ("revision", revision)]


def record_seal(name, what, plaintext, kind=CARD, record=RECORD, revision=1, salt=SALT):
    sealed = seal_record(plaintext, kind, record, revision, salt)
    vector("record-seal-" + name, what, "record-seal",
           record_fields(kind, record, revision) + [("salt", salt), ("plaintext", plaintext), ("sealed", sealed)])


def record_fails(name, what, sealed, expect="authentication-failed", **place):
    vector("record-open-fails-" + name, what, "record-open", record_fields(**place) + [("sealed", sealed)], expect)


def records():
    text = "地址：上海市徐汇区".encode()
    record_seal("card", "A card's bytes, first revision.", text)
    record_seal("empty", "A record without content is salt and tag alone.", b"")
    record_seal("one-byte", "One byte.", b"\x00")
    record_seal("block", "Exactly one block of the cipher.", bytes(range(16)))
    record_seal("long", "4,000 bytes.", fixed("long", 4000), revision=7)
    record_seal("last-revision", "The greatest revision.", text, revision=2**64 - 1)
    record_seal("head", "A vault's head: record id of zeros, the generation as revision.", fixed("head", 67),
                kind=HEAD, record=ZERO_ID, revision=42)
    settings = hashlib.sha256(b"settings").digest()[:16]
    record_seal("settings", "The document 'settings': record id from the hash of its name.",
                b"language=zh-Hans\n", kind=DOCUMENT, record=settings, revision=3)
    record_seal("attachment", "An attachment.", fixed("attachment", 100), kind=ATTACHMENT)

    good = seal_record(text, CARD, RECORD, 5, SALT)
    end = len(good) - 1
    record_fails("salt", "One bit of the salt changed.", flip(good, 0), revision=5)
    record_fails("ciphertext", "One bit of the ciphertext changed.", flip(good, 16), revision=5)
    record_fails("tag", "The last bit of the tag changed.", flip(good, end), revision=5)
    record_fails("shortened", "The last byte is missing.", good[:end], revision=5)
    record_fails("lengthened", "A byte too many.", good + b"\x00", revision=5)
    record_fails("vault", "Put into another vault.", good, revision=5, vault=flip(VAULT, 15))
    record_fails("kind", "A card passed off as an attachment.", good, revision=5, kind=ATTACHMENT)
    record_fails("record", "A card passed off as another card.", good, revision=5, record=flip(RECORD, 0))
    record_fails("revision", "An old revision passed off as the next one.", good, revision=6)
    record_fails("too-short", "31 bytes hold no salt and tag.", good[:31], "malformed", revision=5)
    record_fails("nothing", "No bytes.", b"", "malformed", revision=5)


# Key derivation and slots


def derivation_fields(algorithm, iterations, memory, salt=SALT):
    return [("algorithm", algorithm), ("iterations", iterations), ("memory-kib", memory), ("salt", salt)]


def key_derivation(name, what, password, algorithm, iterations, memory=0):
    vector("key-derivation-" + name, what, "key-derivation",
           [("text-password", password)] + derivation_fields(algorithm, iterations, memory)
           + [("key", derive(algorithm, nfc(password), SALT, iterations, memory))])


def key_derivation_refused(name, what, algorithm, iterations, memory):
    vector("key-derivation-refused-" + name, what, "key-derivation",
           [("text-password", "correct horse")] + derivation_fields(algorithm, iterations, memory),
           "parameters-out-of-range")


def key_derivations():
    key_derivation("pbkdf2-least", "PBKDF2 with the fewest iterations.", "correct horse", PBKDF2, 100000)
    key_derivation("pbkdf2-default", "PBKDF2 with the default iterations.", "correct horse", PBKDF2, 600000)
    key_derivation("chinese", "A Chinese password.", "随取密码一二三四", PBKDF2, 100000)
    key_derivation("decomposed", "Letters with combining marks are composed first (NFC): 'café Ångström'.",
                   "cafe\u0301 A\u030angstro\u0308m", PBKDF2, 100000)
    key_derivation("composed", "The same password, typed composed: the same key.",
                   "caf\u00e9 \u00c5ngstr\u00f6m", PBKDF2, 100000)
    key_derivation("compatibility", "Full-width letters and ligatures stay as they are (NFC, not NFKC).",
                   "ｐａｓｓ ﬁne 한글", PBKDF2, 100000)
    key_derivation("argon2id-default", "Argon2id with the default parameters.", "correct horse", ARGON2ID, 3, 65536)
    key_derivation("argon2id-least", "Argon2id with the smallest parameters.", "correct horse", ARGON2ID, 1, 19456)
    key_derivation("argon2id-chinese", "Argon2id, a Chinese password.", "随取密码一二三四", ARGON2ID, 2, 20000)
    for name, what, algorithm, iterations, memory in [
            ("pbkdf2-weak", "One iteration under the least.", PBKDF2, 99999, 0),
            ("pbkdf2-slow", "One iteration over the most.", PBKDF2, 10000001, 0),
            ("pbkdf2-negative", "A negative count.", PBKDF2, -1, 0),
            ("pbkdf2-memory", "PBKDF2 has no memory parameter.", PBKDF2, 600000, 1),
            ("argon2id-no-iterations", "No iteration.", ARGON2ID, 0, 65536),
            ("argon2id-iterations", "One iteration over the most.", ARGON2ID, 65, 65536),
            ("argon2id-little-memory", "One KiB under the least.", ARGON2ID, 3, 19455),
            ("argon2id-much-memory", "One KiB over the most.", ARGON2ID, 3, 1048577),
            ("hkdf-iterations", "HKDF has no iterations.", HKDF, 1, 0),
            ("algorithm-0", "There is no algorithm 0.", 0, 600000, 0),
            ("algorithm-4", "There is no algorithm 4.", 4, 600000, 0),
            ("algorithm-257", "Not to be mistaken for algorithm 1.", 257, 600000, 0)]:
        key_derivation_refused(name, what, algorithm, iterations, memory)


def slot(name, what, kind, secret, algorithm, iterations, memory, expect="success", operation=None, changes=None):
    sealed = seal_slot(nfc(secret) if kind == PASSWORD else secret, kind, algorithm, iterations, memory)
    values = {"vault": VAULT, "slot": SLOT, "kind": kind, "algorithm": algorithm, "iterations": iterations,
              "memory-kib": memory, "salt": SALT, "text-password" if kind == PASSWORD else "secret": secret,
              "sealed": sealed}
    values.update({key.replace("_", "-"): value for key, value in (changes or {}).items()})
    operation = operation or ("slot-seal" if expect == "success" else "slot-open")
    vector("slot-" + name, what, operation, list(values.items()) + [("vault-key", VAULT_KEY)], expect)


def slots():
    horse = "correct horse"
    slot("password-pbkdf2", "The vault key under a password.", PASSWORD, horse, PBKDF2, 100000, 0)
    slot("password-argon2id", "The vault key under a password, with Argon2id.", PASSWORD, horse, ARGON2ID, 1, 19456)
    slot("password-decomposed", "The password was typed composed and is typed decomposed now.", PASSWORD,
         "caf\u00e9 \u00c5ngstr\u00f6m", PBKDF2, 100000, 0, operation="slot-open",
         changes={"text-password": "cafe\u0301 A\u030angstro\u0308m"})
    slot("device", "The vault key under a device secret.", DEVICE, DEVICE_SECRET, HKDF, 0, 0)

    failed = "authentication-failed"
    sealed = seal_slot(horse.encode(), PASSWORD, PBKDF2, 100000, 0)

    def fails(name, what, expect=failed, **changes):
        slot("open-fails-" + name, what, PASSWORD, horse, PBKDF2, 100000, 0, expect, "slot-open", changes)

    fails("password", "A wrong password.", text_password="Correct horse")
    fails("iterations", "The iterations were changed.", iterations=100001)
    fails("salt", "The salt was changed.", salt=flip(SALT, 3))
    fails("vault", "The slot was put into another vault.", vault=flip(VAULT, 0))
    fails("slot", "The slot was given another id.", slot=flip(SLOT, 15))
    fails("ciphertext", "The sealed key was changed.", sealed=flip(sealed, 31))
    fails("tag", "The tag was changed.", sealed=flip(sealed, 47))
    fails("weak", "Iterations under the least are refused before deriving.", "parameters-out-of-range",
          iterations=1)
    fails("password-by-hkdf", "A password slot that claims HKDF.", "parameters-out-of-range", algorithm=HKDF,
          iterations=0)
    fails("kind", "A password slot that claims to be a device's.", "parameters-out-of-range", kind=DEVICE)
    fails("kind-3", "There is no kind 3.", "parameters-out-of-range", kind=3)
    fails("short", "47 bytes.", "malformed", sealed=sealed[:47])
    fails("long", "49 bytes.", "malformed", sealed=sealed + b"\x00")
    slot("open-fails-device-secret", "A wrong device secret.", DEVICE, DEVICE_SECRET, HKDF, 0, 0, failed,
         changes={"secret": flip(DEVICE_SECRET, 31)})
    slot("open-fails-short-device-secret", "A device secret of 31 bytes.", DEVICE, DEVICE_SECRET, HKDF, 0, 0,
         "parameters-out-of-range", changes={"secret": DEVICE_SECRET[:31]})
    slot("open-fails-memory", "The memory of Argon2id was changed.", PASSWORD, horse, ARGON2ID, 1, 19456, failed,
         changes={"memory-kib": 19457})


# Record hash


def hash_of(changes):
    total = 0
    for sign, kind, record, revision, sealed in changes:
        total += element(kind, record, revision, sealed) * (1 if sign == "add" else -1)
    return number(total % 2**256, 32)


def record_hash(name, what, changes):
    lines = [(sign, f"{kind} {record.hex()} {revision} {sealed.hex()}") for sign, kind, record, revision, sealed in changes]
    vector("record-hash-" + name, what, "record-hash",
           [("vault-key", VAULT_KEY)] + lines + [("hash", hash_of(changes))])


def record_hashes():
    def card(index, revision=1):
        record = fixed(f"card {index}", 16)
        sealed = seal_record(fixed(f"content {index}", 20), CARD, record, revision, fixed(f"salt {index} {revision}", 16))
        return CARD, record, revision, sealed

    settings = (DOCUMENT, hashlib.sha256(b"settings").digest()[:16], 1, fixed("settings", 60))
    add = [("add",) + card(index) for index in range(5)]
    record_hash("empty", "No records: zero.", [])
    record_hash("one", "One card.", add[:1])
    record_hash("five", "Five cards, which together pass 2^256.", add)
    record_hash("reversed", "The same five in reverse: the same hash.", add[::-1])
    record_hash("document", "Cards and a document.", add[:2] + [("add",) + settings])
    record_hash("doubled", "One card twice is not the same as none and not as one.", add[:1] * 2)
    record_hash("removed", "A card comes and goes: zero.", [("add",) + card(0), ("remove",) + card(0)])
    record_hash("below-zero", "A removal before anything was there: 2^256 less the element.", [("remove",) + card(0)])
    record_hash("updated", "A card's next revision takes the place of the first.",
                add + [("remove",) + card(2), ("add",) + card(2, 2)])
    assert hash_of(add) == hash_of(add[::-1])
    short = f"1 {RECORD.hex()} 1 {fixed('short', 31).hex()}"
    vector("record-hash-fails-short", "31 bytes are no sealed record.", "record-hash",
           [("vault-key", VAULT_KEY), ("add", short)], "malformed")


# Head


def head_bytes(version=1, counts=(3, 1, 2), since=10, changes=(), length=None, plain=b""):
    body = number(version, 1) + fixed("record hash", 32) + b"".join(number(count, 8) for count in counts)
    body += number(since, 8) + plain + number(len(changes) if length is None else length, 2)
    return body + b"".join(number(generation, 8) + card for generation, card in changes)


def head(name, what, generation=100, expect="success", data=None, **fields):
    fields = {"counts": (3, 1, 2), "since": 10, "changes": ()} | fields
    lines = [("generation", generation), ("encoded", head_bytes(**fields) if data is None else data)]
    if expect == "success":
        lines += [("record-hash", fixed("record hash", 32)), ("cards", fields["counts"][0]),
                  ("documents", fields["counts"][1]), ("attachments", fields["counts"][2]),
                  ("recent-since", fields["since"])]
        lines += [("plain-hash", fields["plain"])] if "plain" in fields else []
        lines += [("change", f"{at} {card.hex()}") for at, card in fields["changes"]]
    vector("head-" + name, what, "head-decode", lines, expect)


def heads():
    cards = [fixed(f"card {index}", 16) for index in range(66)]
    three = [(11, cards[0]), (50, cards[1]), (100, cards[2])]
    head("plain", "Nothing changed lately.")
    head("new", "A vault that was just made.", generation=0, counts=(0, 0, 0), since=0)
    head("changes", "Three changes, the last in the vault's generation.", changes=three)
    head("same-generation", "Several cards of one generation.", changes=[(20, card) for card in cards[:3]])
    head("full", "64 changes.", changes=[(11 + index, cards[index]) for index in range(64)])
    head("greatest", "The greatest numbers.", generation=2**64 - 1, counts=(2**64 - 1,) * 3, since=2**64 - 1)

    head("version-2", "Version 2, with a plain hash.", version=2, plain=fixed("plain hash", 32))
    head("version-2-changes", "Version 2 with three changes.", version=2, plain=fixed("plain hash", 32), changes=three)

    good = head_bytes(changes=three)
    bad = "malformed"
    head("fails-version-0", "Version 0.", expect=bad, version=0)
    head("fails-version-2", "Version 2 without a plain hash.", expect=bad, version=2)
    head("fails-version-2-short", "Version 2, 98 bytes.", expect=bad, version=2,
         data=head_bytes(version=2, plain=fixed("plain hash", 32))[:98])
    head("fails-version-2-left-over", "Version 2 with a byte left over.", expect=bad,
         data=head_bytes(version=2, plain=fixed("plain hash", 32), changes=three) + b"\x00")
    head("fails-version-1-with-plain-hash", "Version 1 with a plain hash.", expect=bad,
         data=head_bytes(plain=fixed("plain hash", 32)))
    head("fails-version-3", "Version 3.", expect=bad, version=3, plain=fixed("plain hash", 32))
    head("fails-nothing", "No bytes.", expect=bad, data=b"")
    head("fails-short", "66 bytes.", expect=bad, data=head_bytes()[:66])
    head("fails-left-over", "A byte left over.", expect=bad, data=good + b"\x00")
    head("fails-cut", "The last change lacks a byte.", expect=bad, data=good[:-1])
    head("fails-count", "More changes announced than there are.", expect=bad, changes=three, length=4)
    head("fails-65", "65 changes.", expect=bad, changes=[(11 + index, cards[index]) for index in range(65)])
    head("fails-order", "Changes out of order.", expect=bad, changes=[three[1], three[0]])
    head("fails-not-recent", "A change in the generation that the list begins after.", expect=bad,
         changes=[(10, cards[0])])
    head("fails-future-change", "A change after the vault's generation.", expect=bad, changes=[(101, cards[0])])
    head("fails-future-since", "A list that begins after the vault's generation.", expect=bad, since=101)


def plain_hash(name, what, slots, settings):
    message = b"quickvault/v1/plain" + number(len(slots), 4)
    for identity, kind, algorithm, iterations, memory, salt, sealed in sorted(slots):
        message += identity + number(kind, 1) + number(algorithm, 1) + number(iterations, 4) + number(memory, 4) + salt
        message += number(len(sealed), 4) + sealed
    message += number(len(settings.encode()), 4) + settings.encode()
    lines = [("slot", f"{identity.hex()} {kind} {algorithm} {iterations} {memory} {salt.hex()} {sealed.hex()}")
             for identity, kind, algorithm, iterations, memory, salt, sealed in slots]
    vector("plain-hash-" + name, what, "plain-hash",
           lines + [("settings", settings.encode()), ("hash", hashlib.sha256(message).digest())])


def plain_hashes():
    password = (bytes([0x80]) + fixed("password slot", 15), 1, 1, 600000, 0, SALT, fixed("sealed key", 48))
    device = (bytes([0x7F]) + fixed("device slot", 15), 2, 3, 0, 0, fixed("salt of a device", 16), fixed("sealed too", 48))
    unknown = (bytes([0xFF]) * 16, 255, 254, 2**32 - 1, 2**32 - 1, bytes(16), fixed("anything", 70))
    plain_hash("password", "A password slot, and the settings of a new vault.", [password], "language=auto\n")
    plain_hash("device", "A password slot and a device's: ids are in ascending order as unsigned bytes.", [password, device],
               "language=zh-Hans\nbiometricUnlock=false\n")
    plain_hash("unknown", "A slot of an unknown kind, with the greatest numbers, and no settings.", [unknown, password], "")
    plain_hash("settings", "Settings are UTF-8, whatever they are.", [password], "设置 é\n")
    plain_hash("nothing", "No slots and no settings.", [], "")


def write_or_check(files, directory, arguments):
    """Writes the files, and removes others; with --check, only says which differ. Returns the exit status."""
    stored = {path.stem: path.read_text(encoding="utf-8") for path in directory.glob("*.txt")}
    if arguments == ["--check"]:
        wrong = sorted(name for name in files.keys() | stored.keys() if files.get(name) != stored.get(name))
        for name in wrong:
            print(f"{name}.txt differs", file=sys.stderr)
        return 1 if wrong else 0
    if arguments:
        sys.exit(__doc__)
    for name in stored.keys() - files.keys():
        (directory / f"{name}.txt").unlink()
    for name, text in files.items():
        (directory / f"{name}.txt").write_text(text, encoding="utf-8")
    print(f"{len(files)} vectors")
    return 0


# Conflict copies


def version_4(data):
    return bytes([*data[:6], data[6] & 15 | 64, data[7], data[8] & 63 | 128, *data[9:]])


def exclusive_or(one, other):
    return bytes(left ^ right for left, right in zip(one, other, strict=True))


def conflict_copy(name, what, tag):
    card, attachment, content = version_4(fixed("card", 16)), version_4(fixed("attachment id", 16)), fixed("content", 100)
    copy = version_4(hashlib.sha256(b"quickvault/v1/copy" + VAULT + card + tag).digest()[:16])
    mask = hashlib.sha256(b"quickvault/v1/copied-attachments" + VAULT + copy + tag).digest()
    copied = version_4(exclusive_or(attachment, mask[:16]))
    vector("conflict-copy-" + name, what, "conflict-copy",
           [("vault-key", VAULT_KEY), ("vault", VAULT), ("card", card), ("tag", int.from_bytes(tag, "big")), ("copy", copy),
            ("attachment", attachment), ("sealed", seal_record(content, ATTACHMENT, attachment, 1, SALT)),
            ("copied-attachment", copied),
            ("copied-sealed", seal_record(content, ATTACHMENT, copied, 1, exclusive_or(SALT, mask[16:])))])


def conflict_copies():
    conflict_copy("attachment", "The ids of a conflict copy and of its attachment, and the sealed content.", fixed("tag", 8))
    conflict_copy("of-tag-0", "The least tag.", bytes(8))


def main():
    for make in (records, key_derivations, slots, record_hashes, plain_hashes, heads, conflict_copies):
        make()
    return write_or_check(FILES, HERE, sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
