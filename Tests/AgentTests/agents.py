"""A vault, a person who answers questions, and agents whose messages are checked by the schemas of the protocol."""

import json
import os
import pathlib
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

import jsonschema

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from programs import program  # noqa: E402

PASSWORD = "a b c d 1234 long password"
DEADLINE = 120
STATELESS = "2026-07-28"
VERSIONS = ("2025-06-18", "2025-11-25", STATELESS)
META = "io.modelcontextprotocol/"
#: What no agent may get to know.
PLANTED, PIN = "Zq7-PLANTED-19c4", "pin-8341-wx"
RESULTS = {"initialize": "InitializeResult", "ping": "EmptyResult", "tools/list": "ListToolsResult",
           "tools/call": "CallToolResult", "server/discover": "DiscoverResult", "roots/list": "ListRootsResult"}


class Schema:
    """The published schema of a version."""

    def __init__(self, version):
        self.schema = json.loads((HERE / f"schemas/{version}.json").read_text(encoding="utf-8"))
        self.key = "$defs" if "$defs" in self.schema else "definitions"
        self.validator = jsonschema.validators.validator_for(self.schema)

    def has(self, name):
        return name in self.schema[self.key]

    def check(self, value, name):
        schema = {"$schema": self.schema["$schema"], "$ref": f"#/{self.key}/{name}", self.key: self.schema[self.key]}
        self.validator(schema).validate(value)


class Conversation:
    """Checks each message of a conversation in one version."""

    def __init__(self, version):
        self.version, self.schema, self.asked = version, Schema(version), {}
        self.stateless = version == STATELESS

    def check(self, message, from_server):
        own, other = ("Server", "Client") if from_server else ("Client", "Server")
        if "method" in message and "id" in message:
            if from_server and self.stateless:
                raise AssertionError(f"a request from a server without conversations: {message}")
            self.asked[own, message["id"]] = message["method"]
            self.schema.check(message, own + "Request")
        elif "method" in message:
            self.schema.check(message, own + "Notification")
        elif "error" in message:
            self.schema.check(message, next(filter(self.schema.has, ("JSONRPCErrorResponse", "JSONRPCError"))))
        else:
            method = self.asked[other, message["id"]]
            self.schema.check(message, next(filter(self.schema.has, ("JSONRPCResultResponse", "JSONRPCResponse"))))
            kind = RESULTS.get(method)
            if message["result"].get("resultType") == "input_required":
                kind = "InputRequiredResult"
            if kind:
                self.schema.check(message["result"], kind)


