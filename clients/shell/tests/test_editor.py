"""A card in the user's editor, and the picker."""

import json
import os
import subprocess

from cases import both
from world import CLIENT, DEADLINE, PASSWORD, QV, wait_for

# An editor that shows the form and the mode of its file, and then carries out the sed script that it finds next.
EDITOR = """#!/bin/sh
cat "$1"
stat -c 'mode %a' "$1"
echo "$1" >~/place
script=$(ls ~/edit-* | head -n 1)
sed -i -f "$script" "$1"
rm "$script"
"""


@both
class Editor:
    def setUp(self):
        super().setUp()
        self.world.add("Note", "one\n\n  two", extraFields=[{"label": "Door code", "value": "4711", "concealed": True}])
        self.world.environment["EDITOR"] = self.world.install("editor-of-tests", EDITOR)

    def edits(self, *scripts):
        for index, script in enumerate(scripts):
            with open(self.world.path("home", f"edit-{index}"), "w", encoding="utf-8") as file:
                file.write(script)

    def card(self, title):
        return json.loads(self.world.qv("show", title, "--json", password=PASSWORD)[1])

    def private_directories(self):
        return [name for name in os.listdir(self.world.path("run")) if name.startswith("quickvault-view")]

    def test_r21_a_card_is_edited_as_text(self):
        terminal = self.unlocked()
        self.edits("s/^Title: .*/Title: Other/\ns/^Tags:.*/Tags: a，b/\n/^.Door/a\\\nFloor: 12\n")
        shown = terminal.run("qv edit Note")
        self.assertEqual(terminal.status(), 0, shown)
        self.assertIn("mode 600", shown)
        self.assertIn("*Door code: ••••", shown)
        self.assertNotIn("4711", shown)
        card = self.card("Other")
        self.assertEqual((card["tags"], card["fields"][0]["value"]), (["a", "b"], "one\n\n  two"))
        self.assertEqual([(field["label"], field["value"], field["concealed"]) for field in card["extraFields"]],
                         [("Door code", "4711", True), ("Floor", "12", False)])
        self.assertEqual(self.private_directories(), [])
        with open(self.world.path("home", "place"), encoding="utf-8") as file:
            self.assertTrue(file.read().startswith(self.world.path("run") + "/"))
        self.edits("s/: 4711/: 4712/")
        self.assertIn("*Door code: 4711", terminal.run("qv edit Other --reveal"))
        self.assertEqual(self.card("Other")["extraFields"][0]["value"], "4712")

    def test_p_a_pasted_text_fills_in_a_card(self):
        block = "收件人：韩梅 13800138001 广东深圳南山科技路88号\n"
        status, output, _ = self.world.qv("paste", "--json", stdin=block)
        self.assertEqual((status, json.loads(output)["draft"]["fields"]["district"]), (0, "南山区"))
        status, _, error = self.world.qv("paste", "--tag", "客户", stdin=block, password=PASSWORD)
        self.assertEqual(status, 0, error)
        self.assertEqual(self.card("韩梅")["tags"], ["客户"])
        status, _, error = self.world.qv("new", "-", stdin="Ring twice.", password=PASSWORD)
        self.assertEqual(status, 0, error)
        self.assertEqual(self.card("Ring twice.")["type"], "text")
        # An incomplete one is refused where nobody can be asked, and so is an empty one.
        self.assertEqual(self.world.qv("paste", stdin="收件人：韩梅\n手机：13800138001", password=PASSWORD)[0], 9)
        self.assertEqual(self.world.qv("paste", stdin=" \n")[0], 9)

    def test_p_the_clipboard_opens_as_a_form(self):
        with open(self.world.path("home", "copied"), "w", encoding="utf-8") as file:
            file.write("收件人：韩梅 13800138001 广东深圳南山科技路88号")
        self.world.install("xclip", "#!/bin/sh\ncat ~/copied\n")
        self.world.environment["DISPLAY"] = ":9"
        terminal = self.unlocked()
        self.edits("s/^Title: .*/Title: Pasted/", "s/no such line//", "s/no such line//")
        shown = terminal.run("qv paste")
        self.assertIn("Province: 广东省", shown)
        self.assertEqual(self.card("Pasted")["fields"][0]["value"], "韩梅")
        # It may be stored as it is.
        terminal.run("qv paste", ("as it is?", "n"))
        self.assertEqual(terminal.status(), 13)
        terminal.run("qv paste", ("as it is?", ""))
        self.assertEqual(terminal.status(), 0)
        self.assertEqual(self.card("韩梅")["type"], "address")

    def test_r21_a_card_is_made_as_text(self):
        terminal = self.unlocked()
        self.edits("s/^Title:.*/Title: Made/\n$s/.*/one\\ntwo/", "d", "s/^Title:.*/Title: Draft/", "d", "d")
        terminal.run("qv new text --edit --pin --tag a,b")
        card = self.card("Made")
        self.assertEqual((card["fields"][0]["value"], card["tags"], card["pinned"]), ("one\ntwo", ["a", "b"], True))
        terminal.run("qv new text --edit")
        self.assertEqual(terminal.status(), 13)
        self.assertIn("# ! Name must not be empty.\nName: ", terminal.run("qv new address --edit"))
        self.assertIn("Title: Draft", terminal.run("qv new address --edit", ("draft “Draft”", "")))
        terminal.run("EDITOR= qv new text --edit")
        self.assertEqual(terminal.status(), 2)

    def test_r15_a_group_that_there_is_not_is_refused_and_the_text_is_kept(self):
        terminal = self.unlocked()
        for group, issue, answers in [("", "must not be empty", []), ("nobody", "must be", [("draft “Other”", "")])]:
            self.edits(f"s/^Title: .*/Title: Other/\ns/^Group: .*/Group: {group}/\n", "d")
            shown = terminal.run("qv edit Note", *answers)
            self.assertIn(f"# ! Group {issue}", shown)
            self.assertEqual(terminal.status(), 13, shown)
        self.edits("s/^Group: .*/Group: 公司/\n/^.Door/a\\\nFloor: 12\n")
        terminal.run("qv edit Note", ("draft “Other”", ""))
        card = self.card("Other")
        self.assertEqual((card["group"], card["extraFields"][1]["label"]), ("company", "Floor"))

    def test_r17_without_a_file_system_in_memory_it_asks(self):
        """A bind mount hides /dev/shm, and XDG_RUNTIME_DIR is on disk."""
        disk = self.world.path("tmp")
        self.world.environment["XDG_RUNTIME_DIR"] = disk
        without = f"unshare -rm sh -c 'mount --bind {disk} /dev/shm && exec \"$@\"' sh"
        terminal = self.terminal()
        terminal.run(f"{without} qv --alone edit Note", ("password: ", PASSWORD), ("unencrypted? [y/N] ", ""))
        self.assertEqual(terminal.status(), 13)
        self.edits("s/^Title: .*/Title: Other/")
        terminal.run(f"{without} qv --alone edit Note", ("password: ", PASSWORD), ("unencrypted? [y/N] ", "y"))
        self.assertEqual(terminal.status(), 0)
        self.assertEqual(self.card("Other")["revision"], 2)
        words = ["unshare", "-rm", "sh", "-c", f"mount --bind {disk} /dev/shm && exec \"$@\"", "sh", QV, "--alone", "export", "-",
                 "--password-command", f"echo '{PASSWORD}'"]
        done = subprocess.run(words, env=self.world.environment, capture_output=True, stdin=subprocess.DEVNULL, check=False,
                              start_new_session=True, timeout=DEADLINE)
        self.assertEqual((done.returncode, done.stdout), (15, b""), done.stderr)
        self.assertIn(b"tmpfs", done.stderr)

    def test_r21_what_is_wrong_is_shown_in_the_form(self):
        terminal = self.unlocked()
        self.edits("s/^Title:.*/Title:/", "s/^Title:.*/no label here/", "s/^no label here/Title: Third/")
        shown = terminal.run("qv edit Note")
        self.assertEqual(terminal.status(), 0, shown)
        self.assertIn("# ! ", shown)
        self.assertIn("# ! This line belongs to no field.", shown)
        self.assertEqual(self.card("Third")["revision"], 2)

    def test_labels_and_tags_survive(self):
        labels = ["URL: home", "#1 door", "时间：上午", "C:\\temp", "Lamp (concealed)"]
        fields = [{"label": label, "value": f"value {index}", "concealed": label == "时间：上午"}
                  for index, label in enumerate(labels)]
        self.world.add("Labels", "text", extraFields=fields, tags=["a,b", "c"])
        terminal = self.unlocked()
        self.edits("s/^Title: .*/Title: Other/")
        shown = terminal.run("qv edit Labels")
        self.assertEqual(terminal.status(), 0, shown)
        card = self.card("Other")
        self.assertEqual((card["extraFields"], card["tags"]), (fields, ["a,b", "c"]))

    def test_tags_with_commas_survive_prompts(self):
        self.world.add("Tags", "text", tags=["a,b", "c"])
        terminal = self.unlocked()
        terminal.run("EDITOR= qv edit Tags", ("Title: ", "\x15Other"), ("company): ", ""), ("remove it:", None),
                     ("commas): ", ""), ("none): ", ""))
        self.assertEqual(terminal.status(), 0)
        self.assertEqual(self.card("Other")["tags"], ["a,b", "c"])

    def test_a_line_that_stays_wrong_changes_nothing(self):
        terminal = self.unlocked()
        terminal.run("EDITOR='sed -i s/^Title:/Title/' qv edit Note")
        self.assertEqual(terminal.status(), 13)
        self.assertEqual(self.card("Note")["revision"], 1)

    def test_the_service_may_end_meanwhile(self):
        terminal = self.unlocked()
        servers = " ".join(map(str, self.world.servers()))
        editor = self.world.install(
            "ending-editor", f"#!/bin/sh\nsed -i 's/^Title: .*/Title: Other/' \"$1\"\nkill {servers}\n"
            f"for process in {servers}; do while kill -0 $process; do sleep 0.1; done; done 2>/dev/null\n")
        terminal.run(f"EDITOR={editor} qv edit Note", ("password: ", PASSWORD))
        self.assertEqual(terminal.status(), 0)
        self.assertEqual(self.card("Other")["revision"], 2)

    def test_what_was_typed_can_be_tried_again(self):
        terminal = self.unlocked()
        editor = self.world.install("locking-editor", "#!/bin/sh\nsed -i 's/^Title: .*/Title: Other/' \"$1\"\nqv lock\n")
        terminal.run(f"EDITOR={editor} qv edit Note", ("password: ", None), ("[Y/n]", "n"))
        self.assertEqual(terminal.status(), 13)
        terminal.run(f"EDITOR={editor} qv edit Note", ("password: ", PASSWORD), ("password: ", None), ("[Y/n]", ""),
                     ("password: ", PASSWORD))
        self.assertEqual(terminal.status(), 0)
        self.assertEqual(self.card("Other")["revision"], 2)

    def test_what_was_typed_at_prompts_can_be_tried_again(self):
        terminal = self.unlocked()
        for command, title, rest in [
                ("EDITOR= qv edit Note", "Other", [("company): ", ""), ("remove it:", None), ("commas): ", ""), ("it): ", "")]),
                ("qv new text", "Third", [("company): ", ""), ("new line):", "typed"), ("typed", None), ("commas): ", "")])]:
            terminal.type(command)
            terminal.child.expect_exact("Title: ")
            self.assertEqual(self.world.qv("lock")[0], 0)
            shown = terminal.answer(("", f"\x15{title}"), *rest, ("none): ", ""), ("password: ", None), ("[Y/n]", ""),
                                    ("password: ", PASSWORD))
            self.assertEqual(terminal.status(), 0, shown)
            self.assertEqual(self.card(title)["title"], title)

    def test_ctrl_c_is_for_what_vim_runs(self):
        terminal = self.unlocked()
        terminal.type("EDITOR=vim qv edit Note")
        terminal.child.expect_exact("Note")
        terminal.child.send(":%s/^Title: .*/Title: Other/\r:!echo begun; exec sleep 1000\r")
        terminal.child.expect_exact("begun\r\n")
        terminal.child.send("\x03")
        terminal.child.expect_exact("Press ENTER")
        terminal.child.send("\r:x\r")
        terminal.child.expect_exact("ready-for-qv> ")
        self.assertEqual(terminal.status(), 0)
        self.assertEqual(self.card("Other")["revision"], 2)

    def test_ctrl_c_that_ends_the_editor_ends_the_command(self):
        terminal = self.unlocked()
        terminal.run("EDITOR='echo begun; exec sleep 1000; :' qv edit Note", ("begun\r\n", "\x03"))
        self.assertEqual(terminal.status(), 130)
        self.assertEqual((self.card("Note")["revision"], self.private_directories()), (1, []))

    def test_lines_may_end_as_on_windows(self):
        self.world.add("Lines", "one\r\ntwo", extraFields=[{"label": "Code", "value": "a\r\nb", "concealed": True}])
        terminal = self.unlocked()
        for name, title, text in [("Note", "Other", "one\n\n  two"), ("Lines", "Third", "one\r\ntwo")]:
            self.edits(f"s/^Title: .*/Title: {title}/\ns/$/\\r/\n")
            shown = terminal.run(f"qv edit {name}")
            self.assertEqual(terminal.status(), 0, shown)
            card = self.card(title)
            self.assertEqual((card["revision"], card["fields"][0]["value"]), (2, text))
        self.assertEqual([field["value"] for field in card["extraFields"]], ["a\r\nb"])

    def test_r17_vim_leaves_nothing_by_any_name(self):
        os.symlink("/usr/bin/vim", self.world.path("bin", "editor-by-link"))
        kept = self.world.path("home", "kept")
        os.mkdir(kept)
        with open(self.world.path("home", ".vimrc"), "w", encoding="utf-8") as file:
            file.write(f"set backup undofile backupdir={kept} undodir={kept} directory={kept}\n"
                       "autocmd VimEnter * execute '%s/^Title: .*/Title: Other/' | write "
                       "| call system('ls -A ~/kept >~/seen') | quit\n")
        terminal = self.unlocked()
        terminal.run("EDITOR=editor-by-link qv edit Note")
        self.assertEqual(terminal.status(), 0)
        self.assertEqual(self.card("Other")["revision"], 2)
        with open(self.world.path("home", "seen"), encoding="utf-8") as file:
            self.assertEqual(file.read().split() + os.listdir(kept), [])

    def test_r17_emacs_leaves_nothing(self):
        os.symlink("/usr/bin/emacs", self.world.path("bin", "editor-by-link"))
        kept = self.world.path("home", "kept")
        os.mkdir(kept)
        with open(self.world.path("home", ".emacs"), "w", encoding="utf-8") as file:
            file.write("""(setq native-comp-deferred-compilation nil
                                backup-directory-alist '(("." . "~/kept"))
                                auto-save-file-name-transforms '((".*" "~/kept/" t))
                                lock-file-name-transforms '((".*" "~/kept/" t)))
                          (defun edit ()
                            (re-search-forward "^Title: .*")
                            (replace-match "Title: Other" t)
                            (do-auto-save)
                            (write-region (format "%S" (directory-files "~/kept")) nil "~/seen")
                            (save-buffer)
                            (kill-emacs))
                          (add-hook 'window-setup-hook #'edit)""")
        terminal = self.unlocked()
        terminal.run("EDITOR='editor-by-link -nw' qv edit Note")
        self.assertEqual(terminal.status(), 0)
        self.assertEqual(self.card("Other")["revision"], 2)
        self.assertEqual(self.world.read("home", "seen"), '("." "..")')
        self.assertEqual(os.listdir(kept), [])

    def test_nothing_changes_without_a_change(self):
        terminal = self.unlocked()
        for script in ("", "d"):
            self.edits(script)
            terminal.run("qv edit Note")
            self.assertEqual(terminal.status(), 13)
        terminal.run("EDITOR=false qv edit Note")
        self.assertEqual(terminal.status(), 1)
        self.assertEqual(self.card("Note")["revision"], 1)

    def test_the_text_of_an_editor_that_fails_is_asked_about(self):
        terminal = self.unlocked()
        editor = self.world.install("failing-editor", "#!/bin/sh\nsed -i 's/^Title: .*/Title: Other/' \"$1\"\nexit 3\n")
        shown = terminal.run(f"EDITOR={editor} qv edit Note", ("status 3. Save its text anyway? [y/N]", ""))
        self.assertEqual(terminal.status(), 1)
        self.assertIn("nothing was changed", shown)
        self.assertEqual(self.card("Note")["revision"], 1)
        terminal.run(f"EDITOR={editor} qv edit Note", ("[y/N]", "y"))
        self.assertEqual(terminal.status(), 0)
        self.assertEqual(self.card("Other")["revision"], 2)

    def test_the_file_is_gone_even_if_qv_is_killed(self):
        self.world.environment["EDITOR"] = "kill -9 $PPID;:"
        terminal = self.unlocked()
        terminal.run("qv edit Note")
        self.assertEqual(terminal.status(), 137)
        wait_for(lambda: not self.private_directories(), "the file is removed")


