#!/usr/bin/python3
"""Plants secrets, makes everything go wrong that can, and looks for them everywhere but where they belong.

    leaks.py PROGRAM [KILLS] [SEED]

Every password, title, value, tag, label of an extra field, name and content of an attachment and watermark holds one mark. A
conversation at the most talkative calls every method, well and wrongly, locked and unlocked; the process is then aborted where core
files are allowed, and killed in the middle of exports and backups; a demo vault is begun, killed and ended. After that the mark
may stand in no error answer, standard error, file, name of a file, environment or argument, those of the imaging worker too:
in UTF-8, UTF-16, base64 or JSON's escapes. It may stand in the plain files that were asked for, and only where they were asked
for. And of a card that was deleted not even the sealed bytes may be left in the file.
"""

import contextlib
import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile

import belongings
from server import KDF, MARK, Server, document, look_through, traces

PASSWORD, OTHER = "planted password " + MARK, "planted other " + MARK
CARD = {
    "title": "title " + MARK, "group": "personal", "type": "text", "fields": {"text": "value " + MARK},
    "tags": ["tag " + MARK],
    "extraFields": [{"label": "label " + MARK, "value": "concealed " + MARK, "concealed": True}],
}
# What a person wrote as a template or named as a field is told where it is wrong: it is no value of a card.
NAMES = {"template", "field", "copyTemplates"}


def wrong_parameters(method):
    """Parameters that hold the mark where they may, each wrong in one way."""
    # A path is no secret, and leads where nothing is.
    names = [parameter["name"] for parameter in method["params"]
             if parameter["name"] not in NAMES and not parameter["name"].lower().endswith("path")]
    whole = {name: "secret " + MARK for name in names}
    yield whole
    yield {name: [MARK] for name in names}
    yield {name: {"value": MARK} for name in names}
    yield {}
    yield dict(whole, unknown=MARK)
    for name in names:
        yield {name: MARK}


def provoke_errors(server):
    """Calls every method wrongly; no error may echo what it was given."""
    count = 0
    for method in document()["methods"]:
        # A lock that is asked for ends what is looked at here; the lifecycle ends the conversation.
        if "result" not in method or method["name"] in ("session/lock", "initialize", "shutdown"):
            continue
        for params in wrong_parameters(method):
            answer = server.ask(method["name"], **params)
            assert answer is not None, "the server is gone after %s" % method["name"]
            if "error" in answer:
                assert not traces(repr(answer).encode()), (method["name"], answer)
                count += 1
    return count


def provoke_refusals(server, identifier):
    """What is wrong by the rules of cards, not by the form of the parameters."""
    bad = dict(CARD, type="invoice", fields={"companyName": MARK, "taxId": MARK, "phone": MARK})
    requests = [
        ("card/create", bad), ("card/create", dict(CARD, title=MARK * 400)), ("card/create", dict(CARD, tags=[MARK * 40])),
        ("card/update", {"id": identifier, "fields": {"text": MARK * 30000}}),
        ("card/search", {"query": '"' + MARK}), ("card/search", {"query": MARK * 400}),
        ("vault/changePassword", {"oldPassword": PASSWORD, "newPassword": MARK[:4]}),
        ("vault/changePassword", {"oldPassword": "wrong " + MARK, "newPassword": OTHER}),
        ("vault/delete", {"password": PASSWORD, "confirm": MARK}),
        ("settings/update", {"autoLockSeconds": MARK}), ("settings/update", {"language": MARK}),
    ]
    for method, params in requests:
        answer = server.ask(method, **params)
        if "error" in answer:
            assert not traces(repr(answer).encode()), (method, answer)


def provoke_core_file(program, directory):
    """Aborts an unlocked process where core files are allowed; shows first that the system writes any."""
    def allow():
        resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    place = directory + "/core"
    os.makedirs(place)
    told = "the process left no core file"
    try:
        subprocess.run([sys.executable, "-c", "import os; os.abort()"], cwd=place, preexec_fn=allow, check=False,
                       capture_output=True)
    except (OSError, ValueError, subprocess.SubprocessError):
        return "NOT RUN: this user may not allow core files"
    if not os.listdir(place):
        told = "NOT SHOWN: this system writes core files elsewhere or not at all; the process left none here"
    for name in os.listdir(place):
        os.remove(os.path.join(place, name))
    # The Swift runtime's own look at a crash is not what is asked about here, and waits for a process that it may not read.
    quiet = dict(os.environ, SWIFT_BACKTRACE="enable=no")
    server = Server(program, directory + "/vault.quickvault", cwd=place, preexec_fn=allow, env=quiet)
    server.must("session/unlock", password=PASSWORD)
    server.must("card/list")
    server.process.send_signal(signal.SIGABRT)
    server.process.wait()
    server.process.stdin = None
    assert not os.listdir(place), "a core file was left: %r" % os.listdir(place)
    return told


