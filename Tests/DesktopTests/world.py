"""A desktop for tests: a private system bus and session bus with the real fprintd and its virtual reader, the real
gnome-keyring, and mocks of polkit and logind (python-dbusmock).

The real polkit and logind would act on the machine that runs the test, and only one of each can run.

    with World(logind=True) as world:
        world.start_fprintd(enrolled=["right-index-finger"])
        world.start_keyring()
        subprocess.Popen([...], env=world.environment())
        world.reader.scan("alice")
"""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

import dbus
import dbus.bus

HERE = pathlib.Path(__file__).resolve().parent
# In seconds, long enough for a busy machine
DEADLINE = 120
PYTHON = "/usr/bin/python3"
FINGER = "right-index-finger"
PASSWORD = "the keyring's password"
LOGIND = "org.freedesktop.login1"
MOCK = "org.freedesktop.DBus.Mock"

BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <listen>unix:path={path}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/><allow own="*"/><allow send_destination="*" eavesdrop="false"/>
    <allow send_type="method_call"/><allow send_type="signal"/>
    <allow send_requested_reply="true" send_type="method_return"/>
    <allow send_requested_reply="true" send_type="error"/>
    <allow receive_type="method_call"/><allow receive_type="method_return"/>
    <allow receive_type="error"/><allow receive_type="signal"/>
  </policy>
