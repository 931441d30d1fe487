"""What may be at the place of `quickvault mcp`: a program that talks to the service as the server of an agent does.

  hostile.py server SOCKET VAULT USE       USE: the parameters of agent/use, allowed by a person
  hostile.py child SOCKET VAULT CALLS      CALLS: [[METHOD, PARAMETERS], ...]
"""
import json
import os
import socket
import subprocess
import sys


class Connection:
    def __init__(self, path, vault, **more):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.stream = self.socket.makefile("rw", encoding="utf-8")
        self.tell({"quickvault": 1, "vault": os.path.realpath(vault), "locale": "C", "environment": {}, **more})
        self.number = 0

    def tell(self, message):
        self.stream.write(json.dumps(message) + "\n")
        self.stream.flush()
        while True:
            answer = json.loads(self.stream.readline())
            if "method" not in answer:
                return answer

    def call(self, method, parameters):
        self.number += 1
        return self.tell({"jsonrpc": "2.0", "id": self.number, "method": method, "params": parameters})


def child(path, vault, calls):
    connection = Connection(path, vault)
    connection.call("initialize", {})
    return [connection.call(*call) for call in json.loads(calls)]


def start(place, calls, *, stranger=False):
    """The answers that another program gets: one of its own, or one whose starter has ended."""
    words = [sys.executable, __file__, "child", *place, json.dumps(calls)]
    if stranger:
        words = ["/bin/sh", "-c", '"$@" & wait', "sh", *words]
    return json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


def server(path, vault, use):
    use, place = json.loads(use), (path, vault)
    connection = Connection(path, vault, agent=True)
    connection.call("initialize", {})
    (value,) = use["values"]
    take = ["card/copy", {"id": value["id"], "field": value["field"]}]
    del value["id"]
    answers = {"use": connection.call("agent/use", use)}
    others = [["card/list", {}], ["card/search", {"query": "tax"}], ["client/requestConsent", {}], ["settings/get", {}],
              ["session/unlock", {"password": "a b c d 1234 long password"}], ["client/ticket", {}],
              ["card/resolve", {"name": "Tax office", "field": "PIN"}], ["card/get", {"id": take[1]["id"]}],
              ["card/copy", {"id": take[1]["id"]}], ["card/copy", {"id": take[1]["id"], "field": "PIN"}]]
    answers["own"] = [connection.call(*call) for call in [take, *others]]
    answers["stranger"] = start(place, [take], stranger=True)
    answers["child"] = start(place, [*others, take, *others, take])
    answers["second"] = start(place, [take])
    return answers


print(json.dumps({"server": server, "child": child}[sys.argv[1]](*sys.argv[2:])))
