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
from vault_records import (ATTACHMENT, CARD, Records, VaultError, damaged, mac, open_slot, read_card, read_entries,
                           read_history)

SEGMENT, KEY_FILE, SUCCESSOR = 8, 9, 10
LONGEST_SEGMENT, LONGEST_SETTINGS = 83_886_080, 1_048_576
# The highest number of a write, a revision, a segment or a key file.
HIGHEST = 1 << 48
MOST_TAGS, MOST_SEEN = 64, 1_000
# The version of the UUID under which a replica counts the conflict copies that it resolved.
RESOLVER = 8
# All bits of an id but the six that every version 4 UUID has.
FREE_BITS = bytes.fromhex("ffffffffffff0fff3fffffffffffffff")


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
    """What one stream says of a family: its contents, where they are, and what is known of all writes."""

    def __init__(self):
        self.context, self.live, self.places, self.seen = {}, {}, {}, set()

    def knows(self, tag, dots):
        """Whether a content was seen: by its tag or, where tags may be missing, by one of its dots."""
        writes = sum(number for replica, number in self.context.items() if replica[6] >> 4 != RESOLVER)
        may_lack_tags = len(self.seen) >= MOST_TAGS or len(self.seen | set(self.live)) < writes
        return tag in self.live or tag in self.seen or may_lack_tags and covers(self.context, dots)


class Content:
    """A content, which is the same in all streams: when it was modified, and the card that it makes.

    `plaintext` is what is compared: that of the card, with zeros in place of the time and of the seals of attachments.
    `salts` are those that the attachments have in the card. `published` has, for each place where a stream has the
    content, the ids and seals that they have there.
    """

    def __init__(self, time, plaintext, card, salts):
        self.time, self.plaintext, self.card, self.salts, self.published = time, plaintext, card, salts, []

    def is_same(self, other):
        """Whether two streams have the same."""
        return (self.time, self.plaintext, self.salts) == (other.time, other.plaintext, other.salts)


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
    if not 1 <= version <= HIGHEST or not 1 <= number <= HIGHEST:
        raise damaged(f"{reader.what} has no version or number, or too high a one")
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
    if len(seen) > MOST_SEEN or any(number >= 1 << 63 for _, number in seen):
        raise damaged(f"{what} has seen too many replicas, or a number that is too large")
    if len(reader.text().encode()) > LONGEST_SETTINGS:
        raise damaged(f"{what} has settings that are too long")
    cards = reader.ascending(
        [(reader.take(16), reader.number(8), reader.counted(), reader.counted()) for _ in range(reader.number(4))])
    if any(data[reader.at:]):
        raise damaged(f"{what} is not padded with zeros")
    for _, revision, record, history in cards:
        if revision > HIGHEST or bool(revision) != bool(record) or 0 < len(record) < 33 or history[:1] != b"\2":
            raise damaged(f"{what} has a card without a record, revision or versions")
        if any(abs(number) > HIGHEST for number in numbers(read_history(history, what).versions)):
            raise damaged(f"{what} has a number that none can follow")
    return part, previous, cards


def numbers(versions):
    """Returns the base of a card's versions, and the numbers of its writes."""
    base, _, context, dots, _ = versions
    return [base, *context.values(), *(number for *_, number in dots)]


def read_stream(directory, records):
    """Returns the last that a stream says of each family: card to its members, by their ids."""
    replica = uuid.UUID(directory.name).bytes
    families, before, last = {}, 0, None
    for path in sorted(path for path in directory.iterdir() if len(path.name) == 16 and int(path.name, 16) <= HIGHEST):
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
            history = read_history(history, what)
            if history.is_deleted == bool(record):
                raise damaged(f"{what} has a card that is deleted and not")
            changed.setdefault(history.origin or identifier, {})[identifier] = (revision, record, history)
        families.update(changed)
    return families


def state(family, members, records, found):
    """Returns what a stream says of a family, and notes the contents that it has."""
    said = State()
    for identifier, (revision, record, history) in members.items():
        said.seen.update(history.seen)
        _, _, context, dots, _ = history.versions
        if identifier == family:
            said.context = context
        for index, tag in enumerate(history.own):
            said.live[tag] = {(replica, number) for at, replica, number in dots if at == index}
            said.places[tag] = identifier
        if history.own:
            note_contents(family, identifier, revision, record, history, records, found)
    return said


def note_contents(family, identifier, revision, record, history, records, found):
    """Notes the contents of a card or a conflict copy, one for each of its tags."""
    what = f"card {uuid.UUID(bytes=identifier)}"
    plaintext = records.open(CARD, identifier, revision, record, what)
    card, attachments = read_card(plaintext, what)
    mask = copied_mask(records, identifier, min(history.own)) if history.has_mask else bytes(32)
    compared = as_in_card(plaintext, history.title, mask, what)
    salts = [exclusive_or(seal[:16], mask[16:]) for *_, seal in attachments]
    for index, tag in enumerate(history.own):
        time = history.times[index] if history.times else card["modifiedAt"]
        content = Content(time, compared, described(compared, what), salts)
        known = found.setdefault((family, tag), content)
        if not known.is_same(content):
            raise damaged(f"{what} has another content than another stream under the same tag")
        known.published.append([(identifier, seal) for _, identifier, seal in attachments])


def described(plaintext, what):
    """Returns a card with its attachments."""
    card, attachments = read_card(plaintext, what)
    if attachments:
        card["attachments"] = [{k: v for k, v in one.items() if k != "revision"} for one, *_ in attachments]
    return card


