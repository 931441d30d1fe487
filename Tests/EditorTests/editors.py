"""Editors in which a test types, with a vault that another program has unlocked."""

import contextlib
import os
import pathlib
import re
import select
import shutil
import subprocess
import tempfile
import time

from language_client import DEADLINE, INVOICE, NOTE, PASSWORD, PROGRAM, make_vault

PAGE = pathlib.Path(__file__).resolve().parents[2] / "protocol" / "EDITORS.md"


def recipe(language):
    """The only block in a language on the page about editors."""
    (block,) = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(), re.DOTALL)
    return block


def eventually(condition, what):
    end = time.monotonic() + DEADLINE
    while not (result := condition()):
        if time.monotonic() > end:
            raise AssertionError(what() if callable(what) else what)
        time.sleep(0.02)
    return result


class Surroundings:
    """A home directory, a vault and a service that has it unlocked."""

    def __init__(self, test):
        self.vault = make_vault(test, INVOICE, NOTE)
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="qv-home."))
        test.addCleanup(shutil.rmtree, self.home, ignore_errors=True)
        (self.home / "bin").mkdir()
        (self.home / "run").mkdir(mode=0o700)
        (self.home / "bin" / "quickvault").symlink_to(PROGRAM)
        self.file = self.home / "letter.txt"
        self.file.write_text("Dear all\n")
        self.environment = {
            "PATH": f"{self.home}/bin:{os.environ['PATH']}", "HOME": str(self.home), "LC_ALL": "C.UTF-8",
            "XDG_RUNTIME_DIR": str(self.home / "run"), "XDG_STATE_HOME": str(self.vault.parent),
            "QUICKVAULT_VAULT": str(self.vault), "TERM": "xterm"}
        self.owner = subprocess.Popen(
            [PROGRAM, "--shared"], env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        test.addCleanup(self.close)
        self.call("session/unlock", '{"password":"%s"}' % PASSWORD)
        self.call("settings/update", '{"sharedUnlock":"always"}')

    def call(self, method, parameters="{}"):
        self.owner.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"%s","params":%s}\n' % (method.encode(), parameters.encode()))
        self.owner.stdin.flush()
        line = b""
        while b'"id":1' not in line:
            if not select.select([self.owner.stdout], [], [], DEADLINE)[0]:
                raise AssertionError(f"no answer to {method}")
            if not (line := self.owner.stdout.readline()):
                raise AssertionError("the service has ended")
        if b'"error"' in line:
            raise AssertionError(line.decode())

    def relays(self):
        """The ids of the processes that editors have started as language servers."""
        found = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError):
                words = pathlib.Path(f"/proc/{name}/cmdline").read_bytes().split(b"\0")
                environment = pathlib.Path(f"/proc/{name}/environ").read_bytes()
                if [os.path.basename(words[0]), *words[1:2]] == [b"quickvault", b"lsp"] and str(self.vault).encode() in environment:
                    found.append(int(name))
        assert found, "no language server runs"
        return found

    def has_relay(self):
        """Whether an editor has started a language server."""
        with contextlib.suppress(AssertionError):
            return bool(self.relays())
        return False

    def close(self):
        self.call("session/lock")
        self.owner.stdin.close()
        self.owner.wait(DEADLINE)
        self.owner.stdout.close()


class Terminal:
    """A terminal with a program."""

    def __init__(self, test, surroundings, *command):
        self.environment = surroundings.environment
        self.socket = str(surroundings.home / "tmux")
        test.addCleanup(self._run, "kill-server")
        self._run("-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "24", *command)

    def _run(self, *arguments):
        return subprocess.run(
            ["tmux", "-S", self.socket, *arguments], env=self.environment, capture_output=True, text=True,
            timeout=DEADLINE, check=False).stdout

    def screen(self):
        return self._run("capture-pane", "-p")

    def await_screen(self, text):
        eventually(lambda: text in self.screen(), lambda: f"{text!r} is not on the screen:\n{self.screen()}")

    def type(self, *keys):
        self._run("send-keys", *keys)


class Neovim:
    """A Neovim that is sent keys over its socket."""

    def __init__(self, test, surroundings, configuration):
        self.environment = surroundings.environment
        self.socket = str(surroundings.home / "nvim")
        setup = surroundings.home / "init.lua"
        setup.write_text(configuration)
        self.terminal = Terminal(
            test, surroundings, "nvim", "-n", "-i", "NONE", "-u", str(setup), "--listen", self.socket,
            "--cmd", "filetype on", str(surroundings.file))
        eventually(lambda: os.path.exists(self.socket), "Neovim does not start")
        # An error, such as that of a Neovim that does not listen yet, is printed like a result.
        ready = "luaeval('#vim.lsp.buf_get_clients() > 0 and vim.lsp.buf_get_clients()[1].initialized and 1 or 0')"
        eventually(lambda: self.eval(ready) == "1", "the server does not start")

    def answer(self, question, keys):
        """Answers a question, which Neovim shows on the screen and does nothing else meanwhile."""
        self.terminal.await_screen(question)
        self.type(keys)

    def _remote(self, *arguments):
        try:
            done = subprocess.run(
                ["nvim", "--server", self.socket, *arguments], env=self.environment, capture_output=True, text=True,
                timeout=DEADLINE)
        except subprocess.TimeoutExpired:
            # It waits for a key.
            raise AssertionError(f"Neovim does not answer:\n{self.terminal.screen()}") from None
        # Neovim 0.7 prints the result of an expression on standard error.
        return (done.stdout + done.stderr).strip()

    def type(self, keys):
        self._remote("--remote-send", keys)

    def eval(self, expression):
        return self._remote("--remote-expr", expression)

    def text(self):
        return self.eval("join(getline(1, '$'), '|')")

    def await_text(self, text):
        eventually(lambda: self.text() == text, lambda: f"{self.text()!r} is not {text!r}")


class Emacs:
    """An Emacs in a terminal, which also evaluates expressions."""

    def __init__(self, test, surroundings, configuration):
        self.environment = surroundings.environment
        self.server = str(surroundings.home / "emacs" / "server")
        setup = surroundings.home / "init.el"
        setup.write_text(configuration + f'(setq server-socket-dir "{surroundings.home}/emacs")\n(server-start)\n')
        self.terminal = Terminal(
            test, surroundings, "emacs", "-q", "--no-splash", "-nw", "-l", str(setup),
            str(surroundings.file))
        eventually(self._answers, lambda: "Emacs does not start:\n" + self.terminal.screen())

    def _answers(self):
        """Whether it evaluates expressions, which it does some time after there is a socket."""
        with contextlib.suppress(AssertionError):
            return os.path.exists(self.server) and self.eval("t") == "t"
        return False

    def eval(self, expression):
        done = subprocess.run(
            ["emacsclient", "-s", self.server, "-e", expression], env=self.environment, capture_output=True, text=True,
            timeout=DEADLINE, check=False)
        if done.returncode:
            raise AssertionError(done.stderr + done.stdout)
        return done.stdout.strip()
