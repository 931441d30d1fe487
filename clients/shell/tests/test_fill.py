"""Placeholders of a file are filled in, all or none."""

import json

from cases import both
from world import PASSWORD

LETTER = "To {{qv:Home. Ann}}\r\n税号：{{qv: 公司发票 . 税号 }}, {{qv:公司发票.TAXID}}\n\nPIN {{qv:公司发票.pin}}"
PIN = {"label": "PIN", "value": "493817", "concealed": True}


@both
class Fill:
    def setUp(self):
        super().setUp()
        self.world.add("Home. Ann", "1 Road\nTown", extraFields=[PIN])
        invoice = {
            "title": "公司发票", "group": "company", "type": "invoice", "extraFields": [PIN],
            "fields": {"companyName": "Harbor", "taxId": "91440300MA5FA6HQ20", "address": "1 Road", "phone": "0755-26543210",
                       "bankName": "ICBC", "bankAccount": "755912"}}
        self.world.qv("new", "--from-json", "-", password=PASSWORD, stdin=json.dumps(invoice))

    def fill(self, text, *options):
        return self.world.qv("fill", "-", *options, password=PASSWORD, stdin=text)

    def test_a_everything_is_filled_in(self):
        status, output, errors = self.fill(LETTER, "--concealed")
        self.assertEqual(status, 0, errors)
        self.assertEqual(
            output, "To 1 Road\nTown\nPIN: 493817\r\n税号：91440300MA5FA6HQ20, 91440300MA5FA6HQ20\n\nPIN 493817")

    def test_a_a_concealed_field_is_asked_for(self):
        status, output, errors = self.fill(LETTER)
        self.assertEqual((status, output), (2, ""))
        self.assertIn("qv: -:4: 公司发票.pin is concealed; --concealed", errors)
        with open(self.world.path("home", "letter"), "w", encoding="utf-8", newline="") as file:
            file.write("{{qv:公司发票.PIN}} {{qv:公司发票.PIN}}\n")
        terminal = self.unlocked()
        terminal.run("qv fill letter >filled", ("Fill it in? [y/N]", "n"))
        self.assertEqual(terminal.status(), 13)
        self.assertEqual(terminal.run("cat filled"), "")
        terminal.run("qv fill letter >filled", ("Fill it in? [y/N]", "y"))
        self.assertIn("493817 493817", terminal.run("cat filled"))

    def test_a_every_mistake_is_named_and_nothing_is_printed(self):
        self.world.add("Twice", "one")
        self.world.add("Twice", "two")
        status, output, errors = self.fill(
            "{{qv:公司发票.taxId}}\n{{qv:Nobody}}\n{{qv:Twice}}\n{{qv:公司发票.fax}} {{qv:}}\n{{qv:公司发票")
        self.assertEqual((status, output), (3, ""))
        for line in ["-:2: no card", "-:3: several cards", "-:4: 公司发票 has no field fax", "-:5: a placeholder"]:
            self.assertIn(line, errors)

    def test_a_a_file_that_cannot_be_read(self):
        self.assertEqual(self.world.qv("fill", "nothing", password=PASSWORD)[0], 15)
        self.assertEqual(self.world.qv("fill")[0], 2)
        with open(self.world.path("home", "letter"), "wb") as file:
            file.write(b"\xff{{qv:Home. Ann}}")
        self.assertEqual(self.world.qv("fill", "letter", password=PASSWORD)[0], 9)
        self.assertEqual(self.fill("no { {{placeholders}} here\n")[1], "no { {{placeholders}} here\n")
