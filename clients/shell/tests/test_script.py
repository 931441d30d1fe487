"""qv as a program: exit statuses, languages and formats."""

import base64
import contextlib
import hmac
import json
import os
import pwd
import re
import shutil
import sqlite3
import subprocess
import tempfile
import time
import unittest

from world import CLIENT, DEADLINE, PASSWORD, PROGRAM, QV, World, wait_for


class Script(unittest.TestCase):
    def setUp(self):
        self.world = World()
        self.addCleanup(self.world.close)

    def test_r10_verify_says_in_words_what_is_damaged(self):
        self.world.create_vault()
        self.world.add("One", "first")
        status, output, _ = self.world.qv("verify", password=PASSWORD)
        self.assertEqual((status, output), (0, "cards 1, attachments 0: intact\n"))
        self.world.end_service()
        with contextlib.closing(sqlite3.connect(self.world.vault)) as vault:
            vault.execute("UPDATE vault SET open_settings = 'nonsense'")
            vault.execute("DELETE FROM card")
            vault.commit()
        status, output, _ = self.world.qv("verify", password=PASSWORD)
        self.assertEqual(status, 12)
        self.assertIn("records were changed, removed, added or put back", output)
        self.assertIn("settings that are not encrypted were changed; a repair writes them again", output)
        self.world.environment["LC_ALL"] = "zh_CN.UTF-8"
        self.assertIn("未加密的设置被更改", self.world.qv("verify", password=PASSWORD)[1])

    def test_what_is_not_utf_8_is_refused(self):
        self.world.create_vault()
        self.world.add("Note", "first")
        environment = dict(self.world.environment, WORD=PASSWORD)
        given = """--password-command 'printf %s "$WORD"'"""
        for command, status in [(f"printf '\\377' | qv edit Note text=- {given}", 9),
                                (f"printf '\\377\\n' | qv edit Note --conceal PIN {given}", 9),
                                (f"qv edit Note text=$(printf '\\377') {given}", 2),
                                ("printf '\\377\\n' | qv unlock --password-fd 0", 9),
                                ("""qv unlock --password-command "printf '\\377'\"""", 9)]:
            done = subprocess.run(["sh", "-c", command], stdin=subprocess.DEVNULL, capture_output=True, env=environment,
                                  timeout=DEADLINE, start_new_session=True, check=False)
            self.assertEqual(done.returncode, status, command)
            self.assertIn(b"is not UTF-8 text", done.stderr)
        self.assertEqual(self.world.qv("show", "Note", "-f", "text", password=PASSWORD)[1], "first\n")

    def test_an_unusable_directory_of_the_service_is_explained(self):
        directory = self.world.path("run", "quickvault")
        os.mkdir(directory)
        os.chmod(directory, 0o755)
        status, _, errors = self.world.qv("status")
        self.assertEqual(status, 11)
        self.assertIn(f"has the mode 755 instead of 700; run: chmod 700 '{directory}'", errors)
        os.rmdir(directory)
        os.symlink(self.world.path("tmp"), directory)
        self.assertIn(f"{directory} is a symbolic link; remove it", self.world.qv("status")[2])

    def test_usage_errors_say_what_is_wrong(self):
        self.world.create_vault()
        for words, message in [(["li"], None), (["l"], "ambiguous command: l (lock, list, log)"),
                               (["help", "de"], "ambiguous command: de ("), (["lst"], "unknown command: lst"),
                               ([""], "unknown command: \n"), (["log", "-n", "1001"], "at most 1000"),
                               (["settings", "sharedUnlok=ask"], "no setting sharedUnlok; qv settings shows")]:
            status, _, errors = self.world.qv(*words, password=PASSWORD if words[0] in ("li", "log") else None)
            self.assertEqual(status, 2 if message else 0, words)
            self.assertIn(message or "", errors)

    def test_statuses(self):
        qv = self.world.qv
        self.assertEqual(qv("list")[0], 8)
        self.world.create_vault()
        self.assertEqual(qv("init", password=PASSWORD)[0], 12)
        self.assertEqual(qv("list")[0], 5)
        self.assertEqual(qv("list", password=PASSWORD)[0], 0)
        self.assertEqual(qv("show", "nothing", password=PASSWORD)[0], 3)
        self.world.add("One", "first", tags=["t"])
        self.world.add("Another", "second", tags=["t"])
        status, _, errors = qv("show", "tag:t", "--search", password=PASSWORD)
        self.assertEqual(status, 4)
        self.assertIn("One", errors)
        self.assertIn("Another", errors)
        self.assertEqual(qv("new", "text", "--title", "x", password=PASSWORD)[0], 9)
        self.assertEqual(qv("list", "--group", "nobody", password=PASSWORD)[0], 9)
        self.assertEqual(qv("settings", "autoLockSeconds=soon", password=PASSWORD)[0], 9)
        self.assertEqual(qv("delete", "One", password=PASSWORD)[0], 2)
        self.assertEqual(qv("delete", "One", "--yes", password=PASSWORD)[0], 0)
        self.assertEqual(qv("unlock", password="not that one")[0], 6)
        for wrong in [("nonsense",), ("list", "--nonsense"), ("list", "--limit", "some"), ("list", "--tag"), ("l",),
                      ("lock", "--json"), ("new", "nothing", "--password-fd", "77"), ("list", "--limit", "0")]:
            self.assertEqual(qv(*wrong)[0], 2, wrong)

    def test_a_script_asks_whether_it_can_use_the_vault(self):
        qv = self.world.qv
        self.assertEqual(qv("status", "--quiet"), (8, "", ""))
        self.world.create_vault()
        qv("lock")
        self.assertEqual(qv("status", "-q"), (5, "", ""))
        self.assertEqual(qv("settings", "sharedUnlock=ask", password=PASSWORD)[0], 0)
        self.assertEqual(qv("status", "-q"), (5, "", ""))
        self.assertEqual(qv("settings", "sharedUnlock=always", password=PASSWORD)[0], 0)
        self.assertEqual(qv("status", "--quiet"), (0, "", ""))

    def test_passwords_are_generated_without_a_vault(self):
        qv = self.world.qv
        passwords = [qv("generate") for _ in range(2)]
        self.assertNotEqual(*passwords)
        for status, password, errors in passwords:
            self.assertEqual((status, errors), (0, ""))
            self.assertRegex(password, r"\A[!-~]{20}\n\Z")
        self.assertRegex(qv("generate", "40", "--kinds", "lowercase,digits")[1], r"\A[a-z0-9]{40}\n\Z")
        self.assertRegex(qv("generate", "8", "--no-symbols")[1], r"\A[A-Za-z0-9]{8}\n\Z")
        self.assertRegex(qv("generate", "--words", "6")[1], r"\A[a-z]+(-[a-z]+){5,}\n\Z")
        self.assertEqual(json.loads(qv("gen", "--words", "6", "--json")[1])["bits"], 77)
        for wrong, status in [(["7"], 9), (["129"], 9), (["--words", "2"], 9), (["--kinds", "emoji"], 9), (["long"], 2),
                              (["12", "--words", "4"], 2), (["--kinds", "symbols", "--no-symbols"], 9), (["9", "9"], 2)]:
            self.assertEqual(qv("generate", *wrong)[0], status, wrong)

    def test_codes(self):
        """The key is never printed but by show --reveal and --json."""
        key = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
        self.world.create_vault()
        self.world.add("Plain", "x")
        uri = f"otpauth://totp/Mail:me?secret={key}&period=86400&digits=8"
        self.assertEqual(self.world.qv("new", "-", password=PASSWORD, stdin=json.dumps(
            {"title": "Mail", "group": "personal", "type": "text", "fields": {"text": "x"},
             "extraFields": [{"label": "One-time password", "value": uri, "concealed": True}]}))[0], 0)
        day = int(time.time()) // 86400
        status, code, errors = self.world.qv("code", "Mail", password=PASSWORD)
        expected = [self.code(key, moment) for moment in (day, day + 1)]
        self.assertEqual((status, errors), (0, ""))
        self.assertIn(code.strip(), expected)
        for words in [("copy", "-f", "totp", "Mail", "--print"), ("show", "-f", "one-time password", "Mail")]:
            self.assertIn(self.world.qv(*words, password=PASSWORD)[1].strip(), expected, words)
        answer = json.loads(self.world.qv("otp", "Mail", "--json", password=PASSWORD)[1])
        self.assertEqual(sorted(answer), ["code", "secondsLeft"])
        self.assertTrue(1 <= answer["secondsLeft"] <= 86400)
        page = self.world.qv("show", "Mail", password=PASSWORD)[1]
        self.assertIn("qv code shows it", page)
        self.assertNotIn(key, page)
        self.assertEqual(self.world.qv("code", "Plain", password=PASSWORD)[0], 3)
        self.assertEqual(self.world.qv("code", "Mail", "-f", "text", password=PASSWORD)[0], 3)

    @staticmethod
    def code(key, moment):
        """Computes a code of eight digits (RFC 6238)."""
        digest = hmac.new(base64.b32decode(key), moment.to_bytes(8, "big"), "sha1").digest()
        start = digest[-1] & 15
        return f"{(int.from_bytes(digest[start:start + 4], 'big') & 0x7fffffff) % 10 ** 8:08}"

    def test_an_invoice_title_becomes_an_invoice(self):
        qv = self.world.qv
        self.world.create_vault()
        self.assertEqual(qv("new", "title", "--title", "Harbor", "--group", "company", "companyName=Harbor",
                            "taxId=91440300MA5FA6HQ2F", password=PASSWORD)[0], 0)
        self.assertIn("bankName: Bank must not be empty", qv("edit", "Harbor", "type=invoice", password=PASSWORD)[2])
        self.assertEqual(qv("edit", "Harbor", "type=address", password=PASSWORD)[0], 9)
        self.assertEqual(qv("edit", "Harbor", "type=invoice", "address=1", "phone=0755-26543210", "bankName=ICBC",
                            "bankAccount=755912", password=PASSWORD)[0], 0)
        self.assertIn("invoice", qv("list", "--type", "发票", password=PASSWORD)[1])
        self.assertEqual(qv("edit", "Harbor", "类型=发票抬头", password=PASSWORD)[0], 0)
        self.assertIn("Harbor", qv("search", "type:抬头", password=PASSWORD)[1])

    def test_r1_an_edit_is_taken_back_and_a_deleted_card_restored(self):
        qv = lambda *words: self.world.qv(*words, password=PASSWORD)  # noqa: E731
        self.world.create_vault()
        self.world.add("Room", "x")
        self.assertEqual(qv("history", "Room")[:2], (0, ""))
        self.assertEqual(qv("edit", "Room", "title=Hall", "text=y")[0], 0)
        line = qv("history", "Hall")[1]
        version = re.fullmatch(r"([0-9a-f]{8})  .*  Title, Text\n", line)[1]
        self.assertIn("Room", qv("history", "Hall", version)[1])
        self.assertEqual(json.loads(qv("history", "Hall", "--json")[1])["versions"][0]["version"], version)
        self.assertEqual(qv("history", "Hall", "00000000")[0], 3)
        self.assertEqual(qv("revert", "Hall")[0], 0)
        self.assertEqual(qv("show", "Room", "-f", "text")[1], "x\n")
        self.assertEqual(qv("undo", "Room")[0], 0)
        self.assertEqual(qv("revert", "Hall", version)[0], 0)
        self.assertEqual(qv("settings", "keepDeletedDays=30")[0], 0)
        self.assertEqual(qv("delete", "Room", "--yes")[0], 0)
        qv("lock")
        self.assertEqual(qv("show", "Room")[0], 3)
        identity = qv("trash")[1].split()[0]
        self.assertEqual(json.loads(qv("trash", "--json")[1])["items"][0]["id"], identity)
        self.assertEqual(qv("restore", "room")[0], 0)
        self.assertEqual(qv("delete", "Room", "--yes")[0], 0)
        self.assertEqual(qv("empty-trash", "Room", "--yes")[0], 2)
        self.assertEqual(qv("empty-trash", identity, "--yes")[0], 0)
        self.assertEqual(qv("empty-trash", identity, "--yes")[0], 3)
        self.assertEqual(qv("empty-trash", "--yes")[0], 0)
        self.assertEqual(qv("trash")[1], "")
        self.assertEqual(qv("settings", "keptVersions=51")[0], 9)

    def test_copies_follow_the_settings(self):
        qv = self.world.qv
        self.world.create_vault()
        qv("new", "address", "--title", "Home", "name=王芳", "phone=+86 138-0013-8000", "province=广东省", "city=深圳市",
           "district=南山区", "address=科技路88号", password=PASSWORD)
        copied = lambda *words: qv("copy", "Home", "--print", *words, password=PASSWORD)[1]
        self.assertIn("Phone: +86", copied())
        self.assertEqual(qv("settings", "addressCopyStyle=oneLine", password=PASSWORD)[0], 0)
        self.assertEqual(copied(), "王芳 13800138000 广东省深圳市南山区科技路88号")
        self.assertEqual(copied("-f", "phone"), "+86 138-0013-8000")
        self.assertEqual(qv("settings", "copiedNumbers=digitsOnly", password=PASSWORD)[0], 0)
        self.assertEqual(copied("-f", "phone"), "13800138000")
        self.assertIn("13800138000", copied("--style", "labelled"))
        self.assertEqual(qv("settings", "addressCopyStyle=template", password=PASSWORD)[0], 9)
        self.assertIn("Home", qv("search", "138001380", password=PASSWORD)[1])

    def test_a_descriptor_that_is_not_open_is_refused(self):
        """qv opens files of its own, which may get the number, and from which no password ever comes."""
        self.world.create_vault()
        for number in range(3, 14):
            status, _, errors = self.world.qv("list", "--alone", "--password-fd", str(number))
            self.assertEqual(status, 2, errors)
            self.assertIn("could not read a password from descriptor --password-fd %d" % number, errors)

    def test_one_master_password_is_enough(self):
        """Whether the vault is locked or not, and however a line ends."""
        self.world.create_vault()
        self.world.add("Note", "text")
        copy = self.world.path("data", "copy.quickvault")
        self.assertEqual(self.world.qv("backup", copy, password=PASSWORD)[0], 0)
        for line in (PASSWORD, PASSWORD + "\r"):
            for number, words in enumerate([("export", "cards.json"), ("repair",), ("merge", copy), ("verify",)]):
                for lock in (True, False):
                    with self.subTest(words, lock=lock, line=line):
                        if lock:
                            self.world.qv("lock")
                        yes = ("--yes",) if number < 2 else ()
                        status, _, errors = self.world.qv(*words, *yes, password=line)
                        self.assertEqual(status, 0, errors)
        other = "Other words and 44 hats"
        self.assertEqual(self.world.qv("password", "--vault", copy, passwords=[PASSWORD, other])[0], 0)
        for lock in (True, False):
            if lock:
                self.world.qv("lock")
            status, _, errors = self.world.qv("merge", copy, passwords=[PASSWORD, other])
            self.assertEqual(status, 0, errors)
        command = f"printf '{PASSWORD}\\r\\n'"
        self.world.qv("lock")
        self.assertEqual(self.world.qv("export", "cards.json", "--yes", "--password-command", command)[0], 0)

    def test_each_kind_of_error_has_one_status(self):
        with open(os.path.join(CLIENT, "..", "..", "protocol", "openrpc.json"), encoding="utf-8") as file:
            kinds = {error["data"]["kind"] for error in json.load(file)["components"]["errors"].values()
                     if isinstance(error.get("data"), dict)}
        listed = [line.strip() for line in self.world.qv("help", "exit-status")[1].splitlines() if line.startswith("   ")]
        self.assertEqual(len(listed), len(set(listed)))
        self.assertLessEqual(set(listed), kinds)

    def test_the_manual_has_every_option_of_every_command(self):
        with open(os.path.join(CLIENT, "..", "..", "packaging", "man", "qv.1"), encoding="utf-8") as file:
            self.assertEqual(file.read(), self.world.qv("manual-page")[1], "update it: qv manual-page >packaging/man/qv.1")
        general = self.world.qv("help")[1]
        for line in self.world.qv("complete", "--", "help", "")[1].splitlines():
            name = line.split("\t")[0]
            shown = self.world.qv("help", name)[1] + general
            options = [word.split("\t")[0].strip() for word in self.world.qv("complete", "--", name, "--")[1].splitlines()]
            self.assertGreater(len(options), 2)
            self.assertEqual([option for option in options if option not in shown], [], name)

    def test_without_a_home_directory_the_vault_is_where_the_system_has_the_user(self):
        home = pwd.getpwuid(os.getuid()).pw_dir
        for program in ([QV, "--alone", "status"], [PROGRAM, "doctor"]):
            done = subprocess.run(program, env={"PATH": "/usr/bin:/bin", "QUICKVAULT_PROGRAM": PROGRAM}, cwd=self.world.path("tmp"),
                                  capture_output=True, timeout=DEADLINE, check=False, stdin=subprocess.DEVNULL)
            self.assertIn(f"{home}/.local/share/quickvault/vault.quickvault", done.stdout.decode(), done.stderr)

    def test_lists_as_json_have_one_shape(self):
        self.world.create_vault()
        self.world.add("Note", "text", tags=["a"])
        for words in (["list"], ["search", "text"], ["tags"], ["attachments", "Note"], ["devices"], ["clients"], ["log"],
                      ["conflicts"], ["account", "providers"]):
            status, output, errors = self.world.qv(*words, "--json", password=PASSWORD)
            self.assertEqual(status, 0, errors)
            self.assertIsInstance(json.loads(output)["items"], list, words)

    def test_files_and_disks_are_not_a_damaged_vault(self):
        self.world.create_vault()
        self.world.add("Note", "text")
        self.world.end_service()
        home = self.world.path("home")
        given = ["--password-command", f"echo '{PASSWORD}'"]
        for words in (["import", "/nowhere/cards.csv", "--yes"], ["export", "/nowhere/cards.json", "--yes"],
                      ["backup", "/proc/backup"], ["attach", "Note", "nosuch.png"], ["fill", "nosuch.txt"]):
            status, _, errors = self.world.qv(*words, *given)
            self.assertEqual(status, 15, (words, errors))
            self.assertTrue(any(word in errors for word in words if "/" in word or "." in word), errors)
        for mount in (f"mount -t tmpfs -o size=4k none '{home}'",
                      f"mount --bind '{home}' '{home}' && mount -o remount,bind,ro '{home}'"):
            done = subprocess.run(
                ["unshare", "-rm", "sh", "-c", f'{mount} && exec "$@"', "sh", QV, "--alone", "init", "--vault",
                 f"{home}/work.quickvault", *given], env=self.world.environment, capture_output=True, timeout=DEADLINE,
                check=False, stdin=subprocess.DEVNULL, start_new_session=True)
            self.assertEqual(done.returncode, 15, (mount, done.stderr))

    def test_other_programs_of_the_user_cannot_read_its_memory(self):
        """The files in /proc of a process that is not dumpable belong to root."""
        directory = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, directory)
        os.chmod(directory, 0o755)
        program = shutil.copy(QV, directory)
        user = 65534 if os.geteuid() == 0 else None
        qv = subprocess.Popen([program, "fill", "-"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, user=user,
                              stderr=subprocess.DEVNULL, env={}, cwd="/")
        self.addCleanup(qv.wait)
        self.addCleanup(qv.kill)
        self.addCleanup(qv.stdin.close)
        wait_for(lambda: os.stat(f"/proc/{qv.pid}/environ").st_uid == 0, "it is not dumpable")
        self.assertIsNone(qv.poll())

    def test_settings_are_shown_as_they_are_entered(self):
        self.world.create_vault()
        given = ["autoLockSeconds=60", "clipboardClearSeconds=off", "lockOnSleep=off", "lockOnBackground=on"]
        status, output, errors = self.world.qv("settings", *given, password=PASSWORD)
        self.assertEqual(status, 0, errors)
        self.assertLessEqual(set(given), set(output.splitlines()))
        shown = json.loads(self.world.qv("settings", "--json", password=PASSWORD)[1])
        self.assertEqual([shown[name] for name in ("clipboardClearSeconds", "lockOnSleep")], [None, False])

    def test_a_title_takes_precedence_over_an_id_prefix(self):
        self.world.create_vault()
        beginning = self.world.add("By its id", "first")[:4]
        self.assertEqual(self.world.qv("show", beginning, "--search", "-f", "title", password=PASSWORD)[1], "By its id\n")
        self.world.add(beginning.upper(), "second")
        self.assertEqual(self.world.qv("show", beginning, "--search", "-f", "text", password=PASSWORD)[1], "second\n")

    def test_a_file_that_is_no_vault(self):
        with open(self.world.vault, "w", encoding="utf-8") as file:
            file.write("this is a letter, and longer than a hundred bytes " * 5)
        self.assertEqual(self.world.qv("list", password=PASSWORD)[0], 12)

    def test_exact_texts_through_json(self):
        self.world.create_vault()
        text = " tab\there \"quoted\" \\back\\ 'single' $(no) `no` &amp; \u00e9\U0001f600 第二\n\n"
        card = self.world.add("#1 {\"a\":1}", text)
        status, output, _ = self.world.qv("show", card, "--json", password=PASSWORD)
        self.assertEqual(status, 0)
        self.assertEqual(json.loads(output)["fields"][0]["value"], text)
        status, _, errors = self.world.qv("edit", card, "--title", "\\ \"$x\" & {", "text=-", password=PASSWORD,
                                          stdin=text * 2)
        self.assertEqual(status, 0, errors)
        stored = json.loads(self.world.qv("show", "\\ \"$x\" & {", "--json", password=PASSWORD)[1])
        self.assertEqual(stored["title"], "\\ \"$x\" & {")
        self.assertEqual(stored["fields"][0]["value"], text * 2)
        stored["title"] = "Again"
        edit = ("edit", card, "--from-json", "-")
        self.assertEqual(self.world.qv(*edit, password=PASSWORD, stdin=json.dumps(stored))[0], 0)
        self.assertEqual(self.world.qv(*edit, password=PASSWORD, stdin=json.dumps(stored))[0], 10,
                         "the revision in the JSON is out of date")
        self.assertEqual(self.world.qv("copy", "Again", "-p", password=PASSWORD)[1], text * 2)

    def test_many_cards(self):
        self.world.create_vault()
        requests = [json.dumps({"jsonrpc": "2.0", "id": 1, "method": "session/unlock",
                                "params": {"password": PASSWORD}})]
        requests += [json.dumps({"jsonrpc": "2.0", "id": 2, "method": "card/create", "params": {
            "title": f"Card {number}", "group": "personal", "type": "text", "fields": {"text": "x" * 50}}})
            for number in range(2100)]
        subprocess.run([self.world.program], input="\n".join(requests).encode(), env=self.world.environment, check=True,
                       stdout=subprocess.DEVNULL, timeout=300)
        status, output, _ = self.world.qv("list", "--all", password=PASSWORD)
        lines = output.splitlines()
        self.assertEqual((status, len(set(lines))), (0, 2100))
        self.assertEqual(self.world.qv("list", password=PASSWORD)[1], output, "a pipe gets everything")
        self.assertEqual(len(self.world.qv("list", "-n", "7", password=PASSWORD)[1].splitlines()), 7)
        self.assertEqual(self.world.qv("list", "-0", password=PASSWORD)[1].count("\0"), 2100)
        listed = json.loads(self.world.qv("list", "-n", "2050", "--json", password=PASSWORD)[1])
        self.assertEqual((len(listed["items"]), listed["total"]), (2050, 2100))
        # A reader that has enough ends the list, and the pages that are on their way harm nobody.
        short = f"'{QV}' list --password-command \"echo '{PASSWORD}'\" | head -n 1; exit ${{PIPESTATUS[0]}}"
        done = subprocess.run(["bash", "-c", short], env=self.world.environment, capture_output=True, check=False,
                              timeout=DEADLINE, stdin=subprocess.DEVNULL, start_new_session=True)
        self.assertEqual((done.returncode, done.stdout.decode(), done.stderr), (141, lines[0] + "\n", b""))
        last = lines[-1].split("\t")[0]
        self.assertIn(last, self.world.qv("show", last[:12], "--search", password=PASSWORD)[1])
        self.assertIn("Card 7\n", self.world.qv("show", "card 7", password=PASSWORD)[1])

    def test_a_long_value(self):
        self.world.create_vault()
        text = "长" * 100000
        card = self.world.add("Long", text)
        self.assertEqual(self.world.qv("copy", card, "-p", password=PASSWORD)[1], text)

    def test_both_languages(self):
        self.world.environment["LC_ALL"] = "zh_CN.UTF-8"
        self.assertIn("没有保险库", self.world.qv("list")[2])
        self.assertIn("退出状态", self.world.qv("help")[1])
        self.world.create_vault()
        self.world.add("家", "text")
        self.assertIn("文本 · 个人", self.world.qv("show", "家", password=PASSWORD)[1])
        self.assertIn("密码错误", self.world.qv("list", password="not that one")[2])

    def test_help_and_version(self):
        status, output, _ = self.world.qv("--version")
        self.assertEqual(status, 0)
        self.assertRegex(output, r"qv \d+\.\d+\.\d+\n.*quickvault")
        self.assertIn("Exit status", self.world.qv("--help")[1])
        self.assertIn("qv copy CARD", self.world.qv("copy", "--help")[1])
        self.assertIn("qv copy CARD", self.world.qv("help", "cp")[1])

    def test_through_a_symbolic_link_and_another_vault(self):
        other = self.world.path("data", "other.quickvault")
        done = subprocess.run(["qv", "status", "--vault", other], env=self.world.environment, capture_output=True,
                              check=True, timeout=60)
        self.assertIn("other.quickvault\n", done.stdout.decode())

    def test_written_output_that_is_lost_is_an_error(self):
        self.world.create_vault()
        self.world.add("Note", "text")
        with open("/dev/full", "wb") as full:
            done = subprocess.run([QV, "show", "Note", "--password-command", f"echo '{PASSWORD}'"], stdout=full,
                                  stderr=subprocess.PIPE, env=self.world.environment, check=False, timeout=60)
        self.assertEqual(done.returncode, 14)
        self.assertIn(b"No space left", done.stderr)
        closed = f"'{QV}' show Note --password-command \"echo '{PASSWORD}'\" >&-"
        done = subprocess.run(["sh", "-c", closed], stderr=subprocess.PIPE, env=self.world.environment, check=False,
                              timeout=60)
        self.assertEqual(done.returncode, 14)
        self.assertIn(b"cannot write the output", done.stderr)

    def test_an_empty_environment(self):
        self.world.create_vault()
        self.world.add("Note", "text")
        done = subprocess.run([QV, "show", "Note", "-f", "text", "--vault", self.world.vault, "--alone",
                               "--password-command", f"echo '{PASSWORD}'"],
                              capture_output=True, env={}, check=False, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (0, b"text\n"), done.stderr)

    def test_a_command_gives_the_password(self):
        self.world.create_vault()
        self.assertEqual(self.world.qv("list", "--password-command", f"echo '{PASSWORD}'")[0], 0)
        self.assertEqual(self.world.qv("list", "--password-command", "exit 3")[0], 5)

    def test_a_command_gives_a_new_password_once(self):
        """What it gives again would be no better."""
        counting = "echo >>runs; echo %s"
        status, _, errors = self.world.qv("init", "--password-command", counting % "short")
        self.assertEqual(status, 9, errors)
        status, _, errors = self.world.qv("init", "--password-command", counting % "password")
        self.assertEqual(status, 0, errors)
        self.assertEqual(self.world.read("home", "runs"), "\n\n")

    def test_a_new_password_has_a_descriptor_of_its_own(self):
        self.world.create_vault()
        for command in ("password", "rekey"):
            status, _, errors = self.world.qv(command, "--password-command", f"echo '{PASSWORD}'")
            self.assertEqual(status, 5, errors)
            self.assertIn("use --new-password-fd", errors)

    def test_no_password_is_no_wrong_password(self):
        """A keyring that is locked may print nothing, or an empty line, and succeed."""
        self.world.create_vault()
        self.world.qv("lock")
        for command in ("true", "echo", "printf '\\nsecond line\\n'"):
            status, _, errors = self.world.qv("list", "--password-command", command)
            self.assertEqual((status, "printed no password" in errors), (5, True), errors)
        status, _, errors = self.world.qv("list", password="\n")
        self.assertEqual((status, "is empty" in errors), (2, True), errors)
        self.assertEqual(json.loads(self.world.qv("status", "--json")[1])["lockout"]["failedAttempts"], 0)

    def test_lines_that_end_as_on_windows(self):
        self.world.create_vault()
        self.world.add("Note", "first\r\nsecond", tags=["t"])
        self.assertIn("Text  first\n      second\n", self.world.qv("show", "Note", password=PASSWORD)[1])

    def test_a_vault_that_cannot_be_opened(self):
        self.world.create_vault()
        self.world.end_service()
        with open(self.world.vault, "r+b") as vault:
            vault.write(bytes(100))
        for command in ("list", "status", "verify"):
            status, _, errors = self.world.qv(command)
            self.assertEqual(status, 12)
            self.assertIn("qv repair", errors)
        self.assertIn("qv repair", self.world.qv("doctor")[1])
        self.assertEqual(self.world.qv("repair", "--yes", password=PASSWORD)[0], 0)
        self.world.qv("lock")
        self.world.end_service()
        with contextlib.closing(sqlite3.connect(self.world.vault)) as vault:
            [page], size = vault.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'slot'").fetchone(), 4096
        with open(self.world.vault, "r+b") as file:
            file.seek((page - 1) * size)
            file.write(bytes(size))
        for command in ("list", "status", "verify"):
            status, _, errors = self.world.qv(command)
            self.assertEqual((status, "read the others" in errors), (12, False), errors)
            self.assertIn("restore a backup", errors)
        self.assertIn("restore a backup", self.world.qv("repair", "--yes", passwords=[PASSWORD] * 2)[2])

    def test_standard_streams_for_export_new_and_edit(self):
        self.world.create_vault()
        card = self.world.add("Note", "text")
        exported = self.world.qv("export", "-", password=PASSWORD)
        self.assertEqual(exported[0], 0, exported[2])
        self.assertIn("Note", exported[1])
        self.assertEqual(self.world.qv("edit", card, "-", password=PASSWORD, stdin='{"title": "New name"}')[0], 0)
        self.assertEqual(self.world.qv("show", card, "-f", "TITLE", password=PASSWORD)[1], "New name\n")

    def test_a_concealed_field_stays_concealed(self):
        self.world.create_vault()
        card = self.world.add("Door", "text", extraFields=[{"label": "Code", "value": "4711", "concealed": True}])
        self.assertEqual(self.world.qv("edit", card, "--extra", "code=4712", password=PASSWORD)[0], 0)
        stored = json.loads(self.world.qv("show", card, "--json", password=PASSWORD)[1])
        self.assertEqual(stored["extraFields"], [{"label": "Code", "value": "4712", "concealed": True}])
        self.assertEqual(self.world.qv("edit", card, "ＣＯＤＥ=4713", password=PASSWORD)[0], 0)
        stored = json.loads(self.world.qv("show", card, "--json", password=PASSWORD)[1])
        self.assertEqual(stored["extraFields"], [{"label": "Code", "value": "4713", "concealed": True}])

    def test_groups_by_the_words_of_the_person(self):
        self.world.create_vault()
        self.world.add("Mine", "text")
        self.assertIn("Mine", self.world.qv("list", "--group", "个人", password=PASSWORD)[1])
        self.assertEqual(self.world.qv("list", "--group", "公司", password=PASSWORD)[1], "")
