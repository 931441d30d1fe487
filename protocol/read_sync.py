#!/usr/bin/python3
"""An independent reader of synchronised folders, written from SYNC-FORMAT.md.

  read_sync.py FOLDER < PASSWORD     the password is the first line of standard input

Reads every stream of the vault in the folder, checks the chains and all records, and merges what they have. Prints the
cards as read_vault.py does, and on standard error what is wrong with a stream. Only reads.

The exit status is 0; 1 if the password opens nothing or a check fails; 2 for wrong arguments.
Needs python3-cryptography, and argon2-cffi for vaults whose password slot uses Argon2id.
"""
import argparse
import hashlib
import json
import pathlib
import struct
import sys
import uuid

from read_vault import with_times
from vault_records import (ATTACHMENT, CARD, Records, VaultError, damaged, mac, open_slot, read_card, read_history,
                           read_versions)

SEGMENT, KEY_FILE, SUCCESSOR = 8, 9, 10
LONGEST_SEGMENT = 83_886_080
MOST_TAGS = 64
# The version of the UUID under which a replica counts the conflict copies that it resolved.
RESOLVER = 8


class Reader:
    """Takes values from bytes in their order."""

    def __init__(self, data, what):
        self.data, self.at, self.what = data, 0, what

    def take(self, count):
        """Returns the next bytes."""
        if self.at + count > len(self.data):
            raise damaged(f"{self.what} is too short")
        self.at += count
        return self.data[self.at - count:self.at]

    def number(self, count):
        """Returns the next unsigned number."""
        return int.from_bytes(self.take(count), "big")

    def counted(self, width=4):
        """Returns the next bytes, before which their number is written."""
        return self.take(self.number(width))

    def text(self, width=4):
        """Returns the next text."""
        try:
            return self.counted(width).decode()
        except UnicodeDecodeError:
            raise damaged(f"{self.what} has text that is not UTF-8") from None

    def ascending(self, rows):
        """Returns rows, whose ids must ascend."""
        ids = [row[0] for row in rows]
        if ids != sorted(set(ids)):
            raise damaged(f"{self.what} has ids out of order")
        return rows


class State:
    """What one stream says of a family: its contents, and what is known of all writes."""

    def __init__(self):
        self.context, self.base, self.live, self.seen = {}, 0, {}, set()

    def knows(self, tag, dots):
        """Whether a content was seen: by its tag or, where tags may be missing, by one of its dots."""
        return tag in self.live or self.has_replaced(tag, dots)

    def has_replaced(self, tag, dots):
        """Whether a content was seen that is not here any more."""
        writes = sum(number for replica, number in self.context.items() if replica[6] >> 4 != RESOLVER)
        may_lack_tags = len(self.seen) >= MOST_TAGS or len(self.seen | set(self.live)) < writes
        return tag in self.seen or may_lack_tags and covers(self.context, dots)


def covers(context, dots):
    """Whether one of the dots is known."""
    return any(context.get(replica, 0) >= number for replica, number in dots)


def read_key_file(data, path):
    """Returns what a key file says, from what makes a password the newest to the file's path."""
    reader = Reader(data, f"the key file {path.name}")
    if reader.take(18) != b"quickvault/v1/keys":
        raise damaged(f"{reader.what} is not one")
    vault, replica, number = reader.take(16), reader.take(16), reader.number(8)
    version, chosen, slot = reader.number(8), reader.number(8), reader.take(16)
    if not version:
        raise damaged(f"{reader.what} has no version")
    parameters = reader.number(1), reader.number(4), reader.number(4), reader.take(16), reader.take(48)
    said, voucher = reader.data[:reader.at], reader.take(64)
    return version, chosen, slot, replica, number, vault, parameters, said, voucher, path


def open_folder(folder, password):
    """Returns the directory of the vault that the password opens, and its records' opener."""
    files = []
    for path in folder.glob("*/*/keys/*"):
        if len(path.name) == 53 and path.is_file():
            try:
                files.append(read_key_file(path.read_bytes(), path))
            except VaultError:
                pass
    files.sort(reverse=True)
    for file in files:
        slot, vault, (algorithm, iterations, memory, salt, sealed), path = file[2], *file[5:7], file[9]
        try:
            key = open_slot(password, vault, slot, 1, algorithm, iterations, memory, salt, sealed)
            records = Records(key, vault)
            directory = path.parent.parent
            if is_authentic(records, file) and directory.name == epoch_name(records):
                others = [one for one in files if one[:3] > file[:3] and one[9].parent == path.parent]
                if any(is_authentic(records, one) for one in others) or has_successor(records, directory):
                    raise VaultError("wrong password", "it was changed")
                return directory, records
        except VaultError as error:
            if error.kind != "wrong password" or str(error).endswith("it was changed"):
                raise
    raise VaultError("wrong password", "it opens no key file")


