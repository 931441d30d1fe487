"""qv with the real programs that it uses, and where it is started from: fish, fzf, chafa, xdotool, wtype, menus, tmux, ssh, cron."""

import base64
import json
import os
import shutil
import subprocess
import unittest

import pexpect

from cases import InBothShells
from compositor import Compositor, has_keyboard
from display import Display
from pictures import png
from suite import more
from terminal import PROMPT
from world import CLIENT, DEADLINE, PASSWORD, QV, wait_for

TEXT = "Floor 12 — 第十二层"


class Real(InBothShells, unittest.TestCase):
    shell = "bash"

    def setUp(self):
        super().setUp()
        self.world.add("会议室", TEXT)
        self.world.add("Parking", "Level 2", extraFields=[{"label": "Ticket", "value": "77", "concealed": False}])


class Fish(Real):
    def fish(self, *arguments):
        shell = pexpect.spawn(
            "fish", ["--no-config", "-C", "function fish_prompt; echo 'fish> '; end", *arguments], env={**self.world.environment, "fish_greeting": ""}, encoding="utf-8",
            timeout=DEADLINE, dimensions=(24, 100), cwd=self.world.path("home"))
        shell.delaybeforesend = None
        self.addCleanup(shell.close, force=True)
        shell.expect_exact("fish> ")
        return shell

    def completed(self, *words):
        """The candidates for a command line, of which the last word is being typed."""
        script = f"source {CLIENT}/qv.fish; complete --do-complete '{' '.join(words)}'"
        done = subprocess.run(["fish", "--no-config", "-c", script], env=self.world.environment, capture_output=True,
                              timeout=DEADLINE, check=True, text=True, stdin=subprocess.DEVNULL)
        return [line.split("\t")[0] for line in done.stdout.splitlines()]

    def test_completion(self):
        self.assertIn("search", self.completed("qv", "sea"))
        self.assertIn("--field", self.completed("qv", "show", "--fi"))
        self.assertEqual(self.completed("qv", "show", "Par"), [], "the vault is locked")
        status, _, errors = self.world.qv("settings", "sharedUnlock=always", password=PASSWORD)
        self.assertEqual(status, 0, errors)
        self.assertEqual(self.completed("qv", "show", "Par"), ["Parking"])
        self.assertEqual(self.completed("qv", "show", "会"), ["会议室"])
        self.assertIn("fill", self.completed("qv", "fi"))

    def test_alt_v_inserts_the_value(self):
        self.world.environment["PATH"] = self.world.without("fzf")
        shell = self.fish("-C", f"source {CLIENT}/key-bindings.fish")
        shell.send("qv unlock\r")
        shell.expect_exact("password: ")
        shell.send(PASSWORD + "\r")
        shell.expect_exact("unlocked")
        shell.expect_exact("fish> ")
        shell.send("echo \x1bv")
        shell.expect_exact("Parking")
        shell.send("会\r")
        shell.expect_exact("'Floor 12")
        shell.send(" >~/inserted\r")
        wait_for(lambda: os.path.exists(self.world.path("home", "inserted")), "the command runs")
        wait_for(lambda: self.read("inserted") == TEXT + "\n", "the value is written")

    def read(self, name):
        with open(self.world.path("home", name), encoding="utf-8") as file:
            return file.read()


