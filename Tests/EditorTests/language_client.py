"""A client of the Language Server Protocol, and the vault that the tests use."""

import contextlib
import json
import os
import pathlib
import queue
import shutil
import subprocess
import tempfile
import threading
import time

from lsp_model import check_params, check_result

PROGRAM = os.environ.get("QUICKVAULT_PROGRAM", "")
PASSWORD = "correct horse"
FAST = {"algorithm": "pbkdf2-hmac-sha256", "iterations": 100000}
TAX_ID = "91110000802100433B"
PIN = "493817"
VALUES = [TAX_ID, PIN, "某某科技有限公司", "6222020200000000001", "上海分行"]
INVOICE = {
    "title": "公司发票", "group": "company", "type": "invoice",
    "fields": {
        "companyName": VALUES[2], "taxId": TAX_ID, "address": "上海市浦东新区张江路 1 号", "phone": "13800138000",
        "bankName": VALUES[4], "bankAccount": VALUES[3]},
    "extraFields": [{"label": "PIN", "value": PIN, "concealed": True}]}
NOTE = {"title": "Meeting. Room 5", "group": "personal", "type": "text", "fields": {"text": "first line\nsecond line"}}
# In seconds, long enough for a busy machine
DEADLINE = 120


def capabilities(*encodings, actions=True, versions=True, snippets=True, progress=False):
    """What an editor of today declares."""
    return {
        "general": {"positionEncodings": list(encodings)} if encodings else {},
        "textDocument": {
            "completion": {"completionItem": {"snippetSupport": snippets}},
            "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": [""]}}} if actions else {}},
        "window": {"workDoneProgress": progress}, "workspace": {"workspaceEdit": {"documentChanges": versions}}}


class Refused(Exception):
    """An error in answer to a request."""

    def __init__(self, error):
        super().__init__(error.get("message"))
        self.kind = (error.get("data") or {}).get("kind", "")


