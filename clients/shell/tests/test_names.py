"""What a person names is what is acted on (N): ids and whole titles, and guesses only where a person looks."""

import json
import unittest

from cases import both
from world import PASSWORD, World

INVOICE = {"title": "公司发票", "group": "company", "type": "invoice",
           "fields": {"companyName": "Harbor", "taxId": "91440300MA5FA6HQ20", "address": "1 Road", "phone": "0755-26543210",
                      "bankName": "ICBC", "bankAccount": "755912"},
           "extraFields": [{"label": "Desk  № 1", "value": "42", "concealed": True}]}
# Every command that names a card, with what it needs beside the name. The first ones change the card.
CHANGING = ["delete -y {}", "edit {} text=x", "edit {} --title x", "pin {}", "unpin {}", "attach {} /dev/null",
            "watermark {} --remove", "detach -y {}", "conflicts {} --keep copy -y"]
READING = ["show {}", "show {} -f text", "show {} --json", "copy {} --print", "copy {} -f text -p", "type {}", "attachments {}",
           "open {}", "save {} -y"]


class NamesOffTerminals(unittest.TestCase):
    def setUp(self):
        self.world = World()
        self.addCleanup(self.world.close)
        self.world.create_vault()
        self.door = self.world.add("Boiler door", "giraffe88", tags=["kiwi99"])
        self.world.install("xdg-open", "#!/bin/sh\n")
        self.world.install("wtype", "#!/bin/sh\n")

    def qv(self, command, *words):
        return self.world.qv(*[word for part in command.split() for word in (words if part == "{}" else [part])],
                             password=PASSWORD)

    def test_n_delete_twice_deletes_one_card(self):
        self.world.add("Boiler", "old")
        self.assertEqual(self.qv("delete -y {}", "Boiler")[0], 0)
        status, output, errors = self.qv("delete -y {}", "Boiler")
        self.assertEqual((status, output, errors), (3, "", "qv: no card has the title or id Boiler\n"))
        self.assertEqual(self.qv("show {} -f text", self.door)[:2], (0, "giraffe88\n"))

    def test_n_a_part_of_a_name_or_a_word_of_the_text_names_nothing(self):
        before = self.qv("show {} --json", self.door)[1]
        for command in CHANGING + READING:
            for name in ("Boiler", "oiler do", "giraffe88", "kiwi99", "bo", self.door[:8], self.door[:35], "tag:kiwi99", "\"\""):
                status, output, errors = self.qv(command, name)
                self.assertEqual((status, output), (3, ""), (command, name, errors))
        self.assertEqual(self.qv("show {} --json", self.door)[1], before)

    def test_n_ids_and_whole_titles_in_any_case_width_and_form(self):
        self.world.add("Café", "decomposed")
        for name in (self.door, self.door.upper(), "boiler DOOR", "ｂｏｉｌｅｒ　ｄｏｏｒ", "  Boiler door "):
            self.assertEqual(self.qv("show {} -f text", name)[:2], (0, "giraffe88\n"), name)
        self.assertEqual(self.qv("show {} -f text", "boiler", "door")[0], 0)
        self.assertEqual(self.qv("copy {} -f text -p", "CAFE\u0301")[:2], (0, "decomposed"))
        self.assertEqual(self.qv("pin {}", "BOILER DOOR")[0], 0)

    def test_n_search_is_for_those_who_want_a_guess(self):
        for name in ("Boiler", "giraffe88", self.door[:8]):
            for command in ("show {} -f text --search", "copy {} -f text --print --search"):
                status, output, errors = self.qv(command, name)
                self.assertEqual((status, output.strip()), (0, "giraffe88"), errors)
        self.assertEqual(self.qv("show {} --search", "zebra")[0], 3)
        self.assertIn("--search", self.qv("show {}", "Boiler")[2])
        for command in CHANGING:
            self.assertEqual(self.qv(command + " --search", "Boiler")[0], 2, command)

    def test_n_a_title_of_several_cards_is_ambiguous_with_their_ids(self):
        ids = [self.door, self.world.add("BOILER door", "second")]
        for command in CHANGING + READING:
            status, output, errors = self.qv(command, "Boiler door")
            if command.startswith("conflicts"):
                continue
            self.assertEqual((status, output), (4, ""), (command, errors))
            for card in ids:
                self.assertIn(card, errors, command)
        errors = json.loads(self.qv("show {} --json", "Boiler door")[2])
        self.assertEqual((errors["kind"], errors["total"]), ("card.ambiguous", 2))
        self.assertEqual({card["id"] for card in errors["cards"]}, set(ids))

    def test_n_r18_fields_go_by_key_or_label_in_either_language(self):
        self.world.qv("new", "--from-json", "-", password=PASSWORD, stdin=json.dumps(INVOICE))
        for language in ("C.UTF-8", "zh_CN.UTF-8"):
            self.world.environment["LC_ALL"] = language
            for field, value in [("税号", "91440300MA5FA6HQ20"), ("Tax ID", "91440300MA5FA6HQ20"), ("ｔａｘｉｄ", "91440300MA5FA6HQ20"),
                                 ("desk  № 1", "42"), ("开户行", "ICBC"), ("标题", "公司发票")]:
                for command in ("show 公司发票 -f {}", "copy 公司发票 -p -f {}"):
                    status, output, errors = self.qv(command, field)
                    self.assertEqual((status, output.strip()), (0, value), (command, field, errors))
                if field != "标题":
                    self.assertEqual(
                        self.world.qv("fill", "-", "--concealed", password=PASSWORD, stdin="{{qv:公司发票.%s}}" % field)[:2],
                        (0, value), field)
            self.assertEqual(self.qv("copy 公司发票 -p -f {}", "fax")[:2], (3, ""))
            for query in ("税号:9144", "\"Tax ID\":9144", "Bank:icbc", "开户行：icbc"):
                self.assertIn("公司发票", self.qv("search {}", query)[1], query)
            self.assertEqual(self.qv("edit 公司发票 {}", "Bank account=1", "地址=2 Road")[0], 0)
            self.assertEqual(self.qv("show 公司发票 -f {}", "address")[1], "2 Road\n")


