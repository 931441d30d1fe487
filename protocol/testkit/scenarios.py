"""The scenarios of the testkit: one function for each, whose name is the file's and whose docstring is its comment."""
import base64
import struct

from testkit import (ATTACHMENT, DOCUMENT, PASSWORD, RENDITION, Card, Vault, entry, fixed, identifier, journal, log,
                     number_of, text_id)

SCENARIOS = {}
SETTINGS = "autoLockSeconds=600\nlanguage=zh-Hans\n"
PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==")
MARK = {"text": "仅供办理签证\nvisa only", "opacity": 35, "angle": -30, "size": 40, "spacing": 250}


def scenario(outcome, empty=False, **options):
    """Registers a scenario; its function changes a vault that has three cards and settings, or is empty."""
    def register(function):
        def build():
            vault = Vault(**options)
            vault.put_slot()
            vault.a, vault.b, vault.c = sample_cards()
            if not empty:
                fill(vault)
            function(vault)
            return vault
        SCENARIOS[function.__name__.replace("_", "-")] = (outcome, function.__doc__, build)
        return function
    return register


def sample_cards():
    """Returns a card of each type; the number of the last one's row is negative."""
    return (Card("a", "家", "personal", "address", fields={"name": "王芳", "phone": "138 0013 8000"}, tags=["home"],
                 first_byte=0x21),
            Card("b", "Harbor 开票", "company", "invoice", fields={"companyName": "深圳Harbor信息有限公司"}, first_byte=0x42,
                 modified=1_790_000_001_000),
            Card("c", "Meeting room", "company", "text", fields={"text": "Floor 12"}, first_byte=0xC3, pinned=True,
                 extra=[("Door code", "4711#", True)]))


def fill(vault):
    """Writes the sample cards and settings."""
    for card in (vault.a, vault.b, vault.c):
        vault.put(card)
    vault.put_document("settings", SETTINGS)
    vault.run("UPDATE vault SET open_settings = 'language=zh-Hans' || char(10)")
    vault.put_head(recent=[(1, vault.a.id)], since=0)
    vault.expected["settings"] = {"autoLockSeconds": "600", "language": "zh-Hans"}


def where(card):
    """Returns the condition for a card's row."""
    return f"number = {number_of(card.id)}"


# Vaults that are intact


@scenario("intact", empty=True)
def intact_empty(v):
    """No cards and no settings: the smallest vault."""
    v.put_head()


@scenario("intact")
def intact_three_cards(v):  # pylint: disable=unused-argument
    """A card of each type and settings. Most other scenarios change this vault."""


@scenario("intact", empty=True)
def intact_address(v):
    """An address with every field."""
    v.put(Card("address", "公司 office", "company", "address", fields={
        "name": "李雷", "phone": "0755-26543210", "province": "广东省", "city": "深圳市", "district": "南山区",
        "address": "科技路88号3栋1202室", "postalCode": "518057", "notes": "放在门卫处\nafter seven"}))
    v.put_head()


@scenario("intact", empty=True)
def intact_invoice(v):
    """An invoice with every field."""
    v.put(Card("invoice", "开票资料", "company", "invoice", fields={
        "companyName": "深圳Harbor信息有限公司", "taxId": "91440300708461136T", "address": "广东省深圳市南山区88号",
        "phone": "0755-26543210", "bankName": "招商银行深圳分行", "bankAccount": "7559123456789012", "notes": "专票"}))
    v.put_head()


@scenario("intact", empty=True)
def intact_text(v):
    """A text, and one without any field."""
    v.put(Card("text", "Meeting room", fields={"text": "\tFloor 12,\r\nleft of the lift.\n𠮷野家\n"}))
    v.put(Card("no text", "Empty"))
    v.put_head()


@scenario("intact", empty=True)
def intact_text_as_typed(v):
    """Texts are not normalised or trimmed: combining marks, compatibility characters, spaces, a byte order mark, NUL."""
    v.put(Card("typed", " cafe\u0301 \ufa19 ", tags=["e\u0301", "é"], fields={"text": "\ufeffa\u0000b\u3000"},
               extra=[("\u1100\u1161", "\U0001f469\u200d\U0001f4bb", False)]))
    v.put_head()


@scenario("intact", empty=True)
def intact_extra_fields(v):
    """Extra fields: concealed, with an empty value, with a label of a template's field, with the same label twice."""
    v.put(Card("extra", "Extra fields", fields={"text": "x"}, extra=[
        ("Door code", "4711#", True), ("Seats", "", False), ("text", "y", False), ("Seats", "12", True)]))
    v.put_head()


@scenario("intact", empty=True)
def intact_empty_texts(v):
    """A title, a tag and a label that are empty, which no writer writes: a reader accepts them."""
    v.put(Card("empty texts", "", tags=[""], extra=[("", "value", False)]))
    v.put_head()


@scenario("intact", empty=True)
def intact_entries_mixed(v):
    """Tags, fields and extra fields in another order than a writer's: only fields are in order among themselves."""
    card = Card("mixed", "Mixed", card_type="address", fields={"name": "n", "notes": "m"}, tags=["t", "u"],
                extra=[("label", "value", False)])
    title, first, second, name, notes, extra = card.entries()
    v.put(card, card.header() + title + extra + name + first + notes + second)
    v.put_head()


@scenario("intact", empty=True)
def intact_order(v):
    """The order of a list: pinned first, then the last modified, then ids as bytes, which are not in the rows' order."""
    for name, first, pinned, modified in (("one", 0x10, False, 5), ("two", 0xF0, False, 5), ("three", 0x20, True, 1),
                                          ("four", 0x80, True, 9), ("five", 0x7F, False, 9)):
        v.put(Card(name, name, pinned=pinned, modified=modified, first_byte=first))
    v.put_head()


@scenario("intact", empty=True)
def intact_times(v):
    """Times before 1970, in the year 0, and outside the years that RFC 3339 can write, which are shown as the nearest."""
    for modified in (-1, -62_167_219_200_000, -62_135_596_800_001, -2 ** 63, 2 ** 63 - 1, 253_402_300_799_999):
        v.put(Card(f"time {modified}", str(modified), modified=modified))
    v.put_head()


@scenario("intact", empty=True)
def intact_tags(v):
    """Several tags, one of them twice: their order is the user's."""
    v.put(Card("tags", "Tags", tags=["税务", "bank", "B", "税务"]))
    v.put_head()