@both
class Picker:
    def setUp(self):
        super().setUp()
        self.world.environment["PATH"] = self.world.without("fzf")
        self.world.add("会议室", "Floor 12")
        self.world.add("Parking", "Level 2", extraFields=[{"label": "Ticket", "value": "77", "concealed": False}])

    def test_r7_cards_and_then_fields(self):
        terminal = self.unlocked()
        terminal.type("qv pick >~/picked")
        for wait, keys in [("Parking", "huiyi"), ("会议室", "\n")]:
            terminal.child.expect_exact(wait)
            terminal.child.send(keys)
        terminal.child.expect_exact("ready-for-qv> ")
        self.assertEqual(self.world.read("home", "picked"), "Floor 12\n")
        terminal.type("qv pick park >~/picked")
        for wait, keys in [("Parking", "\n"), ("Ticket", "\x1b[B"), ("Ticket", "\n")]:
            terminal.child.expect_exact(wait)
            terminal.child.send(keys)
        terminal.child.expect_exact("ready-for-qv> ")
        self.assertEqual(self.world.read("home", "picked"), "77\n")

    def test_several_cards_come_in_the_order_of_their_marks(self):
        for title in ("One", "Two", "Three", "Four", "Five"):
            self.world.add(title, f"text of {title}")
        terminal = self.unlocked()
        terminal.type("qv pick --multiple --field text >~/picked")
        terminal.child.expect_exact("Parking")
        # The second Tab on a card removes its mark.
        terminal.child.send("Three\t\x15One\t\x15Five\t\x15Four\t\x15Two\t\x15Five\t\n")
        terminal.child.expect_exact("ready-for-qv> ")
        self.assertEqual(self.world.read("home", "picked"),
                         "".join(f"text of {title}\n" for title in ("Three", "One", "Four", "Two")))

    def test_a_menu_of_the_user(self):
        terminal = self.unlocked()
        self.assertIn("Floor 12", terminal.run("qv pick --menu 'grep 会'"))
        self.assertEqual(terminal.run("qv pick --menu 'head -n 1' -f ticket </dev/null 2>/dev/null").strip(), "77")
        terminal.run("qv pick --menu false")
        self.assertEqual(terminal.status(), 13)

    def test_escape_declines(self):
        terminal = self.unlocked()
        terminal.type("qv pick")
        terminal.child.expect_exact("Parking")
        terminal.child.send("\x1b")
        terminal.child.expect_exact("ready-for-qv> ")
        self.assertEqual(terminal.status(), 13)

    def test_quit_restores_the_screen(self):
        terminal = self.unlocked()
        terminal.type("qv pick")
        terminal.child.expect_exact("Parking")
        terminal.child.send("\x1c")
        terminal.child.expect_exact("\x1b[?1049l")
        terminal.child.expect_exact("ready-for-qv> ")
        self.assertEqual(terminal.status(), 131)

    def test_alt_v_inserts_the_value(self):
        terminal = self.terminal(line_editor=True)
        terminal.run(f". {self.bindings()}")
        terminal.run("qv unlock", ("password: ", PASSWORD))
        terminal.child.send("echo +\x1bv")
        terminal.child.expect_exact("Parking")
        terminal.child.send("会\n")
        terminal.child.expect_exact("12")
        terminal.child.send("+\n")
        terminal.child.expect_exact("+Floor 12+")

    def bindings(self):
        return f"{CLIENT}/key-bindings.{self.shell}"
