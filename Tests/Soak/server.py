"""A client for the soak tests, and the mark that they plant and search for."""

import base64
import functools
import json
import os
import pathlib
import signal
import subprocess

KDF = {"algorithm": "pbkdf2-hmac-sha256", "iterations": 100000}
TOP = pathlib.Path(__file__).resolve().parents[2]

# Part of every password, title, value and tag that a soak test stores. If it is found anywhere else, something leaked.
MARK = "Zq7植入Kx9"


class Server:
    """A running program with a vault."""

    def __init__(self, program, vault, arguments=(), stderr=subprocess.DEVNULL, state="/dev/null", **options):
        # Runs begin with copies of the same vaults, which are older than what another run left.
        options["env"] = dict(options.get("env") or os.environ, XDG_STATE_HOME=state)
        self.process = subprocess.Popen(
            [program, "--vault", vault, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr,
            **options)
        self.last_id = 0
        self.password = None

    def send(self, method, params):
        self.last_id += 1
        request = {"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}
        self.process.stdin.write(json.dumps(request, ensure_ascii=False).encode() + b"\n")
        return self.last_id

    def flush(self):
        self.process.stdin.flush()

    def answer(self):
        """The next answer, skipping notifications; None at the end of the output."""
        for line in self.process.stdout:
            message = json.loads(line)
            if "id" in message:
                return message
        return None

    def ask(self, method, /, **params):
        """The answer to a request; on a slow machine the last password may be more than a minute ago, and is given again."""
        if method in ("session/unlock", "vault/create"):
            self.password = params.get("password", self.password)
        answer = self.ask_once(method, params)
        if self.password and answer and answer.get("error", {}).get("data", {}).get("kind") == "auth.required":
            self.ask_once("session/unlock", {"password": self.password})
            answer = self.ask_once(method, params)
        return answer

    def ask_once(self, method, params):
        self.send(method, params)
        self.flush()
        return self.answer()

    def must(self, method, /, **params):
        """The result of a request that must succeed."""
        answer = self.ask(method, **params)
        assert answer is not None and "result" in answer, (method, answer)
        return answer["result"]

    def kind(self, method, /, **params):
        """The kind of the error of a request that must fail."""
        answer = self.ask(method, **params)
        assert answer is not None and "error" in answer, (method, answer)
        return answer["error"]["data"]["kind"]

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        # The kill can cut the last line anywhere, even after a brace.
        whole, _, _ = self.process.stdout.read().rpartition(b"\n")
        self.process.wait()
        self.process.stdin = None
        return [message for message in map(json.loads, whole.splitlines()) if "id" in message]

    def end(self):
        self.process.stdin.close()
        self.process.stdout.read()
        status = self.process.wait()
        assert status == 0, "the process ended with %d" % status


def memory(process, name):
    """A value from /proc/PID/status, in bytes, such as VmRSS."""
    with open("/proc/%d/status" % process, encoding="ascii") as file:
        return next(int(line.split()[1]) << 10 for line in file if line.startswith(name + ":"))


@functools.cache
def document():
    """The protocol's document."""
    return json.loads((TOP / "protocol" / "openrpc.json").read_text(encoding="utf-8"))


@functools.cache
def known_kinds():
    """The kind and code of every error in the protocol."""
    return {error["data"]["kind"]: error["code"] for error in document()["components"]["errors"].values()}


@functools.cache
def forms(text):
    """The encodings of a text to search for: UTF-8, UTF-16, JSON escapes, and Base64 at each of three offsets."""
    found = {text.encode(), text.encode("utf-16-le"), text.encode("utf-16-be")}
    escaped = json.dumps(text)[1:-1].encode()
    found |= {escaped, escaped.upper().replace(b"\\U", b"\\u")}
    for data in (text.encode(), text.encode("utf-16-le")):
        for before in range(3):
            coded = base64.b64encode(bytes(before) + data)
            # The first and last characters also encode bits of the neighbouring bytes.
            coded = coded[(0, 2, 3)[before]:len(coded) - (4 if (before + len(data)) % 3 else 0)]
            found |= {coded, coded.replace(b"+", b"-").replace(b"/", b"_")}
    return found


def traces(content, *texts):
    """The encodings of the texts (MARK without any) that occur in the bytes."""
    return [form for text in texts or [MARK] for form in forms(text) if form in content]


def assert_not_stored(directory, *texts):
    """Fails if a file or a file name below the directory contains one of the texts (MARK without any) in any encoding.

    Returns the number of files.
    """
    count = 0
    for place, directories, names in os.walk(directory):
        for name in directories + names:
            assert not traces(os.fsencode(name), *texts), "the text is in a file name: %r" % name
        for name in names:
            path = os.path.join(place, name)
            if not os.path.isfile(path):
                continue
            try:
                with open(path, "rb") as file:
                    found = traces(file.read(), *texts)
            except FileNotFoundError:
                # A carrier that finishes its pass gave the file its name, or removed it.
                continue
            assert not found, "%s contains %r" % (path, found)
            count += 1
    assert count, "no files in %s" % directory
    return count