class Person:
    """A client of the vault whose user answers questions by `answer`, which takes a question and returns the answer."""

    def __init__(self, world, answer=None, arguments=()):
        self.answer, self.questions, self.answers, self.number = answer, [], {}, 0
        self.arrived = threading.Condition()
        self.process = subprocess.Popen(
            [program("quickvault"), "--shared", *arguments], env=world.environment, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, start_new_session=True)
        threading.Thread(target=self.read, daemon=True).start()
        self.request("initialize", processId=None, capabilities={"sessionAdmit": answer is not None})

    def send(self, **message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def read(self):
        for line in self.process.stdout:
            message = json.loads(line)
            with self.arrived:
                if message.get("method") == "session/admit":
                    self.questions.append(message["params"])
                elif "id" in message and "method" not in message:
                    self.answers[message["id"]] = message
                elif message.get("method") == "$/cancelRequest":
                    self.questions.append("withdrawn")
                self.arrived.notify_all()
            if message.get("method") == "session/admit":
                answer = self.answer(message["params"])
                if answer is not None:
                    self.send(id=message["id"], result=answer)

    def wait_for(self, is_there):
        with self.arrived:
            if not self.arrived.wait_for(is_there, DEADLINE):
                raise AssertionError(f"nothing arrived; questions: {self.questions}")

    def attempt(self, method, **parameters):
        self.number += 1
        number = self.number
        self.send(id=number, method=method, params=parameters)
        self.wait_for(lambda: number in self.answers)
        return self.answers.pop(number)

    def request(self, method, **parameters):
        answer = self.attempt(method, **parameters)
        if "error" in answer:
            raise AssertionError(f"{method}: {answer['error']}")
        return answer["result"]

    def unlock(self):
        return self.request("session/unlock", password=PASSWORD)

    def add(self, title, tags=(), extra=(), **fields):
        card = self.request(
            "card/create", title=title, group="personal", type="text", fields=fields or {"text": "a text"},
            tags=list(tags), extraFields=[{"label": label, "value": value, "concealed": True} for label, value in extra])
        return card["card"]["id"]

    def close(self):
        self.process.stdin.close()
        self.process.wait(DEADLINE)
        self.process.stdout.close()


ONCE, UNTIL_LOCK, NEVER = {"allow": True}, {"allow": True, "until": "lock"}, {"allow": False}


class Agent:
    """An agent that speaks one version, by hand. Each valid message of both sides is checked."""

    def __init__(self, world, version="2025-11-25", roots=None, arguments=(), capabilities=None, environment=None):
        self.conversation, self.roots = Conversation(version), roots
        self.capabilities = dict(capabilities or {}, **({"roots": {}} if roots is not None else {}))
        self.lines, self.number, self.arrived, self.log = queue.Queue(), 0, [], world.path("agent.log")
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / "tee.py"), self.log, program("quickvault"), "mcp", *arguments],
            env={**world.environment, **(environment or {})}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            start_new_session=True, cwd=world.directory)
        threading.Thread(target=self.read, daemon=True).start()
        world.addCleanup(self.close)
        if not self.conversation.stateless:
            self.request("initialize", protocolVersion=version, capabilities=self.capabilities,
                         clientInfo={"name": "test", "version": "1"})
            self.send({"method": "notifications/initialized"})

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def send(self, message, checked=True):
        message = {"jsonrpc": "2.0", **message}
        if checked:
            self.conversation.check(message, False)
        self.write(json.dumps(message))

    def write(self, text):
        self.process.stdin.write(text.encode() + b"\n")
        self.process.stdin.flush()

    def receive(self):
        """The next message; the server's request for roots is answered."""
        line = self.lines.get(timeout=DEADLINE)
        if line is None:
            raise AssertionError("the server has ended")
        message = json.loads(line)
        self.conversation.check(message, True)
        self.arrived.append(message)
        if message.get("method") == "roots/list":
            self.send({"id": message["id"], "result": {"roots": [{"uri": root.as_uri()} for root in self.roots]}})
        return message

    def begin(self, method, **parameters):
        self.number += 1
        if self.conversation.stateless:
            parameters["_meta"] = {
                META + "protocolVersion": STATELESS, META + "clientInfo": {"name": "test", "version": "1"},
                META + "clientCapabilities": self.capabilities, **parameters.get("_meta", {})}
        self.send({"id": self.number, "method": method, **({"params": parameters} if parameters else {})})
        return self.number

    def answer(self, number):
        while True:
            message = self.receive()
            if message.get("id") == number and "method" not in message:
                return message

    def request(self, method, **parameters):
        return self.answer(self.begin(method, **parameters))

    def tools(self):
        return {tool["name"]: tool for tool in self.request("tools/list")["result"]["tools"]}

    def call(self, tool, /, **arguments):
        """The result of a tool, with the roots that a version without conversations asks for."""
        result = self.request("tools/call", name=tool, arguments=arguments)["result"]
        if result.get("resultType") == "input_required":
            assert result["inputRequests"] == {"roots": {"method": "roots/list"}}, result
            result = self.request(
                "tools/call", name=tool, arguments=arguments,
                inputResponses={"roots": {"roots": [{"uri": root.as_uri()} for root in self.roots]}})["result"]
        return result

    def do(self, tool, /, **arguments):
        """What a tool gives that succeeds."""
        result = self.call(tool, **arguments)
        if result.get("isError"):
            raise AssertionError(f"{tool}: {result['content'][0]['text']}")
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"], result
        return result["structuredContent"]

    def refused(self, tool, /, **arguments):
        """Why a tool fails."""
        result = self.call(tool, **arguments)
        if not result.get("isError"):
            raise AssertionError(f"{tool} succeeded: {result}")
        return result["content"][0]["text"]

    def server(self):
        """The process id of the server."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text(encoding="ascii")
        return int(children.split()[0])

    def close(self):
        if not self.process.stdin.closed:
            self.process.stdin.close()
        self.process.wait(DEADLINE)
        self.process.stdout.close()


def display(test):
    """Starts an X server without a screen for a test, and returns its name."""
    reading, writing = os.pipe()
    server = subprocess.Popen(["Xvfb", "-noreset", "-r", "-displayfd", str(writing), "-nolisten", "tcp"],
                              pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    test.addCleanup(server.wait, DEADLINE)
    test.addCleanup(server.terminate)
    os.close(writing)
    with os.fdopen(reading) as stream:
        return ":" + stream.readline().strip()


class World(unittest.TestCase):
    """A vault with two cards, unlocked by a person who allows all once."""

    arguments, answers, asks = (), ONCE, True

    def prepare(self):
        """Adds to the environment of the person."""

    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="qv-agents."))
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)
        for name in ("home", "run", "root"):
            (self.directory / name).mkdir(mode=0o700)
        self.root = self.directory / "root"
        self.environment = {
            "HOME": self.path("home"), "XDG_RUNTIME_DIR": self.path("run"), "PATH": "/usr/local/bin:/usr/bin:/bin",
            "QUICKVAULT_VAULT": self.path("v.quickvault"), "LANG": "C.UTF-8"}
        self.prepare()
        self.person = Person(self, self.answer if self.asks else None, self.arguments)
        self.addCleanup(self.end)
        self.person.request("vault/create", password=PASSWORD, kdf={"algorithm": "pbkdf2-hmac-sha256", "iterations": 100_000})
        self.person.request("settings/update", lockOnBackground=False)
        self.secret = self.person.add("Tax office", extra=[("Tax ID", PLANTED), ("PIN", PIN)], text="Main street 5")
        self.person.add("Home", text="Garden lane 7")

    def answer(self, question):
        return self.answers

    def end(self):
        try:
            self.person.attempt("session/lock")
        finally:
            self.person.close()

    def path(self, name):
        return str(self.directory / name)

    def file(self, text, name="letter.md"):
        path = self.root / name
        path.write_text(text, encoding="utf-8")
        return path

    def agent(self, version="2025-11-25", **options):
        return Agent(self, version, **{"roots": [self.root], **options})

    def setting(self, **settings):
        self.person.unlock()
        self.person.request("settings/update", **settings)
