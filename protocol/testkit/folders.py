"""The synchronised folders of the testkit, one scenario each, made from SYNC-FORMAT.md and without code of the reader."""
import base64
import hashlib
import hmac
import struct
import unicodedata
import uuid

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from testkit import ATTACHMENT, CARD, PASSWORD, Card, Vault, derive, fixed, hkdf, identifier, text_id

SEGMENT, KEY_FILE, SUCCESSOR = 8, 9, 10
BEGINS, ENDS = 1, 2
OTHER_PASSWORD = "a later password"
PICTURE = b"picture"


def history(own=(), context=None, dots=(), *, seen=(), deleted=0, base=0, times=(), origin=b"", title=0):
    """Returns the history of a card: its tags, the writes that are known, and those that made the tags.

    A conflict copy has an origin, and so many bytes of its own title.
    """
    context = sorted((context or {}).items())
    return (bytes([2, bool(deleted) | bool(origin) << 1 | bool(times) << 3 | bool(origin) << 4])
            + struct.pack(">HHq", len(own), len(seen), deleted) + b"".join(own) + b"".join(seen)
            + b"".join(struct.pack(">q", time) for time in times)
            + (origin + struct.pack(">I", title) if origin else b"")
            + struct.pack(">qqHHH", base, 0, len(context), len(dots), 0)
            + b"".join(replica + struct.pack(">Q", number) for replica, number in context)
            + b"".join(struct.pack(">H", index) + replica + struct.pack(">Q", number) for index, replica, number in dots))


class Folder:
    """A folder in memory, and what a reader must make of it."""

    def __init__(self, name="folder", vault=None):
        self.vault = Vault(name)
        self.vault.id = vault or self.vault.id
        code = hmac.digest(hkdf(self.vault.key, b"quickvault/v1/record-hash"), b"quickvault/v1/epoch" + self.vault.id, "sha256")
        self.directory = f"{text_id(self.vault.id)}/{uuid.UUID(bytes=code[:16], version=4)}"
        self.files, self.cards, self.problems = {}, {}, []
        self.password, self.outcome = PASSWORD, "read"

    def put(self, path, content):
        """Writes a file."""
        self.files[f"{self.directory}/{path}"] = content

    def key_file(self, replica, number=1, *, version=1, password=PASSWORD, change=lambda content: content):
        """Publishes the slot of a password."""
        slot, salt = identifier("slot " + password), fixed("slot salt " + password, 16)
        key = derive(unicodedata.normalize("NFC", password).encode(), salt, 1, 100_000, 0)
        parameters = bytes([1]) + struct.pack(">II", 100_000, 0)
        place = b"quickvault/v1/sl" + self.vault.id + slot + bytes([1]) + parameters + salt
        content = change(b"quickvault/v1/keys" + self.vault.id + replica
                         + struct.pack(">QQq", number, version, 1_790_000_000_000) + slot + parameters + salt
                         + AESGCM(key).encrypt(bytes(12), self.vault.key, place))
        voucher = self.vault.seal(KEY_FILE, replica, number, hashlib.sha256(content).digest())
        self.put(f"keys/{text_id(replica)}-{number:016x}", content + voucher)

    def expect(self, *cards):
        """Notes the cards that a reader must find."""
        for card in cards:
            self.cards[card.id] = card
        return self

    def problem(self, stream, kind, segment):
        """Notes a problem that a reader must name."""
        self.problems.append({"replica": text_id(stream.replica), "kind": kind, "segment": segment})
        return self

    @property
    def json(self):
        """What a reader must find, and the files."""
        said = {"password": self.password, "outcome": self.outcome}
        if self.outcome == "read":
            said["cards"] = sorted(({"id": text_id(card.id), "title": card.title,
                                     "attachments": [one["name"] for one, _ in card.attachments]}
                                    for card in self.cards.values()), key=lambda card: card["id"])
            said["problems"] = self.problems
        return {**said, "files": {path: base64.b64encode(content).decode() for path, content in sorted(self.files.items())}}