</busconfig>
"""


def eventually(condition, what, deadline=DEADLINE):
    """Polls until the condition holds and returns its value, for changes without a signal."""
    end = time.monotonic() + deadline
    while not (value := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"not within {deadline} s: {what}")
        time.sleep(0.005)
    return value


class Reader:
    """The virtual fingerprint reader of libfprint, which takes one command per connection."""

    def __init__(self, path):
        self.path = path

    def command(self, text):
        """Sends a command such as "SCAN alice" and returns the answer."""
        with contextlib.closing(self._connect()) as connection:
            connection.sendall(text.encode())
            answer = b""
            while part := connection.recv(1024):
                answer += part
            return answer.decode()

    def scan(self, person="alice"):
        """Scans a finger; the enrolled one is "alice"."""
        return self.command(f"SCAN {person}")

    def retry(self, number):
        """Reports a failed scan: 0 general, 1 too short, 2 not centred, 3 remove the finger first."""
        return self.command(f"RETRY {number}")

    def error(self, number):
        """Reports a device error of libfprint by number: 0 general … 5 data full, 6 …"""
        return self.command(f"ERROR {number}")

    def unplug(self):
        """Removes the reader."""
        return self.command("UNPLUG")

    def _connect(self):
        def attempt():
            connection = socket.socket(socket.AF_UNIX)
            connection.settimeout(DEADLINE)
            try:
                connection.connect(str(self.path))
                return connection
            except (FileNotFoundError, ConnectionRefusedError):
                connection.close()
                return None

        return eventually(attempt, "the virtual reader listens")


class World:
    """The desktop. Its processes end with it."""

    def __init__(self, system=True, session=True, polkit=True, logind=False):
        self.wanted = {"system": system, "session": session, "polkit": polkit, "logind": logind}
        self.processes = {}
        self.buses = {}

    def __enter__(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="qvd-"))
        # Other users must be able to reach the bus, as on a real machine.
        self.directory.chmod(0o755)
        self.home = self.directory / "home"
        for path in (self.home, self.directory / "run"):
            path.mkdir(mode=0o700)
        self.reader = Reader(self.directory / "reader")
        try:
            for kind in ("system", "session"):
                if self.wanted[kind]:
                    self._start_bus(kind)
            if self.wanted["system"] and self.wanted["polkit"]:
                self._mock("polkitd", "polkitd", "org.freedesktop.PolicyKit1")
                self.allow(True)
            if self.wanted["logind"]:
                self.start_logind()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends all processes, the buses last."""
        for name in sorted(self.processes, key=lambda name: name in ("system", "session")):
            self.stop(name)
        shutil.rmtree(self.directory)

    def environment(self, **more):
        """The environment of a program on this desktop, without variables whose value is None."""
        environment = {
            "PATH": "/usr/bin:/bin", "HOME": str(self.home), "LANG": "C.UTF-8",
            "XDG_RUNTIME_DIR": str(self.directory / "run"), "XDG_DATA_HOME": str(self.home / "share"),
            "XDG_CONFIG_HOME": str(self.home / "config"), "XDG_CACHE_HOME": str(self.home / "cache"),
            "DBUS_SYSTEM_BUS_ADDRESS": self.address("system"), "DBUS_SESSION_BUS_ADDRESS": self.address("session"),
        }
        environment.update(more)
        return {name: value for name, value in environment.items() if value is not None}

    def address(self, kind):
        """The address of a bus, running or not."""
        return f"unix:path={self.directory}/{kind}-bus"

    def bus(self, kind="system"):
        """A new connection for the test."""
        if kind not in self.buses:
            self.buses[kind] = dbus.bus.BusConnection(self.address(kind))
        return self.buses[kind]

    # Processes

    def start(self, name, arguments, environment=None, **options):
        """Starts a process that ends with the desktop."""
        log = open(self.directory / f"{name}.log", "wb")
        with log:
            process = subprocess.Popen(
                arguments, env=environment or self.environment(), stdout=log, stderr=log,
                **{"stdin": subprocess.DEVNULL, **options})
        self.processes[name] = process
        return process

    def stop(self, name, how=signal.SIGTERM):
        """Ends a process and waits for it."""
        process = self.processes.pop(name)
        if process.poll() is None:
            process.send_signal(how)
            try:
                process.wait(DEADLINE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def log(self, name):
        """The output of a process."""
        return (self.directory / f"{name}.log").read_text(errors="replace")

    def wait_for(self, service, kind="system"):
        """Waits until a bus name has an owner."""
        subprocess.run(
            ["gdbus", "wait", "--address", self.address(kind), "--timeout", str(DEADLINE), service],
            check=True, stdout=subprocess.DEVNULL)

    def _start_bus(self, kind):
        configuration = self.directory / f"{kind}.conf"
        configuration.write_text(BUS.format(path=f"{self.directory}/{kind}-bus"))
        reading, writing = os.pipe()
        self.start(
            kind, ["dbus-daemon", f"--config-file={configuration}", "--nofork", "--nopidfile",
                   f"--print-address={writing}"], pass_fds=[writing])
        os.close(writing)
        with open(reading, encoding="ascii") as output:
            assert output.readline(), f"no {kind} bus: {self.log(kind)}"

    def _mock(self, name, template, service):
        self.start(name, [PYTHON, "-m", "dbusmock", "--system", "--template", template])
        self.wait_for(service)

    # polkit

    def allow(self, allowed):
        """Sets whether polkit allows actions."""
        self._call_polkit("AllowUnknown", allowed)

    def have_polkit_hang(self, hangs):
        """Makes polkit show a prompt that nobody answers."""
        self._call_polkit("SimulateHang", hangs)

    def wait_for_polkit(self):
        """Waits until polkit shows a prompt."""
        eventually(lambda: self._call_polkit("HaveHangingCalls"), "polkit is asked")

    def release_polkit(self):
        """Answers the prompt."""
        self._call_polkit("ReleaseHangingCalls")

    def _call_polkit(self, member, *arguments):
        return self.call_mock(
            "org.freedesktop.PolicyKit1", "/org/freedesktop/PolicyKit1/Authority", member, *arguments)

    def call_mock(self, service, path, member, *arguments):
        """Calls a method that python-dbusmock adds to a mock."""
        return self._object(service, path, MOCK).get_dbus_method(member)(*arguments)

    def _object(self, service, path, interface, kind="system"):
        return dbus.Interface(self.bus(kind).get_object(service, path, introspect=False), interface)

    # fprintd

    def start_fprintd(self, enrolled=(FINGER,), reader=True):
        """Starts fprintd with alice's finger enrolled under these names."""
        state = self.directory / "prints"
        state.mkdir(exist_ok=True)
        environment = self.environment(STATE_DIRECTORY=str(state), FP_DRIVERS_WHITELIST="virtual_device")
        if reader:
            environment["FP_VIRTUAL_DEVICE"] = str(self.reader.path)
        self.start("fprintd", ["/usr/libexec/fprintd", "-t"], environment)
        self.wait_for("net.reactivated.Fprint")
        for finger in enrolled:
            self.enroll(finger)

    def enroll(self, finger=FINGER, person="alice"):
        """Enrolls a finger under a name, scan by scan."""
        process = subprocess.Popen(
            ["fprintd-enroll", "-f", finger], env=self.environment(), stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        with process:
            said = process.stdout.readline()
            while "enroll-completed" not in said:
                assert said, f"enrolling {finger} failed"
                if "Enrolling" in said or "enroll-stage-passed" in said:
                    self.reader.scan(person)
                said = process.stdout.readline()
            process.stdout.read()
        assert process.returncode == 0

    def delete_prints(self):
        """Deletes the enrolled prints."""
        subprocess.run(
            ["fprintd-delete", self.user()], env=self.environment(), check=True, stdout=subprocess.DEVNULL)

    def forget_prints(self):
        """Deletes the enrolled prints while fprintd is not running."""
        shutil.rmtree(self.directory / "prints", ignore_errors=True)

    @staticmethod
    def user():
        """The name of the user who runs the test."""
        return subprocess.run(["id", "-un"], check=True, capture_output=True, text=True).stdout.strip()

    # logind

    def start_logind(self, session="c1", process_has_session=True, display=None):
        """Starts a mock of logind with one session for all processes, or none."""
        self._mock("logind", "logind", LOGIND)
        path = f"/org/freedesktop/login1/session/{session}"
        self.add_session(session)
        answer = f'ret = dbus.ObjectPath("{path}")' if process_has_session else (
            'raise dbus.exceptions.DBusException("none", name="org.freedesktop.login1.NoSessionForPID")')
        self._call_logind("AddMethod", LOGIND + ".Manager", "GetSessionByPID", "u", "o", answer)
        user = f"/org/freedesktop/login1/user/{os.getuid()}"
        self._call_logind("AddMethod", LOGIND + ".Manager", "GetUser", "u", "o", f'ret = dbus.ObjectPath("{user}")')
        # The template returns a path for any name.
        self._call_logind(
            "AddMethod", LOGIND + ".Manager", "GetSession", "s", "o",
            'path = "/org/freedesktop/login1/session/" + args[0]\n'
            'if path not in objects: raise dbus.exceptions.DBusException(name="org.freedesktop.login1.NoSuchSession")\n'
            "ret = dbus.ObjectPath(path)")
        if display:
            self._set(user, LOGIND + ".User", "Display", dbus.Struct((display, dbus.ObjectPath(
                f"/org/freedesktop/login1/session/{display}")), signature="so"))

    def add_session(self, session):
        """Adds a session of the user who runs the test."""
        self._call_logind("AddSession", session, "seat0", dbus.UInt32(os.getuid()), self.user(), True)

    def lock_session(self, session="c1"):
        """Sends the Lock signal, as `loginctl lock-session` does."""
        self._session(session).Lock()

    def set_locked_hint(self, locked, session="c1"):
        """Sets LockedHint, as a screen lock does."""
        self._session(session).SetLockedHint(locked)

    def prepare_for_sleep(self, before):
        """Sends PrepareForSleep: the machine is about to sleep, or has woken up."""
        self._call_logind("EmitSignal", LOGIND + ".Manager", "PrepareForSleep", "b", dbus.Array([before]))

    def inhibitors(self):
        """The inhibitors: what, who, why, mode."""
        manager = self._object(LOGIND, "/org/freedesktop/login1", LOGIND + ".Manager")
        return [tuple(str(part) for part in entry[:4]) for entry in manager.ListInhibitors()]

    def _session(self, session):
        return self._object(LOGIND, f"/org/freedesktop/login1/session/{session}", LOGIND + ".Session")

    def _call_logind(self, member, *arguments):
        return self.call_mock(LOGIND, "/org/freedesktop/login1", member, *arguments)

    def _set(self, path, interface, name, value):
        self._object(LOGIND, path, "org.freedesktop.DBus.Properties").Set(interface, name, value)

    # The keychain

    def start_keyring(self, password=PASSWORD, unlocked=True):
        """Starts gnome-keyring, which creates the default collection at the first unlock."""
        arguments = ["gnome-keyring-daemon", "--components=secrets", "--foreground"]
        process = self.start(
            "keyring", arguments + (["--unlock"] if unlocked else []), stdin=subprocess.PIPE)
        process.stdin.write(password.encode() if unlocked else b"")
        process.stdin.close()
        self.wait_for("org.freedesktop.secrets", "session")

    def lock_keyring(self):
        """Locks the default collection."""
        self._secrets().Lock(dbus.Array([self.default_collection()], signature="o"))

    def default_collection(self):
        """The path of the default collection; "/" if there is none."""
        return self._secrets().ReadAlias("default")

    def keyring_items(self):
        """The paths of all items in the default collection."""
        collection = self.default_collection()
        properties = self._object(
            "org.freedesktop.secrets", collection, "org.freedesktop.DBus.Properties", "session")
        return [str(path) for path in properties.Get("org.freedesktop.Secret.Collection", "Items")]

    def keyring_item(self, path):
        """The properties of an item."""
        properties = self._object("org.freedesktop.secrets", path, "org.freedesktop.DBus.Properties", "session")
        return properties.GetAll("org.freedesktop.Secret.Item")

    def keyring_secret(self, path):
        """The bytes of an item's secret."""
        secrets = self._secrets()
        _, session = secrets.OpenSession("plain", dbus.String("", variant_level=1))
        return bytes(secrets.GetSecrets([dbus.ObjectPath(path)], session)[path][2])

    def delete_item(self, path):
        """Deletes an item, as the keychain's viewer does."""
        self._object("org.freedesktop.secrets", path, "org.freedesktop.Secret.Item", "session").Delete()

    def store_item(self, attributes, content):
        """Stores an item as another program would."""
        secrets = self._secrets()
        _, session = secrets.OpenSession("plain", dbus.String("", variant_level=1))
        collection = self._object(
            "org.freedesktop.secrets", self.default_collection(), "org.freedesktop.Secret.Collection", "session")
        item = "org.freedesktop.Secret.Item."
        collection.CreateItem(
            {item + "Label": "another program's", item + "Attributes": dbus.Dictionary(attributes, signature="ss")},
            dbus.Struct((session, dbus.ByteArray(b""), dbus.ByteArray(content), "text/plain"), signature=None),
            True, signature="a{sv}(oayays)b")

    def play_keychain(self, secrets, locked=False, prompt="/"):
        """Starts a mock of the Secret Service with one item and this number of secrets for it. `prompt` is what it has shown before
        it unlocks something."""
        service, path, interface = "org.freedesktop.secrets", "/org/freedesktop/secrets", "org.freedesktop.Secret."
        self.start("secrets", [PYTHON, "-m", "dbusmock", "--session", service, path, interface + "Service"])
        self.wait_for(service, "session")
        item = 'dbus.ObjectPath("/item")'
        secret = '(dbus.ObjectPath("/session"), dbus.ByteArray(b""), dbus.ByteArray(bytes(range(32))), "")'
        answers = [
            ("ReadAlias", "s", "o", 'ret = dbus.ObjectPath("/collection")'),
            ("SearchItems", "a{ss}", "aoao", f"ret = ([{item}], [])"),
            ("Unlock", "ao", "aoo", f'ret = ([{item}], dbus.ObjectPath("{prompt}"))'),
            ("OpenSession", "sv", "vo", 'ret = (dbus.String("", variant_level=1), dbus.ObjectPath("/session"))'),
            ("GetSecrets", "aoo", "a{o(oayays)}", f"ret = {{{item}: {secret}}}" if secrets else "ret = {}"),
        ]
        played = self._object(service, path, MOCK, "session")
        for answer in answers:
            played.AddMethod(interface + "Service", *answer)
        for path, kind in (("/collection", "Collection"), ("/item", "Item")):
            played.AddObject(
                path, interface + kind, dbus.Dictionary({"Locked": locked}, signature="sv"),
                dbus.Array([], signature="(ssss)"))

    def start_prompter(self, password=PASSWORD):
        """Starts a prompter that answers with a password, or with None never."""
        answer = ["hang"] if password is None else ["answer", password]
        self.start("prompter", [PYTHON, str(HERE / "prompter.py"), *answer])
        self.wait_for("org.gnome.keyring.SystemPrompter", "session")

    def _secrets(self):
        return self._object(
            "org.freedesktop.secrets", "/org/freedesktop/secrets", "org.freedesktop.Secret.Service", "session")

    # Forgeries

    def owner(self, service, kind="system"):
        """The unique name of the owner of a bus name."""
        return str(self.bus(kind).get_name_owner(service))

    def names_of(self, process, kind="system"):
        """The unique names of the connections of a process."""
        daemon = self._object("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", kind)
        names = []
        for name in daemon.ListNames():
            if name.startswith(":"):
                with contextlib.suppress(dbus.DBusException):
                    if daemon.GetConnectionUnixProcessID(name) == process:
                        names.append(str(name))
        return names

    def forge(self, destination, path, signal_name, signature="", *arguments, user=None, kind="system"):
        """Sends a signal directly to a connection from an unrelated process, which may belong to another user.

        Without a destination everybody gets it who asked for such.
        """
        # The other user may not be able to read the file.
        command = [
            PYTHON, "-c", (HERE / "forger.py").read_text(), self.address(kind), destination or "", path, signal_name, signature,
            json.dumps(arguments)]
        if user:
            as_root = [] if os.geteuid() == 0 else ["sudo", "-n"]
            command = [
                *as_root, "setpriv", f"--reuid={user}", "--regid=nogroup", "--clear-groups", *command]
        subprocess.run(command, check=True)
