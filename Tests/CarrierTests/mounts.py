"""File systems without hard links, mounted over FUSE as people have them: exFAT on a stick, and a folder of rclone."""

import os
import pathlib
import subprocess
import tempfile
import time

from dav import DEADLINE


def refusal():
    """Why nothing can be mounted here; None if it can."""
    try:
        os.close(os.open("/dev/fuse", os.O_RDWR))
    except OSError as error:
        return f"NO FUSE HERE, SO NO FILE SYSTEM WITHOUT HARD LINKS IS TESTED: /dev/fuse: {error.strerror}"
    return None if os.geteuid() == 0 else "NOT ROOT, SO NO FILE SYSTEM WITHOUT HARD LINKS IS TESTED"


class Mount:
    """A mounted file system of a kind, exfat or rclone, at `path`."""

    def __init__(self, kind):
        self.holder = tempfile.TemporaryDirectory(prefix=f"{kind}-")
        self.top = pathlib.Path(self.holder.name)
        self.path = self.top / "mount"
        self.path.mkdir()
        self.loop = None
        getattr(self, "_" + kind)()
        end = time.monotonic() + DEADLINE
        while not os.path.ismount(self.path):
            assert time.monotonic() < end, "it is not mounted"
            time.sleep(0.02)

    def _exfat(self):
        """As udisks mounts a stick for somebody."""
        image = self.top / "image"
        with open(image, "wb") as file:
            file.truncate(64 << 20)
        self._run("mkfs.exfat", image)
        self.loop = self._run("losetup", "--find", "--show", image).stdout.decode().strip()
        self._run("mount.exfat-fuse", "-o", f"uid={os.getuid()},gid={os.getgid()},umask=077", self.loop, self.path)

    def _rclone(self):
        source = self.top / "source"
        source.mkdir()
        self._run("rclone", "mount", source, self.path, "--config", "/dev/null", "--cache-dir", self.top / "cache",
                  "--vfs-cache-mode", "writes", "--daemon")

    @staticmethod
    def _run(*words):
        return subprocess.run(words, check=True, timeout=DEADLINE, stdin=subprocess.DEVNULL, capture_output=True)

    def stop(self):
        # A program that has just ended may still have a file open.
        end = time.monotonic() + DEADLINE
        while subprocess.run(["umount", self.path], check=False, capture_output=True).returncode != 0:
            assert time.monotonic() < end, "it cannot be unmounted"
            time.sleep(0.1)
        if self.loop:
            self._run("losetup", "--detach", self.loop)
        self.holder.cleanup()