def as_in_card(plaintext, title, mask, what):
    """Returns a plaintext as it is in the card itself, with zeros in place of the time and of the seals of attachments.

    A conflict copy has a note after so many bytes of the title, and a mask.
    """
    entries = b""
    for role, flags, key, value in read_entries(plaintext, what):
        key, value = key.encode(), value if role == 5 else value.encode()
        if role == 1:
            value = value[:title]
        elif role == 5:
            value = exclusive_or(value[:16], mask[:16]) + value[16:48] + bytes(32) + value[80:]
        entries += struct.pack(">BBHI", role, flags, len(key), len(value)) + key + value
    return plaintext[:16] + bytes(8) + entries


def exclusive_or(one, other):
    """Returns the exclusive or of as many bytes."""
    return bytes(a ^ b for a, b in zip(one, other, strict=True))


def copied_mask(records, copy, tag):
    """Returns the mask for the ids and salts of a conflict copy's attachments; the tag is the least of its own."""
    mask = hashlib.sha256(b"quickvault/v1/copied-attachments" + records.vault_id + copy + tag).digest()
    return bytes(byte & free for byte, free in zip(mask, FREE_BITS)) + mask[16:]


def copy_id(records, card, tag):
    """Returns the id of the conflict copy of a content."""
    code = hashlib.sha256(b"quickvault/v1/copy" + records.vault_id + card + tag).digest()
    return uuid.UUID(bytes=code[:16], version=4).bytes


def read_folder(folder, password):
    """Returns the cards that all streams together have, and the contents of attachments that are not here."""
    vault, records = open_folder(folder, password)
    found, states = {}, {}
    for directory in sorted((vault / "changes").iterdir()):
        for family, members in read_stream(directory, records).items():
            states.setdefault(family, []).append(state(family, members, records, found))
    cards, missing = [], []
    for family, said in states.items():
        live = [tag for tag in {tag for one in said for tag in one.live} if is_live(records, states, family, tag)]
        for card, published in cards_of(records, states, family, {tag: found[family, tag] for tag in live}):
            if not card.pop("isInTrash", False):
                cards.append(card)
            for index, attachment in enumerate(card.get("attachments", [])):
                if not any(opens(records, vault, *place[index], attachment["size"]) for place in published):
                    missing.append(attachment["id"])
    return sorted(cards, key=lambda card: (not card["pinned"], -card["modifiedAt"], card["id"])), missing


def opens(records, vault, identifier, seal, size):
    """Whether there is the content of an attachment with this id and seal."""
    for path in vault.glob(f"contents/*/{seal[:16].hex()}"):
        sealed = path.read_bytes()
        try:
            content = records.open(ATTACHMENT, identifier, 1, sealed, f"content {path.name}")
        except VaultError:
            continue
        if sealed[:16] + sealed[-16:] == seal and len(content) == size:
            return True
    return False


def is_live(records, states, family, tag):
    """Whether a content stays: no stream has replaced it, and no conflict copy with it is a card of its own by now."""
    said = states[family]
    if any(tag not in one.live and one.knows(tag, dots_of(said, tag)) for one in said):
        return False
    places = copy_ids(records, states, family, tag)[0] | {one.places.get(tag, family) for one in said} - {family}
    # The writes that such a card knows are numbered as its own.
    return not any(tag in one.seen for place in places for one in states.get(place, []))


def dots_of(said, tag):
    """Returns the writes that made a content."""
    return {dot for one in said for dot in one.live.get(tag, ())}


def copy_ids(records, states, family, tag):
    """Returns the ids that a content's conflict copy would have if they were not taken, and the one that it has."""
    taken, identifier = set(), copy_id(records, family, tag)
    while identifier in states:
        taken.add(identifier)
        identifier = copy_id(records, identifier, tag)
    return taken, identifier


def cards_of(records, states, family, contents):
    """Yields the card of a family and its conflict copies, each with its attachments as they were published.

    Contents that are the same but for their times are one, with the latest.
    """
    alike = {}
    for tag in sorted(contents):
        groups = alike.setdefault(contents[tag].plaintext, [{}])
        if len(groups[-1]) == MOST_TAGS:
            groups.append({})
        groups[-1][tag] = contents[tag]
    ranked = [(max(content.time for content in same.values()), plaintext, same)
              for plaintext, groups in alike.items() for same in groups]
    for place, (time, _, same) in enumerate(sorted(ranked, key=lambda one: one[:2], reverse=True)):
        first = same[min(same)]
        identifier, mask, title = family, bytes(32), first.card["title"]
        if place:
            identifier = copy_ids(records, states, family, min(same))[1]
            mask, title = copied_mask(records, identifier, min(same)), with_note(title)
        card = {"id": str(uuid.UUID(bytes=identifier)), **first.card, "title": title, "modifiedAt": time}
        if "attachments" in card:
            card["attachments"] = [{**one, "id": masked(one["id"], mask)} for one in card["attachments"]]
        yield card, [one for content in same.values() for one in content.published]


def with_note(title):
    """Returns the title of a conflict copy."""
    is_han = any(0x3400 <= ord(c) <= 0x9FFF or 0x20000 <= ord(c) <= 0x323AF for c in title)
    return title + ("（冲突副本）" if is_han else " (conflict copy)")


def masked(identifier, mask):
    """Returns the id of an attachment in a conflict copy, or of one there in the card."""
    return str(uuid.UUID(bytes=exclusive_or(uuid.UUID(identifier).bytes, mask[:16])))


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