class Stream:
    """What a replica publishes."""

    def __init__(self, folder, name="replica", *, publishes_key=True, number=0):
        self.folder, self.replica, self.number, self.last = folder, identifier("replica " + name), number, bytes(32)
        if publishes_key:
            folder.key_file(self.replica)

    def record(self, card, context=None, dot=None):
        """Returns a card as a segment has it, written by this replica."""
        context = context or {self.replica: 1}
        sealed = self.folder.vault.seal(CARD, card.id, card.revision, card.plaintext())
        dot = dot or (self.replica, context[self.replica])
        return card.id, card.revision, sealed, history([sealed[:8]], context, [(0, *dot)])

    def publish(self, *records, part=0, settings="", seen=(), version=1, change=lambda content: content,
                damage=lambda sealed: sealed, previous=None, writes=True):
        """Writes the next segment."""
        self.number += 1
        name = "machine".encode()
        content = (bytes([version, part]) + (self.last if previous is None else previous) + struct.pack(">q", 1_790_000_000_000)
                   + bytes([len(name)]) + name + struct.pack(">H", len(seen))
                   + b"".join(replica + struct.pack(">Q", number) for replica, number in seen)
                   + struct.pack(">I", len(settings)) + settings.encode() + struct.pack(">I", len(records)))
        for identity, revision, sealed, said in records:
            content += (identity + struct.pack(">QI", revision, len(sealed)) + sealed + struct.pack(">I", len(said)) + said)
        size = next((size for size in (1024, 2048) if len(content) <= size), -(-len(content) // 4096) * 4096)
        sealed = damage(self.folder.vault.seal(SEGMENT, self.replica, self.number, change(content.ljust(size, b"\0"))))
        self.last = hashlib.sha256(sealed).digest()
        if writes:
            self.folder.put(f"changes/{text_id(self.replica)}/{self.number:016x}", sealed)

    def content(self, card, name, content):
        """Adds an attachment to a card, and returns the path and the bytes of its content."""
        vault = self.folder.vault
        identity = vault.attach(card, name, content)
        sealed, = vault.run("SELECT sealed FROM content WHERE id = ?", identity)[0]
        return f"contents/{text_id(self.replica)}/{sealed[:16].hex()}", sealed


def note(name, title, **said):
    """Returns a card with a text."""
    return Card(name, title, fields={"text": title}, **said)


def one_card(number=0, **said):
    """Returns a folder, its only stream, and a card that is in its snapshot."""
    folder = Folder()
    stream, card = Stream(folder, number=number), note("one", "One")
    stream.publish(stream.record(card), part=BEGINS | ENDS, **said)
    return folder.expect(card), stream, card


def snapshot_in_two_parts():
    """Returns a snapshot of two segments, and a later change."""
    folder = Folder()
    stream, one, two = Stream(folder), note("one", "One"), note("two", "二")
    stream.publish(stream.record(one), part=BEGINS)
    stream.publish(stream.record(two), part=ENDS, settings="autoLockSeconds=60\n")
    changed = note("one", "One, changed", revision=2, modified=1_790_000_001_000)
    stream.publish(stream.record(changed, {stream.replica: 2}))
    return folder.expect(changed, two)


class Segments(Folder):
    """A folder with one stream, each of whose segments has one card of its own; a snapshot has those before, too."""

    def __init__(self, **segments):
        """Makes the segments `s1`, `s2`…: their parts, or None for one that is not here, or a damaged one."""
        super().__init__()
        self.stream, records = Stream(self), []
        for name, part in segments.items():
            self.stream.number = int(name[1:]) - 1
            card = note(name, f"Card {name[1:]}")
            record = self.stream.record(card)
            records.append(record)
            is_whole = isinstance(part, int) and part & BEGINS
            self.stream.publish(*sorted(records if is_whole else [record]), part=part if isinstance(part, int) else 0,
                                writes=part is not None, damage=part if callable(part) else lambda sealed: sealed)

    def expect_cards(self, *numbers):
        """Notes the cards that a reader must find, by their segments."""
        return self.expect(*(note(f"s{number}", f"Card {number}") for number in numbers))

    def expect_problem(self, kind, number):
        """Notes the problem that a reader must name."""
        return self.problem(self.stream, kind, number)


WHOLE = BEGINS | ENDS


def half_snapshot_of_two_replicas():
    """Returns a snapshot of which the second half is not here, and another replica that has read it."""
    folder = Segments(s1=BEGINS, s2=None)
    other, card = Stream(folder, "other"), note("other", "Of another")
    other.publish(other.record(card), part=WHOLE, seen=[(folder.stream.replica, 2)])
    return folder.expect_cards(1).expect(card).problem(folder.stream, "missing", 2)


def key_file_only():
    """Returns a folder with the key file of a replica whose stream has not come."""
    folder, _, _ = one_card()
    return folder.problem(Stream(folder, "other"), "missing", 1)


def changed_elsewhere():
    """Returns a card that another replica changed after it had read it."""
    folder, stream, _ = one_card()
    other = Stream(folder, "other")
    changed = note("one", "Changed", revision=2, modified=1_790_000_001_000)
    other.publish(other.record(changed, {stream.replica: 1, other.replica: 1}), part=BEGINS | ENDS, seen=[(stream.replica, 1)])
    return folder.expect(changed)


def copy_id(folder, card, sealed):
    """Returns the id of the conflict copy with the content of a record."""
    code = hashlib.sha256(b"quickvault/v1/copy" + folder.vault.id + card.id + sealed[:8]).digest()
    return uuid.UUID(bytes=code[:16], version=4).bytes


def conflict(title="Mine", noted=" (conflict copy)"):
    """Returns a card that two replicas changed at once."""
    folder, stream, card = one_card()
    other = Stream(folder, "other")
    mine = note("one", title, revision=2, modified=1_790_000_001_000)
    theirs = note("one", "Theirs", revision=2, modified=1_790_000_002_000)
    record = stream.record(mine, {stream.replica: 2})
    stream.publish(record)
    other.publish(other.record(theirs, {stream.replica: 1, other.replica: 1}), part=BEGINS | ENDS)
    copy = note("one", title + noted)
    copy.id = copy_id(folder, card, record[2])
    return folder.expect(theirs, copy)


def changed_copy(is_first):
    """Returns a conflict copy that was changed, in a stream that is read before that of its content, or after it."""
    folder = Folder()
    content, changed = sorted((Stream(folder), Stream(folder, "other")), key=lambda stream: stream.replica, reverse=is_first)
    card, copy = note("one", "One"), note("copy", "The copy, changed", modified=1_790_000_001_000)
    record = content.record(card)
    content.publish(record, part=WHOLE)
    copy.id = copy_id(folder, card, record[2])
    identity, revision, sealed, _ = changed.record(copy)
    said = history([sealed[:8]], {changed.replica: 1}, [(0, changed.replica, 1)], seen=[record[2][:8]])
    changed.publish((identity, revision, sealed, said), part=WHOLE)
    return folder.expect(copy)


def exclusive_or(one, other):
    """Returns the exclusive or of as many bytes."""
    return bytes(a ^ b for a, b in zip(one, other, strict=True))


class Write:
    """A card with a picture that one of several replicas wrote, all at once."""

    def __init__(self, stream, title, modified, context):
        self.stream, self.card = stream, note("one", title, revision=2, modified=modified)
        stream.folder.vault.attach(self.card, "a.png", PICTURE, writes=False)
        self.record = stream.record(self.card, context)
        self.tag, self.dot = self.record[2][:8], (stream.replica, context[stream.replica])


class Conflict(Folder):
    """A folder with a card with a picture that several replicas changed at once."""

    def __init__(self, *changes):
        """Makes the card and its changes, each a title and a time. All replicas but the first have published theirs."""
        super().__init__()
        self.streams = [Stream(self, f"replica {index}") for index in range(len(changes))]
        one, first = note("one", "One"), self.streams[0]
        self.put(*first.content(one, "a.png", PICTURE))
        record = first.record(one)
        self.tag = record[2][:8]
        first.publish(record, part=BEGINS | ENDS)
        self.writes = [Write(stream, title, 1_790_000_000_000 + time,
                             {first.replica: 2} if stream is first else {first.replica: 1, stream.replica: 1})
                       for stream, (title, time) in zip(self.streams, changes)]
        for write in self.writes[1:]:
            write.stream.publish(write.record, part=BEGINS | ENDS)

    def publish_merged(self, *contents):
        """Lets the first replica publish the card and the conflict copies that it made of the changes.

        Each is given as the changes that made its content, the newest last.
        """
        first, (own, *others) = self.streams[0], contents
        card = own[-1].card
        read = sorted(write.stream.replica for writes in contents for write in writes if write.stream is not first)
        known = {first.replica: 2, **{replica: 1 for replica in read}}
        revision = sum(known.values())
        members = [(card.id, revision, self.vault.seal(CARD, card.id, revision, card.plaintext()),
                    self.said(own, known, seen=[self.tag]))]
        for writes in others:
            copy, sealed = self.copy(writes)
            self.put(f"contents/{text_id(first.replica)}/{sealed[:16].hex()}", sealed)
            members.append((copy.id, 1, self.vault.seal(CARD, copy.id, 1, copy.plaintext()),
                            self.said(writes, origin=card.id, title=len(writes[-1].card.title.encode()))))
        first.publish(*sorted(members), seen=[(replica, 1) for replica in read])
        return self

    def said(self, writes, context=None, **more):
        """Returns the history of a content that several changes made."""
        writes = sorted(writes, key=lambda write: write.tag)
        times = [write.card.modified for write in writes]
        times = times if len(set(times)) > 1 else ()
        dots = [(index, *write.dot) for index, write in enumerate(writes)]
        return history([write.tag for write in writes], context, dots, times=times, **more)

    def copy(self, writes):
        """Returns the conflict copy with a content, and the sealed content of its picture."""
        content, least = writes[-1].card, min(write.tag for write in writes)
        copy = note("one", content.title, modified=content.modified)
        copy.id, copy.title = copy_id(self, content, least), content.title + " (conflict copy)"
        mask = hashlib.sha256(b"quickvault/v1/copied-attachments" + self.vault.id + copy.id + least).digest()
        (_, described), = content.attachments
        identity = uuid.UUID(bytes=exclusive_or(described[:16], mask[:16]), version=4).bytes
        sealed = self.vault.seal(ATTACHMENT, identity, 1, PICTURE, salt=exclusive_or(described[48:64], mask[16:]))
        self.vault.attach(copy, "a.png", PICTURE, identity=identity, seal=sealed[:16] + sealed[-16:], writes=False)
        return copy, sealed

    def delete(self, write):
        """Lets a replica delete the card as it wrote it."""
        gone = history([], {self.streams[0].replica: 1, write.stream.replica: 2}, seen=[write.tag, self.tag],
                       deleted=1_790_000_009_000)
        write.stream.publish((write.card.id, 0, b"", gone))

    def expect_merged(self, *contents):
        """Notes the card and the conflict copies that a reader must find."""
        return self.expect(contents[0][-1].card, *(self.copy(writes)[0] for writes in contents[1:]))


def conflict_with_attachment():
    """Returns a card and its conflict copy, which have the same picture."""
    folder = Conflict(("Mine", 1_000), ("Theirs", 2_000))
    mine, theirs = folder.writes
    return folder.publish_merged([theirs], [mine]).expect_merged([theirs], [mine])


def copy_is_the_card():
    """Returns a conflict copy with a picture whose card was deleted by the replica that had changed it."""
    folder = Conflict(("Mine", 1_000), ("Theirs", 2_000))
    mine, theirs = folder.writes
    folder.publish_merged([theirs], [mine]).delete(theirs)
    return folder.expect_merged([mine])


def copy_written_again():
    """Returns a conflict copy with a picture that a replica without it wrote too, later than the card."""
    folder = Conflict(("Mine", 1_000), ("Theirs", 2_000), ("Mine", 3_000))
    mine, theirs, again = folder.writes
    return folder.publish_merged([theirs], [mine]).expect_merged([mine, again], [theirs])


def newest_write_deleted():
    """Returns a card that two replicas wrote, between which another changed it; the later of them deleted it."""
    folder = Conflict(("The same", 1_000), ("The same", 3_000), ("Theirs", 2_000))
    earlier, later, theirs = folder.writes
    folder.publish_merged([earlier, later], [theirs]).delete(later)
    return folder.expect_merged([theirs], [earlier])


def least_tag_deleted():
    """Returns a conflict copy that two replicas wrote; the one whose tag names the copy deleted it."""
    folder = Conflict(("Theirs", 4_000), ("The same", 3_000), ("The same", 1_000))
    theirs, later, earlier = folder.writes
    folder.publish_merged([theirs], [earlier, later])
    least, other = sorted([earlier, later], key=lambda write: write.tag)
    folder.delete(least)
    return folder.expect_merged([theirs], [other])


def resolved_beside_deletion():
    """Returns a conflict copy that one replica deleted, and that is the card on another, where the card itself was deleted."""
    folder, stream, card = one_card()
    deleting, resolving, late = stream.replica, Stream(folder, "other"), Stream(folder, "late")
    first = stream.record(card)[2][:8]
    copied = resolving.record(note("one", "The copy", revision=2, modified=1_790_000_001_000))[2]
    deleted = stream.record(note("one", "Deleted", revision=2, modified=1_790_000_002_000))[2]
    stream.publish((card.id, 0, b"", history([], {deleting: 3}, seen=[deleted[:8], first], deleted=1_790_000_003_000)))
    known = {deleting: 3, resolving.replica: 1}
    said = history([copied[:8]], known, [(0, resolving.replica, 1)], seen=[deleted[:8], first])
    late.publish((card.id, 2, copied, said), part=BEGINS | ENDS, seen=[(deleting, 2)])
    resolver = resolving.replica[:6] + bytes([resolving.replica[6] & 15 | 0x80]) + resolving.replica[7:]
    said = history([deleted[:8]], {deleting: 2, resolving.replica: 1, resolver: 1}, [(0, deleting, 2)], seen=[copied[:8], first])
    copy = copy_id(folder, card, copied)
    gone = history([], {resolving.replica: 2}, seen=[copied[:8]], deleted=1_790_000_003_000)
    resolving.publish(*sorted([(card.id, 2, deleted, said), (copy, 0, b"", gone)]), part=BEGINS | ENDS, seen=[(deleting, 1)])
    folder.cards = {}
    return folder


def deleted_elsewhere(changes=False):
    """Returns a card that another replica deleted after it had read it, and that the first changed meanwhile or not."""
    folder, stream, card = one_card()
    other = Stream(folder, "other")
    tag = stream.record(card)[2][:8]
    gone = history([], {stream.replica: 1, other.replica: 1}, seen=[tag], deleted=1_790_000_001_000)
    other.publish((card.id, 0, b"", gone), part=BEGINS | ENDS)
    folder.cards = {}
    if changes:
        changed = note("one", "Changed", revision=2, modified=1_790_000_002_000)
        stream.publish(stream.record(changed, {stream.replica: 2}))
        folder.expect(changed)
    return folder


def attachment(change=lambda folder, path, sealed: folder.put(path, sealed)):
    """Returns a card with an attachment, and another card."""
    folder = Folder()
    stream, one, two = Stream(folder), note("one", "With a picture"), note("two", "Without")
    path, sealed = stream.content(one, "a.png", b"picture")
    change(folder, path, sealed)
    stream.publish(*sorted([stream.record(one), stream.record(two)]), part=BEGINS | ENDS)
    if path in "".join(folder.files) and folder.files[f"{folder.directory}/{path}"] == sealed:
        return folder.expect(one, two)
    return folder.expect(two).problem(stream, "contentMissing", 1)


def copied_content(folder, path, sealed):
    """Writes a content, and changed ones of the same name for a replica before and one after."""
    folder.put(path, sealed)
    for replica in (bytes(16), b"\xff" * 16):
        folder.put(path.replace(path.split("/")[1], text_id(replica)), flip(20)(sealed))


def second_segment(kind, **said):
    """Returns a stream whose second segment is wrong."""
    folder, stream, _ = one_card()
    two, three = note("two", "Two"), note("three", "Three")
    stream.publish(stream.record(two), **said)
    stream.publish(stream.record(three))
    return folder.problem(stream, kind, 2)


def wrong(make):
    """Returns a stream whose second segment has records that only somebody with the vault key can make."""
    folder, stream, _ = one_card()
    stream.publish(*sorted(make(folder, stream)))
    stream.publish(stream.record(note("three", "Three")))
    return folder.problem(stream, "unreadable", 2)


def first(**said):
    """Returns a stream whose first segment no stream can begin with, and that of another replica."""
    folder, _, _ = one_card()
    other = Stream(folder, "other")
    other.publish(other.record(note("two", "Two")), **said)
    return folder.problem(other, "unreadable", 1)


def alike(_, stream):
    """Returns two cards whose ids begin with the same 8 bytes."""
    one, two = note("alike", "One"), note("alike", "Two")
    two.id = two.id[:-1] + bytes([two.id[-1] ^ 1])
    return [stream.record(one), stream.record(two)]


def copy_of(origin, title=0, *more, text="Copy"):
    """Returns what makes a conflict copy of a card, which may be there with it."""
    def make(_, stream):
        copy = note("copy", text)
        identity, revision, sealed, _ = stream.record(copy)
        card = identity if origin == "itself" else identifier("card " + origin)
        said = history([sealed[:8]], {}, [(0, stream.replica, 1)], origin=card, title=title)
        return [(identity, revision, sealed, said), *(one(card) for one in more)]
    return make


def deleted_card(identity):
    """Returns the history of a card that was deleted."""
    return identity, 0, b"", history([], {identity: 1}, deleted=1_790_000_000_000)


def changed_record(change):
    """Returns a card with a changed history or record."""
    def make(folder, stream):
        identity, revision, sealed, said = stream.record(note("two", "Two"))
        return [change(folder, identity, revision, sealed, said)]
    return make


def sealed_anew(folder, identity, revision, *_):
    """Returns a card whose record opens, but is none."""
    sealed = folder.vault.seal(CARD, identity, revision, bytes(24))
    return identity, revision, sealed, history([sealed[:8]], {identity: 1}, [(0, identity, 1)])


def swapped():
    """Returns a stream whose second segment is the third."""
    folder = second_segment("unreadable")
    second, third = (next(path for path in folder.files if path.endswith(f"{number:016x}")) for number in (2, 3))
    folder.files[second] = folder.files.pop(third)
    return folder


def password(entered, outcome="read", *, change=lambda content: content):
    """Returns a folder with key files of two passwords, of which one is entered."""
    folder, _, _ = one_card()
    other = Stream(folder, "other", publishes_key=False)
    other.publish(part=BEGINS | ENDS)
    folder.key_file(other.replica, version=2, password=OTHER_PASSWORD)
    folder.password, folder.outcome = entered, outcome
    path = f"{folder.directory}/keys/{text_id(other.replica)}-{1:016x}"
    folder.files[path] = change(folder.files[path])
    return folder


def new_key(entered, outcome="read", *, change=lambda sealed: sealed):
    """Returns a vault that got a new key, one password of which is entered."""
    folder, stream, card = one_card()
    later = Folder("later", folder.vault.id)
    writer = Stream(later, publishes_key=False)
    later.key_file(writer.replica, version=2, password=OTHER_PASSWORD)
    changed = note("one", "Under the new key", revision=2, modified=1_790_000_001_000)
    writer.publish(writer.record(changed, {writer.replica: 2}), part=BEGINS | ENDS)
    successor = folder.vault.seal(SUCCESSOR, stream.replica, 1, b"\1" + uuid.UUID(later.directory[37:]).bytes)
    folder.put(f"next/{text_id(stream.replica)}", change(successor))
    folder.files.update(later.files)
    folder.password, folder.outcome = entered, outcome
    return folder.expect(changed if entered == OTHER_PASSWORD else card)


def other_names():
    """Returns a folder with files of other programs."""
    folder, stream, _ = one_card()
    directory = f"changes/{text_id(stream.replica)}"
    for name in (f"{directory}/.tmp-1", f"{directory}/{2:016x}.sync-conflict", f"{directory}/2", f"keys/{1:016x}", "keys/.tmp"):
        folder.put(name, b"not one of these")
    folder.files[".stfolder/marker"] = folder.files["README"] = b"of the carrier"
    return folder


def flip(at):
    """Returns what changes a bit."""
    return lambda content: content[:at] + bytes([content[at] ^ 1]) + content[at + 1:]


FOLDERS = {
    "one-replica": ("A snapshot of one segment.", lambda: one_card()[0]),
    "snapshot-in-two-parts": ("A snapshot of two segments, settings, and a change after it.", snapshot_in_two_parts),
    "begins-later": ("The stream begins with number 5: the earlier segments were removed.", lambda: one_card(number=4)[0]),
    "snapshot-after-old": ("An old segment lies before a whole snapshot.",
                           lambda: Segments(s5=0, s6=WHOLE, s7=0).expect_cards(5, 6, 7)),
    "snapshot-after-gap": ("An old segment lies long before a whole snapshot.",
                           lambda: Segments(s2=0, s11=WHOLE).expect_cards(2, 11)),
    "snapshot-after-end": ("What lies between the end of a snapshot and the next was removed.",
                           lambda: Segments(s1=WHOLE, s2=0, s3=None, s6=WHOLE, s7=0).expect_cards(1, 2, 3, 6, 7)),
    "snapshot-after-missing": ("A segment before a whole snapshot is not here.",
                               lambda: Segments(s1=WHOLE, s2=None, s3=0, s4=BEGINS, s5=ENDS, s6=0).expect_cards(1, 2, 3, 4, 5, 6)),
    "snapshot-after-damaged": ("A segment before a whole snapshot was changed.",
                               lambda: Segments(s1=WHOLE, s2=0, s3=flip(100), s4=WHOLE, s5=0).expect_cards(1, 2, 3, 4, 5)),
    "snapshot-after-damaged-snapshot": ("The first of two snapshots was changed.",
                                        lambda: Segments(s1=flip(100), s2=0, s3=WHOLE).expect_cards(1, 2, 3)),
    "snapshot-before-damaged": ("The end of the later of two snapshots was changed.",
                                lambda: Segments(s1=WHOLE, s2=0, s3=BEGINS, s4=flip(100)).expect_cards(1, 2, 3)
                                .expect_problem("unreadable", 4)),
    "snapshot-half": ("The second half of the only snapshot is not here.",
                      lambda: Segments(s1=BEGINS, s2=None).expect_cards(1).expect_problem("missing", 2)),
    "snapshot-half-after-gap": ("Of a snapshot after a gap, the second half is not here: it is not applied.",
                                lambda: Segments(s1=WHOLE, s2=None, s3=BEGINS, s4=None).expect_cards(1)
                                .expect_problem("missing", 2)),
    "snapshot-half-later": ("The second half of a later snapshot is not here: it may have cards that nothing else has.",
                            lambda: Segments(s1=WHOLE, s2=BEGINS, s3=None).expect_cards(1, 2).expect_problem("missing", 3)),
    "snapshot-half-seen": ("Another replica has read the half of a snapshot that is not here.", half_snapshot_of_two_replicas),
    "snapshot-half-and-more": ("A segment in the midst of a snapshot is not here.",
                               lambda: Segments(s4=BEGINS, s5=None, s6=ENDS).expect_cards(4).expect_problem("missing", 5)),
    "snapshot-whole-before-half": ("Of two snapshots after an old segment, only the first is whole.",
                                   lambda: Segments(s2=0, s4=WHOLE, s5=0, s6=BEGINS, s7=None).expect_cards(2, 4, 5, 6)
                                   .expect_problem("missing", 7)),
    "key-file-only": ("Of a replica, only the key file is here.", key_file_only),
    "changed-elsewhere": ("Another replica changed a card that it had read.", changed_elsewhere),
    "conflict": ("Two replicas changed a card at once.", conflict),
    "conflict-note-chinese": ("The note of a conflict copy is in the language of its title.",
                              lambda: conflict("Mine, 我的", "（冲突副本）")),
    "conflict-note-long": ("A title that is as long as one may be has the note, too.", lambda: conflict("x" * 1_000)),
    "conflict-with-attachment": ("A card and its conflict copy have the same attachment, each its own copy of it.",
                                 conflict_with_attachment),
    "conflict-deleted": ("A card was deleted: its conflict copy is the card now, with the id of its attachment there.",
                         copy_is_the_card),
    "conflict-changed-first": ("A changed conflict copy is in a stream before that of the content that it replaces.",
                               lambda: changed_copy(True)),
    "conflict-changed-last": ("A changed conflict copy is in a stream after that of the content that it replaces.",
                              lambda: changed_copy(False)),
    "conflict-alike": ("A replica wrote the same as a conflict copy, later than the card: both are the card now.",
                       copy_written_again),
    "conflict-times": ("Of two equal contents the later one was deleted: the earlier one is a conflict copy now.",
                       newest_write_deleted),
    "conflict-tags": ("The least tag of a conflict copy was deleted: it has another id, and so has its attachment.",
                      least_tag_deleted),
    "conflict-resolved": ("A conflict copy was deleted; on another replica it is the card, because the card itself was deleted.",
                          resolved_beside_deletion),
    "deleted-elsewhere": ("Another replica deleted a card that it had read.", deleted_elsewhere),
    "deleted-and-changed": ("One replica deleted a card while another changed it.", lambda: deleted_elsewhere(True)),
    "attachment": ("A card with an attachment.", attachment),
    "content-changed-elsewhere": ("A content was changed in the directory of one replica, and is intact in that of another.",
                                  lambda: attachment(copied_content)),
    "content-missing": ("The content of an attachment is not here; other cards do not wait for it.",
                        lambda: attachment(lambda *_: None)),
    "content-changed": ("A bit of the content of an attachment was changed.",
                        lambda: attachment(lambda folder, path, sealed: folder.put(path, flip(20)(sealed)))),
    "segment-missing": ("A number is not here, and a later one is.", lambda: second_segment("missing", writes=False)),
    "segment-truncated": ("A segment lacks its last byte.", lambda: second_segment("unreadable", damage=lambda data: data[:-1])),
    "segment-changed": ("A bit of a segment was changed.", lambda: second_segment("unreadable", damage=flip(100))),
    "segment-swapped": ("A segment lies under the number of another.", swapped),
    "segment-chain": ("A segment names another hash than that of the one before.",
                      lambda: second_segment("replaced", previous=bytes(32))),
    "segment-padding": ("The padding of a segment is not zero.",
                        lambda: second_segment("unreadable", change=lambda content: content[:-1] + b"\1")),
    "segment-padding-long": ("The padding of a segment is longer than it has to be.",
                             lambda: second_segment("unreadable", change=lambda content: content.ljust(4096, b"\0"))),
    "segment-settings": ("The settings in a segment are not lines of names and values.",
                         lambda: second_segment("unreadable", settings="no equals sign\n")),
    "segment-first-hash": ("The first segment of a stream names one before it.",
                           lambda: first(part=WHOLE, previous=b"\1" * 32)),
    "segment-first-part": ("In the first segment of a stream, no snapshot begins.", first),
    "segment-cards-alike": ("Two cards in a segment have ids that begin with the same 8 bytes.", lambda: wrong(alike)),
    "segment-copy-of-itself": ("A card is a conflict copy of itself.", lambda: wrong(copy_of("itself"))),
    "segment-copy-alone": ("A conflict copy is not with its card.", lambda: wrong(copy_of("one"))),
    "segment-copy-title": ("A conflict copy has a title that is shorter than its history says.",
                           lambda: wrong(copy_of("gone", 5, deleted_card))),
    "segment-copy-title-cut": ("The own part of a conflict copy's title ends in the midst of a character.",
                               lambda: wrong(copy_of("gone", 4, deleted_card, text="卡片"))),
    "segment-card-deleted": ("A card has a record, although it was deleted.", lambda: wrong(changed_record(
        lambda folder, identity, revision, sealed, said: (identity, revision, sealed, deleted_card(identity)[3])))),
    "segment-publisher": ("A history has the bit of the replica that is to publish it.", lambda: wrong(changed_record(
        lambda folder, identity, revision, sealed, said: (identity, revision, sealed, said[:1] + bytes([said[1] | 4]) + said[2:])))),
    "segment-card": ("The record of a card opens, but is not one.", lambda: wrong(changed_record(sealed_anew))),
    "segment-version": ("A segment has an unknown version.", lambda: second_segment("unreadable", version=2)),
    "segment-part": ("A segment has an unknown bit.", lambda: second_segment("unreadable", part=4)),
    "password-changed": ("The newer of two passwords.", lambda: password(OTHER_PASSWORD)),
    "password-earlier": ("The earlier of two passwords.", lambda: password(PASSWORD, "wrong-password")),
    "password-forged": ("A newer key file that nobody with the vault key made counts for nothing.",
                        lambda: password(PASSWORD, change=flip(49))),
    "new-key": ("A new vault key, and its password.", lambda: new_key(OTHER_PASSWORD)),
    "new-key-earlier": ("A new vault key, and the password of the former one.", lambda: new_key(PASSWORD, "wrong-password")),
    "new-key-forged": ("Nobody with the vault key says that there is another.", lambda: new_key(PASSWORD, change=flip(20))),
    "other-names": ("Names that are none of these are ignored.", other_names),
}
