"""Passwords that a real pinentry asks for on the client's terminal, for a process of its own and for a shared vault."""

import contextlib
import fcntl
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import termios
import time
import unittest

PROGRAM = os.environ["QUICKVAULT_PROGRAM"]
PASSWORD = "三月的雨 100% and 42 umbrellas"
TIMEOUT = 60


# Greets with a terminal of its choice, and has a pinentry ask there.
FORGER = """
import json, socket, sys
path, vault, terminal = sys.argv[1:]
connection = socket.socket(socket.AF_UNIX)
connection.connect(path)
greeting = {"quickvault": 1, "vault": vault, "locale": "C", "environment": {"tty": terminal, "TERM": "xterm"}}
request = {"jsonrpc": "2.0", "id": 1, "method": "session/unlock", "params": {"method": "pinentry"}}
connection.sendall((json.dumps(greeting) + "\\n" + json.dumps(request) + "\\n").encode())
lines = connection.makefile()
lines.readline()
while '"id":1' not in (line := lines.readline()) and line: pass
print(line)
"""

# Goes on in a terminal that has the same number as another, in a file system of its own.
DISGUISE = """
import fcntl, os, re, struct, subprocess, sys, tempfile, termios
place, number = tempfile.mkdtemp(), int(re.search("[0-9]+$", sys.argv[3])[0])
subprocess.run(["mount", "-t", "devpts", "-o", "newinstance,ptmxmode=0666", "none", place], check=True)
for _ in range(number + 1):
    main = os.open(place + "/ptmx", os.O_RDWR | os.O_NOCTTY)
    fcntl.ioctl(main, 0x40045431, struct.pack("i", 0))
child = os.fork()
if child:
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
os.setsid()
fcntl.ioctl(os.open(f"{place}/{number}", os.O_RDWR | os.O_NOCTTY), termios.TIOCSCTTY, 0)
"""


