#!/usr/bin/python3
"""Tests of the independent reader: it must find every damage to a vault that an independent writer made.

Run with `/usr/bin/python3 -m unittest` in this directory.
"""
import json
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import uuid

import read_vault
from vault_writer import CARDS, CONTENT, CONTENT_ID, IDS, PASSWORD, Writer, card_bytes, entry, watermark_bytes

HERE = pathlib.Path(__file__).resolve().parent


def without_plain_hash(head):
    """Makes a head of version 1 of one of version 2."""
    return b"\1" + head[1:65] + head[97:]


def bytes_read():
    """Returns how many bytes this process has asked the system for (proc(5))."""
    return int(pathlib.Path("/proc/self/io").read_text(encoding="ascii").split()[1])


class ReaderTests(unittest.TestCase):
    """The reader's output and the vaults that it refuses."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = pathlib.Path(directory.name) / "vault ?#%41.quickvault"

    def make(self, **options):
        """Writes a vault and returns its closed writer."""
        if self.path.exists():
            self.path.unlink()
        writer = Writer(self.path, **options)
        writer.close()
        return writer

    def change(self, *statements):
        """Changes rows without updating the head."""
        connection = sqlite3.connect(self.path, isolation_level=None)
        for statement in statements:
            connection.execute(statement)
        connection.close()

    def assert_refused(self, kind, password=PASSWORD):
        """Asserts that the reader fails with this class of error."""
        with self.assertRaises(read_vault.VaultError) as caught:
            read_vault.read_vault(self.path, password)
        self.assertEqual(caught.exception.kind, kind, caught.exception)

    def test_values_that_are_too_long_are_not_read(self):
        for change in ("vault SET head = zeroblob(60000000)", "vault SET open_settings = printf('%.*c', 60000000, 'x')",
                       "slot SET sealed = zeroblob(60000000)", "card SET sealed = zeroblob(60000000)",
                       "document SET sealed = zeroblob(60000000)"):
            with self.subTest(change):
                self.make()
                self.change("UPDATE " + change)
                before = bytes_read()
                self.assert_refused("damaged")
                self.assertLess(bytes_read() - before, 1_000_000)

    def test_the_cards_in_their_order(self):
        self.make()
        cards = read_vault.read_vault(self.path, PASSWORD)
        self.assertEqual([c["title"] for c in cards], ["Meeting room", "Harbor 开票", "家"])
        self.assertEqual(cards[2]["fields"], {"name": "王芳", "phone": "138 0013 8000"})
        self.assertEqual(cards[2]["tags"], ["home", "税务"])
        self.assertEqual(cards[0]["fields"], {"text": "Floor 12\nleft"})
        self.assertEqual(cards[0]["extraFields"], [{"label": "Door code", "value": "4711#", "concealed": True},
                                                   {"label": "Seats", "value": "", "concealed": False}])
        self.assertEqual([c["id"] for c in cards], [str(uuid.UUID(bytes=IDS[i])) for i in (1, 2, 0)])

    def test_an_empty_vault_without_settings(self):
        self.make(cards=[], settings=None)
        self.assertEqual(read_vault.read_vault(self.path, PASSWORD), [])

    def test_the_password_is_normalised(self):
        self.make()
        self.assertEqual(len(read_vault.read_vault(self.path, "三月的雨 and cafe\u0301")), 3)
        self.assert_refused("wrong password", "三月的雨 and cafe")

    def test_exit_statuses(self):
        self.make()
        for password, status in ((PASSWORD + "\nmore", 0), ("wrong", 1)):
            done = subprocess.run([sys.executable, HERE / "read_vault.py", self.path], input=password.encode(),
                                  capture_output=True, timeout=60, check=False)
            self.assertEqual(done.returncode, status, done.stderr)
            lines = [json.loads(line) for line in done.stdout.decode().splitlines()]
            self.assertEqual([c["modifiedAt"] for c in lines],
                             ["1970-01-01T00:00:02.000Z", "2026-11-21T06:54:58.345Z", "1970-01-01T00:00:05.000Z"][:3 * (1 - status)])
            self.assertEqual(b"wrong password" in done.stderr, status == 1)

    def test_the_vault_is_not_written(self):
        self.make()
        before = self.path.read_bytes()
        self.path.chmod(0o400)
        read_vault.read_vault(self.path, PASSWORD)
        self.assertEqual(self.path.read_bytes(), before)
        self.assertEqual([p.name for p in self.path.parent.iterdir()], [self.path.name])

    def test_changes_that_are_only_in_the_log_are_read(self):
        self.make()
        before = self.path.read_bytes()
        writer = Writer.__new__(Writer)
        writer.resume(self.path)
        self.addCleanup(writer.close)
        writer.put_card(IDS[0], 2, card_bytes(1, 3, 1, 9000, entry(1, 0, "", "New"), entry(3, 0, "text", "x")))
        self.assert_refused("damaged")
        writer.finish()
        self.assertEqual(read_vault.read_vault(self.path, PASSWORD)[0]["title"], "New")
        self.assertEqual(self.path.read_bytes(), before)

    def test_a_log_that_begins_with_a_change_of_the_transaction_id_alone(self):
        for length in (0, 8_000):
            with self.subTest(length):
                self.make()
                writer = Writer.__new__(Writer)
                writer.resume(self.path)
                # The end of a row that is longer than a page is on another page than that of the table.
                writer.run("UPDATE vault SET open_settings = open_settings || 'x=' || ? || char(10)", "y" * length)
                writer.finish()
                writer.close()
                writer.resume(self.path)
                self.addCleanup(writer.close)
                writer.run("UPDATE vault SET previous_transaction_id = transaction_id, transaction_id = randomblob(16)")
                writer.put_card(IDS[0], 2, card_bytes(1, 3, 1, 9000, entry(1, 0, "", "New"), entry(3, 0, "text", "x")))
                writer.finish()
                self.assertEqual(read_vault.read_vault(self.path, PASSWORD)[0]["title"], "New")
                (self.path.parent / (self.path.name + "-wal")).unlink()

    def test_first_bytes(self):
        self.make()
        whole = self.path.read_bytes()
        for at, change, kind in ((0, b"s", "not a vault"), (68, b"QVLU", "not a vault"), (60, b"\0\0\0\0", "not a vault"),
                                 (60, b"\0\0\0\2", "newer version"), (60, b"\x80\0\0\1", "newer version")):
            self.path.write_bytes(whole[:at] + change + whole[at + len(change):])
            self.assert_refused(kind)
        for short in (b"", whole[:99]):
            self.path.write_bytes(short)
            self.assert_refused("not a vault")
        self.path.unlink()
        self.assert_refused("not a vault")
        self.path.write_bytes(whole[:5000])
        self.assert_refused("damaged")

    def test_newer_migration(self):
        self.make()
        self.change("INSERT INTO migration VALUES ('something newer', 7)")
        self.assert_refused("newer version")
        self.make()
        self.change("UPDATE migration SET name = 'something else' WHERE position = 1")
        self.assert_refused("damaged")

    def test_a_vault_of_the_first_migration_alone(self):
        self.make(head_change=without_plain_hash)
        self.change("DELETE FROM migration WHERE position > 0", "DROP TABLE history", "DROP TABLE rendition", "DROP TABLE content")
        self.assertEqual(len(read_vault.read_vault(self.path, PASSWORD)), 3)

    def history(self, plaintext):
        """Writes a vault with a history of the first card."""
        self.make()
        writer = Writer.__new__(Writer)
        writer.resume(self.path)
        writer.put_history(IDS[0], 1, plaintext)
        writer.finish()
        writer.close()

    def test_histories(self):
        tags = bytes(range(24))
        good = {"changed": b"\1\0\0\0\0\3" + bytes(8) + tags, "merged": b"\1\0\0\1\0\2" + bytes(8) + tags,
                "deleted": b"\1\1\0\0\0\3" + b"\1" * 8 + tags,
                "copy": b"\1\2\0\1\0\2" + bytes(8) + tags + bytes(16) + b"\0\0\0\4",
                "a copy with a mask": b"\1\x12\0\1\0\2" + bytes(8) + tags + bytes(16) + b"\0\0\0\4",
                "times": b"\1\x08\0\2\0\1" + bytes(8) + tags + bytes(15) + b"\1",
                "a copy with times": b"\1\x0a\0\3\0\0" + bytes(8) + tags + bytes(24) + bytes(16) + b"\0\0\0\4"}
        for what, plaintext in good.items():
            with self.subTest(what):
                self.history(plaintext)
                self.assertEqual(len(read_vault.read_vault(self.path, PASSWORD)), 3)
        wrong = {"nothing": b"", "version": b"\2" + good["changed"][1:], "flag": b"\1\4" + good["changed"][2:],
                 "another flag": b"\1\x20" + good["changed"][2:],
                 "a mask of no copy": b"\1\x10" + good["changed"][2:],
                 "the time of one tag": b"\1\x08\0\1\0\2" + bytes(8) + tags + bytes(8),
                 "one time of two": good["times"][:-8], "times of none": b"\1\x08" + good["changed"][2:],
                 "cut": good["changed"][:-1], "left over": good["changed"] + b"\0", "own tags": b"\1\1" + good["merged"][2:],
                 "a deleted copy": b"\1\3" + good["copy"][2:], "a time": b"\1\0" + good["deleted"][2:],
                 "many": b"\1\0\0\0\0\x41" + bytes(8) + bytes(65 * 8)}
        for what, plaintext in wrong.items():
            with self.subTest(what):
                self.history(plaintext)
                self.assert_refused("damaged")
        for statement in ("DELETE FROM history", "UPDATE history SET revision = 2", "UPDATE history SET number = 7"):
            with self.subTest(statement):
                self.history(good["changed"])
                self.change(statement)
                self.assert_refused("damaged")

    def test_the_older_layouts(self):
        self.make(head_change=without_plain_hash)
        self.assert_refused("damaged")
        self.change("DELETE FROM lockout", "DELETE FROM migration WHERE position > 2")
        self.assertEqual(len(read_vault.read_vault(self.path, PASSWORD)), 3)
        self.change("DROP TABLE rendition", "DROP TABLE content", "DELETE FROM migration WHERE position = 2")
        self.assertEqual(len(read_vault.read_vault(self.path, PASSWORD)), 3)
        self.change("DELETE FROM migration")
        self.assert_refused("damaged")

    def attach(self, **options):
        """Writes a vault with an attachment."""
        self.make()
        writer = Writer.__new__(Writer)
        writer.resume(self.path)
        writer.put_attachment(**options)
        writer.close()

    def test_an_attachment(self):
        for watermark in (b"", watermark_bytes()):
            self.attach(watermark=watermark)
            cards = {card["id"]: card for card in read_vault.read_vault(self.path, PASSWORD)}
            (attachment,) = cards[str(uuid.UUID(bytes=IDS[0]))]["attachments"]
            self.assertEqual(attachment, {
                "id": str(uuid.UUID(bytes=CONTENT_ID)), "name": "身份证.jpg", "mediaType": "image/jpeg", "size": len(CONTENT),
                "width": 640, "height": 480, "addedAt": 7000,
                "watermark": watermark and {"text": "仅供办理\nvisa", "opacity": 35, "angle": -30, "size": 40, "spacing": 250}
                or None})

    def test_attachments_with_a_wrong_layout(self):
        marks = {"no text": watermark_bytes(""), "blank": watermark_bytes(" \n"), "control": watermark_bytes("a\tb"),
                 "UTF-8": watermark_bytes(b"\xff"), "long": watermark_bytes("a" * 201), "lines": watermark_bytes("a" + "\na" * 8),
                 "opacity": watermark_bytes(opacity=101), "angle": watermark_bytes(angle=181), "size": watermark_bytes(size=9),
                 "spacing": watermark_bytes(spacing=49)}
        wrong = {"type": {"media_type": 5}, "revision": {"revision": 0}, "size": {"size": len(CONTENT) + 1},
                 "seal": {"change": lambda seal: bytes(32)}, "cut": {"change": lambda seal: seal[:-1]},
                 **{what: {"watermark": mark} for what, mark in marks.items()}}
        for what, options in wrong.items():
            with self.subTest(what):
                self.attach(**options)
                self.assert_refused("damaged")

    def test_rows_of_attachments(self):
        for statement in ("DELETE FROM content", "DROP TABLE content", "DROP TABLE rendition", "UPDATE content SET number = 7",
                          "UPDATE content SET id = zeroblob(16), number = 0", "UPDATE content SET sealed = zeroblob(31)",
                          "UPDATE content SET sealed = zeroblob(length(sealed))",
                          "INSERT INTO content SELECT 7, id, sealed FROM content",
                          "INSERT INTO content SELECT 0, zeroblob(16), sealed FROM content"):
            with self.subTest(statement):
                self.attach()
                self.change(statement)
                self.assert_refused("damaged")

    def test_renditions_are_ignored(self):
        self.attach()
        self.change("INSERT INTO rendition SELECT number, 256, zeroblob(100) FROM content")
        self.assertEqual(len(read_vault.read_vault(self.path, PASSWORD)), 3)

    def test_slot_parameters(self):
        self.make()
        for statement, kind in (("iterations = 99999", "unsupported parameters"), ("iterations = 100001", "wrong password"),
                                ("iterations = 10000001", "unsupported parameters"), ("memory_kib = 1", "unsupported parameters"),
                                ("algorithm = 3", "unsupported parameters"), ("algorithm = 9", "unsupported parameters"),
                                ("iterations = -1", "damaged"), ("algorithm = 256", "damaged"), ("sealed = x'00'", "damaged"),
                                ("kind = 2", "damaged"), ("id = zeroblob(16)", "wrong password"),
                                ("salt = zeroblob(16)", "wrong password")):
            with self.subTest(statement):
                self.make()
                self.change(f"UPDATE slot SET {statement}")
                self.assert_refused(kind)

    def test_a_flipped_bit_in_every_part_of_every_record(self):
        self.make()
        whole = self.path.read_bytes()
        for table, column, kind in (("card", "sealed", "damaged"), ("document", "sealed", "damaged"),
                                    ("vault", "head", "damaged"), ("slot", "sealed", "wrong password")):
            connection = sqlite3.connect(f"{self.path.as_uri()}?mode=ro&immutable=1", uri=True)
            sealed = connection.execute(f"SELECT {column} FROM {table} LIMIT 1").fetchone()[0]
            connection.close()
            place = whole.index(sealed)
            for at in (0, 15, 16, len(sealed) // 2, len(sealed) - 16, len(sealed) - 1):
                with self.subTest(table=table, at=at):
                    self.path.write_bytes(whole)
                    flipped = bytearray(whole)
                    flipped[place + at] ^= 1
                    self.path.write_bytes(flipped)
                    self.assert_refused(kind)

    def test_rows(self):
        number = int.from_bytes(IDS[0][:8], "big", signed=True)
        for statement in (f"DELETE FROM card WHERE number = {number}", "DELETE FROM document", "DELETE FROM slot", "DELETE FROM vault",
                          "UPDATE card SET revision = 2", "UPDATE card SET revision = -1", "UPDATE vault SET generation = 2",
                          "UPDATE vault SET vault_id = zeroblob(16)", "UPDATE document SET name = 'other'",
                          f"UPDATE card SET number = 7 WHERE number = {number}", "UPDATE card SET sealed = zeroblob(31)",
                          f"INSERT INTO card SELECT 7, id, revision, sealed FROM card WHERE number = {number}",
                          f"UPDATE card SET id = zeroblob(16), number = 0 WHERE number = {number}", "DROP TABLE document",
                          "CREATE VIEW extra AS SELECT * FROM card",
                          "CREATE TRIGGER extra AFTER DELETE ON card BEGIN SELECT 1; END",
                          "INSERT INTO slot SELECT zeroblob(16), 1, algorithm, iterations, memory_kib, salt, sealed FROM slot"):
            with self.subTest(statement):
                self.make()
                self.change(statement)
                # The vault ID is associated data of the slot, so the slot does not open under another one.
                self.assert_refused("wrong password" if "vault_id" in statement else "damaged")

    def test_swapped_rows(self):
        self.make()
        self.change("CREATE TEMP TABLE t AS SELECT * FROM card",
                    "UPDATE card SET sealed = (SELECT sealed FROM t WHERE t.number > card.number ORDER BY t.number LIMIT 1) "
                    "WHERE number < (SELECT max(number) FROM t)")
        self.assert_refused("damaged")

    def test_a_row_from_the_past(self):
        self.make()
        writer = Writer.__new__(Writer)
        writer.resume(self.path)
        number = int.from_bytes(IDS[0][:8], "big", signed=True)
        old = writer.connection.execute("SELECT * FROM card WHERE number = ?", [number]).fetchone()
        writer.put_card(IDS[0], 2, CARDS[0])
        writer.finish()
        self.assertEqual(len(read_vault.read_vault(self.path, PASSWORD)), 3)
        writer.run("REPLACE INTO card VALUES (?, ?, ?, ?)", *old)
        writer.close()
        self.assert_refused("damaged")

    def test_an_old_copy_of_the_whole_file_is_accepted(self):
        self.make()
        copy = self.path.with_suffix(".old")
        shutil.copy(self.path, copy)
        self.make(cards=CARDS[:1])
        shutil.copy(copy, self.path)
        self.assertEqual(len(read_vault.read_vault(self.path, PASSWORD)), 3)

    def test_cards_with_a_wrong_layout(self):
        good, title, head = CARDS[1], entry(1, 0, "", "t"), card_bytes(1, 3, 0, 1)
        wrong = {"version": b"\2" + good[1:], "flag": good[:1] + b"\4" + good[2:], "group": good[:2] + b"\3" + good[3:],
                 "type": good[:3] + b"\0" + good[4:], "zero": good[:7] + b"\1" + good[8:], "short": good[:23], "nothing": b"",
                 "left over": good + b"\1", "cut": good[:-1], "no title": head, "two titles": head + title + title,
                 "title not first": head + entry(2, 0, "", "tag") + title, "title with key": head + entry(1, 0, "k", "t"),
                 "role 0": head + title + entry(0, 0, "", ""), "role 5": head + title + entry(5, 0, "", ""),
                 "role 6": head + title + entry(6, 0, "", ""),
                 "flag of a field": head + title + entry(3, 1, "text", "x"), "flag 2": head + title + entry(4, 2, "l", "x"),
                 "UTF-8": head + title + entry(3, 0, "text", b"\xff"), "surrogate": head + title + entry(2, 0, "", b"\xed\xa0\x80"),
                 "huge length": head + title + b"\2\0\0\0\xff\xff\xff\xff"}
        for what, plaintext in wrong.items():
            with self.subTest(what):
                self.make(cards=[plaintext])
                self.assert_refused("damaged")

    def test_heads_with_a_wrong_layout(self):
        for what, change in {"version": lambda p: b"\3" + p[1:], "count": lambda p: p[:40] + bytes([p[40] + 1]) + p[41:],
                             "hash": lambda p: p[:1] + bytes(32) + p[33:], "short": lambda p: p[:-1], "long": lambda p: p + b"\0",
                             "attachments": lambda p: p[:56] + b"\1" + p[57:], "future": lambda p: p[:-17] + b"\2" + p[-16:],
                             "since": lambda p: p[:64] + b"\1" + p[65:], "cut": lambda p: p[:66],
                             "plain hash": lambda p: p[:65] + bytes(32) + p[97:], "no plain hash": without_plain_hash}.items():
            with self.subTest(what):
                self.make(head_change=change)
                self.assert_refused("damaged")

    def test_slots_and_plain_settings_that_the_head_does_not_account_for(self):
        self.make()
        read_vault.read_vault(self.path, PASSWORD)
        for statement in ("UPDATE vault SET open_settings = ''", "INSERT INTO slot SELECT zeroblob(16), 2, 3, 0, 0, salt, sealed FROM slot",
                          "DELETE FROM lockout", "UPDATE lockout SET failed_attempts = -1"):
            with self.subTest(statement):
                self.make()
                self.change(statement)
                self.assert_refused("damaged")

    def test_settings_with_a_wrong_form(self):
        for settings in (b"[]", b"=auto\n", b"language", b"language=\xff\n", b"a=\\", b"a=\\t\n", b"a=\\\\\\\n"):
            with self.subTest(settings):
                self.make(settings=settings)
                self.assert_refused("damaged")

    def test_settings_with_every_escape(self):
        text = "copyTemplates.text=\\n=\\\\\\\\n\u0301\r\n\nlanguage=en\nlanguage=zh-Hans\nunknown=\n"
        self.assertEqual(read_vault.read_settings(text.encode("utf-8")),
                         {"copyTemplates.text": "\n=\\\\n\u0301\r", "language": "zh-Hans", "unknown": ""})
        self.assertEqual(read_vault.read_settings(b""), {})

    def test_argon2id_without_its_library(self):
        self.make()
        self.change("UPDATE slot SET algorithm = 2, iterations = 1, memory_kib = 19456")
        with unittest.mock.patch.dict(sys.modules, {"argon2": None}):
            with self.assertRaisesRegex(read_vault.VaultError, "install argon2-cffi"):
                read_vault.read_vault(self.path, PASSWORD)


if __name__ == "__main__":
    unittest.main()