def sealed(vault, identifier):
    """The sealed bytes of a card, through SQLite alone."""
    with contextlib.closing(sqlite3.connect("file:%s?mode=ro" % vault, uri=True)) as file:
        (row,) = file.execute("SELECT sealed FROM card WHERE id = ?", (bytes.fromhex(identifier.replace("-", "")),))
        return row[0]


def conversation(program, directory, outside, error):
    vault = directory + "/vault.quickvault"
    helpers = belongings.listening_worker(program, directory)
    arguments = ["--verbose"] + (["--helpers", helpers] if helpers else [])
    server = Server(program, vault, arguments, stderr=error, env={"TMPDIR": directory, "HOME": directory})
    count = provoke_errors(server)
    with contextlib.suppress(FileNotFoundError):
        os.remove(vault)
    server.end()
    server = Server(program, vault, arguments, stderr=error, env={"TMPDIR": directory, "HOME": directory})
    server.must("vault/create", password=PASSWORD, kdf=KDF)
    kept = server.must("card/create", **CARD)["card"]["id"]
    gone = server.must("card/create", **CARD)["card"]["id"]
    server.must("card/search", query=MARK)
    server.must("card/copy", id=kept)
    bytes_of_gone = sealed(vault, gone)
    server.must("card/delete", id=gone)
    provoke_refusals(server, kept)
    for name in ("environ", "cmdline"):
        with open("/proc/%d/%s" % (server.process.pid, name), "rb") as file:
            assert not traces(file.read()), name
    look_through(directory)
    if helpers:
        belongings.attach(server, kept, directory, outside)
    belongings.move(server, PASSWORD, directory, outside)
    server.must("session/lock")
    server.must("vault/changePassword", oldPassword=PASSWORD, newPassword=OTHER, kdf=KDF)
    server.must("vault/changePassword", oldPassword=OTHER, newPassword=PASSWORD, kdf=KDF)
    server.end()
    with open(vault, "rb") as file:
        assert bytes_of_gone not in file.read(), "the sealed bytes of a deleted card are left in the file"
    return count


def main():
    if not 2 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    kills = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.SystemRandom().randrange(10**9)
    program = os.path.abspath(sys.argv[1])
    signal.alarm(600)
    with tempfile.TemporaryDirectory(prefix="quickvault-leaks-") as directory:
        # What looks has to find what is there.
        with open(directory + "/control", "wb") as file:
            file.write(b"..." + MARK.encode("utf-16-le"))
        try:
            look_through(directory)
        except AssertionError:
            os.remove(directory + "/control")
        else:
            sys.exit("leaks: the look finds nothing")
        # Plain files that are asked for lie elsewhere.
        with tempfile.TemporaryDirectory(prefix="quickvault-leaks-") as parent, open(directory + "/error", "wb") as error:
            outside, demo = parent + "/outside", parent + "/demo"
            os.makedirs(outside)
            os.makedirs(demo)
            count = conversation(program, directory, outside, error)
            whole = belongings.kill_in_mid_move(program, directory + "/vault.quickvault", PASSWORD, parent, kills, seed)
            belongings.demonstrate(program, demo, error)
        assert os.path.getsize(directory + "/error") > 1000, "the log is not talkative"
        core = provoke_core_file(program, directory)
        files = look_through(directory)
        worker = told_of_worker(directory)
    print("leaks: seed %d, %d errors provoked, %d files looked through, %d kills in mid-move left %d whole exports: nothing leaked; "
          "%s; %s" % (seed, count, files, kills, whole, worker, core))


def told_of_worker(directory):
    """Shows that the worker was looked at, for nobody would see that it was not."""
    if not os.path.exists(directory + "/helpers"):
        print("leaks: NOT RUN: no imaging worker beside the program, so nothing was attached", file=sys.stderr)
        return "nothing attached"
    with open(directory + "/worker-seen", "rb") as file:
        starts = file.read().count(b"started\n")
    assert starts > 3, "the worker was hardly started"
    with open(directory + "/worker-errors", "rb") as file:
        said = file.read()
    assert not said, "the worker complained: %r" % said[:200]
    return "%d workers told nobody anything" % starts


if __name__ == "__main__":
    main()
