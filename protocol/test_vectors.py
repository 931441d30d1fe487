#!/usr/bin/python3
"""Tests of the independent reader against the test vectors of the format.

Run with `/usr/bin/python3 -m unittest` in this directory.
"""
import pathlib
import unittest

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


if __name__ == "__main__":
    unittest.main()