class Fzf(Real):
    def test_r7_titles_alone_pass_through_it(self):
        seen = self.world.path("home", "seen")
        self.world.install("fzf", f'#!/bin/sh\nprintf "%s\\n" "$@" >>{seen}\nexec /usr/bin/fzf "$@"\n')
        terminal = self.unlocked()
        terminal.type("qv pick >~/picked")
        terminal.child.expect_exact("Parking")
        terminal.child.send("huiyi")
        terminal.child.expect_exact("1/1")
        terminal.child.send("\r")
        terminal.child.expect_exact(PROMPT)
        self.assertEqual(self.world.read("home", "picked"), TEXT + "\n")
        terminal.type("qv pick park >~/picked")
        terminal.child.expect_exact("1/1")
        terminal.child.send("\r")
        # The preview of the card names the field before the second picker takes keys.
        terminal.child.expect_exact("2/2")
        terminal.child.send("Ticket")
        terminal.child.expect_exact("1/")
        terminal.child.send("\r")
        terminal.child.expect_exact(PROMPT)
        self.assertEqual(self.world.read("home", "picked"), "77\n")
        with open(seen, encoding="utf-8") as file:
            self.assertNotIn("77", file.read())

    def test_a_private_process_needs_none(self):
        terminal = self.terminal()
        terminal.type("qv --alone pick >~/picked")
        terminal.child.expect_exact("password: ")
        terminal.child.send(PASSWORD + "\n")
        terminal.child.expect_exact("Parking")
        terminal.child.send("huiyi\r")
        terminal.child.expect_exact(PROMPT)
        self.assertEqual(self.world.read("home", "picked"), TEXT + "\n")

    def test_escape_declines(self):
        terminal = self.unlocked()
        terminal.type("qv pick")
        terminal.child.expect_exact("Parking")
        terminal.child.send("\x1b")
        terminal.child.expect_exact(PROMPT)
        self.assertEqual(terminal.status(), 13)


class Chafa(Real):
    def test_pictures_are_drawn_on_a_terminal_alone(self):
        path = self.world.path("home", "card.png")
        with open(path, "wb") as file:
            file.write(png(64, 48))
        status, _, errors = self.world.qv("attach", "Parking", path, password=PASSWORD)
        self.assertEqual(status, 0, errors)
        terminal = self.unlocked()
        terminal.type("qv show Parking")
        terminal.child.expect("\x1b\\[[0-9;]*48;")
        terminal.child.expect_exact(PROMPT)
        self.assertNotIn("\x1b", terminal.run("qv show Parking | cat"))


class Typing(Real):
    def test_xdotool_types_into_the_focused_window(self):
        display = Display()
        self.addCleanup(display.close)
        self.world.environment["DISPLAY"] = display.name
        typed = self.world.path("home", "typed")
        window = subprocess.Popen(
            ["xterm", "-u8", "-e", "sh", "-c", f"cat >>{typed}"], env=self.world.environment, stdin=subprocess.DEVNULL)
        self.addCleanup(window.wait)
        self.addCleanup(window.terminate)
        wait_for(lambda: os.path.exists(typed), "the window is open")
        found = subprocess.run(["xdotool", "search", "--sync", "--onlyvisible", "--class", "xterm"], capture_output=True,
                               env=self.world.environment, text=True, check=True, timeout=DEADLINE).stdout.split()
        subprocess.run(["xdotool", "windowfocus", "--sync", found[0]], env=self.world.environment, check=True, timeout=DEADLINE)
        text = "first one\nsecond — 第二\n"
        self.world.add("Two lines", text)

        def is_typed():
            """Types it. A window that is too busy to look at the layout in time loses a character that is not on the keyboard, and
            nothing tells when it has."""
            os.truncate(typed, 0)
            status, _, errors = self.world.qv("type", "Two lines", password=PASSWORD)
            self.assertEqual(status, 0, errors)
            wait_for(lambda: self.world.read("home", "typed").count("\n") == 2, "two lines are typed")
            return self.world.read("home", "typed") == text

        wait_for(is_typed, "the whole text is typed")


