#!/usr/bin/python3
"""Talks to QuickVault with python-lsp-jsonrpc, the library of Python's language server.

QUICKVAULT_PROGRAM and QUICKVAULT_VAULT name the program and the vault. Prints "done" on success, and ends with an
exception otherwise.
"""
import os
import queue
import subprocess
import threading

from pylsp_jsonrpc.endpoint import Endpoint
from pylsp_jsonrpc.exceptions import JsonRpcException
from pylsp_jsonrpc.streams import JsonRpcStreamReader, JsonRpcStreamWriter

PASSWORD = "三月的雨 and 42 umbrellas"
PATIENCE = 30


class Notices(dict):
    """Puts every notification into a queue for its method."""

    def __init__(self):
        super().__init__()
        self.queues = {name: queue.Queue() for name in ("window/showMessage", "session/didLock", "card/didChange")}
        for name, waiting in self.queues.items():
            self[name] = waiting.put

    def next(self, method):
        """The parameters of the next notification of this method."""
        return self.queues[method].get(timeout=PATIENCE)


def main():
    """Runs a whole session."""
    program = subprocess.Popen([os.environ["QUICKVAULT_PROGRAM"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    notices = Notices()
    writer = JsonRpcStreamWriter(program.stdin)
    endpoint = Endpoint(notices, writer.write)
    listener = threading.Thread(target=JsonRpcStreamReader(program.stdout).listen, args=[endpoint.consume], daemon=True)
    listener.start()

    def ask(method, **params):
        return endpoint.request(method, params).result(timeout=PATIENCE)

    hello = ask("initialize", processId=os.getpid(), rootUri=None, capabilities={}, locale="zh_CN.UTF-8")
    assert hello["locale"] == "zh-Hans" and hello["capabilities"] == {}, hello
    endpoint.notify("initialized", [])
    ask("vault/create", password=PASSWORD, kdf={"algorithm": "pbkdf2-hmac-sha256", "iterations": 100000})
    card = ask("card/create", title="家", group="personal", type="text", fields={"text": "灯笼 lantern\n𠮷"})["card"]
    assert notices.next("window/showMessage")["message"] == "卡片已保存。"
    assert ask("card/search", query="灯笼")["total"] == 1
    assert ask("card/copy", id=card["id"])["text"] == "灯笼 lantern\n𠮷"

    assert ask("session/lock") is None
    assert notices.next("session/didLock") == {"reason": "request"}
    try:
        ask("card/get", id=card["id"])
    except JsonRpcException as error:
        assert error.code == 1003 and error.data["kind"] == "vault.locked", error
    else:
        raise AssertionError("a locked vault gave a card")
    ask("session/unlock", password=PASSWORD)
    assert ask("card/list")["total"] == 1

    ask("shutdown")
    endpoint.notify("exit", {})
    assert program.wait(timeout=PATIENCE) == 0
    print("done")


main()
