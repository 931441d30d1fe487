"""Cards from prompts and arguments: create, search, show, edit, pin, delete (R1, R7, R8, R21)."""

import json
import re

from cases import both
from world import PASSWORD

ADDRESS = [("Title: ", "Home"), ("company): ", ""), ("Name: ", "王芳"), ("Phone: ", "12"), ("Province: ", "广东省"),
           ("City: ", "深圳市"), ("District: ", "南山区"), ("Address: ", "科技路88号\\"), ("> ", "3栋"),
           ("optional): ", ""), ("optional): ", "ring twice"), ("commas): ", "home，税务"), ("none): ", "*Door code"),
           ("(hidden): ", "4711#"), ("none): ", "")]
KILL_LINE = "\x15"


@both
class Cards:
    def test_r1_r21_create_with_a_corrected_error(self):
        terminal = self.unlocked()
        shown = terminal.run("qv new address", *ADDRESS, ("Phone: ", KILL_LINE + "138 0013 8000"))
        self.assertIn("! Phone must be", shown)
        self.assertNotIn("4711#", shown)
        self.assertEqual(terminal.status(), 0)
        page = terminal.run("qv show home")
        self.assertIn("138 0013 8000", page)
        self.assertIn("科技路88号\n           3栋", page)
        self.assertIn("#home · #税务", page)
        self.assertNotIn("4711#", page)
        self.assertIn("4711#", terminal.run("qv show home --reveal"))
        self.assertIn("4711#", terminal.run("qv show home -f 'Door code'"))

    def test_r21_edit_with_a_corrected_error(self):
        terminal = self.unlocked()
        terminal.run("qv new invoice --title Office --group company companyName=Harbor taxId=91440300MA5FA6HQ2E "
                     "address=1 phone=0755-26543210 bankName=ICBC bankAccount=755912 --extra Desk=42")
        self.assertEqual(terminal.status(), 0)
        keep = [("Title: ", ""), ("company): ", ""), ("Company name: ", "")]
        rest = [("Address: ", ""), ("Phone: ", ""), ("Bank: ", ""), ("account: ", ""), ("optional): ", ""),
                ("commas): ", "a,b"), ("Desk: ", KILL_LINE), ("none): ", "")]
        shown = terminal.run("qv edit Office", *keep, ("Tax ID: ", KILL_LINE + "914"), *rest,
                             ("Tax ID: ", KILL_LINE + "91440300MA5FA6HQ20"))
        self.assertIn("! Tax ID", shown)
        card = json.loads(self.world.qv("show", "Office", "--json", password=PASSWORD)[1])
        self.assertEqual([field["value"] for field in card["fields"] if field["key"] == "taxId"],
                         ["91440300MA5FA6HQ20"])
        self.assertEqual((card["tags"], card["extraFields"], card["revision"]), (["a", "b"], [], 2))

    def test_an_unknown_type_is_asked_for_again(self):
        terminal = self.unlocked()
        shown = terminal.run("qv new", ("text): ", "note"), ("text): ", "te"), ("Title: ", "Note"),
                             ("company): ", "personal公司"), ("company): ", "公司"), ("new line):", "one"), ("one", None), ("commas): ", ""), ("none): ", ""))
        self.assertEqual(terminal.status(), 0, shown)
        self.assertIn("Type must be one of: address, invoice, invoice title, text", shown)
        self.assertIn("Group must be one of: personal, company", shown)
        self.assertIn("company", terminal.run("qv list"))

    def test_r21_all_problems_are_shown_at_once_and_a_no_leaves_a_draft(self):
        terminal = self.unlocked()
        shown = terminal.run("qv new address", ("Title: ", ""), *ADDRESS[1:3], ("Phone: ", "12"), *ADDRESS[4:],
                             ("Title: ", None))
        self.assertRegex(shown, r"(?s)! Title.*! Phone.*Title: ")
        self.assertEqual(terminal.status(), 13)
        self.assertIn("qv new offers", shown)
        shown = terminal.run("qv new address", ("draft “”", ""), ("Title: ", "Home"), ("company): ", ""), ("Name: ", ""),
                             ("Phone: ", KILL_LINE + "13800138000"), ("Province: ", ""), ("City: ", ""), ("District: ", ""),
                             ("remove it:", None), ("optional): ", ""), ("optional): ", ""), ("commas): ", ""),
                             ("Door code (hidden", ""), ("none): ", ""))
        self.assertEqual(terminal.status(), 0, shown)
        page = terminal.run("qv show home --reveal")
        for text in ("王芳", "13800138000", "4711#", "ring twice", "#税务"):
            self.assertIn(text, page)
        self.assertNotIn("draft", terminal.run("qv new address", ("Title: ", "\x03")))

    def test_an_edit_that_is_given_up_is_a_draft(self):
        self.world.add("Note", "the text")
        terminal = self.unlocked()
        shown = terminal.run("qv edit Note", ("Title: ", KILL_LINE + "Other"), ("company): ", None))
        self.assertIn("qv edit offers", shown)
        terminal.run("qv lock")
        terminal.run("qv edit Note", ("password: ", PASSWORD), ("draft “Other”", ""), ("Title: ", ""), ("company): ", ""),
                     ("remove it:", None), ("commas): ", ""), ("none): ", ""))
        self.assertEqual(terminal.status(), 0)
        self.assertIn("Other", terminal.run("qv list"))

    def test_what_is_given_twice_is_refused(self):
        card = self.world.add("Note", "text")
        for words in (["--extra", "L=1", "--extra", "ｌ=2"], ["text=a", "text=b"], ["text=a", "TEXT=b"], ["title=a", "--title", "b"],
                      ["--title", "a", "--title", "b"], ["--group", "company", "--group", "personal"], ["tags=a", "--tag", "b"],
                      ["--extra", "L=1", "--conceal", "L"]):
            status, _, errors = self.world.qv("edit", card, *words, password=PASSWORD, stdin="x\n")
            self.assertEqual(status, 2, words)
            self.assertIn("given twice", errors)
        self.assertEqual(self.world.qv("edit", card, "--group", "nobody", password=PASSWORD)[0], 9)
        self.assertEqual(self.world.qv("edit", card, "--tag", "a,b", "--tag", "c", password=PASSWORD)[0], 0)
        self.assertEqual(json.loads(self.world.qv("show", card, "--json", password=PASSWORD)[1])["tags"], ["a", "b", "c"])

    def test_off_a_terminal_a_deletion_prints_the_id(self):
        card = self.world.add("Note", "text")
        self.assertEqual(self.world.qv("delete", card, "--yes", password=PASSWORD)[:2], (0, card + "\n"))

    def test_r4_lines_of_a_text_survive(self):
        terminal = self.unlocked()
        terminal.run("qv new text", ("Title: ", "Note"), ("company): ", ""), ("new line):", "one\n\n  two"), ("two", None),
                     ("commas): ", ""), ("none): ", ""))
        self.assertEqual(terminal.status(), 0)
        self.assertIn("one\n\n  two\n", terminal.run("qv copy Note --print"))

    def test_r8_a_shown_card_says_what_can_be_done_with_it(self):
        card = self.world.add("Door 家", "text")
        terminal = self.unlocked()
        shown = terminal.run("qv show door")
        self.assertIn("qv copy Door 家 copies it; qv edit and qv delete take the same name", shown)
        self.assertIn("scrollback", shown)
        self.assertNotIn("qv copy", terminal.run("qv show door 2>&1 | cat"))
        terminal.run("qv edit Door 家 title='; Door'")
        # A shell would take this title for something else.
        self.assertIn(f"qv copy {card} copies it", terminal.run("qv show door --search"))

    def test_a_pager_leaves_nothing_on_the_terminal_and_closes_at_a_lock(self):
        self.world.add("Long", "\n".join(f"line {number}" for number in range(100)))
        terminal = self.unlocked()
        terminal.type("qv show Long --pager")
        terminal.child.expect_exact("\x1b[?1049h")
        terminal.child.expect_exact("line 20")
        terminal.child.expect_exact("Space and arrows scroll")
        terminal.child.send(" ")
        terminal.child.expect_exact("line 60")
        terminal.child.send("q")
        terminal.child.expect_exact("\x1b[?1049l")
        self.assertNotIn("line", terminal.answer())
        self.assertEqual(terminal.status(), 0)
        terminal.type("qv show Long -f text --pager")
        terminal.child.expect_exact("line 20")
        self.world.qv("lock")
        terminal.child.expect_exact("\x1b[?1049l")
        self.assertIn("the vault was locked", terminal.answer())
        self.assertEqual(terminal.status(), 5)

    def test_r7_r16_list_and_search(self):
        first = self.world.add("会议室", "Floor 12, left of the lift", tags=["office"])
        self.world.add("Parking", "Level 2", pinned=True)
        terminal = self.unlocked()
        listed = terminal.run("qv list")
        self.assertIn(f"  {first[:8]}  会议室", listed)
        self.assertLess(listed.index("* "), listed.index("会议室"))
        rows = [line for line in listed.splitlines() if "personal" in line]
        columns = [wide(line[:line.index("personal")]) for line in rows]
        self.assertEqual(len(set(columns)), 1, "columns are aligned with wide characters")
        self.assertIn("Text: Floor 12, left of the lift", terminal.run("qv search LIFT"))
        self.assertNotIn("Parking", terminal.run("qv list --tag office"))
        self.assertIn("no matches", terminal.run("qv search nowhere"))
        self.assertEqual(terminal.status(), 3)
        self.assertIn("1\toffice", terminal.run("qv tags"))
        self.assertIn("1 of 2 shown", terminal.run("qv list -n 1"))

    def test_r1_pin_and_delete(self):
        card = self.world.add("Old", "gone soon")
        terminal = self.unlocked()
        terminal.run(f"qv pin {card[:6]}", ("Do you mean “Old”? [y/N]", "y"))
        self.assertIn(f"* {card[:8]}", terminal.run("qv list"))
        terminal.run("qv unpin Old")
        self.assertIn(f"  {card[:8]}", terminal.run("qv list"))
        terminal.run("qv delete Old", ("Delete “Old”? [y/N]", "yesterday"), ("Answer y or n. Delete “Old”? [y/N]", "n"))
        self.assertEqual(terminal.status(), 13)
        deleted = terminal.run("qv rm Old", ("[y/N]", "y"))
        self.assertEqual(terminal.status(), 0)
        self.assertIn("no card matches", terminal.run("qv show Old"))
        self.assertEqual(terminal.status(), 3)
        restore = re.search("qv restore [0-9a-f-]{36}", deleted)[0]
        self.assertIn("no such card", terminal.run("qv restore Young"))
        self.assertEqual(terminal.status(), 3)
        for again in (restore, restore[:len("qv restore 01234567")], "qv restore ｏLD"):
            terminal.run(again)
            self.assertEqual(terminal.status(), 0)
            terminal.run("qv rm Old --yes")
        terminal.run("qv restore Old")
        self.assertIn("gone soon", terminal.run("qv show Old"))
        terminal.run("qv rm Old --yes")
        terminal.run("qv lock")
        self.assertIn("There is no such card", terminal.run(restore, ("password: ", PASSWORD)))
        self.assertEqual(terminal.status(), 3)

    def edit_title(self, terminal, title, new, command, *exchange):
        """Types another title for a card while another program runs a command, and answers what qv asks then."""
        terminal.type(f"qv edit {title}")
        terminal.child.expect_exact("Title: ")
        self.assertEqual(self.world.qv(*command, password=PASSWORD)[0], 0)
        terminal.child.send(KILL_LINE + new + "\n")
        return terminal.answer(("company): ", ""), ("remove it:", None), ("commas): ", ""), ("none): ", ""), *exchange)

    def test_a_conflict_shows_the_card_and_asks(self):
        card = self.world.add("Shared", "mine")
        terminal = self.unlocked()
        shown = self.edit_title(terminal, "Shared", "Ours", ("edit", card, "text=theirs"), ("[y/N]", "y"))
        self.assertRegex(shown, r"(?s)another program has changed the card.*theirs.*\[y/N\]")
        page = terminal.run("qv show Ours")
        self.assertIn("theirs", page)

    def test_what_was_typed_in_a_conflict_can_become_a_new_card(self):
        card = self.world.add("Shared", "mine")
        terminal = self.unlocked()
        self.edit_title(terminal, "Shared", "Ours", ("edit", card, "text=theirs"),
                        ("Overwrite it with your changes? [y/N]", "n"), ("Keep your version as a new card? [Y/n]", ""))
        self.assertEqual(terminal.status(), 0)
        self.assertIn("mine", terminal.run("qv show Ours"))
        self.assertIn("theirs", terminal.run("qv show Shared"))

    def test_what_was_typed_for_a_card_that_is_deleted_can_become_a_new_card(self):
        card = self.world.add("Shared", "mine")
        terminal = self.unlocked()
        shown = self.edit_title(terminal, "Shared", "Ours", ("delete", card, "--yes"),
                                ("Keep your version as a new card? [Y/n]", ""))
        self.assertIn("another program has deleted the card", shown)
        self.assertIn("mine", terminal.run("qv show Ours"))
        self.edit_title(terminal, "Ours", "Mine", ("delete", "Ours", "--yes"), ("Keep your version as a new card? [Y/n]", "n"))
        self.assertEqual(terminal.status(), 10)
        self.assertIn("no card matches", terminal.run("qv show Mine"))


def wide(text):
    """The width of a text whose wide characters are Chinese."""
    return sum(2 if ord(character) > 0x2E80 else 1 for character in text)
