"""Syncthing processes that share one folder over loopback; nothing leaves the machine."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from ports import free_ports  # noqa: E402

FOLDER = "shared"
# In seconds, long enough for a busy machine.
DEADLINE = 120
OPTIONS = {
    "globalAnnounceEnabled": "false", "localAnnounceEnabled": "false", "relaysEnabled": "false", "natEnabled": "false",
    "crashReportingEnabled": "false", "startBrowser": "false", "urAccepted": "-1", "autoUpgradeIntervalH": "0",
}


class Syncthing:
    """One Syncthing with a home of its own and one folder."""

    def __init__(self, home, folder):
        self.home, self.folder = home, folder
        self.api_port, self.port = free_ports(2)
        self.last_event = 0
        self.process = None
        os.makedirs(folder, mode=0o700, exist_ok=True)
        subprocess.run(["syncthing", "generate", "--no-default-folder", "--home=" + home], check=True, capture_output=True)
        self.configure(os.path.join(home, "config.xml"))

    def configure(self, path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        text = re.sub(r"(<gui[^>]*>.*?<address>).*?(</address>)", r"\g<1>127.0.0.1:%d\2" % self.api_port, text,
                      count=1, flags=re.S)
        text = re.sub(r"<listenAddress>.*?<", "<listenAddress>tcp://127.0.0.1:%d<" % self.port, text)
        for name, value in OPTIONS.items():
            text, count = re.subn(r"<%s>.*?<" % name, "<%s>%s<" % (name, value), text)
            assert count == 1, "Syncthing has no option %s" % name
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        self.key = re.search("<apikey>(.*?)</apikey>", text)[1]
        self.identifier = re.search(r'<device id="([A-Z0-9-]+)"', text)[1]

    def start(self):
        """Starts the process and waits until it listens.

        STMONITORED leaves out the process that would start Syncthing again, and that a signal would reach in its place.
        """
        self.process = subprocess.Popen(
            ["syncthing", "serve", "--home=" + self.home, "--no-browser"], stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, env=dict(os.environ, STMONITORED="yes", STNOUPGRADE="1", GOMAXPROCS="1"))
        self.last_event = 0
        ready = threading.Event()
        threading.Thread(target=self.read_output, args=(self.process.stdout, ready), daemon=True).start()
        assert ready.wait(DEADLINE), "Syncthing does not start"

    @staticmethod
    def read_output(output, ready):
        for line in output:
            if b"GUI and API listening" in line:
                ready.set()

    def stop(self, how=signal.SIGTERM):
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(DEADLINE)

    def api(self, method, path, body=None, timeout=DEADLINE):
        """The answer of Syncthing's REST API (https://docs.syncthing.net/dev/rest.html)."""
        request = urllib.request.Request(
            "http://127.0.0.1:%d%s" % (self.api_port, path), method=method,
            headers={"X-API-Key": self.key, "Content-Type": "application/json"},
            data=None if body is None else json.dumps(body).encode())
        with urllib.request.urlopen(request, timeout=timeout) as response:
            answer = response.read()
        return json.loads(answer) if answer else None

    def share_with(self, others):
        for other in others:
            address = "tcp://127.0.0.1:%d" % other.port
            self.api("POST", "/rest/config/devices", {"deviceID": other.identifier, "addresses": [address]})
        self.api("POST", "/rest/config/folders", {
            "id": FOLDER, "path": self.folder, "fsWatcherDelayS": 1, "rescanIntervalS": 5,
            "devices": [{"deviceID": side.identifier} for side in [self, *others]]})

    def events(self, seconds):
        """The events since the last call; waits for one for so long. Syncthing leaves events out on a busy machine."""
        path = "/rest/events?since=%d&timeout=%d" % (self.last_event, seconds)
        events = self.api("GET", path, timeout=seconds + DEADLINE) or []
        if events:
            self.last_event = events[-1]["id"]
        return events

    def wait_until(self, holds):
        """Waits until something holds of this side, which is looked at after each event. Returns whether it does in time."""
        end = time.monotonic() + DEADLINE
        while not holds(self):
            if time.monotonic() > end:
                return False
            self.events(1)
        return True

    def scan(self):
        """Looks for changed files, and returns when they are known."""
        try:
            self.api("POST", "/rest/db/scan?folder=" + FOLDER)
        except urllib.error.HTTPError:
            # A folder that is paused, or a file that changes while it is read: the next scan finds it.
            pass

    def pause(self, is_paused):
        """Pauses the folder, or resumes it. Syncthing answers when it is so."""
        self.api("PATCH", "/rest/config/folders/" + FOLDER, {"paused": is_paused})


class Group:
    """Syncthing processes that have found each other, one for each folder."""

    def __init__(self, directory, folders):
        self.sides = [
            Syncthing(os.path.join(directory, "home-%d" % number), folder) for number, folder in enumerate(folders)]

    def __enter__(self):
        try:
            for side in self.sides:
                side.start()
            for side in self.sides:
                side.share_with([other for other in self.sides if other is not side])
            for side in self.sides:
                assert side.wait_until(self.is_connected), "the Syncthings do not connect"
        except BaseException:
            self.__exit__()
            raise
        return self

    def is_connected(self, side):
        """Whether a side is connected with all others."""
        found = side.api("GET", "/rest/system/connections")["connections"]
        return all(found.get(other.identifier, {}).get("connected") for other in self.sides if other is not side)

    def __exit__(self, *_):
        for side in self.sides:
            side.stop()
