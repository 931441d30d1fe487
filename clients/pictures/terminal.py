"""Runs a program in a terminal, types keys and reads the screen."""

import pathlib
import shlex
import subprocess
import tempfile
import time

import temporary


class Terminal:
    """A tmux server with one window of the given size."""

    deadline = 60

    def __init__(self, columns, rows, environment, *command):
        # A short path, because a socket's path has a limited length.
        self.place = pathlib.Path(tempfile.mkdtemp(prefix="qv."))
        self.socket = self.place / "socket"
        # Set the environment with env, because tmux does not pass its own to the program.
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
        """Presses keys, given by tmux key names."""
        self._tmux("send-keys", *keys)

    def type(self, text):
        self._tmux("send-keys", "-l", "--", text)

    def enter(self, text):
        """Types a line and presses Enter."""
        self.type(text)
        self.press("Enter")

    def see(self, *texts):
        """Waits until the screen shows all texts and no longer changes."""
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
        """Returns the screen with colours, and the cursor's column and row, or None if it is hidden."""
        column, row, shown = self._tmux("display-message", "-p", "#{cursor_x} #{cursor_y} #{cursor_flag}").split()
        return self._tmux("capture-pane", "-e", "-N", "-p"), (int(column), int(row)) if shown == "1" else None

    def close(self):
        try:
            self._tmux("kill-server")
        finally:
            temporary.remove(self.place)