class Menus(Real):
    """`qv pick --menu` with menus of X, as a key of the desktop starts it: without a terminal."""

    def setUp(self):
        super().setUp()
        display = Display(depth=24)
        self.addCleanup(display.close)
        self.world.environment["DISPLAY"] = display.name
        self.world.add("Parking", "Level 3")
        status, _, errors = self.world.qv("settings", "sharedUnlock=always", password=PASSWORD)
        self.assertEqual(status, 0, errors)

    def xdotool(self, *words):
        return subprocess.run(["xdotool", *words], env=self.world.environment, check=True, timeout=DEADLINE, text=True,
                              capture_output=True).stdout.split()

    def picked(self, menu, name, *steps):
        """The status and output of qv, when each step is typed into a menu of its own."""
        qv = subprocess.Popen([QV, "pick", "--menu", menu], env=self.world.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, start_new_session=True, cwd=self.world.path("home"))
        self.addCleanup(qv.stdout.close)
        self.addCleanup(qv.kill)
        running = lambda: self.world.processes(lambda words: os.path.basename(words[0]) == name)
        for keys in steps:
            self.xdotool("search", "--sync", "--onlyvisible", "--class", name)
            menus = set(running())
            for key in keys:
                self.xdotool("key", key)
            wait_for(lambda gone=menus: not gone & set(running()), f"{name} ends")
        output = qv.communicate(timeout=DEADLINE)[0]
        return qv.returncode, output.decode()

    def test_menus(self):
        for menu, name in [("dmenu", "dmenu"), ("rofi -dmenu -no-config", "rofi")]:
            with self.subTest(menu):
                # The newest of three cards; two have the same title.
                self.assertEqual(self.picked(menu, name, ["Return"]), (0, "Level 3\n"))
                self.assertEqual(self.picked(menu, name, ["P", "a", "r", "k", "Down", "Return"], ["T", "i", "c", "Return"]),
                                 (0, "77\n"))
                self.assertEqual(self.picked(menu, name, ["Escape"]), (13, ""))
                self.assertEqual(self.picked(menu, name, ["z", "z", "z", "Return"]), (3, ""))


class Wayland(Real):
    """The same under a Wayland compositor."""

    def setUp(self):
        super().setUp()
        self.compositor = Compositor(self.world.environment)
        self.addCleanup(self.compositor.close)

    def test_wtype_types_into_the_focused_window(self):
        typed, log = self.world.path("home", "typed"), self.world.path("tmp", "foot")
        with open(log, "wb") as file:
            window = subprocess.Popen(
                ["foot", "--config=/dev/null", "sh", "-c", f"cat >{typed}"], stdin=subprocess.DEVNULL, stderr=file,
                env={**self.world.environment, "WAYLAND_DEBUG": "1"})
        self.addCleanup(window.wait)
        self.addCleanup(window.terminate)
        wait_for(lambda: os.path.exists(typed) and has_keyboard(log), "the window is open and has the keyboard")
        self.world.add("Two lines", "first one\nsecond — 第二\n")
        status, _, errors = self.world.qv("type", "Two lines", password=PASSWORD)
        self.assertEqual(status, 0, errors)

        def read():
            with open(typed, encoding="utf-8") as file:
                return file.read()

        wait_for(lambda: read() == "first one\nsecond — 第二\n", lambda: "the text is typed: " + repr(read()))

    def test_fuzzel_as_a_menu(self):
        # wofi is not tried here: it takes keys before it has read its lines, and nothing tells when it has.
        status, _, errors = self.world.qv("settings", "sharedUnlock=always", password=PASSWORD)
        self.assertEqual(status, 0, errors)
        log = self.world.path("tmp", "menu")
        for keys, status, output in [(["Down", "Return"], 0, TEXT + "\n"), (["Escape"], 13, "")]:
            with self.subTest(keys), open(log, "wb") as file:
                qv = subprocess.Popen(
                    [QV, "pick", "-f", "text", "--menu", "WAYLAND_DEBUG=1 fuzzel --dmenu"], env=self.world.environment,
                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=file, start_new_session=True,
                    cwd=self.world.path("home"))
                self.addCleanup(qv.stdout.close)
                self.addCleanup(qv.kill)
                wait_for(lambda: has_keyboard(log), "the menu has the keyboard")
                self.compositor.press(*keys)
                self.assertEqual(qv.communicate(timeout=DEADLINE)[0].decode(), output)
                self.assertEqual(qv.returncode, status)


