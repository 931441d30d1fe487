"""A program in a terminal: keys are typed, and the screen is read as a person would see it."""

import pathlib
import shlex
import shutil
import subprocess
import tempfile
import time


class Terminal:
    """A tmux server of its own with one window of so many columns and rows."""

    deadline = 60

    def __init__(self, columns, rows, environment, *command):
        # A short path, for tmux's socket has to fit in one.
        self.place = pathlib.Path(tempfile.mkdtemp(prefix="qv."))
        self.socket = self.place / "socket"
        # What tmux is told in the terminal's own name does not reach the program, so its environment is set there.
        words = ["env", "-i", *(f"{name}={value}" for name, value in environment.items()), *command]
        self._tmux("-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(rows),
                   " ".join(map(shlex.quote, map(str, words))))
        self._tmux("set-option", "-g", "status", "off")
        self._tmux("set-option", "-g", "escape-time", "0")
        self._tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def _tmux(self, *arguments):
        return subprocess.run(
            ["tmux", "-u", "-S", self.socket, *arguments], check=True, capture_output=True, text=True, timeout=30,
            env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"}).stdout

    def press(self, *keys):
        """Keys by tmux's names."""
        self._tmux("send-keys", *keys)

    def type(self, text):
        self._tmux("send-keys", "-l", "--", text)

    def enter(self, text):
        """A line, with the return key."""
        self.type(text)
        self.press("Enter")

    def see(self, *texts):
        """Waits until all the texts are on the screen, and nothing on it moves."""
        end = time.monotonic() + self.deadline
        before = None
        while True:
            screen = self.text()
            if screen == before and all(text in screen for text in texts):
                return
            if time.monotonic() > end:
                raise TimeoutError(f"never seen: {texts}; the screen:\n{screen}")
            before = screen
            time.sleep(0.1)

    def text(self):
        return self._tmux("capture-pane", "-p")

    def picture(self):
        """The screen with its colours, and where the cursor is: column and row, or None where it is hidden."""
        column, row, shown = self._tmux("display-message", "-p", "#{cursor_x} #{cursor_y} #{cursor_flag}").split()
        return self._tmux("capture-pane", "-e", "-N", "-p"), (int(column), int(row)) if shown == "1" else None

    def close(self):
        try:
            self._tmux("kill-server")
        finally:
            shutil.rmtree(self.place, ignore_errors=True)
