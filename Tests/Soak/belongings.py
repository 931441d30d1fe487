"""Attachments, moved cards and demo vaults full of planted secrets, for leaks.py."""

import json
import os
import random
import select
import shlex
import signal
import stat
import time

from pictures import coded, picture
from server import MARK, Server, look_through, traces

# What the worker may be told: what it draws, and the picture. Everything else that everybody could read is looked at.
WATERMARK = "watermark " + MARK


def listening_worker(program, directory):
    """A directory of helpers whose imaging worker writes down what anybody could see of it; None where there is no worker."""
    worker = os.path.join(os.path.dirname(program), "quickvault-imaging")
    if not os.access(worker, os.X_OK):
        return None
    helpers = directory + "/helpers"
    os.makedirs(helpers)
    seen = shlex.quote(directory + "/worker-seen")
    with open(helpers + "/quickvault-imaging", "w", encoding="utf-8") as script:
        script.write("#!/bin/sh\ncat /proc/$$/cmdline /proc/$$/environ >>%s\necho started >>%s\nexec %s \"$@\" 2>>%s\n" % (
            seen, seen, shlex.quote(worker), shlex.quote(directory + "/worker-errors")))
    os.chmod(helpers + "/quickvault-imaging", 0o700)
    return helpers


def refused(server, method, /, **params):
    """A request that must be refused, by an error that does not echo what was sent."""
    answer = server.ask(method, **params)
    assert answer is not None and "error" in answer, (method, answer)
    assert not traces(json.dumps(answer).encode()), (method, answer)


def attach(server, card, directory, outside):
    """Attachments, shown, marked and taken out, well and wrongly."""
    add = {"cardId": card, "name": "name %s.png" % MARK, "data": coded(picture(64, MARK))}
    made = server.must("attachment/add", **add, watermark={"text": WATERMARK})["attachment"]["id"]
    gone = server.must("attachment/add", **add)["attachment"]["id"]
    server.must("attachment/get", id=made)
    server.must("attachment/thumbnail", id=made, size=32)
    server.must("attachment/setWatermark", id=made, text="other " + WATERMARK)
    server.must("attachment/export", id=made, path=outside + "/marked.png")
    refused(server, "attachment/add", cardId=card, name=MARK, data=coded(picture(note=MARK)[:-20] + MARK.encode()))
    refused(server, "attachment/add", cardId=card, name=MARK, data=coded(MARK.encode()))
    refused(server, "attachment/add", cardId=card, name=MARK * 400, data=coded(picture(note=MARK)))
    refused(server, "attachment/add", cardId=card, name=MARK, data=MARK)
    refused(server, "attachment/add", cardId=MARK, name=MARK, data=coded(picture(note=MARK)), watermark={"text": MARK})
    refused(server, "attachment/add", cardId=card, name="a/" + MARK, data=coded(picture(note=MARK)))
    refused(server, "attachment/setWatermark", id=made, text=MARK * 400)
    refused(server, "attachment/setWatermark", id=MARK, text=MARK)
    refused(server, "attachment/export", id=made, path=outside + "/marked.png")
    refused(server, "attachment/export", id=made, path=outside + "/original.png", original=True, password="wrong " + MARK)
    server.must("attachment/delete", id=gone)
    # Exports that take long enough to be killed in.
    server.must("attachment/add", cardId=card, name="large.png", data=coded(picture(note=MARK, filling=6 << 20)))
    look_through(directory)


def move(server, password, directory, outside):
    """Cards go out and come in; beside what was asked for, nothing is left."""
    server.must("vault/export", path=outside + "/cards.json", format="json", password=password)
    server.must("vault/export", path=outside + "/cards.csv", format="csv", password=password)
    refused(server, "vault/export", path=outside + "/more.json", format="json", password="wrong " + MARK)
    server.must("vault/import", path=outside + "/cards.json", dryRun=True)
    with open(outside + "/broken.json", "wb") as file:
        file.write(b'{"cards":[{"title":"%s","type":"%s"}' % (MARK.encode(), MARK.encode()))
    refused(server, "vault/import", path=outside + "/broken.json")
    backup = directory + "/backup.quickvault"
    server.must("vault/backup", path=backup)
    refused(server, "vault/merge", path=backup, password="wrong " + MARK)
    server.must("vault/merge", path=backup, password=password, dryRun=True)
    assert sorted(os.listdir(outside)) == ["broken.json", "cards.csv", "cards.json", "marked.png"], os.listdir(outside)
    for name in os.listdir(outside):
        assert name == "broken.json" or stat.S_IMODE(os.stat(outside + "/" + name).st_mode) == 0o600, name
    look_through(directory)


def kill_in_mid_move(program, vault, password, parent, kills, seed):
    """Exports and backups that are killed: a file is there whole or not at all, and readable only where it was asked for."""
    chance = random.Random(seed)
    whole = 0
    for number in range(kills):
        place = "%s/killed-%d" % (parent, number)
        os.makedirs(place)
        server = Server(program, vault)
        server.must("session/unlock", password=password)
        plain = number % 2 == 0
        if plain:
            server.send("vault/export", {"path": place + "/cards.json", "format": "json", "password": password,
                                         "attachments": True})
        else:
            server.send("vault/backup", {"path": place + "/backup.quickvault"})
        server.flush()
        writes(server, place)
        time.sleep(chance.random() ** 3 * 0.5)  # no wait for anything: the moment of the kill is a random one
        server.kill()
        for name in os.listdir(place):
            if name.startswith(".quickvault-unfinished-"):
                assert not plain, "a plain file has a name before it is whole"
            elif plain:
                with open(place + "/" + name, encoding="utf-8") as file:
                    assert json.load(file)["cards"], "an export that is not whole"
                whole += 1
        if not plain and os.listdir(place):
            look_through(place)
    return whole


def writes(server, place):
    """Waits until the process has a file open there, or has answered."""
    end = time.monotonic() + 60
    files = "/proc/%d/fd" % server.process.pid
    while not select.select([server.process.stdout], [], [], 0)[0]:
        assert time.monotonic() < end, "it neither writes nor answers"
        for name in os.listdir(files):
            try:
                if os.readlink(files + "/" + name).startswith(place):
                    return
            except FileNotFoundError:
                pass


def demonstrate(program, parent, error):
    """A demo vault with planted cards: its file is as sealed as any, and gone at the end, after a kill with the next one."""
    environment = {"TMPDIR": parent, "XDG_RUNTIME_DIR": parent, "HOME": parent}
    vault = parent + "/none.quickvault"

    def begin():
        server = Server(program, vault, ["--verbose"], stderr=error, env=environment)
        server.must("vault/create", demo=True)
        server.must("card/create", title=MARK, group="personal", type="text", fields={"text": "demo " + MARK})
        places = [name for name in os.listdir(parent) if name.startswith("quickvault-demo-")]
        assert len(places) == 1, "not one place of a demo vault: %r" % os.listdir(parent)
        assert stat.S_IMODE(os.stat(parent + "/" + places[0]).st_mode) == 0o700, places
        look_through(parent)
        return server

    begin().kill()
    begin().end()
    server = begin()
    server.process.send_signal(signal.SIGTERM)
    server.process.wait()
    server.process.stdin = None
    assert not os.listdir(parent), "left of a demo: %r" % os.listdir(parent)