class Terminals(Real):
    def copy_inside_tmux(self, kind):
        """Copies in a tmux on a terminal of a kind. Returns that terminal and the socket of tmux."""
        socket = self.world.path("tmp", "tmux")
        environment = {**self.world.environment, "TERM": kind, "PS1": "ready> "}
        self.addCleanup(subprocess.run, ["tmux", "-S", socket, "kill-server"], capture_output=True, check=False)
        outer = pexpect.spawn("tmux", ["-u", "-f", "/dev/null", "-S", socket, "new-session", "bash", "--norc"],
                              env=environment, encoding="utf-8", timeout=DEADLINE, dimensions=(24, 240))
        outer.delaybeforesend = None
        self.addCleanup(outer.close, force=True)
        outer.expect_exact("ready>")
        outer.send("qv copy 会议室\r")
        outer.expect_exact("password:")
        outer.send(PASSWORD + "\r")
        return outer, socket

    def assert_tmux_keeps_no_copy(self, socket):
        buffers = subprocess.run(["tmux", "-S", socket, "list-buffers"], capture_output=True, check=False, text=True)
        self.assertNotIn("Floor", buffers.stdout)

    def test_r18_inside_tmux_the_outer_terminal_gets_the_text(self):
        outer, socket = self.copy_inside_tmux("xterm-256color")
        outer.expect("\x1b\\]52;[a-z]*;([A-Za-z0-9+/=]*)(\x07|\x1b)")
        self.assertEqual(base64.b64decode(outer.match[1]).decode(), TEXT)
        outer.expect_exact("copied")
        self.assert_tmux_keeps_no_copy(socket)

    def test_r18_inside_tmux_a_terminal_without_a_clipboard_is_named(self):
        outer, socket = self.copy_inside_tmux("linux")
        self.assertEqual(outer.expect_exact(["tmux knows of no clipboard there", "\x1b]52;", "copied"]), 0)
        outer.expect_exact("use --print or --clipboard-command")
        self.assert_tmux_keeps_no_copy(socket)

    def test_r18_over_ssh_the_local_terminal_gets_the_text(self):
        server = SecureShell(self)
        client = pexpect.spawn("ssh", [*server.options, "-t", "localhost", "qv copy 会议室"],
                               env={**self.world.environment, "TERM": "xterm-256color"}, encoding="utf-8", timeout=DEADLINE)
        client.delaybeforesend = None
        self.addCleanup(client.close, force=True)
        client.expect_exact("password: ")
        client.send(PASSWORD + "\n")
        client.expect("\x1b\\]52;c;([A-Za-z0-9+/=]*)\x07")
        self.assertEqual(base64.b64decode(client.match[1]).decode(), TEXT)
        client.expect_exact("which cannot clear it again")
        # Without a terminal there is nothing to copy to, and nothing is printed.
        done = subprocess.run(["ssh", *server.options, "localhost", "qv copy 会议室 --password-command \"echo '" + PASSWORD + "'\""],
                              env=self.world.environment, capture_output=True, timeout=DEADLINE, check=False,
                              stdin=subprocess.DEVNULL)
        self.assertEqual((done.returncode, done.stdout), (1, b""), done.stderr)

    def test_a_recording_by_script(self):
        for command, words in [("qv show Parking -f text", "Level 2"), ("qv list", "Parking")]:
            recorded = self.world.path("tmp", "typescript")
            program = pexpect.spawn("script", ["-q", "-e", "-c", command, recorded], env=self.world.environment,
                                    encoding="utf-8", timeout=DEADLINE)
            self.addCleanup(program.close, force=True)
            program.expect_exact("password: ")
            program.delaybeforesend = None
            program.send(PASSWORD + "\n")
            program.expect(pexpect.EOF)
            program.close()
            self.assertEqual(program.exitstatus, 0)
            with open(recorded, encoding="utf-8") as file:
                text = file.read()
            self.assertIn(words, text)
            self.assertNotIn(PASSWORD, text)


