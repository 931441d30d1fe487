"""Programs get values of the vault in their environment, and what they print is masked."""

import base64
import hashlib
import os
import signal
import subprocess
import unittest

from cases import both
from terminal import PROMPT
from world import DEADLINE, PASSWORD, QV, World, wait_for

SECRET = "PlantedSecret81"
KEY = "-----BEGIN KEY-----\nPlantedLine82\nab\n-----END KEY-----"
MASK = "••••"
TEXT = "Planted; 税号 91440300"


def planted(world):
    world.create_vault()
    world.add("Data base", TEXT, extraFields=[
        {"label": "password", "value": SECRET, "concealed": True}, {"label": "PIN", "value": "493", "concealed": True},
        {"label": "key", "value": KEY, "concealed": True}, {"label": "long", "value": "0123456789" * 9_000 + "end", "concealed": False},
        {"label": "a/b", "value": "slashed", "concealed": False}])


class Run(unittest.TestCase):
    def setUp(self):
        self.world = World()
        self.addCleanup(self.world.close)
        planted(self.world)
        # What follows the program is its own, so no option can give the password.
        self.assertEqual(self.world.qv("settings", "sharedUnlock=always", password=PASSWORD)[0], 0)

    def run_qv(self, *words, **variables):
        self.world.environment.update(variables)
        return self.world.qv("run", *words)

    def shell(self, script, *options, **variables):
        return self.run_qv("--yes", *options, "--", "sh", "-c", script, **variables)

    def file(self, content, name="env"):
        with open(self.world.path("home", name), "w", encoding="utf-8", newline="") as file:
            file.write(content)
        return name

    def test_o_values_reach_the_program_and_are_masked_in_its_output(self):
        status, output, errors = self.shell(
            'printf %s "$A" | wc -c; echo "<$A>"; echo "$B" >&2; printf %s "$C"; cat', A="qv://Data%20base/password",
            B="user:qv://data%20base/PASSWORD@host, {{qv:Data base.a/b}}", C="qv://Data%20base/a%2Fb")
        self.assertEqual((status, output, errors), (0, f"{len(SECRET)}\n<{MASK}>\n{MASK}", f"user:{MASK}@host, {MASK}\n"))
        _, output, _ = self.shell('echo "$A"', "--no-masking")
        self.assertEqual(output, SECRET + "\n")
        _, output, _ = self.shell('echo "$A $D"', D="$A")
        self.assertEqual(output, f"{MASK} $A\n")

    def test_o_pieces_are_masked_and_changed_values_are_not(self):
        pieces = "; ".join(f"printf %s {letter}" for letter in SECRET)
        encoded = base64.b64encode(SECRET.encode()).decode()
        status, output, _ = self.shell(f'{pieces}; printf " Planted "; printf %s "$A" | base64; printf PlantedSecre', A="qv://Data%20base/password")
        self.assertEqual((status, output), (0, f"{MASK} Planted {encoded}\nPlantedSecre"))

    def test_o_long_short_and_many_lines(self):
        status, output, _ = self.shell(
            'printf "%s|%s|" "$L" "$L"; echo "$P"; printf "%s|" "$K"; printf "%s\\n" "$K" | while read -r line; do printf "%s|" "$line"; done',
            L="qv://Data%20base/long", P="qv://Data%20base/pin", K="qv://Data%20base/key")
        # Fewer than four characters are in any text.
        self.assertEqual((status, output), (0, f"{MASK}|{MASK}|493\n{MASK}|{MASK}|{MASK}|ab|{MASK}|"))
        self.assertEqual(self.shell('printf %s "$K" | sha256sum')[1].split()[0], hashlib.sha256(KEY.encode()).hexdigest())

    def test_o_files_of_variables(self):
        first = self.file(
            "\ufeff# comment\r\n\r\nexport A=qv://Data%20base/password\r\n  B = ' $X # \\n ' # more\r\nC=\"a\\\"b\\n{{qv:Data base.PIN}}\"\r\n"
            "D=plain # comment\r\nE=a#b\r\nF=\r\nG=\"two\\nlines\"\r\nH=x=y\r\n")
        second = self.file("D=later\nexport\tI=1", "more")
        script = 'for name in A B C D E F G H I; do eval "printf \'%s\\0\' \\"\\$$name\\""; done'
        status, output, errors = self.shell(script, "--env-file", first, f"--env-file={second}", D="environment", B="environment")
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual(output.split("\0"), [MASK, " $X # \\n ", 'a"b\n493', "later", "a#b", "", "two\nlines", "x=y", "1", ""])
        for wrong in ["A", "1A=b", "A-B=c", "=b", "A='b", 'A="b" c', "A=\0", "export A", "Ä=1"]:
            status, output, errors = self.shell("echo started", "--env-file", self.file("X=1\n" + wrong))
            self.assertEqual((status, output), (9, ""), wrong)
            self.assertIn("env:2: ", errors)
        self.assertEqual(self.shell("true", "--env-file", "nosuch")[0], 15)

    def test_o_every_mistake_is_named_and_nothing_is_started(self):
        self.world.add("Twice", "1")
        self.world.add("Twice", "2")
        name = self.file("A={{qv:Data}}\n\nB=\"x {{qv:Twice.text}}\"\nC=qv://Data%20base\nD=qv://a/b/c qv://%zz/b\nE=qv://Data%20base/fax")
        status, output, errors = self.shell("echo started", "--env-file", name, F="{{qv:Data base.pin", H="aqv://x {qv:x}")
        self.assertEqual((status, output), (3, ""))
        for line in ["env:1: no card", "env:3: several cards", "env:4: a placeholder or qv://", "env:5: a placeholder or qv://",
                     "env:6: Data base has no field fax", "F: a placeholder or qv://"]:
            self.assertIn(line, errors)
        self.assertNotIn("H: ", errors)

    def test_o_concealed_values_need_consent(self):
        status, output, errors = self.run_qv("--", "echo", "started", A="qv://Data%20base/password")
        self.assertEqual((status, output), (2, ""))
        self.assertIn("A: Data base.password is concealed; --yes", errors)
        self.assertEqual(self.run_qv("--", "echo", "started", A="qv://Data%20base/text")[:2], (0, "started\n"))
        self.world.qv("lock")
        self.assertEqual(self.run_qv("--", "echo", "started")[:2], (5, ""))

    def test_o_one_time_codes(self):
        self.world.add("Mail", "x", extraFields=[{
            "label": "One-time password", "concealed": True,
            "value": "otpauth://totp/Mail:me?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&period=86400&digits=8"}])
        codes = [self.world.qv("code", "Mail", password=PASSWORD)[1]]
        output = self.shell('echo "$A"', "--no-masking", A="qv://Mail/totp")[1]
        codes.append(self.world.qv("code", "Mail", password=PASSWORD)[1])
        self.assertIn(output, codes)

    def test_o_the_status_is_that_of_the_program(self):
        for masking in ([], ["--no-masking"]):
            for script, expected in [("exit 0", 0), ("exit 42", 42), ("exit 130", 130), ("kill -9 $$", -9), ("kill -TERM $$", -15),
                                     ("kill -PIPE $$", -13)]:
                self.assertEqual(self.shell(script, *masking, A="qv://Data%20base/text")[0], expected, script)
            with open(self.world.path("home", "plain"), "w", encoding="utf-8") as file:
                file.write("x")
            self.install("broken", b"\x7fELF nothing")
            for program, expected in [("nosuch-program", 127), ("./nosuch", 127), ("./plain", 126), ("/", 126), ("broken", 126)]:
                status, output, errors = self.run_qv("--yes", *masking, "--", program)
                self.assertEqual((status, output), (expected, ""), program)
                self.assertIn(f"qv: {program}: ", errors)
        for words in ([], ["--"], ["true"], ["true", "--"], ["-x", "--", "true"]):
            self.assertEqual(self.run_qv(*words)[0], 2, words)
        self.assertEqual(self.run_qv("--", "echo", "-n", "--", "--yes")[1], "-- --yes")
        done = subprocess.run(["sh", "-c", '"$0" run --password-fd 0 --yes -- sh -c "kill -9 \\$\\$"; echo $?', QV], env=self.world.environment,
                              input=PASSWORD.encode() + b"\n", capture_output=True, timeout=DEADLINE, check=False, start_new_session=True)
        self.assertEqual(done.stdout, b"137\n")

    def install(self, name, content):
        path = self.world.path("bin", name)
        with open(path, "wb") as file:
            file.write(content)
        os.chmod(path, 0o700)

    def start(self, script, *options, **more):
        self.world.environment["A"] = "qv://Data%20base/password"
        process = subprocess.Popen(
            [QV, "run", "--yes", *options, "--", "sh", "-c", script], env=self.world.environment, cwd=self.world.path("home"), text=True,
            **{"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "start_new_session": True, **more})
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    @staticmethod
    def children(process):
        with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="ascii") as file:
            return [int(child) for child in file.read().split()]

    def test_o_signals_input_and_umask(self):
        for masking in ([], ["--no-masking"]):
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1):
                process = self.start(f"trap 'echo got it; exit 3' {number.name[3:]}; echo ready; while :; do sleep 0.05; done", *masking)
                self.assertEqual(process.stdout.readline(), "ready\n")
                process.send_signal(number)
                self.assertEqual(process.communicate(timeout=DEADLINE)[0], "got it\n")
                self.assertEqual(process.returncode, 3)
            process = self.start('umask; read -r line; echo "got $line"; cat', *masking, umask=0o027)
            self.assertEqual(process.communicate("one\ntwo\n", timeout=DEADLINE)[0], "0027\ngot one\ntwo\n")
        # What an ignored signal is to nohup(1).
        process = self.start("echo ready; read -r line; echo end", preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        self.assertEqual(process.stdout.readline(), "ready\n")
        os.killpg(process.pid, signal.SIGHUP)
        self.assertEqual(process.communicate("\n", timeout=DEADLINE)[0], "end\n")

    def test_o_a_reader_that_has_enough_and_errors_in_order(self):
        reading, writing = os.pipe()
        process = self.start("while :; do echo line; done", stdout=writing)
        os.close(writing)
        self.assertEqual(os.read(reading, 5), b"line\n")
        os.close(reading)
        self.assertEqual(process.wait(timeout=DEADLINE), -signal.SIGPIPE)
        process = self.start("for i in 1 2 3 4; do echo $i; echo e$i >&2; done", stderr=subprocess.STDOUT)
        self.assertEqual(process.communicate(timeout=DEADLINE)[0].split(), ["1", "e1", "2", "e2", "3", "e3", "4", "e4"])
        process = self.start("sleep 100 & echo $!")
        sleeping = int(process.stdout.readline())
        self.addCleanup(os.kill, sleeping, signal.SIGKILL)
        wait_for(lambda: not self.children(process), "the program has ended")
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=DEADLINE), 0)

    def test_o_nothing_is_in_the_environment_or_arguments_of_others(self):
        # Other tests run meanwhile.
        secret = f"Planted{os.path.basename(self.world.top)}"
        self.world.add("Own", "x", extraFields=[{"label": "password", "value": secret, "concealed": True}])
        self.world.environment["B"] = "qv://Own/password"
        process = self.start("echo ready; read -r line", stderr=subprocess.DEVNULL)
        self.assertEqual(process.stdout.readline(), "ready\n")
        self.assertEqual(os.stat(f"/proc/{process.pid}/environ").st_uid, 0)
        holders = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            for kind in ("environ", "cmdline"):
                try:
                    with open(f"/proc/{name}/{kind}", "rb") as file:
                        if secret.encode() in file.read():
                            holders.append((int(name), kind))
                except OSError:
                    pass
        children = self.children(process)
        self.assertEqual([kind for holder, kind in holders if holder in children], ["environ"])
        self.assertEqual([holder for holder, _ in holders if holder not in children], [])
        process.communicate("\n", timeout=DEADLINE)
        for directory in (self.world.top, self.world.memory, "/dev/shm"):
            found = subprocess.run(["grep", "-rslF", secret, directory], capture_output=True, check=False).stdout
            self.assertEqual(found, b"", directory)

    def test_o_a_program_gets_no_ticket_and_no_password(self):
        script = "env; ulimit -H -c; ls -l /proc/self/fd | grep -c pipe"
        for masking in ([], ["--no-masking"]):
            reading, writing = os.pipe()
            os.write(writing, f"{PASSWORD}\n".encode())
            os.close(writing)
            self.world.qv("lock")
            _, output, errors = self.world.qv("run", *masking, "--password-fd", str(reading), "--yes", "--", "sh", "-c", script,
                                              descriptors=(reading,))
            self.assertNotIn(PASSWORD, output)
            self.assertEqual(output.splitlines()[-2], "0", "it can write a core file")
            # Input, output and errors, and no descriptor of the password.
            self.assertIn(output.splitlines()[-1], ["2", "3"], errors)
        environment = dict(self.world.environment, QUICKVAULT_TICKET="0" * 64)
        done = subprocess.run([QV, "run", "--password-command", f"echo '{PASSWORD}'", "--", "env"], env=environment, capture_output=True,
                              timeout=DEADLINE, check=False, stdin=subprocess.DEVNULL, start_new_session=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn(b"TICKET", done.stdout)


@both
class OnTerminal:
    with_vault = False

    def setUp(self):
        super().setUp()
        planted(self.world)
        self.world.environment["A"] = "qv://Data%20base/password"
        self.shell_terminal = self.unlocked()

    def test_o_asked_once_and_masked_on_a_terminal_of_its_own(self):
        terminal = self.shell_terminal
        terminal.run("export B=qv://Data%20base/pin")
        terminal.run("qv run -- echo started", ("gets Data base · password, Data base · PIN", "n"))
        self.assertEqual(terminal.status(), 13)
        shown = terminal.run("qv run -- sh -c 'test -t 0 && test -t 1 && test -t 2 && stty size && echo \"<$A>\"'", ("[y/N]", "y"))
        self.assertIn(f"40 120\n<{MASK}>", shown.replace("\r", ""))
        self.assertNotIn(SECRET, shown)
        self.assertIn(f"<{MASK}>", terminal.run("qv run --yes -- sh -c 'echo \"<$A>\"' | cat"))
        self.assertIn(SECRET, terminal.run("qv run --yes --no-masking -- sh -c 'echo $A'"))
        terminal.run("qv run --yes -- sh -c 'exit 7'")
        self.assertEqual(terminal.status(), 7)
        terminal.run("qv run --yes -- sh -c 'kill -9 $$'")
        self.assertEqual(terminal.status(), 137)
        self.assertIn("no such", terminal.run("qv run --yes -- nosuch").lower())
        self.assertEqual(terminal.status(), 127)

    def test_o_a_lock_before_the_answer(self):
        self.shell_terminal.type("qv run -- sh -c 'echo started'")
        self.shell_terminal.child.expect_exact("[y/N]")
        self.assertEqual(self.world.qv("lock")[0], 0)
        self.shell_terminal.child.send("y\n")
        self.assertEqual(self.shell_terminal.child.expect_exact(["password: ", "started"]), 0)
        self.shell_terminal.child.send(PASSWORD + "\n")
        self.shell_terminal.child.expect_exact("started")

    def test_o_an_interactive_program(self):
        terminal = self.shell_terminal
        terminal.type("qv run --yes -- sh -c 'read -r line; echo \"got $line $A\"; stty -echo; read -r line; stty echo; echo \"got $line\"'")
        terminal.child.send("some\n")
        terminal.child.expect_exact(f"got some {MASK}")
        terminal.child.send("more\x7fs\n")
        terminal.child.expect_exact("got mors")
        terminal.child.expect_exact(PROMPT)
        terminal.run("true")
        self.assertIn("echo", terminal.run("stty -a"))

    def test_o_keys_that_stop_and_interrupt(self):
        terminal = self.shell_terminal
        for script in ("exec cat", "cat; exit 5"):
            terminal.type(f"qv run --yes -- sh -c 'echo \"$A\"; {script}'")
            terminal.child.expect_exact(MASK)
            terminal.child.send("typed\n")
            terminal.child.expect_exact("typed")
            terminal.child.expect_exact("typed")
            terminal.child.send("\x1a")
            terminal.child.expect("(?i)(stopped|suspended)")
            terminal.child.expect_exact(PROMPT)
            self.assertIn("between", terminal.run("echo bet''ween"))
            self.assertIn(" icanon", terminal.run("stty -a"))
            terminal.type("fg")
            terminal.child.send("again\n")
            terminal.child.expect_exact("again")
            terminal.child.expect_exact("again")
            terminal.child.send("\x03")
            terminal.child.expect_exact(PROMPT)
            self.assertEqual(terminal.status(), 130)

    def test_o_what_a_program_shows_before_it_stops(self):
        """As an editor does, which leaves its screen."""
        with open(self.world.path("home", "stops"), "w", encoding="utf-8") as file:
            file.write("""import os, signal
stop = {signal.SIGTSTP}
signal.pthread_sigmask(signal.SIG_BLOCK, stop)
print("ready", flush=True)
signal.sigwait(stop)
os.write(1, b"last words " * 200 + os.environb[b"A"])
signal.pthread_sigmask(signal.SIG_UNBLOCK, stop)
os.kill(os.getpid(), signal.SIGTSTP)
os.write(1, b"back")
input()
""")
        terminal = self.shell_terminal
        terminal.type("qv run --yes -- python3 stops")
        terminal.child.expect_exact("ready")
        terminal.child.send("\x1a")
        terminal.child.expect_exact(f"last words {MASK}")
        terminal.child.expect("(?i)(stopped|suspended)")
        terminal.child.expect_exact(PROMPT)
        terminal.type("fg")
        terminal.child.expect_exact("back")
        terminal.child.send("\n")
        terminal.child.expect_exact(PROMPT)
        self.assertEqual(terminal.status(), 0)

    def test_o_a_job_in_the_background_goes_on(self):
        terminal = self.shell_terminal
        done = self.world.path("home", "done")
        os.mkfifo(self.world.path("home", "go"))
        terminal.type("qv run --yes -- sh -c 'echo \"$A\"; read -r line <go; touch done; read -r line; echo \"last $line\"'")
        terminal.child.expect_exact(MASK)
        terminal.child.send("\x1a")
        terminal.child.expect_exact(PROMPT)
        terminal.run("bg")
        terminal.run("echo x >go")
        wait_for(lambda: os.path.exists(done), "it goes on")
        terminal.type("fg")
        terminal.child.send("word\n")
        terminal.child.expect_exact("last word")
        terminal.child.expect_exact(PROMPT)

    def test_o_the_size_of_the_terminal(self):
        terminal = self.shell_terminal
        terminal.type("qv run --yes -- sh -c 'trap \"stty size\" WINCH; echo \"$A\"; while :; do sleep 0.05; done'")
        terminal.child.expect_exact(MASK)
        terminal.child.setwinsize(31, 97)
        terminal.child.expect_exact("31 97")
        terminal.interrupt()

    def test_o_a_terminal_that_is_closed(self):
        for pipe in ("", " | cat"):
            terminal = self.terminal() if pipe else self.shell_terminal
            if pipe:
                terminal.run("qv unlock", ("password: ", PASSWORD))
            terminal.type(f"qv run --yes -- sh -c 'echo ready$A; exec sleep 4321'{pipe}")
            terminal.child.expect_exact("ready" + MASK)
            nowhere = os.open("/dev/null", os.O_RDWR)
            os.dup2(nowhere, terminal.child.child_fd)
            os.close(nowhere)
            wait_for(lambda: not self.world.processes(lambda words: "4321" in " ".join(words)), "the program and qv end")

    def test_o_errors_elsewhere_are_masked_too(self):
        terminal = self.shell_terminal
        terminal.run("qv run --yes -- sh -c 'test -t 1 && ! test -t 2 && echo \"$A\" >&2' 2>errors")
        self.assertEqual(terminal.status(), 0)
        self.assertEqual(self.world.read("home", "errors"), MASK + "\n")


class Kept(unittest.TestCase):
    def setUp(self):
        self.world = World()
        self.addCleanup(self.world.close)
        planted(self.world)

    def fill(self, *words, **more):
        return self.world.qv("fill", *words, password=PASSWORD, **more)

    def test_o_files_are_filled_as_with_op_inject(self):
        with open(self.world.path("home", "letter"), "w", encoding="utf-8") as file:
            file.write("a=qv://Data%20base/text. b={{qv:Data base.a/b}}, (qv://Data%20base/a%2fb)\n")
        self.assertEqual(self.fill("-i", "letter", "-o", "filled")[:2], (0, ""))
        path = self.world.path("home", "filled")
        self.assertEqual(self.world.read("home", "filled"), f"a={TEXT}. b=slashed, (slashed)\n")
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        os.chmod(path, 0o644)
        with open(self.world.path("home", "letter"), "w", encoding="utf-8") as file:
            file.write("qv://Data%20base/password")
        self.assertEqual(self.fill("--in", "letter", "--out", "filled", "--concealed")[0], 2)
        self.assertEqual(self.fill("--in", "letter", "--out", "filled")[0], 2)
        self.assertIn("slashed", self.world.read("home", "filled"))
        self.assertEqual(self.fill("letter", "--out", "filled", "--yes")[0], 0)
        self.assertEqual(self.world.read("home", "filled"), SECRET)
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        self.assertEqual(self.fill("letter", "--concealed")[1], SECRET)
        self.assertEqual(self.fill("-", "--out", "nowhere/filled", stdin="x")[0], 15)
        self.assertEqual(self.fill("letter", "--in", "letter")[0], 2)
        self.assertEqual(sorted(os.listdir(self.world.path("home")))[-2:], ["filled", "letter"])
