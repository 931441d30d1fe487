"""An X server without a screen, for the clipboard tests."""

import os
import subprocess


class Display:
    """Xvfb on a free display number; `name` is the value of DISPLAY."""

    def __init__(self, depth=8):
        reading, writing = os.pipe()
        self.process = subprocess.Popen(
            ["Xvfb", "-noreset", "-displayfd", str(writing), "-nolisten", "tcp", "-screen", "0", f"640x480x{depth}"],
            pass_fds=(writing,), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as file:
            self.name = ":" + file.readline().strip()

    def content(self):
        """The content of the clipboard, or None if it has no owner."""
        done = subprocess.run(["xclip", "-selection", "clipboard", "-o"], capture_output=True, check=False,
                              env={"DISPLAY": self.name, "PATH": os.environ["PATH"]}, timeout=30)
        return done.stdout.decode() if done.returncode == 0 else None

    def fill(self, text):
        subprocess.run(["xclip", "-selection", "clipboard"], input=text.encode(), check=True, timeout=30,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       env={"DISPLAY": self.name, "PATH": os.environ["PATH"]})

    def close(self):
        self.process.terminate()
        self.process.wait()