class Scripts(Real):
    def test_as_cron_starts_it(self):
        # cron(8): four variables, a shell, no terminal, and a pipe for the output.
        environment = {"HOME": self.world.path("home"), "LOGNAME": "nobody", "PATH": "/usr/bin:/bin", "SHELL": "/bin/sh"}
        job = f"{QV} --vault {self.world.vault} --alone show Parking -f ticket"
        for command, status, output in [
                (job, 5, b""), (f"{job} --password-command \"printf '%s\\n' '{PASSWORD}'\"", 0, b"77\n")]:
            done = subprocess.run(["/bin/sh", "-c", command], env=environment, start_new_session=True, capture_output=True,
                                  stdin=subprocess.DEVNULL, cwd="/", timeout=DEADLINE, check=False)
            self.assertEqual((done.returncode, done.stdout), (status, output), done.stderr)

    def test_set_euo_pipefail(self):
        script = f"""
            set -euo pipefail
            export PASSWORD_COMMAND="echo '{PASSWORD}'"
            value=$({QV} show Parking -f ticket --password-command "$PASSWORD_COMMAND")
            [[ $value == 77 ]]
            if {QV} show Nobody --password-command "$PASSWORD_COMMAND" 2>/dev/null; then exit 98; fi
            while IFS=$'\\t' read -r id title rest; do printf '%s\\n' "$title"; done < <(
              {QV} list --password-command "$PASSWORD_COMMAND") | sort
            {QV} list -0 --password-command "$PASSWORD_COMMAND" | xargs -0 -n 1 printf '<%s>' >/dev/null
            {QV} search nothing-at-all --password-command "$PASSWORD_COMMAND" | cat
            echo not reached
        """
        done = subprocess.run(["bash", "-c", script], env=self.world.environment, start_new_session=True, check=False,
                              capture_output=True, timeout=DEADLINE, stdin=subprocess.DEVNULL)
        self.assertEqual((done.returncode, done.stdout.decode()), (3, "Parking\n会议室\n"), done.stderr)


@more
class Valgrind(Real):
    def test_no_error_of_memory(self):
        status, _, errors = self.world.qv("settings", "sharedUnlock=always", password=PASSWORD)
        self.assertEqual(status, 0, errors)
        # Valgrind cannot read the debugging information of today's compilers.
        program = self.world.path("tmp", "qv")
        subprocess.run(["strip", "-o", program, QV], check=True, timeout=DEADLINE)
        card = {"title": "Made", "group": "personal", "type": "text", "fields": {"text": "one\ntwo"}}
        for words, stdin, output in [
                (["list"], "", "Parking"), (["show", "会议室"], "", TEXT), (["search", "huiyi"], "", "会议室"),
                (["show", "Parking", "--json"], "", "Ticket"), (["copy", "Parking", "-f", "ticket", "--print"], "", "77"),
                (["fill", "-"], "{{qv:Parking.ticket}}", "77"), (["new", "--from-json", "-"], json.dumps(card), ""),
                (["edit", "Made", "text=three"], "", ""),
                # It offers nothing where it would take long, as it may here.
                (["complete", "--", "show", "Par"], "", "")]:
            done = subprocess.run(
                ["valgrind", "-q", "--error-exitcode=99", program, *words], input=stdin.encode(), capture_output=True,
                env=self.world.environment, timeout=2 * DEADLINE, check=False, cwd=self.world.path("home"))
            self.assertEqual(done.returncode, 0, (words, done.stderr.decode()[-2000:]))
            self.assertIn(output, done.stdout.decode())


class SecureShell:
    """An OpenSSH server for one test, with the test's environment."""

    def __init__(self, test):
        world = test.world
        directory = world.path("tmp", "ssh")
        os.mkdir(directory, 0o700)
        for name in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", f"{directory}/{name}"], check=True)
        shutil.copy(f"{directory}/user.pub", f"{directory}/authorized")
        variables = " ".join(f'"{name}={value}"' for name, value in world.environment.items() if name not in ("TERM", "HOME"))
        with open(f"{directory}/config", "w", encoding="utf-8") as file:
            file.write(f"HostKey {directory}/host\nAuthorizedKeysFile {directory}/authorized\nStrictModes no\nUsePAM no\n"
                       f"PidFile none\nPermitRootLogin yes\nSetEnv {variables}\n")
        if os.geteuid() == 0:
            os.makedirs("/run/sshd", exist_ok=True)
        proxy = f"/usr/sbin/sshd -i -f {directory}/config"
        self.options = ["-F", "none", "-i", f"{directory}/user", "-o", f"ProxyCommand={proxy}", "-o", "UserKnownHostsFile=/dev/null",
                        "-o", "StrictHostKeyChecking=no", "-o", "LogLevel=ERROR"]
