"""R5: attachments in a QuickVault JSON export are imported with their cards, with and without the imaging helper."""

import base64
import json
import os
import unittest

import test_vault
import worker
from suite import more
from vault_client import PASSWORD, Vault

PICTURES = ["pillow/flower.jpg", "pillow/hopper_orientation_6.jpg", "pillow/i_trns.png", "libheif/example.heic",
            "libvips/ISO_12233-reschart.pdf"]
MARK = {"text": "仅供测试\nonly", "opacity": 61, "angle": -45, "size": 120, "spacing": 100}


class Moving(test_vault.VaultTests):
    def setUp(self):
        super().setUp()
        self.source = self.vault()
        self.card = self.source.card(title="Papers")
        self.plain = self.source.card(title="Nothing attached")
        self.kept = {}
        for name in PICTURES:
            mark = {"watermark": MARK} if name == PICTURES[0] else {}
            self.source.attach(self.card, worker.read(name), name=os.path.basename(name), **mark)
            self.kept[os.path.basename(name)] = worker.read(name)
        self.file = os.path.join(self.directory, "导出.json")
        self.source.call("vault/export", path=self.file, format="json", password=PASSWORD)

    def other(self, **options):
        """Creates another, empty vault."""
        place = os.path.join(self.directory, f"other-{len(os.listdir(self.directory))}")
        os.mkdir(place)
        vault = Vault(place, **options)
        self.addCleanup(vault.process.stdout.close)
        self.addCleanup(vault.process.wait)
        self.addCleanup(vault.process.kill)
        return vault

    def attachments(self, vault):
        """The attachments of the card with that title: metadata without IDs, by name."""
        cards = vault.call("card/list")["items"]
        papers = [card for card in cards if card["title"] == "Papers"]
        self.assertEqual(len(papers), 1)
        return {item["name"]: item for item in vault.call("attachment/list", cardId=papers[0]["id"])["items"]}

    def changed(self, change):
        """A copy of the exported file with changed attachments."""
        with open(self.file, encoding="utf-8") as file:
            content = json.load(file)
        change(content["attachments"])
        path = os.path.join(self.directory, "changed.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(content, file)
        return path

    def warnings(self, report):
        return [warning["message"] for item in report["items"] for warning in item["warnings"]]

    def test_round_trip(self):
        before = self.attachments(self.source)
        vault = self.other()
        tried = vault.call("vault/import", path=self.file, dryRun=True)
        self.assertEqual((tried["attachments"], tried["attachmentsLeftOut"]), (5, 0))
        self.assertEqual(vault.call("card/list")["total"], 0)
        report = vault.call("vault/import", path=self.file)
        self.assertEqual((report["imported"], report["attachments"], report["attachmentsLeftOut"]), (2, 5, 0))
        self.assertEqual(self.warnings(report), [])
        after = self.attachments(vault)
        self.assertEqual(
            {name: {**item, "id": None} for name, item in before.items()},
            {name: {**item, "id": None} for name, item in after.items()})
        self.assertEqual(after["flower.jpg"]["watermark"], MARK)
        for name, item in after.items():
            self.assertEqual(vault.content(item["id"], original=True, password=PASSWORD), self.kept[name])
        self.assertNotEqual(vault.content(after["flower.jpg"]["id"]), self.kept["flower.jpg"])
        self.assertEqual(vault.call("vault/verify"), {"cards": 2, "attachments": 5, "damaged": [], "findings": [], "integrity": "intact"})
        # A second import adds nothing.
        again = vault.call("vault/import", path=self.file)
        self.assertEqual((again["imported"], again["duplicates"], again["attachments"]), (0, 2, 0))
        self.assertEqual(vault.call("vault/verify")["attachments"], 5)
        # An export equals the imported file except for IDs.
        second = os.path.join(self.directory, "second.json")
        vault.call("vault/export", path=second, format="json", password=PASSWORD)
        contents = []
        for path in (self.file, second):
            with open(path, encoding="utf-8") as file:
                contents.append([{**part, "card": None} for part in json.load(file)["attachments"]])
        self.assertEqual(*contents)
        vault.end()

    def test_without_the_worker_the_cards_come(self):
        nothing = os.path.join(self.directory, "nothing")
        os.mkdir(nothing)
        vault = self.other(helpers=nothing)
        report = vault.call("vault/import", path=self.file)
        self.assertEqual((report["imported"], report["attachments"], report["attachmentsLeftOut"]), (2, 0, 5))
        warnings = self.warnings(report)
        self.assertEqual(len(warnings), 5)
        for name, warning in zip(self.kept, warnings):
            self.assertIn(name, warning)
            self.assertIn("quickvault-imaging", warning)
        self.assertEqual(vault.call("vault/verify"), {"cards": 2, "attachments": 0, "damaged": [], "findings": [], "integrity": "intact"})
        vault.end()

    def test_what_cannot_be_taken_is_left_out_and_named(self):
        flower = self.kept["flower.jpg"]

        def spoil(attachments):
            def add(name, data, **more):
                text = data if isinstance(data, str) else base64.b64encode(data).decode()
                attachments.append({"card": attachments[0]["card"], "name": name, "data": text, "watermark": None, **more})

            add("half.jpg", flower[:len(flower) // 2])
            add("text.jpg", b"<svg/>")
            add("coded.jpg", "%%%%")
            add("too large.png", test_vault.png_of(test_vault.LIMIT + 1))
            add("a/b.jpg", flower)
            add("marked.jpg", flower, watermark={"text": "  "})
            add("wide.jpg", flower, watermark={"text": "x", "opacity": 101})
            add("paper.pdf", self.kept["ISO_12233-reschart.pdf"], watermark="x")
            add("old.jpg", flower, watermark="An older file has the text alone")
            attachments.append({**attachments[1], "card": "00000000-0000-4000-8000-000000000000"})
            attachments.append({"card": attachments[0]["card"]})
            attachments.append(7)

        vault = self.other()
        report = vault.call("vault/import", path=self.changed(spoil))
        self.assertEqual((report["imported"], report["attachments"], report["attachmentsLeftOut"]), (2, 6, 11))
        warnings = self.warnings(report)
        self.assertEqual(len(warnings), 11)
        for name in ("half.jpg", "text.jpg", "coded.jpg", "too large.png", "a/b.jpg", "marked.jpg", "wide.jpg", "paper.pdf"):
            self.assertEqual(len([warning for warning in warnings if name in warning]), 1, (name, warnings))
        self.assertEqual(self.attachments(vault)["old.jpg"]["watermark"]["text"], "An older file has the text alone")
        self.assertEqual(vault.call("vault/verify")["integrity"], "intact")
        vault.end()

    def test_no_more_than_a_card_may_have(self):
        def repeat(attachments):
            small = {**attachments[2], "watermark": None}
            attachments[:] = [{**small, "name": f"{number}.png"} for number in range(66)]

        vault = self.other()
        report = vault.call("vault/import", path=self.changed(repeat))
        self.assertEqual((report["attachments"], report["attachmentsLeftOut"]), (64, 2))
        vault.end()

    def test_cancelled_or_locked_meanwhile_nothing_is_stored(self):
        helpers = self.fake('exec sleep 1000\n')
        vault = self.other(helpers=helpers)
        request = vault.send("vault/import", path=self.file)
        vault.write({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": request}})
        self.assert_refused("rpc.cancelled", vault.answer, request)
        self.assertEqual(vault.call("card/list")["total"], 0)
        request = vault.send("vault/import", path=self.file)
        vault.send("session/lock")
        self.assert_refused("vault.locked", vault.answer, request)
        vault.call("session/unlock", password=PASSWORD)
        self.assertEqual(vault.call("vault/verify"), {"cards": 0, "attachments": 0, "damaged": [], "findings": [], "integrity": "intact"})
        vault.end()

    @more
    def test_a_large_file_is_held_once(self):
        """A file larger than other formats may be: the peak is twice its size, and all of it is freed afterwards."""
        data = base64.b64encode(test_vault.png_of(test_vault.LIMIT)).decode()
        with open(self.file, encoding="utf-8") as file:
            text = file.read()
        card = json.loads(text)["attachments"][0]["card"]
        own = os.path.join(self.directory, "own.json")
        with open(own, "w", encoding="utf-8") as file:
            file.write(text[:text.index('"attachments":[')] + '"attachments":[\n')
            file.write(",\n".join(json.dumps({"card": card, "name": f"{number}.png", "data": data}) for number in range(6)))
            file.write("\n]}\n")
        size = os.path.getsize(own)
        self.assertGreater(size, 64 << 20)
        vault = self.other()
        # On a busy machine the import takes longer than the time after which a vault locks.
        vault.call("settings/update", autoLockSeconds=86_400)
        report = vault.call("vault/import", path=own)
        self.assertEqual(report["attachments"], 6)
        with open(f"/proc/{vault.process.pid}/status", encoding="ascii") as status:
            rows = dict(line.split(":", 1) for line in status)
        peak, now = (int(rows[name].split()[0]) << 10 for name in ("VmHWM", "VmRSS"))
        self.assertLess(peak, 2 * size + (60 << 20))
        self.assertLess(now, 80 << 20)
        self.assertEqual(vault.call("vault/verify")["integrity"], "intact")
        vault.end()


if __name__ == "__main__":
    unittest.main()
