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
import re
import struct
import sys
import uuid

from read_vault import with_times
from vault_records import (ATTACHMENT, CARD, Records, VaultError, damaged, mac, open_slot, read_card, read_entries,
                           read_history)

SEGMENT, KEY_FILE, SUCCESSOR = 8, 9, 10
# Of the parts of a segment, and of the flags of a history.
BEGINS, ENDS, PUBLISHER = 1, 2, 4
NUMBER = re.compile("[0-9a-f]{16}")
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
        self.context, self.live, self.places, self.seen, self.has_every_tag = {}, {}, {}, set(), True

    def knows(self, tag, dots):
        """Whether a content was seen: by its tag or, where tags may be missing, by one of its dots."""
        return tag in self.live or tag in self.seen or not self.has_every_tag and covers(self.context, dots)


class Content:
    """A content, which is the same in all streams: when it was modified, and the card that it makes.

    `plaintext` is what is compared: that of the card, with zeros in place of the time and of the seals of attachments.
    `salts` are those that the attachments have in the card. `published` has each stream that has
    the content, with the ids and seals that they have there.
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
    """Returns the directory of the vault that the password opens, its records' opener, and the replicas with a key file."""
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
                replicas = {one[3] for one in files if one[9].parent == path.parent and is_authentic(records, one)}
                return directory, records, replicas
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


def read_segment(data, number, what):
    """Returns the part, the hash of the segment before, what it has seen, and the cards of a segment."""
    reader = Reader(data, what)
    version, part, previous = reader.number(1), reader.number(1), reader.take(32)
    if version != 1 or part > 3:
        raise damaged(f"{what} has an unknown version or part")
    if number == 1 and (not part & BEGINS or any(previous)):
        raise damaged(f"{what} is the first, but names one before it or begins no snapshot")
    reader.take(8)
    reader.text(1)
    seen = reader.ascending([(reader.take(16), reader.number(8)) for _ in range(reader.number(2))])
    if len(seen) > MOST_SEEN or any(number >= 1 << 63 for _, number in seen):
        raise damaged(f"{what} has seen too many replicas, or a number that is too large")
    settings = reader.text()
    if len(settings.encode()) > LONGEST_SETTINGS:
        raise damaged(f"{what} has settings that are too long")
    read_settings(settings, what)
    cards = reader.ascending(
        [(reader.take(16), reader.number(8), reader.counted(), reader.counted()) for _ in range(reader.number(4))])
    if any(data[reader.at:]) or len(data) != padded(reader.at):
        raise damaged(f"{what} is not padded with zeros to the smallest length")
    if len({identifier[:8] for identifier, *_ in cards}) < len(cards):
        raise damaged(f"{what} has two cards whose ids begin alike")
    return part, previous, dict(seen), cards