@both
class NamesOnTerminals:
    def test_n_a_guess_that_would_change_a_card_asks_with_its_title(self):
        card = self.world.add("Boiler door", "giraffe88")
        terminal = self.unlocked()
        for command in ("qv pin boiler", "qv edit giraffe88 text=x", f"qv edit {card[:8]} --title x", "qv attach boil /dev/null",
                        "qv detach boiler"):
            terminal.run(command, ("Do you mean “Boiler door”? [y/N]", "n"))
            self.assertEqual(terminal.status(), 13, command)
        terminal.run("qv delete boiler", ("Delete “Boiler door”? [y/N]", "n"))
        self.assertIn("no card has the title or id boiler", terminal.run("qv delete -y boiler"))
        self.assertEqual(terminal.status(), 3)
        self.assertIn("revision 1", terminal.run("qv show boiler"))
        terminal.run("qv pin boiler", ("[y/N]", "y"))
        self.assertIn("* pinned", terminal.run("qv show boiler door"))

    def test_n_a_guess_is_shown_to_a_person_and_not_to_a_pipe(self):
        self.world.add("Boiler door", "giraffe88")
        terminal = self.unlocked()
        self.assertIn("qv: this is “Boiler door”", terminal.run("qv show boiler -f text"))
        self.assertIn("giraffe88", terminal.run("qv show boiler"))
        self.assertIn("no card has the title", terminal.run("qv show boiler -f text | cat"))
        self.assertNotIn("giraffe88", terminal.run("echo \"$(qv show boiler -f text)\""))
        self.assertIn("copied Boiler door · text", terminal.run("qv copy boiler -f text --clipboard-command 'cat >copied'"))
        self.assertNotIn("this is", terminal.run("qv show 'boiler door' -f text"))