def epoch_name(records):
    """Returns the name of the directory for a vault key."""
    code = mac(records.hash_key, b"quickvault/v1/epoch" + records.vault_id)
    return str(uuid.UUID(bytes=code[:16], version=4))


def has_successor(records, directory):
    """Whether somebody with the vault key says that there is another."""
    for path in directory.glob("next/*"):
        try:
            records.open(SUCCESSOR, uuid.UUID(path.name).bytes, 1, path.read_bytes(), "the successor")
            return True
        except (ValueError, VaultError):
            pass
    return False


def is_authentic(records, file):
    """Whether somebody with the vault key made a key file."""
    _, _, _, replica, number, _, _, said, voucher, _ = file
    try:
        return records.open(KEY_FILE, replica, number, voucher, "the key file") == hashlib.sha256(said).digest()
    except VaultError:
        return False


def read_segment(data, what):
    """Returns the part, the hash of the segment before, and the cards of a segment."""
    reader = Reader(data, what)
    version, part, previous = reader.number(1), reader.number(1), reader.take(32)
    if version != 1 or part > 3:
        raise damaged(f"{what} has an unknown version or part")
    reader.take(8)
    reader.text(1)
    seen = reader.ascending([(reader.take(16), reader.number(8)) for _ in range(reader.number(2))])
    if any(number >= 1 << 63 for _, number in seen):
        raise damaged(f"{what} has seen a number that is too large")
    reader.text()
    cards = reader.ascending(
        [(reader.take(16), reader.number(8), reader.counted(), reader.counted()) for _ in range(reader.number(4))])
    if any(data[reader.at:]):
        raise damaged(f"{what} is not padded with zeros")
    for _, revision, record, history in cards:
        if bool(revision) != bool(record) or 0 < len(record) < 33 or history[:1] != b"\2":
            raise damaged(f"{what} has a card without a record, revision or versions")
    return part, previous, cards


def read_versioned_history(history, what):
    """Returns own and seen tags, whether the card was deleted, of which it is a copy, the length of its title, and versions."""
    own, seen, is_deleted, origin = read_history(history, what)
    end = 14 + 8 * (len(own) + len(seen)) + (20 if origin else 0)
    title = int.from_bytes(history[end - 4:end], "big") if origin else None
    return own, seen, is_deleted, origin, title, read_versions(history[end:], len(own), what)


def read_stream(directory, records):
    """Returns the last that a stream says of each family: card to its members, by their ids."""
    replica = uuid.UUID(directory.name).bytes
    families, before, last = {}, 0, None
    for path in sorted(path for path in directory.iterdir() if len(path.name) == 16):
        number, what = int(path.name, 16), f"segment {path.name} of {directory.name}"
        if path.stat().st_size > LONGEST_SEGMENT:
            raise damaged(f"{what} is too long")
        sealed = path.read_bytes()
        part, previous, cards = read_segment(records.open(SEGMENT, replica, number, sealed, what), what)
        if number != before + 1 and not part & 1 or number == before + 1 and previous != (last or bytes(32)):
            raise damaged(f"{what} does not continue the stream")
        before, last = number, hashlib.sha256(sealed).digest()
        changed = {}
        for identifier, revision, record, history in cards:
            own, seen, is_deleted, origin, title, versions = read_versioned_history(history, what)
            if is_deleted == bool(record):
                raise damaged(f"{what} has a card that is deleted and not")
            changed.setdefault(origin or identifier, {})[identifier] = (revision, record, own, seen, versions, title)
        families.update(changed)
    return families


def state(family, members, records, cards):
    """Returns what a stream says of a family, and notes the contents that it has."""
    said = State()
    for identifier, (revision, record, own, seen, (base, _, context, dots, _), title) in members.items():
        said.seen.update(seen)
        if identifier == family:
            said.context, said.base = context, base
        for index, tag in enumerate(own):
            said.live[tag] = {(replica, number) for at, replica, number in dots if at == index}
        if record:
            what = f"card {uuid.UUID(bytes=identifier)}"
            plaintext = records.open(CARD, identifier, revision, record, what)
            if title is not None:
                plaintext = without_note(plaintext, title)
            card, attachments = read_card(plaintext, what)
            if attachments:
                card["attachments"] = [{**one, "seal": seal} for one, _, seal in attachments]
            for tag in own:
                # The streams of two machines differ where one of them took an attachment from the content.
                known = cards.get((family, tag))
                if known is None or len(known[0].get("attachments", [])) < len(attachments):
                    cards[family, tag] = (card, plaintext)
    return said


def without_note(plaintext, length):
    """Returns the plaintext of a conflict copy with so many bytes of its title, which is the first entry."""
    role, flags, key_count, count = struct.unpack(">BBHI", plaintext[24:32])
    return plaintext[:24] + struct.pack(">BBHI", role, flags, key_count, length) + plaintext[32:32 + length] + plaintext[32 + count:]