class LanguageClient:
    """A conversation with `quickvault` as an editor has it; `received` has every message of the server.

    Each is checked against the model of the protocol. With an environment it uses the shared service of the vault.
    """

    uri = "file:///letter.txt"

    def __init__(self, test, vault, environment=None, through=(), **initialize):
        self.process = subprocess.Popen(
            [*through, PROGRAM, *(["lsp"] if environment else []), "--vault", str(vault)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env=environment or {"PATH": os.environ["PATH"], "XDG_STATE_HOME": str(vault.parent)})
        test.addCleanup(self.close)
        self.incoming = queue.Queue()
        self.received = []
        self.answers = {}
        self.unanswered = set()
        self.methods = {}
        self.last = 0
        self.version = 0
        self.text = ""
        threading.Thread(target=self._read, daemon=True).start()
        parameters = {"processId": None, "rootUri": None, "clientInfo": {"name": "Test"}, "capabilities": capabilities()}
        parameters = {**parameters, **initialize}
        self.speaks_protocol = "textDocument" in parameters["capabilities"]
        self.initialized = self.request("initialize", **parameters)
        self.notify("initialized")

    def close(self):
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        self.process.wait(DEADLINE)
        self.process.stdout.close()

    def _read(self):
        while True:
            length = 0
            while line := self.process.stdout.readline().strip():
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if not length:
                return self.incoming.put(None)
            self.incoming.put(json.loads(self.process.stdout.read(length)))

    def _send(self, **message):
        self.send_together(message)

    def send_together(self, *messages):
        """Sends messages in one write."""
        frames = b""
        for message in messages:
            data = json.dumps({"jsonrpc": "2.0", **message}).encode()
            frames += b"Content-Length: %d\r\n\r\n" % len(data) + data
        self.process.stdin.write(frames)
        self.process.stdin.flush()

    def notify(self, method, **parameters):
        self._send(method=method, params=parameters)

    def receive(self):
        """The next message; questions of the server are answered with what `answers` has for their method.

        Those of a method in `unanswered` are not.
        """
        message = self.incoming.get(timeout=DEADLINE)
        if message is None:
            raise EOFError("the server has ended")
        self.received.append(message)
        if self.speaks_protocol:
            self.check(message)
        if "method" in message and "id" in message and message["method"] not in self.unanswered:
            answer = self.answers.get(message["method"])
            self._send(id=message["id"], result=answer(message["params"]) if callable(answer) else answer)
        return message

    def check(self, message):
        if "method" in message:
            check_params(message["method"], message.get("params"))
        elif "result" in message:
            check_result(self.methods[message["id"]], message["result"])
        else:
            assert set(message["error"]) <= {"code", "message", "data"}

    def begin(self, method, **parameters):
        """Sends a request and returns its number."""
        self.last += 1
        self.methods[self.last] = method
        self._send(id=self.last, method=method, params=parameters)
        return self.last

    def request(self, method, **parameters):
        number = self.begin(method, **parameters)
        while True:
            message = self.receive()
            if message.get("id") == number and "method" not in message:
                if "error" in message:
                    raise Refused(message["error"])
                return message["result"]

    def messages(self, method):
        return [message["params"] for message in self.received if message.get("method") == method]

    # The document

    def open(self, text):
        self.version += 1
        self.text = text
        self.notify(
            "textDocument/didOpen",
            textDocument={"uri": self.uri, "languageId": "text", "version": self.version, "text": text})

    def change(self, text):
        self.version += 1
        self.text = text
        self.notify(
            "textDocument/didChange", textDocument={"uri": self.uri, "version": self.version},
            contentChanges=[{"text": text}])

    def apply(self, parameters):
        """Makes the edit of `workspace/applyEdit` in UTF-16, as an editor does."""
        (change,) = parameters["edit"]["documentChanges"]
        if change["textDocument"]["version"] != self.version:
            return {"applied": False, "failureReason": "another version"}
        (edit,) = change["edits"]
        lines = self.text.split("\n")
        start, end = edit["range"]["start"], edit["range"]["end"]
        first = lines[start["line"]].encode("utf-16-le")[:2 * start["character"]].decode("utf-16-le")
        rest = lines[end["line"]].encode("utf-16-le")[2 * end["character"]:].decode("utf-16-le")
        lines[start["line"]:end["line"] + 1] = [first + edit["newText"] + rest]
        self.change("\n".join(lines))
        return {"applied": True}

    def complete(self, line, character):
        return self.request(
            "textDocument/completion", textDocument={"uri": self.uri}, position={"line": line, "character": character})

    def labels(self, line, character):
        return [item["label"] for item in self.complete(line, character)["items"]]

    def actions(self, line, start, end=None, **context):
        place = {"start": {"line": line, "character": start}, "end": {"line": line, "character": start if end is None else end}}
        return self.request(
            "textDocument/codeAction", textDocument={"uri": self.uri}, range=place, context={"diagnostics": [], **context})

    def execute(self, command):
        return self.request("workspace/executeCommand", **{key: command[key] for key in command if key != "title"})


def remove(directory):
    """Removes a directory, in which a service that has lost its clients may write for another moment."""
    end = time.monotonic() + DEADLINE
    while True:
        try:
            return shutil.rmtree(directory)
        except OSError:
            if time.monotonic() > end:
                raise


def make_vault(test, *cards):
    """Returns the path of a new vault with cards."""
    directory = pathlib.Path(tempfile.mkdtemp(prefix="qv-editor."))
    test.addCleanup(remove, directory)
    vault = directory / "vault.quickvault"
    lines = [{"method": "vault/create", "params": {"password": PASSWORD, "kdf": FAST}}]
    lines += [{"method": "card/create", "params": card} for card in cards]
    text = "".join(json.dumps({"jsonrpc": "2.0", "id": number, **line}) + "\n" for number, line in enumerate(lines))
    done = subprocess.run(
        [PROGRAM, "--vault", str(vault)], input=text, capture_output=True, text=True, check=True, timeout=DEADLINE,
        env={"PATH": os.environ["PATH"], "XDG_STATE_HOME": str(directory)})
    test.assertNotIn('"error"', done.stdout)
    return vault
