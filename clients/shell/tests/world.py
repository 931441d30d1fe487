"""A private environment for one test: directories, variables, a vault, and its processes."""

import contextlib
import json
import os
import signal
import subprocess
import tempfile
import time

import temporary

HERE = os.path.dirname(os.path.realpath(__file__))
CLIENT = os.path.dirname(HERE)
PROGRAM = os.path.realpath(os.environ["QUICKVAULT_PROGRAM"])
QV = os.path.join(os.path.dirname(PROGRAM), "qv")
# In seconds, long enough for a busy machine
DEADLINE = 120
PASSWORD = "三月的雨 and 42 umbrellas"


def wait_for(condition, what):
    """Waits until the condition returns a true value, and returns it."""
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f"waited in vain: {what() if callable(what) else what}")


class World:
    """Its own home, temporary directory and search path; `program` has a unique name."""

    def __init__(self, language="C.UTF-8"):
        self.top = tempfile.mkdtemp(prefix="qv-test.")
        for name in ("home", "tmp", "bin", "data", "config"):
            os.mkdir(self.path(name), 0o700)
        # In memory, as a session has it.
        self.memory = tempfile.mkdtemp(prefix="qv-test.", dir="/dev/shm")
        os.symlink(self.memory, self.path("run"))
        with open(self.path("home", ".zshrc"), "w", encoding="utf-8"):
            pass
        self.program = self.path("bin", "quickvault")
        os.symlink(PROGRAM, self.program)
        os.symlink(QV, self.path("bin", "qv"))
        self.lingering = self.path("bin", "lingering")
        os.symlink("/bin/sleep", self.lingering)
        self.vault = self.path("data", "work.quickvault")
        self.environment = {
            "PATH": self.path("bin") + ":/usr/local/bin:/usr/bin:/bin",
            "HOME": self.path("home"),
            "TMPDIR": self.path("tmp"),
            "XDG_DATA_HOME": self.path("data"),
            "XDG_CONFIG_HOME": self.path("config"),
            "XDG_RUNTIME_DIR": self.path("run"),
            "QUICKVAULT_PROGRAM": self.program,
            "QUICKVAULT_VAULT": self.vault,
            "LC_ALL": language,
            "TERM": "xterm",
            "INPUTRC": "/dev/null",
        }

    def path(self, *names):
        return os.path.join(self.top, *names)

    def install(self, program, text):
        """Makes a program of this text that the world's search path has first. Returns its path."""
        path = self.path("bin", program)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o700)
        return path

    def read(self, *names):
        """The content of a text file."""
        with open(self.path(*names), encoding="utf-8") as file:
            return file.read()

    def without(self, program):
        """A search path on which a program is missing that may be installed."""
        others = self.path("others")
        os.mkdir(others)
        for directory in ("/usr/local/bin", "/usr/bin", "/bin"):
            for name in os.listdir(directory):
                if name != program and not os.path.lexists(os.path.join(others, name)):
                    os.symlink(os.path.join(directory, name), os.path.join(others, name))
        return self.path("bin") + ":" + others

    def close(self):
        mine = processes(lambda words: words[0] in (self.program, self.lingering))
        for process in self.servers() + mine + self.clearers():
            # It may have ended by itself meanwhile.
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        temporary.remove(self.top)
        temporary.remove(self.memory)

    def processes(self, wanted):
        """The ids of running processes of this world, and of no other on this machine, whose command line matches."""
        home = f"HOME={self.path('home')}".encode()
        found = []
        for process in processes(wanted):
            with contextlib.suppress(OSError), open(f"/proc/{process}/environ", "rb") as file:
                if home in file.read().split(b"\0"):
                    found.append(process)
        return found

    def clearers(self):
        """The ids of the processes that wait to clear the clipboard."""
        return processes(lambda words: words[0] == "qv-clear" and any(word.startswith(self.top) for word in words))

    def servers(self):
        """The ids of this world's quickvault processes: the shared service, and private ones."""
        return processes(lambda words: words[0] == self.program or words[0] == "quickvault" and any(
            word.startswith(self.top) for word in words))

    def qv(self, *arguments, password=None, passwords=None, stdin="", vault=None, descriptors=(), timeout=DEADLINE):
        """Runs qv once, without a terminal, with more descriptors. Returns status, output and errors."""
        words = [QV, *arguments]
        lines = passwords or ([password] if password else [])
        own = ()
        if lines:
            reading, writing = os.pipe()
            os.write(writing, "".join(line + "\n" for line in lines).encode())
            os.close(writing)
            words += ["--password-fd", str(reading)]
            own = (reading,)
        environment = dict(self.environment, QUICKVAULT_VAULT=vault or self.vault)
        done = subprocess.run(words, input=stdin.encode(), capture_output=True, env=environment, timeout=timeout,
                              pass_fds=(*own, *descriptors), start_new_session=True, cwd=self.path("home"), check=False)
        for descriptor in own:
            os.close(descriptor)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def end_service(self):
        """Ends the shared service, as its unit does."""
        for process in self.servers():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGTERM)
        wait_for(lambda: not self.servers(), "the service ends")

    def create_vault(self):
        status, _, errors = self.qv("init", "--kdf", "pbkdf2", "--iterations", "100000", password=PASSWORD)
        assert status == 0, errors

    def add(self, title, text, **more):
        """Stores a text card and returns its id."""
        card = {"title": title, "group": "personal", "type": "text", "fields": {"text": text}, **more}
        status, output, errors = self.qv("new", "--from-json", "-", password=PASSWORD, stdin=json.dumps(card))
        assert status == 0, errors
        return output.strip()


def processes(wanted):
    """The ids of running processes whose command line matches."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        # It may end meanwhile.
        with contextlib.suppress(OSError):
            with open(f"/proc/{name}/cmdline", "rb") as file:
                words = file.read().decode(errors="replace").split("\0")
            if wanted(words) and state(name) != "Z":
                found.append(int(name))
    return found


def state(process):
    """The letter for the state of a process."""
    with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as file:
        return file.read().rsplit(")", 1)[1].split()[0]
