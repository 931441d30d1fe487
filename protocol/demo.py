#!/usr/bin/python3
"""Plays a conversation with a real vault in a temporary directory and prints it with explanations.

    demo.py PROGRAM
"""

import json
import os
import select
import subprocess
import sys
import tempfile

PASSWORD = "correct horse 电池"


class Conversation:
    """Exchanges messages with the program over its standard input and output, one per line."""

    def __init__(self, program, vault):
        # The program remembers the vaults it opens; it forgets this one with its directory.
        state = {**os.environ, "XDG_STATE_HOME": os.path.dirname(vault)}
        self.process = subprocess.Popen(
            [program, "--vault", vault], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, env=state)
        self.last_id = 0

    def ask(self, method, shown=None, **params):
        """Sends and prints a request, prints what comes back, and returns the result or the error."""
        self.last_id += 1
        request = {"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}
        print("  ->", json.dumps({**request, "params": shown or params}, ensure_ascii=False))
        self.process.stdin.write((json.dumps(request) + "\n").encode())
        answer = None
        # Notifications follow their answer at once; a late one is printed before the next answer.
        while answer is None or select.select([self.process.stdout], [], [], 0.05)[0]:
            message = json.loads(self.process.stdout.readline())
            print("  <-", json.dumps(message, ensure_ascii=False))
            if message.get("id") == self.last_id:
                answer = message
        return answer.get("result", answer.get("error"))

    def end(self):
        """Closes the input, prints the final notifications and returns the exit status."""
        self.process.stdin.close()
        for line in self.process.stdout:
            print("  <-", line.decode().strip())
        return self.process.wait()


def say(text):
    bold = sys.stdout.isatty()
    print("\n" + ("\033[1m" if bold else "") + text + ("\033[0m" if bold else ""), flush=True)


def play(program, vault):
    talk = Conversation(program, vault)
    say("There is no vault yet. A client would welcome its user now.")
    talk.ask("vault/status")

    say("Create the vault. (The password is not printed.)")
    talk.ask("vault/create", shown={"password": "…"}, password=PASSWORD)

    say("Store a card of each type. The tax ID has a typing error: that is a warning, not an error.")
    address = talk.ask(
        "card/create", title="家", group="personal", type="address", tags=["home"],
        fields={"name": "张伟", "phone": "+86 138-0013-8000", "province": "广东省", "city": "深圳市",
                "district": "南山区", "address": "科技路1号3栋502室", "postalCode": "518057"})["card"]
    talk.ask(
        "card/create", title="Acme 开票", group="company", type="invoice", tags=["税务"],
        fields={"companyName": "深圳极点科技有限公司", "taxId": "91350100m000100y44", "address": "深圳市南山区科技路1号",
                "phone": "0755-86000000", "bankName": "招商银行深圳分行", "bankAccount": "7559000000000001"})
    talk.ask("card/create", title="Out of office", group="company", type="text", pinned=True,
             fields={"text": "I am away until Monday.\n周一回来。"})

    say("Everything that is wrong with a card is reported at once. Nothing is saved.")
    talk.ask("card/create", title="", group="personal", type="address", fields={"name": "李娜", "phone": "12345"})

    say("List the cards: pinned first, then the most recently modified.")
    talk.ask("card/list")

    say("Search by part of a word, in full-width letters, with a qualifier. The matches can be highlighted.")
    talk.ask("card/search", query="科技 type:address")
    talk.ask("card/search", query="ＡＣＭＥ tag:税务")

    say("Copy a card as labelled lines, as the one line that couriers parse, one field, and by a template.")
    talk.ask("card/copy", id=address["id"])
    talk.ask("card/copy", id=address["id"], style="oneLine")
    talk.ask("card/copy", id=address["id"], field="phone")
    talk.ask("card/copy", id=address["id"], template="{name} <{postalCode}>")

    say("Lock. The process replaces itself, so no card, password or key is left in its memory.")
    talk.ask("session/lock")

    say("While the vault is locked, cards cannot be read. A wrong password is counted.")
    talk.ask("card/get", id=address["id"])
    talk.ask("session/unlock", shown={"password": "… (a wrong one)"}, password="wrong horse")
    return talk.end()


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory(prefix="quickvault-demo-") as directory:
        status = play(sys.argv[1], directory + "/demo.quickvault")
    say("That was a real vault. It is deleted now. The README shows how to make your own.")
    sys.exit(status)


if __name__ == "__main__":
    main()
