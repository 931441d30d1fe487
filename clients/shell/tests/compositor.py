"""A Wayland compositor without a screen: sway, for menus, typing and the clipboard."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile

from world import DEADLINE, wait_for

HOUR = "3600000"


class Compositor:
    """sway in a directory of its own, for clients with this environment.

    sway refuses to run as root, so it then runs as nobody.
    """

    def __init__(self, environment):
        self.directory = tempfile.mkdtemp(prefix="qv-sway.")
        config = os.path.join(self.directory, "config")
        with open(config, "w", encoding="utf-8") as file:
            file.write("output HEADLESS-1 mode 800x600\n")
        user = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(self.directory, nobody.pw_uid, nobody.pw_gid)
            os.chmod(config, 0o644)
            user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        variables = {"PATH": os.environ["PATH"], "HOME": self.directory, "XDG_RUNTIME_DIR": self.directory,
                     "WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman", "WLR_LIBINPUT_NO_DEVICES": "1"}
        self.processes = [subprocess.Popen(["sway", "--config", config], env=variables, stdin=subprocess.DEVNULL,
                                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/", **user)]
        name = wait_for(self.socket, "sway runs")
        os.symlink(os.path.join(self.directory, name), os.path.join(environment["XDG_RUNTIME_DIR"], name))
        environment["WAYLAND_DISPLAY"] = name
        self.environment = environment
        # Without a keyboard nothing would be told that it has one; a menu that is open before there is one never is.
        self.processes.append(subprocess.Popen(["wtype", "-s", HOUR], env=environment, stdin=subprocess.DEVNULL))
        wait_for(lambda: "keyboard" in self.inputs(), "there is a keyboard")

    def socket(self):
        assert self.processes[0].poll() is None, "sway has ended"
        names = os.listdir(self.directory)
        return next((name for name in names if name.startswith("wayland-") and name + ".lock" in names
                     and self.accepts(name)), None)

    def accepts(self, name):
        """Whether a socket takes connections: it has its name a moment before."""
        with socket.socket(socket.AF_UNIX) as client:
            return client.connect_ex(os.path.join(self.directory, name)) == 0

    def inputs(self):
        """What sway says about its input devices."""
        controls = [name for name in os.listdir(self.directory) if name.startswith("sway-ipc.")]
        if not controls:
            return ""
        return subprocess.run(["swaymsg", "-s", os.path.join(self.directory, controls[0]), "-t", "get_inputs"],
                              env={"PATH": os.environ["PATH"]}, capture_output=True, text=True, check=False,
                              timeout=DEADLINE).stdout

    def press(self, *keys):
        words = [word for key in keys for word in ("-k", key)]
        subprocess.run(["wtype", *words], env=self.environment, check=True, timeout=DEADLINE)

    def content(self):
        """The content of the clipboard, or None if it has no owner."""
        done = subprocess.run(["wl-paste", "--no-newline"], env=self.environment, capture_output=True, check=False,
                              timeout=DEADLINE)
        return done.stdout.decode() if done.returncode == 0 else None

    def close(self):
        for process in reversed(self.processes):
            process.terminate()
            process.wait()
        shutil.rmtree(self.directory)


def has_keyboard(path):
    """Whether a program that writes its WAYLAND_DEBUG to a file has got the keyboard."""
    with open(path, encoding="utf-8", errors="replace") as file:
        return any("wl_keyboard" in line and ".enter(" in line for line in file)


def fuzzel_is_ready(path):
    """Whether fuzzel, which writes its WAYLAND_DEBUG to a file, has the keyboard and has read its lines. Before that, Enter would
    choose what is typed; it says which icons it uses just after."""
    with open(path, encoding="utf-8", errors="replace") as file:
        return has_keyboard(path) and "theme" in file.read()