def copy_id(records, card, tag):
    """Returns the id of the conflict copy of a content."""
    code = hashlib.sha256(b"quickvault/v1/copy" + records.vault_id + card + tag).digest()
    return uuid.UUID(bytes=code[:16], version=4).bytes


def read_folder(folder, password):
    """Returns the cards that all streams together have, and the contents of attachments that are not here."""
    vault, records = open_folder(folder, password)
    cards, states, missing = {}, {}, []
    for directory in sorted((vault / "changes").iterdir()):
        for family, members in read_stream(directory, records).items():
            states.setdefault(family, []).append(state(family, members, records, cards))
    found = []
    for family, said in states.items():
        live = {}
        for one in said:
            for tag, dots in one.live.items():
                if all(tag in other.live or not other.knows(tag, dots) for other in said):
                    live.setdefault(tag, set()).update(dots)
        live = {tag: dots for tag, dots in live.items() if not is_replaced(records, states, family, tag, dots)}
        found += contents(records, states, family, live, cards)
    found = with_one_holder(found)
    for card in found:
        for attachment in card.get("attachments", []):
            seal = attachment.pop("seal")
            if not any(opens(records, attachment, seal, path) for path in vault.glob(f"contents/*/{seal[:16].hex()}")):
                missing.append(attachment["id"])
            attachment.pop("revision")
    return sorted(found, key=lambda card: (not card["pinned"], -card["modifiedAt"], card["id"])), missing


def opens(records, attachment, seal, path):
    """Whether a file is the content of an attachment."""
    sealed = path.read_bytes()
    if sealed[:16] + sealed[-16:] != seal:
        return False
    try:
        return len(records.open(ATTACHMENT, uuid.UUID(attachment["id"]).bytes, 1, sealed, "a content")) == attachment["size"]
    except VaultError:
        return False


def is_replaced(records, states, family, tag, dots):
    """Whether a conflict copy with a content was changed or deleted, and thus is a card of its own."""
    identifier = copy_id(records, family, tag)
    while identifier in states:
        if any(one.has_replaced(tag, dots) for one in states[identifier]):
            return True
        identifier = copy_id(records, identifier, tag)
    return False


def contents(records, states, family, live, cards):
    """Returns the card of a family and its conflict copies, each with whether it is a copy."""
    values = {}
    for tag in sorted(live):
        card, plaintext = cards[family, tag]
        alike = plaintext[:16] + plaintext[24:]
        values.setdefault(alike, []).append((card["modifiedAt"], plaintext, tag, card))
    newest = [max(same, key=lambda one: one[0]) + (min(one[2] for one in same),) for same in values.values()]
    ranked = sorted(newest, key=lambda one: one[:2], reverse=True)
    claimed = set()
    for place, (_, _, _, card, least) in enumerate(ranked):
        identifier = family
        if place:
            identifier = copy_id(records, family, least)
            while identifier in states:
                identifier = copy_id(records, identifier, least)
            is_han = any(0x3400 <= ord(c) <= 0x9FFF or 0x20000 <= ord(c) <= 0x323AF for c in card["title"])
            card = {**card, "title": card["title"] + ("（冲突副本）" if is_han else " (conflict copy)")}
        card = without_attachments(card, claimed)
        claimed |= attachment_ids(card)
        yield place > 0, {"id": str(uuid.UUID(bytes=identifier)), **card}


def with_one_holder(found):
    """Returns the cards, each attachment with one of them: no conflict copy if possible, and of those the one with the last id."""
    holders = {}
    for _, card in sorted(found, key=lambda one: (not one[0], one[1]["id"])):
        for attachment in attachment_ids(card):
            holders[attachment] = card["id"]
    return [
        without_attachments(card, {one for one in attachment_ids(card) if holders[one] != card["id"]}) for _, card in found]


def attachment_ids(card):
    """Returns the ids of a card's attachments."""
    return {attachment["id"] for attachment in card.get("attachments", [])}


def without_attachments(card, ids):
    """Returns a card without some attachments."""
    left = [attachment for attachment in card.get("attachments", []) if attachment["id"] not in ids]
    return {**{key: value for key, value in card.items() if key != "attachments"}, **({"attachments": left} if left else {})}


def main():
    """Runs the command line and returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="the folder that is carried")
    folder = parser.parse_args().folder
    try:
        cards, missing = read_folder(folder, sys.stdin.buffer.readline().decode("utf-8").removesuffix("\n"))
    except VaultError as error:
        print(f"read_sync.py: {error}", file=sys.stderr)
        return 1
    for identifier in missing:
        print(f"read_sync.py: the content of attachment {identifier} is not here", file=sys.stderr)
    for card in cards:
        print(json.dumps(with_times(card), ensure_ascii=False))
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
