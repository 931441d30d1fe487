"""The scene for each picture: the list, a search by pinyin, a card, a copied value."""

import contextlib
import os
import pathlib
import subprocess

CLIENTS = pathlib.Path(__file__).resolve().parents[1]
DESCRIPTION = {
    "en": "Four screens, one after another: the list of the sample cards; the search for xihu, which finds 西湖 by its"
          " pinyin and marks it; the page of a card; and the tax ID copied.",
    "zh": "依次四个画面：示例卡片列表；搜索 xihu，按拼音找到“西湖”并标出；一张卡片的页面；已复制税号。"}


class Scene:
    """A client, with the size of its terminal, its command, and what is typed."""

    columns, rows = 90, 20
    name = ""

    def __init__(self, language):
        self.language = language
        self.title = {"en": f"QuickVault in {self.name}", "zh": f"{self.name} 中的随取"}[language]
        self.description = DESCRIPTION[language]

    def localized(self, english, chinese):
        return english if self.language == "en" else chinese

    @contextlib.contextmanager
    def surroundings(self):
        """Starts what the client needs, and yields environment variables."""
        yield {}


class Emacs(Scene):
    name = "Emacs"

    def command(self, home, program):
        # As where Emacs itself has a clipboard, and has compiled its own files.
        setup = ("(progn (setq inhibit-startup-screen t interprogram-cut-function #'ignore native-comp-deferred-compilation nil)"
                 " (menu-bar-mode -1))")
        return ["emacs", "-nw", "-Q", "-L", CLIENTS / "emacs", "--eval", setup, "-l", "quickvault", "--eval",
                f'(setq quickvault-program "{program}")']

    def play(self, terminal):
        terminal.see("*scratch*")
        terminal.press("M-x")
        terminal.enter("quickvault-demo")
        terminal.see("Home", "Invoice details")
        yield "M-x quickvault-demo"
        terminal.type("/xihu")
        terminal.see(self.localized("Match", "匹配内容"), "样本路")
        yield "/ xihu"
        terminal.press("Enter", "n", "Enter")
        # The page is drawn again once chafa has drawn the thumbnail.
        terminal.see("91330106MA0DEM000Q", "▔")
        yield "RET n RET"
        terminal.press("Tab", "Tab", "Enter")
        # The message appears before the mode line is updated.
        terminal.see(self.localized("Copied.", "已复制。"), " L6 ")
        yield "TAB TAB RET"


class Vim(Scene):
    name = "Vim"

    def command(self, home, program):
        (home / "vimrc").write_text(
            f"set nocompatible laststatus=2 noruler noshowmode background=dark\nset runtimepath^={CLIENTS}/vim\n"
            f"let g:quickvault_program = '{program}'\nlet g:quickvault_register = '\"'\nfiletype plugin on\nsyntax on\n")
        return ["vim", "-u", home / "vimrc", "-i", "NONE"]

    def play(self, terminal):
        terminal.see("[No Name]")
        terminal.enter(":QuickVaultDemo")
        terminal.see("Home", "Invoice details")
        yield ":QuickVaultDemo"
        terminal.type("/xihu")
        terminal.see("样本路")
        yield "/xihu"
        terminal.press("Enter", "j", "j", "Enter")
        terminal.see("91330106MA0DEM000Q")
        terminal.press("C-w", "o")
        terminal.see("Hangzhou Sample")
        yield "<CR> jj <CR> CTRL-W o"
        terminal.type("jjjjjjjf")
        terminal.see(self.localized("Copied", "已复制"))
        yield "jjjjjjj f"


class Shell(Scene):
    name = "bash"
    columns, rows = 98, 19

    @contextlib.contextmanager
    def surroundings(self):
        """Starts an X server without a screen, for the clipboard."""
        reading, writing = os.pipe()
        with subprocess.Popen(
                ["Xvfb", "-noreset", "-displayfd", str(writing), "-nolisten", "tcp", "-screen", "0", "640x480x8"],
                pass_fds=(writing,), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
            os.close(writing)
            try:
                with os.fdopen(reading) as file:
                    yield {"DISPLAY": ":" + file.readline().strip(), "SHELL": "/bin/bash"}
            finally:
                server.terminate()

    def command(self, home, program):
        # A sample card's picture would push its fields out of the window.
        (home / "chafa").symlink_to("/bin/true")
        # The demo starts another shell, which reads it as well.
        (home / ".bashrc").write_text(f"PS1='$ '\nPS2=\nunset HISTFILE\nPATH={home}:{program.parent}:$PATH\n")
        return ["bash", "--noprofile", "--rcfile", home / ".bashrc"]

    def play(self, terminal):
        terminal.see("$")
        yield from self.line(terminal, "qv demo", "Home", "qv: ")
        yield from self.line(terminal, "qv search xihu", "样本路")
        terminal.press("C-l")
        yield from self.line(terminal, "qv show gsfp", "91330106MA0DEM000Q")
        yield from self.line(terminal, "qv copy gsfp -f taxId", self.localized("qv: copied", "qv: 已复制"))
        terminal.enter("exit")
        terminal.see(self.localized("the sample cards were deleted", "示例卡片已删除"))

    def line(self, terminal, line, *seen):
        terminal.enter(line)
        terminal.see(*seen)
        yield line


ALL = {"emacs": Emacs, "vim": Vim, "shell": Shell}
