"""bash and zsh in a pseudo-terminal."""

import re

import pexpect

from world import DEADLINE

PROMPT = "ready-for-qv> "
BASH = ["bash", "--norc", "--noprofile", "-i"]
# With -f zsh would save no history; the world's .zshrc is empty.
ZSH = ["zsh", "-d", "-i"]
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]|\r")


class Terminal:
    """A shell in a world."""

    def __init__(self, world, shell, before=(), line_editor=False, prefix=()):
        words = [*prefix, *(BASH if shell == "bash" else ZSH)]
        if shell == "zsh" and not line_editor:
            words += ["+o", "zle", "+o", "promptcr", "+o", "promptsp"]
        self.shell = shell
        self.child = pexpect.spawn(words[0], words[1:], env=world.environment, encoding="utf-8", timeout=DEADLINE,
                                   dimensions=(40, 120), cwd=world.path("home"))
        self.child.delaybeforesend = None
        if shell == "bash":
            self.child.sendline("bind 'set enable-bracketed-paste off'")
        self.child.sendline("PS1='ready-for''-qv> '")
        self.child.expect_exact(PROMPT)
        for line in before:
            self.run(line)

    def run(self, line, *exchange):
        """Types a command, answers its prompts, and returns its output. The answer None is Ctrl-D."""
        self.type(line)
        return self.answer(*exchange)

    def answer(self, *exchange):
        """Answers the prompts of the command that runs, and returns its output from here to its end."""
        printed = ""
        for question, answer in exchange:
            self.child.expect_exact(question)
            printed += self.child.before + question
            if answer is None:
                self.child.send("\x04")
            elif answer == "\x03":
                self.interrupt()
                return ESCAPES.sub("", printed + self.child.before)
            else:
                self.child.send(answer + ("" if answer.endswith("\x1a") else "\n"))
        self.child.expect_exact(PROMPT)
        return ESCAPES.sub("", printed + self.child.before)

    def interrupt(self):
        """Presses Ctrl-C until it takes effect: bash 5.2 loses a SIGINT that arrives just as a child process exits."""
        for _ in range(DEADLINE):
            self.child.send("\x03")
            if self.child.expect_exact([PROMPT, pexpect.TIMEOUT], timeout=1) == 0:
                return
        raise AssertionError("Ctrl-C does not end it")

    def type(self, line):
        self.child.send(line + "\n")
        self.child.expect_exact("\n")

    def status(self):
        """Returns the exit status of the last command."""
        return int(re.search(r"status=(\d+)", self.run("echo status=$?"))[1])

    def close(self):
        self.child.send("exit\n")
        self.child.expect(pexpect.EOF)
        self.child.close()