def padded(count):
    """Returns the length to which a plaintext is padded."""
    return next((size for size in (1024, 2048) if count <= size), -(-count // 4096) * 4096)


def read_settings(text, what):
    """Checks the lines of settings."""
    for line in text.split("\n"):
        name, equals, value = line.partition("=")
        if line and not (name and equals) or "\\" in value.replace("\\\\", "").replace("\\n", ""):
            raise damaged(f"{what} has malformed settings")


def read_families(cards, what):
    """Returns the families of a segment's cards: card to its members, by their ids."""
    families = {}
    for identifier, revision, record, history in cards:
        if revision > HIGHEST or bool(revision) != bool(record) or 0 < len(record) < 33 or history[:1] != b"\2":
            raise damaged(f"{what} has a card without a record, revision or versions")
        is_publisher, history = history[1] & PUBLISHER, read_history(history, what)
        _, generation, _, _, copies = history.versions
        if is_publisher or generation or copies or any(abs(number) > HIGHEST for number in numbers(history.versions)):
            raise damaged(f"{what} has what belongs to one replica, or a number that none can follow")
        if history.is_deleted == bool(record):
            raise damaged(f"{what} has a card that is deleted and not")
        families.setdefault(history.origin or identifier, {})[identifier] = (revision, record, history)
    if any(family not in members or members[family][2].origin for family, members in families.items()):
        raise damaged(f"{what} has a conflict copy without its card")
    return families


def check_records(families, records, what):
    """Checks that the cards of families open, and that conflict copies have as much of a title as their histories say."""
    for identifier, (revision, record, history) in [one for members in families.values() for one in members.items()]:
        if record:
            card, _ = read_card(records.open(CARD, identifier, revision, record, what), what)
            own = card["title"].encode()[:history.title or 0]
            if history.origin and (len(own) < history.title or own.decode(errors="ignore").encode() != own):
                raise damaged(f"{what} has a conflict copy with more of a title than there is")


def numbers(versions):
    """Returns the base of a card's versions, and the numbers of its writes."""
    base, _, context, dots, _ = versions
    return [base, *context.values(), *(number for *_, number in dots)]


class Stream:
    """What a reader can apply of a replica's stream: the last that it says of each family, and what is wrong with the rest.

    `numbers` are the segments that have the families, `problem` is a kind and the number of a segment.
    """

    def __init__(self, directory, records):
        self.replica = uuid.UUID(directory.name).bytes
        self.found = {int(path.name, 16): self.open(path, records) for path in sorted(directory.iterdir())
                      if NUMBER.fullmatch(path.name) and 1 <= int(path.name, 16) <= HIGHEST}
        self.families, self.numbers, self.seen, self.problem = {}, {}, {}, None
        self.last, self.is_begun = 0, False
        self.follow()

    def open(self, path, records):
        """Returns a segment and its hash; nothing if it is not one."""
        number, what = int(path.name, 16), f"segment {path.name} of {path.parent.name}"
        if path.stat().st_size > LONGEST_SEGMENT:
            return None
        sealed = path.read_bytes()
        try:
            plaintext = records.open(SEGMENT, self.replica, number, sealed, what)
            part, previous, seen, cards = read_segment(plaintext, number, what)
            families = read_families(cards, what)
            check_records(families, records, what)
            return part, previous, seen, families, hashlib.sha256(sealed).digest()
        except VaultError:
            return None

    def follow(self):
        """Reads the segments in their order, over a gap only where a whole snapshot begins."""
        left = sorted(self.found)
        while left:
            self.problem = self.problem_of(left[0])
            if not self.problem:
                self.take(left.pop(0))
                continue
            first = self.newest_snapshot(left)
            if not first:
                return
            left = [number for number in left if number >= first]
            self.last = first - 1
        if self.is_begun:
            self.problem = "missing", self.last + 1

    def problem_of(self, number):
        """Returns why a segment does not continue the stream; nothing if it does."""
        if not self.found[number]:
            return "unreadable", number
        part, previous, *_ = self.found[number]
        if part & BEGINS and self.last in (0, number - 1):
            return None
        if number != self.last + 1:
            return "missing", self.last + 1
        return None if previous == self.found[self.last][-1] else ("replaced", number)

    def newest_snapshot(self, left):
        """Returns the number with which the newest snapshot begins that is there to its end; nothing if none is."""
        end, expected = None, None
        for number in reversed(left):
            part, previous, *_, own = self.found[number] or (0, None, None)
            is_before = end == number + 1 and own and own == expected
            end, expected = (number, previous) if own and (is_before or part & ENDS) else (None, None)
            if end and part & BEGINS:
                return number
        return None

    def take(self, number):
        """Applies a segment."""
        part, _, seen, families, _ = self.found[number]
        self.families.update(families)
        self.numbers.update({family: number for family in families})
        self.seen.update({replica: max(self.seen.get(replica, 0), known) for replica, known in seen.items()})
        self.is_begun = (self.is_begun or bool(part & BEGINS)) and not part & ENDS
        self.last = number


def state(family, members, records, found, stream):
    """Returns what a stream says of a family, and notes the contents that it has."""
    said = State()
    for identifier, (revision, record, history) in members.items():
        said.seen.update(history.seen)
        _, _, context, dots, _ = history.versions
        if identifier == family:
            said.context = context
            writes = sum(number for replica, number in context.items() if replica[6] >> 4 != RESOLVER)
            said.has_every_tag = len(history.seen) < MOST_TAGS and len(history.own) + len(history.seen) >= writes
        for index, tag in enumerate(history.own):
            said.live[tag] = {(replica, number) for at, replica, number in dots if at == index}
            said.places[tag] = identifier
        if history.own:
            note_contents(family, identifier, revision, record, history, records, found, stream)
    return said


def note_contents(family, identifier, revision, record, history, records, found, stream):
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
        known.published.append((stream, [(identifier, seal) for _, identifier, seal in attachments]))


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
    """Returns the cards that all streams together have, the attachments whose content is not here, and the problems.

    A problem is a replica, a kind and the number of a segment. A replica has one: that of its stream before a content.
    """
    vault, records, replicas = open_folder(folder, password)
    found, states = {}, {}
    streams = {}
    if (vault / "changes").is_dir():
        streams = {uuid.UUID(path.name).bytes: Stream(path, records) for path in sorted((vault / "changes").iterdir())}
    problems = problems_of(streams, replicas)
    for stream in streams.values():
        for family, members in stream.families.items():
            states.setdefault(family, []).append(state(family, members, records, found, stream))
    cards, missing = [], []
    for family, said in states.items():
        live = [tag for tag in {tag for one in said for tag in one.live} if is_live(records, states, family, tag)]
        for card, published in cards_of(records, states, family, {tag: found[family, tag] for tag in live}):
            if not card.pop("isInTrash", False):
                cards.append(card)
            for index, attachment in enumerate(card.get("attachments", [])):
                if any(opens(records, vault, *places[index], attachment["size"]) for _, places in published):
                    continue
                missing.append(attachment["id"])
                for stream, _ in published:
                    number = stream.numbers[family]
                    kind, first = problems.setdefault(stream.replica, ("contentMissing", number))
                    if kind == "contentMissing":
                        problems[stream.replica] = kind, min(first, number)
    cards.sort(key=lambda card: (not card["pinned"], -card["modifiedAt"], card["id"]))
    return cards, missing, [(str(uuid.UUID(bytes=replica)), *problem) for replica, problem in sorted(problems.items())]


def problems_of(streams, replicas):
    """Returns what is wrong with the streams: a kind and the number of a segment, by replica."""
    problems = {replica: stream.problem for replica, stream in streams.items() if stream.problem}
    for replica, number in [one for stream in streams.values() for one in stream.seen.items()]:
        newest = max(streams[replica].found, default=0) if replica in streams else 0
        if number > newest:
            problems.setdefault(replica, ("missing", newest + 1))
    for replica in replicas:
        if replica not in streams or not streams[replica].found:
            problems.setdefault(replica, ("missing", 1))
    return problems


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
        cards, missing, problems = read_folder(folder, sys.stdin.buffer.readline().decode("utf-8").removesuffix("\n"))
    except VaultError as error:
        print(f"read_sync.py: {error}", file=sys.stderr)
        return 1
    for identifier in missing:
        print(f"read_sync.py: the content of attachment {identifier} is not here", file=sys.stderr)
    for replica, kind, number in problems:
        print(f"read_sync.py: {replica}: {kind}, segment {number}", file=sys.stderr)
    for card in cards:
        print(json.dumps(with_times(card), ensure_ascii=False))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
