#!/usr/bin/python3
"""Make the vectors of the synchronised folder, or check those that are there.

    make_sync_vectors.py            write the files in sync/ beside this script
    make_sync_vectors.py --check    say which files differ from what would be written, and fail if any does

Written from SYNC-FORMAT.md, without code of the reader. The files are like those of make_vectors.py.
"""

import hashlib
import pathlib
import sys
import uuid

from make_vectors import (ARGON2ID, CARD, HKDF, PASSWORD, PBKDF2, SLOT, VAULT, VAULT_KEY, fixed, flip, mac, number, purpose_key,
                          render, seal_record, seal_slot, write_or_check, SALT)

HERE = pathlib.Path(__file__).resolve().parent
SEGMENT, KEY_FILE, SUCCESSOR = 8, 9, 10
BEGINS, ENDS = 1, 2
TIME = 1_790_000_000_000
REPLICA, OTHER, THIRD = sorted(fixed(f"replica {index}", 16) for index in range(3))
FILES = {}


def vector(name, what, operation, fields, expect="success"):
    assert name not in FILES
    FILES[name] = render(what, [("operation", operation), ("expect", expect), ("vault-key", VAULT_KEY)] + fields)


# The directory of a vault key


def epoch(vault=VAULT):
    code = mac(purpose_key(b"record-hash"), b"quickvault/v1/epoch" + vault)
    return uuid.UUID(bytes=code[:16], version=4)


def epochs():
    vector("epoch", "The directory of a vault key.", "epoch", [("vault", VAULT), ("epoch", epoch())])
    other = flip(VAULT, 0)
    vector("epoch-other-vault", "The same key, and another vault.", "epoch", [("vault", other), ("epoch", epoch(other))])


# Segments


def counted(content):
    return number(len(content), 4) + content


def history(own, context, *, seen=(), deleted=0, times=()):
    """A history of version 2: what is known of each replica, and that the first one made the tags."""
    made = [number(index, 2) + context[0][0] + number(context[0][1], 8) for index in range(len(own))]
    return (number(2, 1) + number(1 if deleted else 8 if times else 0, 1) + number(len(own), 2) + number(len(seen), 2)
            + number(deleted, 8) + b"".join(own) + b"".join(seen) + b"".join(number(time, 8) for time in times)
            + number(0, 8) + number(0, 8) + number(len(context), 2) + number(len(made), 2) + number(0, 2)
            + b"".join(replica + number(count, 8) for replica, count in context) + b"".join(made))


def card(name, revision=1, content=b"a card"):
    identity = fixed(f"card {name}", 16)
    sealed = seal_record(content, CARD, identity, revision, fixed(f"salt of {name}", 16))
    return identity, revision, sealed, history([sealed[:8]], [(REPLICA, 1)])


def combined(name, times):
    """A card with the contents of as many machines, which were modified at these times."""
    identity, revision, sealed, _ = card(name, 2)
    own = [fixed(f"tag {index}", 8) for index in range(len(times))]
    return identity, revision, sealed, history(sorted(own), [(REPLICA, 2)], times=times)


def deleted(name):
    return fixed(f"card {name}", 16), 0, b"", history([], [(REPLICA, 2)], seen=[fixed(f"tag {name}", 8)], deleted=TIME)