class Client:
    """A client with a terminal, whose user types what a test says."""

    def __init__(self, directory, arguments=(), terminal=True, pinentry="/usr/bin/pinentry-tty", locale="C.UTF-8",
                 variables=None):
        self.last_id, self.shown = 0, b""
        self.main, self.terminal = pty.openpty()
        self.environment = {"XDG_RUNTIME_DIR": directory + "/run", "HOME": directory, "TERM": "xterm", "LC_ALL": locale,
                            **(variables or {})}
        if terminal:
            # A terminal among the standard descriptors is that of the client. The kernel reports the controlling one.
            errors = {"stderr": self.terminal, "preexec_fn": lambda: fcntl.ioctl(2, termios.TIOCSCTTY, 0)}
        else:
            errors = {"stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(
            [PROGRAM, "--vault", directory + "/vault", *(["--pinentry", pinentry] if pinentry else []), *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, env=self.environment, start_new_session=True,
            **errors)

    def send(self, method, /, **parameters):
        self.last_id += 1
        self.write({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": parameters})

    def write(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def answer(self):
        """The result, or the data of the error."""
        while True:
            self.assert_readable(self.process.stdout)
            message = json.loads(self.process.stdout.readline())
            if message.get("id") == self.last_id and "method" not in message:
                return message["result"] if "result" in message else message["error"]["data"]

    def message(self, method):
        """The next message with a method."""
        while True:
            self.assert_readable(self.process.stdout)
            message = json.loads(self.process.stdout.readline())
            if message.get("method") == method:
                return message

    @staticmethod
    def assert_readable(file):
        if not select.select([file], [], [], TIMEOUT)[0]:
            raise AssertionError("nothing comes")

    def wait_for(self, text):
        """Waits until the terminal shows a text."""
        while text.encode() not in self.shown:
            if not select.select([self.main], [], [], TIMEOUT)[0]:
                raise AssertionError("not shown: %r in %r" % (text, self.shown))
            self.shown += os.read(self.main, 4096)
        self.shown = self.shown.split(text.encode(), 1)[1]

    def shown_so_far(self):
        """What the terminal shows by now, and no test has waited for."""
        while select.select([self.main], [], [], 0)[0]:
            self.shown += os.read(self.main, 4096)
        return self.shown

    def type(self, text):
        os.write(self.main, text.encode())

    def asked(self, description, text):
        self.wait_for(description)
        self.type(text + "\n")

    @property
    def echoes(self):
        return bool(termios.tcgetattr(self.terminal)[3] & termios.ECHO)

    def close(self):
        self.process.kill()
        self.process.wait()
        for file in (self.process.stdin, self.process.stdout):
            file.close()
        os.close(self.main)
        os.close(self.terminal)


class Pinentry(unittest.TestCase):
    def setUp(self):
        self.directory = self.enterContext(tempfile.TemporaryDirectory())
        os.mkdir(self.directory + "/run", 0o700)
        self.addCleanup(self.end_service)

    def end_service(self):
        """Kills the service, and waits for its end: until then its socket takes the next client."""
        sockets = self.directory + "/run/quickvault"
        for name in os.listdir(sockets) if os.path.isdir(sockets) else []:
            if name.endswith(".lock"):
                with open(sockets + "/" + name, encoding="ascii") as file:
                    process = file.read()
                # Whoever has the number of a service that ended before is no service of this test.
                if process and is_of(process.strip(), self.directory):
                    kill(int(process))

    def client(self, *arguments, **options):
        client = Client(self.directory, arguments, **options)
        self.addCleanup(client.close)
        return client

    def created(self, *arguments, **options):
        client = self.client(*arguments, **options)
        client.send("vault/create", method="pinentry", kdf={"algorithm": "pbkdf2-hmac-sha256", "iterations": 100000})
        client.asked("Choose a master password for the vault vault.", PASSWORD)
        client.asked("Enter the new master password again.", PASSWORD)
        self.assertEqual(client.answer()["integrity"], "intact")
        return client

    def test_u_a_vault_is_made_unlocked_changed_and_exported(self):
        for arguments in [], ["--shared"]:
            with self.subTest(arguments):
                client = self.created(*arguments)
                client.send("session/lock")
                client.answer()
                client.send("session/unlock", method="pinentry")
                client.asked("Enter the master password of the vault vault.", PASSWORD)
                self.assertEqual(client.answer()["cardCount"], 0)

                client.send("vault/changePassword", method="pinentry")
                client.asked("Enter the master password", PASSWORD)
                client.asked("Choose a master password", "new password 1")
                client.asked("again", "new password 2")
                client.wait_for("The passwords differ.")
                client.asked("Choose a master password", PASSWORD)
                client.asked("again", PASSWORD)
                self.assertIsNone(client.answer())

                client.send("vault/export", path=self.directory + "/cards.json", format="json", overwrite=True, method="pinentry")
                client.asked("Enter the master password", PASSWORD)
                self.assertEqual(client.answer()["cards"], 0)
                client.send("vault/delete", confirm="vault", method="pinentry")
                client.asked("Enter the master password", PASSWORD)
                self.assertIsNone(client.answer())

    def test_u_wrong_cancelled_and_impossible_passwords_have_kinds_of_their_own(self):
        client = self.created()
        client.send("session/unlock", method="pinentry")
        client.asked("Enter the master password", "wrong password")
        self.assertEqual(client.answer()["kind"], "auth.wrongPassword")
        client.send("session/unlock", method="pinentry")
        client.wait_for("Enter the master password")
        client.wait_for("Password:")
        client.type("\x04")
        self.assertEqual(client.answer()["kind"], "pinentry.cancelled")
        client.send("session/unlock", method="pinentry", password=PASSWORD)
        self.assertEqual(client.answer()["kind"], "rpc.invalidParameters")
        client.send("vault/status", method="pinentry")
        self.assertEqual(client.answer()["kind"], "rpc.invalidParameters")

    def test_u_a_password_that_is_not_entered_in_time_has_a_kind_of_its_own(self):
        self.created().process.kill()
        for arguments, program in [([], "pinentry-tty"), (["--shared"], "pinentry-tty"), ([], "pinentry-curses")]:
            with self.subTest(program, arguments=arguments):
                client = self.client(*arguments, pinentry="/usr/bin/" + program)
                client.send("session/unlock", method="pinentry")
                client.wait_for("Enter")
                client.wait_for("Password:")
                # What its alarm clock does after three minutes. One that comes just before it reads has no effect.
                end = time.monotonic() + TIMEOUT
                while not select.select([client.process.stdout], [], [], 0.1)[0] and time.monotonic() < end:
                    with contextlib.suppress(AssertionError, ProcessLookupError):
                        os.kill(asking(program, self.directory), signal.SIGALRM)
                self.assertEqual(client.answer()["kind"], "pinentry.timedOut")
                self.assertTrue(client.echoes)
                # No password was tried.
                client.send("vault/status")
                self.assertEqual(client.answer()["lockout"]["failedAttempts"], 0)

    def test_u_a_request_that_is_cancelled_leaves_the_terminal_as_it_was(self):
        client = self.created()
        self.assertTrue(client.echoes)
        client.send("session/unlock", method="pinentry")
        client.wait_for("Enter the master password")
        client.wait_for("Password:")
        client.write({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": client.last_id}})
        self.assertEqual(client.answer()["kind"], "pinentry.cancelled")
        self.assertTrue(client.echoes)

    def test_u_without_a_pinentry_a_terminal_or_a_display(self):
        for options, kind in [({"pinentry": "/nowhere/pinentry"}, "pinentry.notInstalled"),
                              ({"terminal": False}, "pinentry.noTerminal"), ({"pinentry": "/bin/true"}, "pinentry.failed")]:
            client = self.client(**options)
            client.send("session/unlock", method="pinentry")
            self.assertEqual(client.answer()["kind"], kind)

    def test_u_an_editor_keeps_its_terminal(self):
        # Both would read it, and parts of the password would be typed into the document.
        self.created().process.kill()
        for arguments in [], ["--shared"]:
            for variables in {}, {"DISPLAY": ":77"}:
                with self.subTest(arguments=arguments, variables=variables):
                    client = self.client(*arguments, pinentry="/usr/bin/pinentry-curses", variables=variables)
                    client.send("initialize", capabilities={"textDocument": {}})
                    client.answer()
                    client.send("workspace/executeCommand", command="quickvault.unlock")
                    self.assertEqual(client.answer()["kind"], "pinentry.noTerminal")
                    self.assertEqual(client.shown_so_far(), b"")

    def test_u_an_editor_is_answered_while_a_pinentry_asks(self):
        self.created().process.kill()
        # A program that never asks
        client = self.client(pinentry="/bin/cat", variables={"DISPLAY": ":77"})
        client.send("initialize", capabilities={"textDocument": {}, "window": {"workDoneProgress": True}})
        client.answer()
        client.send("workspace/executeCommand", command="quickvault.unlock")
        client.write({"jsonrpc": "2.0", "id": client.message("window/workDoneProgress/create")["id"], "result": None})
        await_asking("/cat", self.directory)
        client.write({"jsonrpc": "2.0", "id": "of another process", "result": None})
        client.send("vault/status")
        self.assertTrue(client.answer()["exists"])

    def test_u_curses_and_gnome3_in_a_terminal_and_in_chinese(self):
        self.created().process.kill()
        for program, locale, title in [("pinentry-curses", "C.UTF-8", "Enter the master password"),
                                       ("pinentry-gnome3", "C.UTF-8", "Enter the master password"),
                                       ("pinentry-tty", "zh_CN.UTF-8", "请输入保险库 vault 的主密码")]:
            with self.subTest(program):
                client = self.client("--shared", pinentry="/usr/bin/" + program, locale=locale)
                client.send("session/unlock", method="pinentry")
                client.wait_for(title.split(" ")[0])
                client.type(PASSWORD + ("\r" if program != "pinentry-tty" else "\n"))
                self.assertEqual(client.answer()["integrity"], "intact")
                client.send("session/lock")
                client.answer()
                self.end_service()

    def asked_to_unlock(self):
        """A client of a locked shared vault, for which a pinentry asks: what comes before "Password:" is still to be waited for."""
        client = self.created("--shared")
        client.send("session/lock")
        client.answer()
        client.send("session/unlock", method="pinentry")
        client.wait_for("Enter the master password")
        return client

    def test_u_the_unlock_of_another_client_ends_the_question(self):
        client = self.asked_to_unlock()
        client.wait_for("Password:")
        other = self.client("--shared")
        other.send("session/unlock", password=PASSWORD)
        self.assertEqual(other.answer()["integrity"], "intact")
        self.assertEqual(client.answer()["kind"], "pinentry.cancelled")
        self.assertTrue(client.echoes)

    def test_u_no_other_program_ends_a_prompt_or_shows_one_elsewhere(self):
        client = self.asked_to_unlock()
        client.wait_for("Asked for by")
        client.wait_for("(process %d" % os.getpid())
        client.wait_for("Password:")
        other = self.client("--shared")
        for parameters, kind in [({}, "rpc.invalidParameters"), ({"password": 5}, "rpc.invalidParameters"),
                                 ({"password": "x"}, "auth.wrongPassword"), ({"method": "biometric"}, None)]:
            other.send("session/unlock", **parameters)
            self.assertIn(kind, [None, other.answer()["kind"]], parameters)
        client.type(PASSWORD + "\n")
        self.assertEqual(client.answer()["integrity"], "intact")
        client.send("session/lock")
        client.answer()

        # A program without a terminal names that of another one.
        runtime = self.directory + "/run/quickvault/"
        path = next(runtime + name for name in os.listdir(runtime) if name.endswith(".sock"))
        process = subprocess.run(
            [sys.executable, "-c", FORGER, path, self.directory + "/vault", os.ttyname(client.terminal)], start_new_session=True,
            capture_output=True, text=True, timeout=TIMEOUT, check=True)
        self.assertIn("pinentry.noTerminal", process.stdout)
        self.assertEqual(client.shown_so_far().strip(), b"")
        # Nor does one in a terminal that the kernel gives the same number.
        if subprocess.run(["unshare", "-Urm", "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0:
            process = subprocess.run(
                ["unshare", "-Urm", sys.executable, "-c", DISGUISE + FORGER, path, self.directory + "/vault",
                 os.ttyname(client.terminal)], start_new_session=True, capture_output=True, text=True, timeout=TIMEOUT,
                check=True)
            self.assertIn("pinentry.noTerminal", process.stdout)
            self.assertEqual(client.shown_so_far().strip(), b"")

    def qv(self, environment, *arguments):
        """Starts qv without a terminal."""
        return subprocess.Popen(
            [os.path.dirname(PROGRAM) + "/qv", *arguments, "--vault", self.directory + "/vault"], env=environment,
            start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def test_u_qv_has_a_pinentry_ask_where_there_is_a_display_and_no_terminal(self):
        display = self.display()
        self.created("--shared").process.kill()
        for pinentry in "pinentry-gtk-2", "pinentry-qt":
            self.end_service()
            client = self.client("--shared", pinentry="/usr/bin/" + pinentry)
            client.send("vault/status")
            client.answer()
            for keys, status in [([PASSWORD], 0), (["wrong password", PASSWORD], 0), ([None], 13)]:
                with self.subTest(keys, pinentry=pinentry):
                    client.send("session/lock")
                    client.answer()
                    program = self.qv({**client.environment, "DISPLAY": display}, "unlock")
                    for text in keys:
                        self.in_window(display, text)
                    self.answer_again(program, display, keys[-1])
                    errors = program.communicate(timeout=TIMEOUT)[1]
                    self.assertEqual(program.returncode, status, errors)
        for arguments in [], ["--pinentry"]:
            program = self.qv(client.environment, "unlock", *arguments)
            errors = program.communicate(timeout=TIMEOUT)[1]
            self.assertEqual(program.returncode, 5, errors)

    def display(self):
        """Starts an X server without a screen, and returns its name.

        Whenever its last client leaves, a server would begin anew (-noreset): it forgets the keys that are mapped below, and
        closes the connection of a pinentry that has just started. A busy machine may take long from the press of a key to its
        release, which is not repeated (-r).
        """
        reading, writing = os.pipe()
        server = subprocess.Popen(
            ["Xvfb", "-noreset", "-r", "-displayfd", str(writing), "-nolisten", "tcp"], pass_fds=(writing,),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        os.close(writing)
        with os.fdopen(reading) as file:
            display = ":" + file.readline().strip()
        # Otherwise xdotool maps a key anew for each of these characters, and Qt may still see the character before.
        keys = {character for character in PASSWORD if ord(character) > 127}
        for code, character in zip(range(248, 256), sorted(keys)):
            subprocess.run(["xmodmap", "-e", f"keycode {code} = U{ord(character):04X}"],
                           env={"DISPLAY": display}, timeout=TIMEOUT, check=True)
        return display

    @staticmethod
    def in_window(display, text):
        """Types a text and Enter into a new window of a pinentry, or Escape; waits until that is closed."""
        end = time.monotonic() + TIMEOUT
        # The search fails if a window before this one closes while it looks.
        while not (windows := xdotool(display, "search", "--sync", "--onlyvisible", "--name", "QuickVault")):
            if time.monotonic() > end:
                raise AssertionError("no window")
        xdotool(display, "windowfocus", "--sync", windows[0])
        if text:
            xdotool(display, "type", text)
        xdotool(display, "key", "Return" if text else "Escape")
        end = time.monotonic() + TIMEOUT
        while windows[0] in xdotool(display, "search", "--onlyvisible", "--name", "QuickVault"):
            if time.monotonic() > end:
                raise AssertionError("the window stays")
            select.select([], [], [], 0.05)

    def answer_again(self, program, display, text):
        """Types a text into each further window until a program ends: Qt loses keys while its first window is being shown."""
        end = time.monotonic() + TIMEOUT
        while program.poll() is None and time.monotonic() < end:
            with contextlib.suppress(subprocess.TimeoutExpired):
                program.wait(0.05)
            if xdotool(display, "search", "--onlyvisible", "--name", "QuickVault"):
                self.in_window(display, text)

    @unittest.skipUnless(os.geteuid() == 0, "reading another process's memory takes root")
    def test_u_r10_the_password_does_not_stay_in_memory(self):
        client = self.created()
        client.send("vault/status")
        client.answer()
        self.assertEqual(occurrences(client.process.pid, PASSWORD.encode()), 0)

    @unittest.skipUnless(os.geteuid() == 0, "reading another process's memory takes root")
    def test_r10_a_password_in_place_of_the_pinentry_does_not_stay_in_memory(self):
        client = self.created()
        client.send("session/lock")
        client.answer()
        client.send("session/unlock", method="pinentry")
        client.wait_for("Enter the master password of the vault vault.")
        # The first request fails, and the next process is given the second one.
        client.send("session/unlock", password=PASSWORD)
        self.assertEqual(client.answer()["integrity"], "intact")
        # The part of the password that is not escaped in JSON
        self.assertEqual(occurrences(client.process.pid, b"100% and 42 umbrellas"), 0)


def xdotool(display, *arguments):
    """What xdotool prints, in words."""
    return subprocess.run(
        ["xdotool", *arguments], env={"DISPLAY": display, "LC_ALL": "C.UTF-8"}, capture_output=True, text=True,
        timeout=TIMEOUT, check=False).stdout.split()


def asking(program, home):
    """The process of a pinentry that asks for a test."""
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/environ" % process, "rb") as environment, open("/proc/%s/cmdline" % process, "rb") as line:
                if line.read().split(b"\0")[0].endswith(program.encode()) and ("HOME=" + home).encode() in environment.read().split(b"\0"):
                    return int(process)
        except OSError:
            pass
    raise AssertionError("no " + program)


def await_asking(program, home):
    """Waits until a pinentry asks for a test."""
    end = time.monotonic() + TIMEOUT
    while True:
        try:
            return asking(program, home)
        except AssertionError:
            if time.monotonic() > end:
                raise


def is_of(process, home):
    """Whether a process runs in a home directory."""
    try:
        with open("/proc/%s/environ" % process, "rb") as environment:
            return ("HOME=" + home).encode() in environment.read().split(b"\0")
    except (FileNotFoundError, ProcessLookupError):
        return False


def kill(process):
    """Kills a process that is no child, and waits for its end."""
    try:
        descriptor = os.pidfd_open(process)
    except ProcessLookupError:
        return
    with contextlib.suppress(ProcessLookupError):
        signal.pidfd_send_signal(descriptor, signal.SIGKILL)
    ended = select.select([descriptor], [], [], TIMEOUT)[0]
    os.close(descriptor)
    if not ended:
        raise AssertionError("process %d does not end" % process)


def occurrences(process, text):
    """How often a text is in a process's memory, once it waits."""
    deadline, count = time.monotonic() + TIMEOUT, 1
    while count and time.monotonic() < deadline:
        count = 0
        with open("/proc/%d/maps" % process, encoding="utf-8") as maps, open("/proc/%d/mem" % process, "rb", 0) as memory:
            for line in maps:
                start, end = (int(part, 16) for part in re.match(r"([0-9a-f]+)-([0-9a-f]+) r", line).groups()) \
                    if re.match(r"[0-9a-f]+-[0-9a-f]+ r", line) else (0, 0)
                if start == end or start >= 1 << 63:
                    continue
                try:
                    memory.seek(start)
                    count += memory.read(end - start).count(text)
                except OSError:
                    pass
    return count


if __name__ == "__main__":
    unittest.main()