@scenario("intact", empty=True)
def intact_many_cards(v):
    """Sixty cards, so that the tables have more than one page."""
    for index in range(60):
        v.put(Card(f"many {index}", f"Card {index}", modified=1_790_000_000_000 + index // 3))
    v.put_head()


@scenario("intact", empty=True, page_size=4096)
def intact_page_size_4096(v):
    """Pages of 4,096 bytes. The other files have pages of 512 bytes to be small."""
    fill(v)


@scenario("intact", empty=True)
def intact_attachment(v):
    """A picture without a watermark, and a PDF with nothing in it."""
    card = Card("with attachments", "身份证", fields={"text": "x"})
    v.attach(card, "身份证.png", PNG)
    v.attach(card, "scan.pdf", b"%PDF-1.4\n", "application/pdf", width=595, height=842)
    v.put(card)
    v.put_head()


@scenario("intact", empty=True)
def intact_watermark(v):
    """A picture with a watermark, its marked picture and a thumbnail, sealed with the attachment's revision."""
    card = Card("marked", "身份证")
    identity = v.attach(card, "身份证.png", PNG, mark=MARK, revision=3)
    v.put(card)
    v.put_rendition(identity, 0, PNG + b"marked", revision=3)
    v.put_rendition(identity, 64, PNG + b"small", revision=3)
    v.put_head()
    v.expected["renditions"] = [{"attachment": identity, "size": size, "format": "png", "width": 1, "height": 1,
                                 "picture": base64.b64encode(picture).decode()}
                                for size, picture in ((0, PNG + b"marked"), (64, PNG + b"small"))]


@scenario("intact", empty=True)
def intact_renditions_unusable(v):
    """Renditions that do not open, or are another attachment's, or of an older revision: each counts as absent."""
    card = Card("marked", "身份证")
    one, two = v.attach(card, "one.png", PNG, revision=2), v.attach(card, "two.png", PNG + b"2", revision=2)
    v.put(card)
    v.put_rendition(one, 64, PNG, revision=1)
    v.put_rendition(one, 128, PNG, revision=2)
    v.flip("rendition", "sealed", -1, "size = 128")
    tail = struct.pack(">IIII", 256, 1, 1, 1)
    v.run("INSERT INTO rendition VALUES (?, 256, ?)", number_of(one), v.seal(RENDITION, two, 2, PNG + tail))
    v.run("INSERT INTO rendition VALUES (?, 512, zeroblob(31))", number_of(two))
    v.put_head()
    v.expected["renditions"] = []


REPLICAS = sorted(["laptop", "desktop"], key=identifier)


def history(flags=0, own=(), seen=(), deleted=0, rest=b""):
    """Returns the plaintext of a history."""
    return (struct.pack(">BBHHq", 1, flags, len(own), len(seen), deleted)
            + b"".join(fixed(f"tag {tag}", 8) for tag in (*own, *seen)) + rest)


@scenario("intact")
def intact_histories(v):
    """Histories of a card that was changed, of one that was deleted, and of a conflict copy."""
    v.b.revision = 2
    v.put(v.b)
    v.put_history(v.b.id, history(seen=["first"]))
    v.put_history(identifier("deleted"), history(1, seen=["third", "second"], deleted=1_790_000_000_000), revision=3)
    copy = Card("copy", "Harbor 开票 (2)", "company", "invoice")
    v.put(copy)
    v.put_history(copy.id, history(2, own=["fourth"], seen=["first"], rest=v.b.id + struct.pack(">I", 13)))
    v.put_head()


def earlier(*cards):
    """Returns the earlier versions of a history."""
    return bytes([len(cards)]) + b"".join(struct.pack(">I", len(card)) + card for card in cards)


@scenario("intact", steps=7)
def intact_earlier_versions(v):
    """Histories with earlier versions of a card, in the old layout and beside version vectors."""
    v.put_history(v.a.id, history(32, seen=["first"], rest=earlier(v.a.plaintext(), v.a.plaintext()[:24])))
    v.put_history(v.b.id, b"\2" + history(32, own=["second"], rest=earlier(v.b.plaintext()) + versions(
        [(REPLICAS[0], 1)], [(0, REPLICAS[0], 1)]))[1:])
    v.put_head()


@scenario("intact", steps=7)
def intact_trash(v):
    """A card in the trash, which is in no list, and pinned."""
    card = Card("trash", "Harbor", pinned=3, fields={"text": "gone"})
    v.put(card)
    v.put_head()
    v.cards.remove(card)


@scenario("intact")
def intact_copied_attachment(v):
    """A conflict copy with a copied attachment, whose history says that it has a mask."""
    v.run("INSERT INTO migration VALUES ('version vectors in histories', 4)")
    copy = Card("copy", "Harbor 开票 (2)", "company", "invoice")
    v.attach(copy, "copied.png", PNG)
    v.put(copy)
    v.put_history(copy.id, history(18, own=["second"], seen=["first"], rest=v.b.id + struct.pack(">I", 13)))
    v.put_head()


@scenario("intact", empty=True)
def intact_settings(v):
    """Settings with both escapes, an equals sign, an empty value, an unknown name, and a name twice: the last counts."""
    v.put_document("settings", "autoLockSeconds=never\nclipboardClearSeconds=60\n\ncopyTemplates.text=a\\nb\\\\n={text}\n"
                   "language=en\nlanguage=zh-Hans\nlockOnSleep=false\nfromTheFuture=\n")
    v.run("UPDATE vault SET open_settings = 'language=zh-Hans' || char(10)")
    v.put_head()
    v.expected["settings"] = {"autoLockSeconds": "never", "clipboardClearSeconds": "60", "copyTemplates.text": "a\nb\\n={text}",
                              "language": "zh-Hans", "lockOnSleep": "false", "fromTheFuture": ""}


@scenario("intact", empty=True)
def intact_settings_out_of_range(v):
    """Settings with values that are not allowed: each counts as absent."""
    v.put_document("settings", "autoLockSeconds=14\nclipboardClearSeconds=soon\nlanguage=tlh\n")
    v.put_head()
    v.expected["settings"] = {"autoLockSeconds": "14", "clipboardClearSeconds": "soon", "language": "tlh"}


@scenario("intact", steps=3)
def intact_open_settings_forged(v):
    """An older layout with plain settings that differ from the sealed ones: the sealed ones count."""
    v.run("UPDATE vault SET open_settings = 'language=en' || char(10)")


@scenario("intact", steps=3)
def intact_open_settings_malformed(v):
    """An older layout with plain settings that are no settings: the sealed ones count."""
    v.run("UPDATE vault SET open_settings = 'nothing of the kind'")


@scenario("intact")
def intact_devices(v):
    """A device slot and the document of devices: a reader that knows only passwords skips the slot."""
    v.put_slot(kind=2, algorithm=3, iterations=0, name="device slot", secret=fixed("device secret", 32))
    device = text_id(identifier("device slot"))
    v.put_document("devices", f"{device}.createdAt=1790000000000\n{device}.name=laptop\n{device}.prints={'0' * 64}\n")
    v.put_head()


@scenario("intact")
def intact_slot_of_unknown_kind(v):
    """A slot of an unknown kind with an unknown algorithm, before the password's: it is skipped."""
    v.run("DELETE FROM slot")
    v.put_slot(kind=9, algorithm=77, iterations=5, memory=5, name="another", sealed=b"anything")
    v.put_slot()
    v.put_head()


@scenario("intact")
def intact_unknown_document(v):
    """A document of an unknown name: it must open and is counted, and its content may be anything."""
    v.put_document("from the future", b"\xff\x00 not settings")
    v.put_head()


@scenario("intact")
def intact_plain_rows(v):
    """Rows of lockout and event, some of kinds that nobody knows: they do not matter to a reader."""
    v.run("UPDATE lockout SET failed_attempts = 2")
    v.run("INSERT INTO event (at, kind, method, reason) VALUES (1790000000000, 'unlocked', 'password', NULL), "
          "(-5, 'somethingElse', NULL, 'why')")


@scenario("intact")
def intact_recent_list_full(v):
    """A head that names 64 changed cards, some of them twice and some deleted."""
    v.generation = 40
    v.put_head(recent=[(20 + at // 4, identifier(f"changed {at % 20}")) for at in range(64)], since=19)


@scenario("intact", steps=1)
def intact_first_step_only(v):  # pylint: disable=unused-argument
    """An older layout: only the first step of `migration`."""


@scenario("intact", steps=2)
def intact_first_two_steps(v):
    """An older layout with histories and without attachments."""
    v.put_history(v.a.id, history(seen=["first"]))
    v.put_head()


@scenario("intact", steps=3)
def intact_first_three_steps(v):  # pylint: disable=unused-argument
    """An older layout: the head accounts for sealed records only, and there is no row of lockout."""


@scenario("intact", steps=3)
def intact_first_three_steps_with_lockout(v):
    """An older layout with a row of lockout, which it may have."""
    v.run("INSERT INTO lockout VALUES (1, 2, 0, 0, 0, '')")


@scenario("intact", steps=6)
def intact_transaction_ids(v):  # pylint: disable=unused-argument
    """The step that adds the transaction IDs, with one of the first transaction."""


@scenario("intact", steps=6)
def intact_transaction_ids_both(v):
    """Transaction IDs of two transactions, of which the second has written no head."""
    put_plain_row(v)


@scenario("intact", steps=6)
def intact_transaction_ids_absent(v):
    """The step that adds the transaction IDs, and a row without any, which is no damage."""
    v.run("UPDATE vault SET transaction_id = NULL, previous_transaction_id = NULL")


@scenario("intact", steps=6)
def intact_transaction_ids_short(v):
    """Transaction IDs of 15 bytes: they count as absent."""
    v.run("UPDATE vault SET transaction_id = zeroblob(15), previous_transaction_id = zeroblob(15)")


@scenario("intact", steps=6)
def intact_transaction_ids_long(v):
    """Transaction IDs of 20,000 bytes: they count as absent, and are not read."""
    v.run("UPDATE vault SET transaction_id = zeroblob(20000), previous_transaction_id = zeroblob(20000)")


@scenario("intact", steps=7)
def intact_invoice_title(v):
    """A card of the type of an invoice title, with the two fields that it must have."""
    v.put(Card("title", "Harbor", "company", "title", fields={"companyName": "Harbor", "taxId": "91440300708461136T"}))
    v.put_head()


@scenario("intact")
def intact_rollback_journal_mode(v):
    """A file that another program has taken out of WAL mode: bytes 18 and 19 are 1."""
    v.patch(18, b"\1\1")


# Passwords


@scenario("intact", empty=True)
def password_decomposed(v):
    """The password is typed decomposed (NFD) and the slot was made with the composed one."""
    fill(v)
    v.password = PASSWORD.replace("é", "e\u0301")


@scenario("intact")
def password_compatibility_ideograph(v):
    """The password is typed with U+F914 and U+FA19, which NFC replaces with U+6A02 and U+795E."""
    v.run("DELETE FROM slot")
    v.put_slot(password="快樂神仙八個字元")
    v.put_head()
    v.password = "快\uf914\ufa19仙八個字元"


@scenario("intact")
def password_ideographic_space(v):
    """The password has an ideographic space and is typed so: NFC keeps it, and nothing else maps it."""
    v.run("DELETE FROM slot")
    v.put_slot(password="三月的雨\u3000四月的风")
    v.put_head()
    v.password = "三月的雨\u3000四月的风"


@scenario("wrong-password")
def password_space_is_not_mapped(v):
    """As before, but typed with U+0020: unlike OpaqueString, the format maps no spaces."""
    v.run("DELETE FROM slot")
    v.put_slot(password="三月的雨\u3000四月的风")
    v.password = "三月的雨 四月的风"


@scenario("wrong-password")
def password_width_is_not_mapped(v):
    """The password is typed with full-width letters, which NFC keeps."""
    v.run("DELETE FROM slot")
    v.put_slot(password="harbor 2026")
    v.password = "ｈａｒｂｏｒ ２０２６"


@scenario("wrong-password")
def password_is_not_trimmed(v):
    """The password is typed with a space at its end."""
    v.password = PASSWORD + " "


@scenario("intact")
def password_short(v):
    """A password of one character, which a writer refuses and a reader accepts."""
    v.run("DELETE FROM slot")
    v.put_slot(password="a")
    v.put_head()
    v.password = "a"


@scenario("intact")
def password_argon2id(v):
    """A password slot with Argon2id: one pass over 19,456 KiB."""
    v.run("DELETE FROM slot")
    v.put_slot(algorithm=2, iterations=1, memory=19_456)
    v.put_head()


@scenario("wrong-password")
def password_wrong(v):
    """Another password."""
    v.password = "四月的雨 and café"


@scenario("wrong-password")
def slot_flipped(v):
    """A flipped bit in the sealed vault key: it cannot be told from a wrong password."""
    v.flip("slot", "sealed", 5)


@scenario("wrong-password")
def slot_salt_flipped(v):
    """A flipped bit in the salt of the slot."""
    v.flip("slot", "salt", 5)


@scenario("wrong-password")
def slot_iterations_changed(v):
    """One iteration more than the slot was sealed with, within the limits."""
    v.run("UPDATE slot SET iterations = 100001")


@scenario("wrong-password")
def slot_id_changed(v):
    """Another id of the slot."""
    v.run("UPDATE slot SET id = zeroblob(16)")


@scenario("wrong-password")
def vault_id_changed(v):
    """Another id of the vault."""
    v.run("UPDATE vault SET vault_id = zeroblob(16)")


# Files that are not vaults, newer vaults, unsupported parameters


@scenario("not-a-vault")
def not_a_vault_empty_file(v):
    """A file without a byte."""
    v.data = b""


@scenario("not-a-vault")
def not_a_vault_99_bytes(v):
    """A file that is one byte too short for a header."""
    v.data = v.serialized()[:99]


@scenario("not-a-vault")
def not_a_vault_text(v):
    """A text file."""
    v.data = b"QVLT is what a vault has at offset 68.\n" * 4


@scenario("not-a-vault")
def not_a_vault_other_application(v):
    """A database of another application."""
    v.patch(68, b"QVLU")


@scenario("not-a-vault")
def not_a_vault_version_0(v):
    """The application id with user version 0."""
    v.patch(60, bytes(4))


@scenario("newer-version")
def newer_user_version(v):
    """User version 2."""
    v.patch(60, b"\0\0\0\2")


@scenario("newer-version")
def newer_user_version_unsigned(v):
    """User version 0x80000001: it is unsigned."""
    v.patch(60, b"\x80\0\0\1")


@scenario("newer-version", steps=7)
def newer_step(v):
    """An unknown step of `migration` after the known ones, with a table of its own."""
    v.run("CREATE TABLE extra (number INTEGER PRIMARY KEY) STRICT")
    v.run("INSERT INTO migration VALUES ('from the future', 7)")


@scenario("newer-version")
def newer_version_and_damage(v):
    """A newer version of which a card is damaged: what is newer is not looked at."""
    v.flip("card", "sealed", 20)
    v.run("PRAGMA user_version = 2")


def unsupported(name, comment, **slot):
    """Registers a scenario with unsupported parameters of the password slot."""
    def change(v):
        v.run("DELETE FROM slot")
        v.put_slot(**slot)
    change.__name__, change.__doc__ = name, comment
    scenario("unsupported-parameters")(change)


unsupported("unsupported_iterations_few", "PBKDF2 with 99,999 iterations.", iterations=99_999)
unsupported("unsupported_iterations_many", "PBKDF2 with 10,000,001 iterations.", iterations=10_000_001)
unsupported("unsupported_iterations_most", "PBKDF2 with 4,294,967,295 iterations.", iterations=2 ** 32 - 1)
unsupported("unsupported_pbkdf2_memory", "PBKDF2 with memory.", memory=1)
unsupported("unsupported_algorithm", "An unknown algorithm.", algorithm=4)
unsupported("unsupported_hkdf_password", "A password slot with hkdf-sha256, which is for devices.", algorithm=3, iterations=0)
unsupported("unsupported_argon2id_memory_little", "Argon2id with 19,455 KiB.", algorithm=2, iterations=1, memory=19_455)
unsupported("unsupported_argon2id_memory_much", "Argon2id with 1,048,577 KiB.", algorithm=2, iterations=1, memory=1_048_577)
unsupported("unsupported_argon2id_iterations", "Argon2id with 65 passes.", algorithm=2, iterations=65, memory=19_456)


# Damage to slots, the head and plain columns


@scenario("damaged")
def slot_missing(v):
    """No slot."""
    v.run("DELETE FROM slot")
    v.expected["cards"] = None


@scenario("damaged")
def slot_of_a_device_only(v):
    """A device slot and none of a password."""
    v.run("DELETE FROM slot")
    v.put_slot(kind=2, algorithm=3, iterations=0, name="device slot", secret=fixed("device secret", 32))
    v.expected["cards"] = None


@scenario("damaged")
def slot_short(v):
    """A sealed vault key of 47 bytes."""
    v.run("UPDATE slot SET sealed = substr(sealed, 1, 47)")
    v.expected["cards"] = None


@scenario("damaged")
def slot_twice(v):
    """Two password slots that open with the same password."""
    v.put_slot(name="second slot")


@scenario("damaged")
def slot_of_an_older_password(v):
    """Two password slots with different passwords; the one of the password comes first."""
    v.put_slot(name="second slot", password="another password")


@scenario("damaged", steps=3)
def slot_twice_in_an_older_layout(v):
    """An older layout with two password slots."""
    v.put_slot(name="second slot", password="another password")


@scenario("damaged")
def slot_put_back(v):
    """The slot of an earlier password in the place of the current one: it opens, and the head does not account for it."""
    v.run("DELETE FROM slot")
    v.put_slot(name="earlier slot", password="the password of last year")
    v.password = "the password of last year"


@scenario("damaged")
def slot_of_a_device_added(v):
    """The slot of a device that the head does not account for, such as one that was revoked."""
    v.put_slot(kind=2, algorithm=3, iterations=0, name="device slot", secret=fixed("device secret", 32))


@scenario("damaged")
def slot_of_a_device_deleted(v):
    """The slot of a device is gone that the head accounts for."""
    v.put_slot(kind=2, algorithm=3, iterations=0, name="device slot", secret=fixed("device secret", 32))
    v.put_head()
    v.run("DELETE FROM slot WHERE kind = 2")


@scenario("damaged")
def slot_of_unknown_kind_changed(v):
    """A slot of an unknown kind that is not as the head accounts for it."""
    v.put_slot(kind=9, algorithm=77, iterations=5, memory=5, name="another", sealed=b"anything")
    v.put_head()
    v.run("UPDATE slot SET sealed = x'616e79' WHERE kind = 9")


@scenario("damaged")
def vault_plain_settings_changed(v):
    """Plain settings that the head does not account for."""
    v.run("UPDATE vault SET open_settings = 'language=en' || char(10)")


@scenario("damaged")
def vault_plain_settings_malformed(v):
    """Plain settings that are no settings, and that the head does not account for."""
    v.run("UPDATE vault SET open_settings = 'nothing of the kind'")


@scenario("damaged")
def vault_lockout_deleted(v):
    """The row of lockout is gone, which every vault of this layout has."""
    v.run("DELETE FROM lockout")


@scenario("damaged")
def vault_lockout_made_anew(v):
    """A row of lockout that was made anew to count attempts, because it had been missing."""
    v.run("UPDATE lockout SET failed_attempts = -1")


@scenario("damaged")
def head_of_an_older_layout(v):
    """A head of version 1 in a layout whose heads have version 2."""
    v.head_version = 1
    v.put_head()


@scenario("damaged")
def head_of_a_newer_layout(v):
    """A head of version 2 in an older layout: the last step was taken away."""
    v.run("DELETE FROM migration WHERE position = 3")


@scenario("damaged")
def slot_algorithm_beyond_u8(v):
    """An algorithm that is not a u8: a value of the wrong type, not an unknown algorithm."""
    v.run("UPDATE slot SET algorithm = 257")
    v.expected["cards"] = None


@scenario("damaged")
def slot_iterations_negative(v):
    """Iterations that are not a u32."""
    v.run("UPDATE slot SET iterations = -1")
    v.expected["cards"] = None


@scenario("damaged")
def head_flipped(v):
    """A flipped bit in the sealed head."""
    v.flip("vault", "head", 30)


@scenario("damaged")
def head_of_another_generation(v):
    """A generation that the head was not sealed with."""
    v.run("UPDATE vault SET generation = generation + 1")


@scenario("damaged")
def head_put_back(v):
    """An older head with its generation, beside newer rows."""
    generation, head = v.run("SELECT generation, head FROM vault")[0]
    v.b.revision = 2
    v.put(v.b)
    v.put_head()
    v.run("UPDATE vault SET generation = ?, head = ?", generation, head)


def wrong_head(name, comment, change):
    """Registers a scenario with a head that opens and is wrong."""
    def replace(v):
        v.put_head(change)
    replace.__name__, replace.__doc__ = name, comment
    scenario("damaged")(replace)


wrong_head("head_version", "A head of version 3.", lambda head: b"\3" + head[1:])
wrong_head("head_hash", "A head with another record hash.", lambda head: head[:32] + bytes([head[32] ^ 1]) + head[33:])
wrong_head("head_plain_hash", "A head with another plain hash.", lambda head: head[:96] + bytes([head[96] ^ 1]) + head[97:])
wrong_head("head_count_of_cards", "A head that counts four cards.", lambda head: head[:40] + b"\4" + head[41:])
wrong_head("head_count_of_documents", "A head that counts no documents.", lambda head: head[:48] + b"\0" + head[49:])
wrong_head("head_count_of_attachments", "A head that counts an attachment.", lambda head: head[:56] + b"\1" + head[57:])
wrong_head("head_since_future", "A `recentSince` above the generation.", lambda head: head[:64] + b"\7" + head[65:])
wrong_head("head_list_short", "A list that is shorter than its number says.", lambda head: head[:98] + b"\1")
wrong_head("head_list_too_long", "A list of 65 changes.",
           lambda head: head[:57] + bytes(8) + head[65:97] + b"\0\x41" + (b"\0" * 7 + b"\1" + bytes(16)) * 65)
wrong_head("head_left_over", "A byte after the list.", lambda head: head + b"\0")


# Damage to rows


@scenario("damaged")
def card_flipped_salt(v):
    """A flipped bit in the salt of a card."""
    v.flip("card", "sealed", 3, where(v.b))
    v.lose(v.b)


@scenario("damaged")
def card_flipped_ciphertext(v):
    """A flipped bit in the ciphertext of a card."""
    v.flip("card", "sealed", 40, where(v.b))
    v.lose(v.b)


@scenario("damaged")
def card_flipped_tag(v):
    """A flipped bit in the tag of a card."""
    v.flip("card", "sealed", -1, where(v.b))
    v.lose(v.b)


@scenario("damaged")
def card_short(v):
    """A sealed card of 31 bytes."""
    v.run(f"UPDATE card SET sealed = zeroblob(31) WHERE {where(v.b)}")
    v.lose(v.b)


@scenario("damaged")
def card_deleted(v):
    """A card's row is gone."""
    v.run(f"DELETE FROM card WHERE {where(v.b)}")
    v.miss(v.b)


@scenario("damaged")
def card_added(v):
    """A row that opens and that the head does not know."""
    v.put(Card("added", "Added"))


@scenario("damaged")
def card_swapped(v):
    """The records of two cards, each in the other's row."""
    rows = dict(v.run("SELECT number, sealed FROM card"))
    for one, other in ((v.a, v.b), (v.b, v.a)):
        v.run("UPDATE card SET sealed = ? WHERE number = ?", rows[number_of(other.id)], number_of(one.id))
        v.lose(one)


@scenario("damaged")
def card_doubled(v):
    """The row of a card once more, at another number. The card is not trusted there; its own row opens."""
    v.run(f"INSERT INTO card SELECT 7, id, revision, sealed FROM card WHERE {where(v.b)}")
    v.expected["damaged"] = None


@scenario("damaged")
def card_at_another_number(v):
    """The row of a card at a number that is not its id's."""
    v.run(f"UPDATE card SET number = 7 WHERE {where(v.b)}")
    v.miss(v.b)
    v.expected["damaged"] = None


@scenario("damaged")
def card_put_back(v):
    """An older revision of a card, put back after a change. It opens; the record hash tells."""
    old = v.run(f"SELECT * FROM card WHERE {where(v.b)}")[0]
    v.put(Card("b", "Harbor 开票 2", "company", "invoice", first_byte=0x42, revision=2))
    v.put_head()
    v.run("REPLACE INTO card VALUES (?, ?, ?, ?)", *old)
    v.miss(v.b)
    v.cards.append(v.b)


@scenario("damaged")
def card_of_another_revision(v):
    """A revision that a card was not sealed with."""
    v.run(f"UPDATE card SET revision = 2 WHERE {where(v.b)}")
    v.lose(v.b)


@scenario("damaged")
def card_of_negative_revision(v):
    """A negative revision."""
    v.run(f"UPDATE card SET revision = -1 WHERE {where(v.b)}")
    v.lose(v.b)


@scenario("damaged")
def card_of_another_vault(v):
    """A card of another vault with the same password, in its own row."""
    other = Vault("other")
    other.put(v.b)
    row = other.run(f"SELECT * FROM card WHERE {where(v.b)}")[0]
    v.run("REPLACE INTO card VALUES (?, ?, ?, ?)", *row)
    v.lose(v.b)


@scenario("damaged")
def card_of_another_kind(v):
    """A document that is put into a card's row."""
    sealed = v.seal(DOCUMENT, v.b.id, 1, v.b.plaintext())
    v.run(f"UPDATE card SET sealed = ? WHERE {where(v.b)}", sealed)
    v.lose(v.b)


@scenario("damaged")
def history_flipped(v):
    """A flipped bit in a history."""
    v.put_history(v.a.id, history(seen=["first"]))
    v.put_head()
    v.flip("history", "sealed", 20)


@scenario("damaged")
def history_deleted(v):
    """A history's row is gone."""
    v.put_history(v.a.id, history(seen=["first"]))
    v.put_head()
    v.run("DELETE FROM history")


def wrong_history(name, comment, plaintext):
    """Registers a scenario with a history that opens and is wrong."""
    def replace(v):
        v.put_history(v.a.id, plaintext)
        v.put_head()
    replace.__name__, replace.__doc__ = name, comment
    scenario("damaged")(replace)


def versions(context=(), dots=(), copies=(), base=0, generation=3):
    """Returns the end of a history of version 2."""
    return (struct.pack(">qqHHH", base, generation, len(context), len(dots), len(copies))
            + b"".join(identifier(name) + struct.pack(">Q", number) for name, number in context)
            + b"".join(struct.pack(">H", index) + identifier(name) + struct.pack(">Q", number)
                       for index, name, number in dots)
            + b"".join(copies))


def times(*moments):
    """Returns the times of own tags."""
    return b"".join(struct.pack(">q", moment) for moment in moments)


@scenario("intact")
def version_vectors(v):
    """Histories with version vectors: of a changed card, of a deleted one, and of a conflict copy."""
    v.run("INSERT INTO migration VALUES ('version vectors in histories', 4)")
    both = [(REPLICAS[0], 3), (REPLICAS[1], 2**64 - 1)]
    copy = identifier("copy of b")
    v.put_history(v.a.id, b"\2" + history(4, own=["fifth"], rest=versions(both, [(0, REPLICAS[0], 3)]))[1:])
    v.put_history(identifier("deleted"), b"\2" + history(1, deleted=1_790_000_000_000, rest=versions(both))[1:])
    v.put_history(v.b.id, b"\2" + history(own=["first", "second"], rest=versions(
        both, [(0, REPLICAS[0], 1), (1, REPLICAS[0], 1), (1, REPLICAS[1], 2)], [copy], base=-5))[1:])
    v.put_head()


@scenario("intact")
def version_vectors_with_times(v):
    """Histories with the times of own tags: of a card, of another with version vectors, and of a conflict copy."""
    v.run("INSERT INTO migration VALUES ('version vectors in histories', 4)")
    copy = Card("copy", "Harbor 开票 (2)", "company", "invoice")
    v.put(copy)
    v.put_history(v.a.id, history(8, own=["first", "second"], seen=["third"], rest=times(2**63 - 1, -2**63)))
    v.put_history(v.b.id, b"\2" + history(12, own=["fourth", "fifth"], rest=times(5, 7) + versions(
        [(REPLICAS[0], 2)], [(0, REPLICAS[0], 1), (1, REPLICAS[0], 2)], [copy.id]))[1:])
    v.put_history(copy.id, b"\2" + history(10, own=["sixth", "seventh"], rest=(
        times(-5, 6) + v.b.id + struct.pack(">I", 13) + versions()))[1:])
    v.put_head()


wrong_history("history_version", "A history of version 3.", b"\3" + history()[1:])
wrong_history("history_flag", "A history with an unknown flag.", history(4))
wrong_history("versions_flag", "A history of version 2 with an unknown flag.", b"\2" + history(64, rest=versions())[1:])
wrong_history("versions_length", "Version vectors with a byte left over.", b"\2" + history(rest=versions() + b"\0")[1:])
wrong_history("versions_order", "The replicas of a version vector are not in order.",
              b"\2" + history(rest=versions([(REPLICAS[1], 1), (REPLICAS[0], 1)]))[1:])
wrong_history("versions_zero", "A version vector has a number of 0.",
              b"\2" + history(rest=versions([(REPLICAS[0], 0)]))[1:])
wrong_history("versions_dot", "A dot of a tag that is not there.",
              b"\2" + history(own=["first"], rest=versions([(REPLICAS[0], 1)], [(1, REPLICAS[0], 1)]))[1:])
wrong_history("versions_generation", "Version vectors of a generation below 0.",
              b"\2" + history(rest=versions(generation=-1))[1:])
wrong_history("history_times_of_one_tag", "The time of a single own tag.", history(8, own=["first"], rest=times(1)))
wrong_history("history_times_missing", "A history that has only one of two times.",
              history(8, own=["first", "second"], rest=times(1)))
wrong_history("versions_times_of_deleted", "A deleted card with the flag for times of tags.",
              b"\2" + history(9, deleted=5, rest=versions())[1:])
wrong_history("history_mask_without_copy", "The flag for the mask of attachments, of a card that is no conflict copy.",
              history(16, own=["first"]))
wrong_history("history_no_earlier_versions", "The flag for earlier versions, without any.", history(32, rest=b"\0"))
wrong_history("history_too_many_earlier_versions", "51 earlier versions.",
              history(32, rest=earlier(*[Card("e", "e").plaintext()] * 51)))
wrong_history("history_earlier_version_cut_off", "An earlier version that is cut off.",
              history(32, rest=earlier(Card("e", "e").plaintext())[:-1]))
wrong_history("history_earlier_version_of_deleted", "An earlier version of a deleted card.",
              history(33, deleted=5, rest=earlier(Card("e", "e").plaintext())))
wrong_history("history_earlier_version_without_header", "An earlier version that is no card.",
              history(32, rest=earlier(b"\1" + bytes(23))))
wrong_history("history_length", "A history with a byte left over.", history() + b"\0")
wrong_history("history_own_of_deleted", "Own tags of a deleted card.", history(1, own=["first"], deleted=5))
wrong_history("history_time_without_deletion", "A time of deletion without the flag.", history(0, deleted=5))
wrong_history("history_too_many_tags", "65 seen tags.", history(seen=range(65)))


@scenario("damaged")
def document_flipped(v):
    """A flipped bit in the settings: those of a new vault count."""
    v.flip("document", "sealed", 20)
    v.expected["settings"] = {}


@scenario("damaged")
def document_renamed(v):
    """The settings under another name."""
    v.run("UPDATE document SET name = 'other'")
    v.expected["settings"] = {}


@scenario("damaged")
def document_unknown_flipped(v):
    """A flipped bit in a document of an unknown name."""
    v.put_document("from the future", "x")
    v.put_head()
    v.flip("document", "sealed", 20, "name = 'from the future'")


def wrong_document(name, comment, document, plaintext):
    """Registers a scenario with a document that opens and is wrong."""
    def replace(v):
        v.put_document(document, plaintext)
        v.put_head()
        if document == "settings":
            v.expected["settings"] = {}
    replace.__name__, replace.__doc__ = name, comment
    scenario("damaged")(replace)


wrong_document("settings_without_equals", "A line of the settings without `=`.", "settings", "language\n")
wrong_document("settings_without_name", "A line of the settings without a name.", "settings", "=en\n")
wrong_document("settings_unknown_escape", "Settings with another escape.", "settings", "a=\\t\n")
wrong_document("settings_open_escape", "Settings that end in a backslash.", "settings", "a=\\")
wrong_document("settings_not_utf8", "Settings that are not UTF-8.", "settings", b"language=\xff\n")
wrong_document("devices_malformed", "A document of devices with a line that is not `name=value`.", "devices", "nonsense\n")


# Damage to the layout of a card, which opens


def wrong_card(name, comment, make):
    """Registers a scenario with a card whose record opens and is wrong."""
    def replace(v):
        v.put(v.b, make(v.b))
        v.lose(v.b)
        v.put_head()
    replace.__name__, replace.__doc__ = name, comment
    scenario("damaged")(replace)


def with_header(at, value):
    """Returns a card with another byte in its header."""
    return lambda card: card.plaintext()[:at] + bytes([value]) + card.plaintext()[at + 1:]


def with_entries(*entries):
    """Returns a card with other entries after its title."""
    return lambda card: card.header() + entry(1, 0, "", "t") + b"".join(entries)


wrong_card("card_version", "A card of version 2.", with_header(0, 2))
wrong_card("card_flag", "A card with an unknown flag.", with_header(1, 4))
wrong_card("card_group", "A card with an unknown group.", with_header(2, 3))
wrong_card("card_type", "A card with an unknown type.", with_header(3, 5))
wrong_card("card_zero", "A card with a reserved byte that is not zero.", with_header(7, 1))
wrong_card("card_cut_in_header", "A card of 23 bytes.", lambda card: card.plaintext()[:23])
wrong_card("card_nothing", "A card without a byte.", lambda card: b"")
wrong_card("card_no_title", "A card without entries.", lambda card: card.header())
wrong_card("card_two_titles", "A card with two titles.", with_entries(entry(1, 0, "", "u")))
wrong_card("card_title_second", "A title after a tag.", lambda card: card.header() + entry(2, 0, "", "x") + entry(1, 0, "", "t"))
wrong_card("card_title_with_key", "A title with a key.", lambda card: card.header() + entry(1, 0, "k", "t"))
wrong_card("card_tag_with_key", "A tag with a key.", with_entries(entry(2, 0, "k", "x")))
wrong_card("card_role_0", "An entry with role 0.", with_entries(entry(0, 0, "", "")))
wrong_card("card_role_6", "An entry with role 6.", with_entries(entry(6, 0, "", "")))
wrong_card("card_concealed_field", "A field of the template that is concealed.", with_entries(entry(3, 1, "taxId", "x")))
wrong_card("card_entry_flag", "An extra field with an unknown flag.", with_entries(entry(4, 2, "l", "x")))
wrong_card("card_left_over", "Bytes that are too few for an entry.", with_entries(b"\2\0\0"))
wrong_card("card_length_beyond_end", "A value that is longer than the card.", with_entries(b"\2\0\0\0\0\0\0\2x"))
wrong_card("card_length_huge", "A value of 4,294,967,295 bytes.", with_entries(b"\2\0\0\0\xff\xff\xff\xff"))
wrong_card("card_title_not_utf8", "A title that is not UTF-8.", lambda card: card.header() + entry(1, 0, "", b"\xff"))
wrong_card("card_value_not_utf8", "A value with a surrogate.", with_entries(entry(3, 0, "taxId", b"\xed\xa0\x80")))
wrong_card("card_label_not_utf8", "A label that is not UTF-8.", with_entries(b"\4\0\0\1\0\0\0\0\xff"))
wrong_card("card_field_unknown", "A field that no type has.", with_entries(entry(3, 0, "colour", "x")))
wrong_card("card_field_of_another_type", "A field of another type.", with_entries(entry(3, 0, "text", "x")))
wrong_card("card_field_twice", "A field twice.", with_entries(entry(3, 0, "taxId", "x"), entry(3, 0, "taxId", "x")))
wrong_card("card_fields_out_of_order", "Fields in another order than the template's.",
           with_entries(entry(3, 0, "taxId", "x"), entry(3, 0, "companyName", "x")))
wrong_card("card_field_empty_key", "A field with an empty key.", with_entries(entry(3, 0, "", "x")))
wrong_card("card_field_empty_value", "A field with an empty value.", with_entries(entry(3, 0, "taxId", "")))
wrong_card("card_field_case", "A field key in another case.", with_entries(entry(3, 0, "TaxId", "x")))


# Damage to attachments


@scenario("damaged")
def content_deleted(v):
    """A content's row is gone: the attachment is damaged, and its card opens."""
    identity = v.attach(v.b, "one.png", PNG)
    v.put(v.b)
    v.put_head()
    v.run("DELETE FROM content")
    v.lose(identity)


@scenario("damaged")
def content_without_attachment(v):
    """A content that belongs to no card, and that the head counts."""
    identity = identifier("attachment nobody's")
    v.run("INSERT INTO content VALUES (?, ?, ?)", number_of(identity), identity, v.seal(ATTACHMENT, identity, 1, PNG))
    v.put_head()


@scenario("damaged")
def content_flipped(v):
    """A flipped bit in the ciphertext of a content: its card opens."""
    identity = v.attach(v.b, "one.png", PNG)
    v.put(v.b)
    v.put_head()
    v.flip("content", "sealed", 20)
    v.lose(identity)


@scenario("damaged")
def content_sealed_anew(v):
    """A content that opens and that its card does not name: another salt and tag."""
    identity = v.attach(v.b, "one.png", PNG)
    v.put(v.b)
    v.put_head()
    v.run("UPDATE content SET sealed = ?", v.seal(ATTACHMENT, identity, 1, bytes(len(PNG))))
    v.lose(identity)


@scenario("damaged")
def content_of_another_length(v):
    """A content that is one byte shorter than its card says."""
    identity = v.attach(v.b, "one.png", PNG, size=len(PNG) + 1)
    v.put(v.b)
    v.put_head()
    v.lose(identity)


@scenario("damaged")
def content_of_two_cards(v):
    """An attachment that two cards claim."""
    identity = v.attach(v.b, "one.png", PNG)
    v.attach(v.c, "one.png", PNG, identity=identity, writes=False)
    v.put(v.b)
    v.put(v.c)
    v.put_head()
    v.expected["damaged"] = None


def wrong_attachment(name, comment, change, **options):
    """Registers a scenario with a wrong entry of an attachment."""
    def replace(v):
        v.attach(v.b, "one.png", PNG, **options)
        described, value = v.b.attachments[0]
        v.b.attachments[0] = (described, change(value))
        v.put(v.b)
        v.put_head()
        v.lose(v.b)
    replace.__name__, replace.__doc__ = name, comment
    scenario("damaged")(replace)


wrong_attachment("attachment_revision_0", "An attachment of revision 0.", lambda value: value[:16] + bytes(8) + value[24:])
wrong_attachment("attachment_type", "An attachment of an unknown type.", lambda value: value[:24] + b"\5" + value[25:])
wrong_attachment("attachment_mark_2", "Neither with nor without a watermark.", lambda value: value[:25] + b"\2" + value[26:])
wrong_attachment("attachment_zero", "A reserved byte that is not zero.", lambda value: value[:27] + b"\1" + value[28:])
wrong_attachment("attachment_short", "A description of 79 bytes.", lambda value: value[:79])
wrong_attachment("attachment_left_over", "A byte after a description without a watermark.", lambda value: value + b"\0")
wrong_attachment("watermark_range", "An opacity of 4 percent.", lambda value: value[:81] + b"\4" + value[82:], mark=MARK)
wrong_attachment("watermark_without_text", "A watermark without a text.", lambda value: value[:88], mark=MARK)
wrong_attachment("watermark_control", "A tab in a watermark.", lambda value: value + b"\t", mark=MARK)
wrong_attachment("watermark_not_utf8", "A watermark that is not UTF-8.", lambda value: value + b"\xff", mark=MARK)


@scenario("damaged")
def attachment_before_a_tag(v):
    """An entry after an attachment."""
    v.attach(v.b, "one.png", PNG)
    v.put(v.b, v.b.plaintext() + entry(2, 0, "", "late"))
    v.put_head()
    v.lose(v.b)


# Damage to the database


@scenario("damaged")
def database_trigger(v):
    """A trigger."""
    v.run("CREATE TRIGGER extra AFTER DELETE ON card BEGIN SELECT 1; END")
    v.expected["cards"] = None


@scenario("damaged")
def database_view(v):
    """A view."""
    v.run("CREATE VIEW extra AS SELECT * FROM card")
    v.expected["cards"] = None


@scenario("damaged")
def database_table_missing(v):
    """The table of documents is missing."""
    v.run("DROP TABLE document")
    v.expected["cards"] = None


@scenario("damaged", steps=5)
def database_transaction_ids_missing(v):
    """The step that adds the transaction IDs, without their columns."""
    v.run("INSERT INTO migration VALUES ('transaction IDs', 5)")
    v.expected["cards"] = None


@scenario("damaged")
def database_two_vaults(v):
    """A second row of the table `vault`, which its statement forbids."""
    v.run("PRAGMA ignore_check_constraints = ON")
    v.run("INSERT INTO vault SELECT 2, vault_id, generation, head, open_settings FROM vault")


@scenario("damaged")
def database_vault_missing(v):
    """No row of the table `vault`."""
    v.run("DELETE FROM vault")
    v.expected["cards"] = None


@scenario("damaged")
def database_step_renamed(v):
    """Another name in the place of a known step."""
    v.run("UPDATE migration SET name = 'something else' WHERE position = 1")
    v.expected["cards"] = None


@scenario("damaged")
def database_steps_swapped(v):
    """The known steps in another order."""
    v.run("UPDATE migration SET position = position + 10")
    v.run("UPDATE migration SET position = CASE position WHEN 11 THEN 2 WHEN 12 THEN 1 ELSE position - 10 END")
    v.expected["cards"] = None


@scenario("damaged")
def database_write_version(v):
    """A file format that SQLite does not know: bytes 18 and 19 are 3."""
    v.patch(18, b"\3\3")
    v.expected["cards"] = None


@scenario("damaged")
def database_cut(v):
    """A file whose last pages are cut off."""
    data = v.serialized()
    v.data = data[:len(data) // 1024 * 512]
    v.expected["cards"] = None


@scenario("damaged")
def database_page_zeroed(v):
    """A page of zeros in the place of the first page of the table `card`."""
    page = v.run("SELECT rootpage FROM sqlite_master WHERE name = 'card'")[0][0]
    v.patch((page - 1) * 512, bytes(512))
    v.expected["cards"] = None


# The log and other files beside


# Lengths


@scenario("intact")
def length_greatest(v):
    """Plain settings, a slot, the name of a document, a history and plain rows that are as long as they may be."""
    v.run("UPDATE vault SET open_settings = ?", "language=zh-Hans\n" + "x=" + "y" * (10_000 - 17 - 3) + "\n")
    v.put_slot(kind=9, algorithm=77, iterations=5, memory=5, name="another", sealed=bytes(4_096))
    v.put_document("名" * 333 + "x", b"")
    v.put_history(v.a.id, history(2, own=range(64), seen=range(64, 128), rest=v.b.id + struct.pack(">I", 3)))
    v.run("UPDATE lockout SET boot_id = ?", "x" * 255)
    v.run("INSERT INTO event (at, kind, method, reason) VALUES (1, ?1, ?1, ?1)", "x" * 255)
    v.put_head()


@scenario("damaged")
def length_plain_settings(v):
    """Plain settings of 10,001 bytes that the head accounts for."""
    v.run("UPDATE vault SET open_settings = ?", "language=zh-Hans\n" + "x=" + "y" * (10_001 - 17 - 3) + "\n")
    v.put_head()


@scenario("damaged")
def length_head(v):
    """A head of 500,000 bytes."""
    v.run("UPDATE vault SET head = zeroblob(500000)")


@scenario("damaged")
def length_slot(v):
    """A slot of an unknown kind with 4,097 bytes that the head accounts for."""
    v.put_slot(kind=9, algorithm=77, iterations=5, memory=5, name="another", sealed=bytes(4_097))
    v.put_head()
    v.expected["cards"] = None


@scenario("damaged")
def length_slots(v):
    """1,001 slots that the head accounts for."""
    for index in range(1_000):
        v.run("INSERT INTO slot VALUES (?, 9, 77, 5, 5, zeroblob(16), x'')", index.to_bytes(16, "big"))
    v.put_head()
    v.expected["cards"] = None


@scenario("damaged", page_size=65_536)
def length_card(v):
    """A card of 33,554,433 bytes."""
    v.run(f"UPDATE card SET sealed = zeroblob(33554433) WHERE {where(v.b)}")
    v.expected["cards"] = None


@scenario("damaged")
def length_document(v):
    """A document of 1,048,577 bytes."""
    v.run("UPDATE document SET sealed = zeroblob(1048577)")
    v.expected["cards"] = None


@scenario("damaged")
def length_document_name(v):
    """A document with a name of 1,001 bytes, counted by the head."""
    v.put_document("x" * 1_001, b"")
    v.put_head()
    v.expected["cards"] = None


@scenario("damaged")
def length_documents(v):
    """65 documents, counted by the head."""
    for index in range(64):
        v.put_document(f"document {index}", b"")
    v.put_head()
    v.expected["cards"] = None


@scenario("damaged")
def length_history(v):
    """A history of 1,091 bytes."""
    v.put_history(v.a.id, history(seen=["first"]))
    v.run("UPDATE history SET sealed = zeroblob(1091)")
    v.expected["cards"] = None


@scenario("damaged", empty=True, page_size=65_536)
def length_content(v):
    """The content of an attachment with 10,485,793 bytes."""
    card = Card("with attachment", "身份证")
    v.attach(card, "身份证.png", PNG)
    v.put(card)
    v.put_head()
    v.run("UPDATE content SET sealed = zeroblob(10485793)")
    v.expected["cards"] = None


@scenario("intact", empty=True, page_size=65_536)
def length_rendition(v):
    """A rendition of 16,777,265 bytes: it counts as absent."""
    card = Card("with attachment", "身份证")
    identity = v.attach(card, "身份证.png", PNG)
    v.put(card)
    v.put_rendition(identity, 64, PNG)
    v.put_head()
    v.run("UPDATE rendition SET sealed = zeroblob(16777265)")
    v.expected["renditions"] = []


@scenario("intact")
def length_plain_rows(v):
    """The name of a boot and the texts of an event that are too long: they do not matter to a reader."""
    v.run("UPDATE lockout SET boot_id = ?", "x" * 500_000)
    v.run("INSERT INTO event (at, kind, method, reason) VALUES (1, ?1, ?1, ?1)", "x" * 256)


@scenario("damaged")
def length_step(v):
    """A step with a name of 1,001 bytes."""
    v.run("INSERT INTO migration VALUES (?, 4)", "x" * 1_001)
    v.expected["cards"] = None


@scenario("damaged")
def length_statement(v):
    """The statement of a table with 10,001 bytes."""
    v.run("PRAGMA writable_schema = ON")
    v.run("UPDATE sqlite_schema SET sql = sql || substr(?, length(sql) + 1) WHERE name = 'card'", " " * 10_001)
    v.run("PRAGMA writable_schema = OFF")
    v.expected["cards"] = None


def logged(v, transactions=1):
    """Returns the states of a file before and after transactions that each create a card."""
    states = [v.serialized()]
    for at in range(transactions):
        v.put(Card(f"logged {at}", f"Logged {at}", first_byte=0x50 + at, modified=1_790_000_002_000))
        v.put_head()
        states.append(v.serialized())
    v.data = states[0]
    return states


def beside(v, content):
    """Puts a log beside the file."""
    v.companions["-wal"] = content


@scenario("intact")
def log_committed(v):
    """A log with a transaction that is not in the file yet."""
    beside(v, log(512, logged(v)))


@scenario("intact")
def log_big_endian(v):
    """A log with big-endian checksums, as another machine writes it."""
    beside(v, log(512, logged(v), magic=0x377F0683))


@scenario("intact")
def log_two_transactions(v):
    """A log with two transactions."""
    beside(v, log(512, logged(v, 2)))


@scenario("intact")
def log_checkpointed_in_part(v):
    """A log with two transactions of which the file has the first."""
    states = logged(v, 2)
    v.data = states[1]
    beside(v, log(512, states))


@scenario("intact")
def log_checkpointed(v):
    """A log whose transactions are all in the file."""
    states = logged(v, 2)
    v.data = states[2]
    beside(v, log(512, states))


@scenario("intact")
def log_not_committed(v):
    """A log with a transaction that was not finished: it does not count."""
    beside(v, log(512, logged(v), commits=False))
    v.miss(identifier_of(v, "Logged 0"))


@scenario("intact")
def log_cut(v):
    """A log with two transactions, cut off in the second: the first counts."""
    beside(v, log(512, logged(v, 2))[:-1])
    v.miss(identifier_of(v, "Logged 1"))


@scenario("intact")
def log_wrong_checksum(v):
    """A log with two transactions, with a wrong checksum in the second: the first counts."""
    beside(v, log(512, logged(v, 2), bad_checksum=2))
    v.miss(identifier_of(v, "Logged 1"))


@scenario("intact")
def log_wrong_salts(v):
    """A log whose frames have the salts of an older log: they do not count."""
    beside(v, log(512, logged(v), frame_salt=fixed("older salts", 8)))
    v.miss(identifier_of(v, "Logged 0"))


@scenario("intact")
def log_empty(v):
    """A log without a byte."""
    beside(v, b"")


@scenario("intact")
def log_header_only(v):
    """A log without a frame."""
    beside(v, log(512, [v.serialized()]))


@scenario("intact")
def log_garbage(v):
    """Something that is not a log, where a log would be."""
    beside(v, b"This is not a log.\n" * 100)


def filled(name="vault", steps=4):
    """Returns another vault with the sample cards and settings, or another copy of the same."""
    other = Vault(name, steps)
    other.put_slot()
    other.a, other.b, other.c = sample_cards()
    fill(other)
    return other


@scenario("intact")
def log_of_another_vault(v):
    """The log of another vault: it does not belong to the file."""
    beside(v, log(512, logged(filled("other"))))


@scenario("intact")
def log_of_an_older_copy(v):
    """The log of this vault from before: the file is newer than all of it, so it does not belong to the file."""
    states = logged(v)
    v.put(Card("later", "Later"))
    v.put_head()
    v.data = v.serialized()
    beside(v, log(512, states))


@scenario("intact")
def log_of_a_newer_copy(v):
    """The log of a newer copy of this vault, which does not join on to the file: it does not belong to it."""
    before = v.serialized()
    v.put(Card("between", "Between"))
    v.put_head()
    v.put(Card("between too", "Between too"))
    v.put_head()
    states = logged(v)
    v.data = before
    for name in ("Between", "Between too", "Logged 0"):
        v.miss(identifier_of(v, name))
    beside(v, log(512, states))


@scenario("intact")
def log_without_generation(v):
    """A log that changes plain rows only, such as an event: it counts, and changes no card."""
    before = v.serialized()
    v.run("INSERT INTO event (at, kind) VALUES (1790000000000, 'locked')")
    beside(v, log(512, [before, v.serialized()]))
    v.data = before


def put_plain_row(v):
    """Writes an event, in a transaction that writes no head."""
    v.run("INSERT INTO event (at, kind) VALUES (1790000000000, 'locked')")
    v.put_transaction("event")


@scenario("intact")
def log_of_a_diverged_copy(v):
    """The log of a copy that was written to on its own, whose generations go on from the file's: it is not the file's."""
    v.put(Card("here", "Here"))
    v.put_head()
    v.data = v.serialized()
    beside(v, log(512, logged(filled(), 2)))


@scenario("intact")
def log_of_a_shorter_file(v):
    """The log of this vault from before, which changes plain rows only: the file has become longer than it says."""
    before = v.serialized()
    other = filled()
    put_plain_row(other)
    beside(v, log(512, [before, other.serialized()]))
    for index in range(20):
        v.put(Card(f"later {index}", f"Later {index}"))
    v.put_head()


@scenario("intact", steps=6)
def log_with_transaction_ids(v):
    """A log that continues a file with transaction IDs: its first version of the row names the file's."""
    beside(v, log(512, logged(v, 2)))


@scenario("intact", steps=6)
def log_with_transaction_ids_plain_rows_first(v):
    """A log with transaction IDs that begins with a transaction without a head: the generation is first the file's."""
    before = v.serialized()
    put_plain_row(v)
    states = logged(v)
    v.data = before
    beside(v, log(512, [before, *states]))


@scenario("intact", steps=6)
def log_with_transaction_ids_checkpointed_in_part(v):
    """A log with transaction IDs of which the file has the first transaction."""
    states = logged(v, 2)
    v.data = states[1]
    beside(v, log(512, states))


@scenario("intact", steps=6)
def log_with_transaction_ids_checkpointed(v):
    """A log with transaction IDs whose transactions are all in the file."""
    states = logged(v, 2)
    v.data = states[2]
    beside(v, log(512, states))


@scenario("intact")
def log_with_step_of_transaction_ids(v):
    """A log that adds the transaction IDs to the file: its first version names the beginning of the file's head."""
    before = v.serialized()
    v.take_steps(4, 6)
    v.put(Card("logged", "Logged"))
    v.put_head()
    beside(v, log(512, [before, v.serialized()]))
    v.data = before


@scenario("intact", steps=6)
def log_with_transaction_ids_of_a_copy(v):
    """The log of a copy with transaction IDs that was written to on its own, in the generation after the file's."""
    v.put(Card("here", "Here"))
    v.put_head()
    v.data = v.serialized()
    other = filled(steps=6)
    other.put(Card("there", "There"))
    other.put_head()
    beside(v, log(512, logged(other)))


@scenario("intact", steps=6)
def log_with_transaction_ids_of_an_older_copy(v):
    """The log of this file from before a transaction without a head: the generations alone would go on from the file's."""
    states = logged(filled(steps=6))
    put_plain_row(v)
    v.data = v.serialized()
    beside(v, log(512, states))


@scenario("intact")
def log_without_transaction_ids(v):
    """The log of an older program, beside a copy of its file that has taken the step of the transaction IDs since."""
    v.take_steps(4, 6)
    v.put(Card("here", "Here"))
    v.put_head()
    v.data = v.serialized()
    beside(v, log(512, logged(filled(), 8)))


@scenario("damaged")
def log_with_damage(v):
    """A committed transaction in the log that adds a card and no head."""
    before = v.serialized()
    v.put(Card("added", "Added"))
    beside(v, log(512, [before, v.serialized()]))
    v.data = before


@scenario("intact")
def journal_beside(v):
    """A file with `-journal` after the vault's name that is not a rollback journal."""
    v.companions["-journal"] = b"Somebody's notes.\n"


@scenario("intact")
def journal_of_an_older_state(v):
    """A rollback journal that would take back the last transaction: it is not part of the vault."""
    states = logged(v)
    v.data = states[1]
    v.companions["-journal"] = journal(512, *states)


def identifier_of(v, title):
    """Returns the id of the card with a title."""
    return next(card.id for card in v.cards if card.title == title)

