#!/usr/bin/python3
"""Tests of the independent reader against the test vectors of the format.

Run with `/usr/bin/python3 -m unittest` in this directory.
"""
import pathlib
import unittest
import uuid

import read_sync
import vault_records
from vault_records import VaultError

VECTORS = pathlib.Path(__file__).resolve().parent / "vectors"


class VectorTests(unittest.TestCase):
    """The reader gives what the vectors say."""

    def vectors(self, pattern):
        """Yields the first value of each name, and all values, of each matching file."""
        paths = sorted(VECTORS.glob(pattern))
        if not paths:
            self.skipTest(f"no vectors in {VECTORS}")
        for path in paths:
            scenario = {}
            for line in path.read_text(encoding="utf-8").splitlines():
                if line and not line.startswith("#"):
                    name, value = line.split(":", 1)
                    scenario.setdefault(name, []).append(value.removeprefix(" "))
            with self.subTest(path.name):
                yield {name: values[0] for name, values in scenario.items()}, scenario

    def expect(self, scenario, action):
        """Returns the action's result; None if the vector expects a failure, which must be of the right class."""
        kinds = {"authentication-failed": {"damaged", "wrong password"}, "malformed": {"damaged"},
                 "parameters-out-of-range": {"unsupported parameters"}}
        if scenario["expect"] == "success":
            return action()
        with self.assertRaises(VaultError) as caught:
            action()
        self.assertIn(caught.exception.kind, kinds[scenario["expect"]])
        return None

    def test_records(self):
        for one, _ in self.vectors("record-[so]*.txt"):
            records = vault_records.Records(bytes.fromhex(one["vault-key"]), bytes.fromhex(one["vault"]))
            found = self.expect(one, lambda r=records, s=one: r.open(
                int(s["kind"]), bytes.fromhex(s["record"]), int(s["revision"]), bytes.fromhex(s["sealed"]), "record"))
            self.assertEqual(found, bytes.fromhex(one["plaintext"]) if one["expect"] == "success" else None)

    def test_record_hash(self):
        for one, every in self.vectors("record-hash-*.txt"):
            if one["expect"] != "success":
                continue  # a reader sums only records that it has opened, so it never sums one that is too short
            records, total = vault_records.Records(bytes.fromhex(one["vault-key"]), bytes(16)), 0
            for name, sign in (("add", 1), ("remove", -1)):
                for kind, identifier, revision, sealed in (value.split() for value in every.get(name, [])):
                    total += sign * records.term(int(kind), bytes.fromhex(identifier), int(revision), bytes.fromhex(sealed))
            self.assertEqual(total % 2 ** 256, int(one["hash"], 16))

    def test_heads(self):
        for one, _ in self.vectors("head-*.txt"):
            found = self.expect(one, lambda s=one: vault_records.read_head(bytes.fromhex(s["encoded"]), int(s["generation"])))
            if found is not None:
                self.assertEqual(found, (int(one["record-hash"], 16), int(one["cards"]), int(one["documents"]),
                                         int(one["attachments"]), bytes.fromhex(one["plain-hash"]) if "plain-hash" in one else None))

    def test_plain_hashes(self):
        for one, every in self.vectors("plain-hash-*.txt"):
            slots = []
            for identifier, *numbers, salt, sealed in (value.split() for value in every.get("slot", [])):
                slots.append((bytes.fromhex(identifier), *(int(value) for value in numbers), bytes.fromhex(salt), bytes.fromhex(sealed)))
            found = vault_records.plain_hash(slots, bytes.fromhex(one["settings"]).decode())
            self.assertEqual(found, bytes.fromhex(one["hash"]))

    def test_password_slots_and_keys(self):
        for one, _ in self.vectors("[sk]*.txt"):
            if one.get("kind", "1") != "1" or "text-password" not in one or int(one["algorithm"]) == 3:
                continue  # a device's slot: this reader supports passwords only
            parameters = [int(one[name]) for name in ("algorithm", "iterations", "memory-kib")]
            salt = bytes.fromhex(one["salt"])
            try:
                if one["operation"] == "key-derivation":
                    found = self.expect(one, lambda p=one, s=salt, q=parameters: vault_records.derive(p["text-password"], s, *q))
                    self.assertEqual(found, bytes.fromhex(one["key"]) if "key" in one else None)
                else:
                    found = self.expect(one, lambda p=one, s=salt, q=parameters: vault_records.open_slot(
                        p["text-password"], bytes.fromhex(p["vault"]), bytes.fromhex(p["slot"]), 1, *q, s,
                        bytes.fromhex(p["sealed"])))
                    self.assertEqual(found, bytes.fromhex(one["vault-key"]) if one["expect"] == "success" else None)
            except VaultError as error:
                if "install argon2-cffi" not in str(error):
                    raise
                self.skipTest(str(error))

    def test_epochs(self):
        for one, _ in self.vectors("sync/epoch*.txt"):
            self.assertEqual(read_sync.epoch_name(self.records(one)), one["epoch"])

    def test_segments(self):
        for one, every in self.vectors("sync/segment-*.txt"):
            found = self.expect(one, lambda s=one: self.segment(s))
            if found is not None:
                part, previous, _, cards = found
                self.assertEqual((part, previous), (int(one["part"]), bytes.fromhex(one["previous"])))
                self.assertEqual([f"{card.hex()} {revision} {sealed.hex() or '-'} {history.hex()}"
                                  for card, revision, sealed, history in cards], every.get("card", []))

    def segment(self, one):
        """Reads a segment, and the histories of its cards."""
        number = int(one["number"])
        found = read_sync.read_segment(self.opened(one, read_sync.SEGMENT, number), number, "it")
        read_sync.read_families(found[3], "it")
        return found

    def test_key_files(self):
        for one, _ in self.vectors("sync/key-file-*.txt"):
            found = self.expect(one, lambda s=one: self.key_file(s))
            if found is not None:
                version, chosen, slot, replica, number, vault, *_ = found
                self.assertEqual((version, chosen, number), tuple(int(one[name]) for name in ("version", "chosen-at", "number")))
                self.assertEqual((slot, replica, vault), tuple(bytes.fromhex(one[name]) for name in ("slot", "replica", "vault")))

    def key_file(self, one):
        """Reads a key file, opens its slot, and checks who made it."""
        file = read_sync.read_key_file(bytes.fromhex(one["file"]), pathlib.Path("file"))
        (algorithm, iterations, memory, salt, sealed), vault = file[6], file[5]
        vault_records.check_parameters(algorithm, iterations, memory)
        try:
            key = vault_records.open_slot(one["text-password"], vault, file[2], 1, algorithm, iterations, memory, salt, sealed)
        except VaultError as error:
            if "install argon2-cffi" not in str(error):
                raise
            self.skipTest(str(error))
        self.assertEqual(key, bytes.fromhex(one["vault-key"]))
        if not read_sync.is_authentic(vault_records.Records(key, vault), file):
            raise vault_records.damaged("nobody with the vault key made it")
        return file

    def test_successors(self):
        for one, _ in self.vectors("sync/next-*.txt"):
            found = self.expect(one, lambda s=one: self.opened(s, read_sync.SUCCESSOR, 1))
            if found is not None:
                self.assertEqual(found, b"\1" + uuid.UUID(one["next"]).bytes)

    def records(self, one):
        """Returns what opens the records of a vector's vault."""
        return vault_records.Records(bytes.fromhex(one["vault-key"]), bytes.fromhex(one["vault"]))

    def opened(self, one, kind, revision):
        """Returns the plaintext of a sealed file."""
        return self.records(one).open(kind, bytes.fromhex(one["replica"]), revision, bytes.fromhex(one["sealed"]), "it")


if __name__ == "__main__":
    unittest.main()
