"""The scenarios of leaks.py that have attachments, exports, backups and demo vaults, all with planted secrets."""

import json
import os
import random
import select
import shlex
import shutil
import signal
import stat
import time

from pictures import coded, picture
from server import MARK, Server, assert_not_stored, traces

# The imaging worker may know the watermark and the picture. Nothing else that other users can read may hold the mark.
WATERMARK = "watermark " + MARK


def recording_worker(program, directory):
    """A directory with an imaging worker that records its arguments, environment and errors; None without a worker."""
    worker = os.path.join(os.path.dirname(program), "quickvault-imaging")
    if not os.access(worker, os.X_OK):
        return None
    helpers = directory + "/helpers"
    os.makedirs(helpers)
    # The vault may execute nothing outside this directory.
    for name in ("/bin/sh", "/bin/cat", worker):
        shutil.copy(name, helpers + "/real" if name == worker else helpers)
    seen = shlex.quote(directory + "/worker-seen")
    with open(helpers + "/quickvault-imaging", "w", encoding="utf-8") as script:
        script.write("#!%s/sh\n%s/cat /proc/$$/cmdline /proc/$$/environ >>%s\necho started >>%s\nexec %s/real \"$@\" 2>>%s\n" % (
            helpers, shlex.quote(helpers), seen, seen, shlex.quote(helpers), shlex.quote(directory + "/worker-errors")))
    os.chmod(helpers + "/quickvault-imaging", 0o700)
    return helpers


def must_fail(server, method, /, **params):
    """Sends a request that must fail with an error that does not echo the parameters."""
    answer = server.ask(method, **params)
    assert answer is not None and "error" in answer, (method, answer)
    assert not traces(json.dumps(answer).encode()), (method, answer)


def attach(server, card, directory, outside):
    """Adds, shows, watermarks and exports attachments, with valid and invalid parameters."""
    add = {"cardId": card, "name": "name %s.png" % MARK, "data": coded(picture(64, MARK))}
    made = server.must("attachment/add", **add, watermark={"text": WATERMARK})["attachment"]["id"]
    gone = server.must("attachment/add", **add)["attachment"]["id"]
    server.must("attachment/get", id=made)
    server.must("attachment/thumbnail", id=made, size=32)
    server.must("attachment/setWatermark", id=made, text="other " + WATERMARK)
    server.must("attachment/export", id=made, path=outside + "/marked.png")
    must_fail(server, "attachment/add", cardId=card, name=MARK, data=coded(picture(note=MARK)[:-20] + MARK.encode()))
    must_fail(server, "attachment/add", cardId=card, name=MARK, data=coded(MARK.encode()))
    must_fail(server, "attachment/add", cardId=card, name=MARK * 400, data=coded(picture(note=MARK)))
    must_fail(server, "attachment/add", cardId=card, name=MARK, data=MARK)
    must_fail(server, "attachment/add", cardId=MARK, name=MARK, data=coded(picture(note=MARK)), watermark={"text": MARK})
    must_fail(server, "attachment/add", cardId=card, name="a/" + MARK, data=coded(picture(note=MARK)))
    must_fail(server, "attachment/setWatermark", id=made, text=MARK * 400)
    must_fail(server, "attachment/setWatermark", id=MARK, text=MARK)
    must_fail(server, "attachment/export", id=made, path=outside + "/marked.png")
    must_fail(server, "attachment/export", id=made, path=outside + "/original.png", original=True, password="wrong " + MARK)
    server.must("attachment/delete", id=gone)
    # Large enough that an export can be killed halfway.
    server.must("attachment/add", cardId=card, name="large.png", data=coded(picture(note=MARK, filling=6 << 20)))
    assert_not_stored(directory)


def move(server, password, directory, outside):
    """Exports, imports, backs up and merges; no files may remain except those requested."""
    server.must("vault/export", path=outside + "/cards.json", format="json", password=password)
    server.must("vault/export", path=outside + "/cards.csv", format="csv", password=password)
    must_fail(server, "vault/export", path=outside + "/more.json", format="json", password="wrong " + MARK)
    server.must("vault/import", path=outside + "/cards.json", dryRun=True)
    with open(outside + "/broken.json", "wb") as file:
        file.write(b'{"cards":[{"title":"%s","type":"%s"}' % (MARK.encode(), MARK.encode()))
    must_fail(server, "vault/import", path=outside + "/broken.json")
    backup = directory + "/backup.quickvault"
    server.must("vault/backup", path=backup)
    must_fail(server, "vault/merge", path=backup, password="wrong " + MARK)
    server.must("vault/merge", path=backup, password=password, dryRun=True)
    assert sorted(os.listdir(outside)) == ["broken.json", "cards.csv", "cards.json", "marked.png"], os.listdir(outside)
    for name in os.listdir(outside):
        assert name == "broken.json" or stat.S_IMODE(os.stat(outside + "/" + name).st_mode) == 0o600, name
    assert_not_stored(directory)


def kill_during_export(program, vault, password, parent, kills, seed):
    """Kills exports and backups: a file must be complete or absent. Returns the number of complete exports."""
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
        wait_for_file(server, place)
        time.sleep(chance.random() ** 3 * 0.5)  # a random moment to kill, not a wait
        server.kill()
        for name in os.listdir(place):
            if name.startswith(".quickvault-unfinished-"):
                assert not plain, "an unencrypted file has a name before it is complete"
            elif plain:
                with open(place + "/" + name, encoding="utf-8") as file:
                    assert json.load(file)["cards"], "an incomplete export"
                whole += 1
        if not plain and os.listdir(place):
            assert_not_stored(place)
    return whole


def wait_for_file(server, place):
    """Waits until the process has a file in the directory open, or has answered."""
    end = time.monotonic() + 60
    files = "/proc/%d/fd" % server.process.pid
    while not select.select([server.process.stdout], [], [], 0)[0]:
        assert time.monotonic() < end, "no file and no answer within 60 s"
        for name in os.listdir(files):
            try:
                if os.readlink(files + "/" + name).startswith(place):
                    return
            except FileNotFoundError:
                pass


def check_demo(program, parent, error):
    """A demo vault is encrypted like any other and deleted at the end; after a kill, the next one deletes it."""
    environment = {"TMPDIR": parent, "XDG_RUNTIME_DIR": parent, "HOME": parent}
    vault = parent + "/none.quickvault"

    def begin():
        server = Server(program, vault, ["--verbose"], stderr=error, env=environment)
        server.must("vault/create", demo=True)
        server.must("card/create", title=MARK, group="personal", type="text", fields={"text": "demo " + MARK})
        places = [name for name in os.listdir(parent) if name.startswith("quickvault-demo-")]
        assert len(places) == 1, "expected one demo vault: %r" % os.listdir(parent)
        assert stat.S_IMODE(os.stat(parent + "/" + places[0]).st_mode) == 0o700, places
        assert_not_stored(parent)
        return server

    begin().kill()
    begin().end()
    server = begin()
    server.process.send_signal(signal.SIGTERM)
    server.process.wait()
    server.process.stdin = None
    assert not os.listdir(parent), "remains of a demo vault: %r" % os.listdir(parent)