def padded(content):
    size = next((size for size in (1024, 2048) if len(content) <= size), -(-len(content) // 4096) * 4096)
    return content.ljust(size, b"\0")


def plaintext(cards=(), *, version=1, part=BEGINS | ENDS, previous=bytes(32), machine="desk".encode(), seen=(), settings=b"",
              pad=padded):
    content = (number(version, 1) + number(part, 1) + previous + number(TIME, 8) + number(len(machine), 1) + machine
               + number(len(seen), 2) + b"".join(replica + number(count, 8) for replica, count in seen) + counted(settings)
               + number(len(cards), 4))
    for identity, revision, sealed, said in cards:
        content += identity + number(revision, 8) + counted(sealed) + counted(said)
    return pad(content)


def segment(name, what, content, expect="success", *, at=1, change=lambda sealed: sealed, says=(), **place):
    place = {"vault": VAULT, "replica": REPLICA, "number": at} | place
    sealed = change(seal_record(content, SEGMENT, REPLICA, at, fixed("salt of a segment", 16)))
    vector("segment-" + name, what, "segment", list(place.items()) + [("sealed", sealed)] + list(says), expect)


def said(cards=(), *, part=BEGINS | ENDS, previous=bytes(32), machine="desk", seen=(), settings=""):
    """What a reader finds in a segment."""
    return ([("part", part), ("previous", previous), ("published-at", TIME), ("text-machine", machine)]
            + [("seen", f"{replica.hex()} {count}") for replica, count in seen] + [("settings", settings.encode())]
            + [("card", f"{identity.hex()} {revision} {sealed.hex() or '-'} {known.hex()}")
               for identity, revision, sealed, known in cards])


def segments():
    cards = sorted([card("one"), card("two", 7), deleted("three")])
    seen, settings = [(OTHER, 5), (THIRD, 2**63 - 1)], "autoLockSeconds=60\n"
    segment("empty", "A snapshot without cards, the first of its stream.", plaintext(), says=said())
    segment("cards", "Two cards and a deleted one, settings, and what was seen of two replicas.",
            plaintext(cards, seen=seen, settings=settings.encode()), says=said(cards, seen=seen, settings=settings))
    segment("continues", "A change after a snapshot.", plaintext(cards[:1], part=0, previous=fixed("hash", 32)), at=2,
            says=said(cards[:1], part=0, previous=fixed("hash", 32)))
    segment("machine", "A machine with a Chinese name.", plaintext(machine="书房".encode()), says=said(machine="书房"))
    alike = [combined("one", [TIME, TIME - 1000])]
    segment("times", "A card whose two own tags have different times.", plaintext(alike), says=said(alike))
    without = len(plaintext([card("large", content=b"")], pad=bytes))
    for size in (1024, 2048, 4096):
        large = [card("large", content=bytes(size - without))]
        segment(f"of-{size}-bytes", "A plaintext that needs no padding.", plaintext(large), says=said(large))

    good = plaintext(cards)
    bad = "malformed"
    segment("fails-version", "Version 2.", plaintext(version=2), bad)
    segment("fails-part", "An unknown bit.", plaintext(part=4), bad)
    segment("fails-padding", "The last byte is not zero.", good[:-1] + b"\1", bad)
    segment("fails-machine", "The machine's name is not UTF-8.", plaintext(machine=b"\xff"), bad)
    segment("fails-settings", "The settings are not UTF-8.", plaintext(settings=b"\xc3"), bad)
    segment("fails-seen-order", "Replicas out of order.", plaintext(seen=seen[::-1]), bad)
    segment("fails-seen-twice", "A replica twice.", plaintext(seen=seen[:1] * 2), bad)
    segment("fails-seen-number", "A number that is no signed one.", plaintext(seen=[(OTHER, 2**63)]), bad)
    segment("fails-card-order", "Cards out of order.", plaintext(cards[::-1]), bad)
    segment("fails-card-twice", "A card twice.", plaintext(cards[:1] * 2), bad)
    one, gone = card("one"), deleted("three")
    segment("fails-revision", "A record with revision 0.", plaintext([(one[0], 0, *one[2:])]), bad)
    segment("fails-no-record", "Revision 1, and no record.", plaintext([(gone[0], 1, *gone[2:])]), bad)
    segment("fails-short-record", "A record of 31 bytes.", plaintext([(*one[:2], one[2][:31], one[3])]), bad)
    segment("fails-history", "A history that lacks its last byte.", plaintext([(*one[:3], one[3][:-1])]), bad)
    segment("fails-old-history", "A history of version 1.",
            plaintext([(*one[:3], number(1, 1) + bytes(1) + number(1, 2) + bytes(10) + one[2][:8])]), bad)
    segment("fails-times", "The time of a single own tag.", plaintext([combined("one", [TIME])]), bad)
    segment("fails-flag", "A history with an unknown flag.",
            plaintext([(*one[:3], number(2, 1) + number(32, 1) + one[3][2:])]), bad)
    segment("fails-cut", "It ends within a card.", plaintext(cards, pad=lambda content: content[:-10]), bad)
    segment("fails-empty", "No bytes.", b"", bad)

    failed = "authentication-failed"
    segment("fails-changed", "A bit of it was changed.", good, failed, change=lambda sealed: flip(sealed, 100))
    segment("fails-truncated", "The last byte is missing.", good, failed, change=lambda sealed: sealed[:-1])
    segment("fails-number", "Under the number of another segment.", good, failed, at=2, number=3)
    segment("fails-replica", "In the stream of another replica.", good, failed, replica=OTHER)
    segment("fails-vault", "In the folder of another vault.", good, failed, vault=flip(VAULT, 15))
    segment("fails-short", "31 bytes.", good, bad, change=lambda sealed: sealed[:31])


# Key files


def key_file(name, what, expect="success", *, algorithm=PBKDF2, iterations=100_000, memory=0, version=3, begins=b"quickvault/v1/keys",
             said=lambda content: content, change=lambda content: content, voucher=KEY_FILE):
    sealed = seal_slot(b"correct horse", PASSWORD, algorithm, *((iterations, memory) if algorithm != HKDF else (0, 0)))
    content = said(begins + VAULT + REPLICA + number(9, 8) + number(version, 8) + number(TIME, 8) + SLOT + number(algorithm, 1)
                   + number(iterations, 4) + number(memory, 4) + SALT + sealed)
    whole = change(content + seal_record(hashlib.sha256(content).digest(), voucher, REPLICA, 9, fixed("salt of a key file", 16)))
    fields = [("text-password", "correct horse"), ("file", whole)]
    if expect == "success":
        fields += [("vault", VAULT), ("replica", REPLICA), ("number", 9), ("version", version), ("chosen-at", TIME), ("slot", SLOT),
                   ("algorithm", algorithm), ("iterations", iterations), ("memory-kib", memory)]
    vector("key-file-" + name, what, "key-file", fields, expect)


def key_files():
    key_file("pbkdf2", "The slot of a password that was chosen three times.")
    key_file("argon2id", "With Argon2id.", algorithm=ARGON2ID, iterations=1, memory=19456)
    bad, failed, refused = "malformed", "authentication-failed", "parameters-out-of-range"
    key_file("fails-name", "It begins with another name.", bad, begins=b"quickvault/v1/kezs")
    key_file("fails-version", "A password that was chosen 0 times.", bad, version=0)
    key_file("fails-cut", "It ends within the slot.", bad, change=lambda content: content[:120])
    key_file("fails-weak", "Iterations under the least are refused before deriving.", refused, change=lambda content:
             content[:91] + number(99_999, 4) + content[95:])
    key_file("fails-algorithm", "A password slot that claims HKDF.", refused, algorithm=HKDF, iterations=0)
    key_file("fails-changed", "The version was changed.", failed, change=lambda content: flip(content, 65))
    key_file("fails-slot", "The sealed vault key was changed.", failed, change=lambda content: flip(content, 125))
    key_file("fails-voucher", "The voucher was changed.", failed, change=lambda content: flip(content, len(content) - 1))
    key_file("fails-no-voucher", "Without a voucher.", failed, change=lambda content: content[:-64])
    key_file("fails-kind", "The voucher is a record of another kind.", failed, voucher=SEGMENT)


# The successor of a vault key


def successor(name, what, expect="success", *, content=None, kind=SUCCESSOR, replica=REPLICA, revision=1, change=lambda sealed: sealed):
    content = number(1, 1) + epoch().bytes if content is None else content
    sealed = change(seal_record(content, kind, REPLICA, revision, fixed("salt of a successor", 16)))
    vector("next-" + name, what, "next", [("vault", VAULT), ("replica", replica), ("sealed", sealed)]
           + ([("next", epoch())] if expect == "success" else []), expect)


def successors():
    failed = "authentication-failed"
    successor("epoch", "It names the directory of the next key.")
    successor("fails-replica", "Under the name of another replica.", failed, replica=OTHER)
    successor("fails-kind", "A record of another kind.", failed, kind=KEY_FILE)
    successor("fails-revision", "Another revision.", failed, revision=2)
    successor("fails-changed", "A bit was changed.", failed, change=lambda sealed: flip(sealed, 20))


def main():
    for make in (epochs, segments, key_files, successors):
        make()
    (HERE / "sync").mkdir(exist_ok=True)
    return write_or_check(FILES, HERE / "sync", sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
