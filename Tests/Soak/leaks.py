#!/usr/bin/python3
"""Plants secrets, provokes every error, and checks that the secrets appear nowhere they should not.

    leaks.py PROGRAM [KILLS] [SEED]

Every password, title, value, tag, extra field label, attachment name, attachment and watermark contains one mark. With verbose
logging, every method is called with valid and invalid parameters, locked and unlocked. The process is aborted with core files
allowed, and killed during exports and backups; a demo vault is started, killed and ended. After that, no error answer, log,
file, file name, environment or argument may contain the mark in UTF-8, UTF-16, Base64 or JSON escapes, including those of the
imaging worker. Only the requested unencrypted files may contain it. Not even the encrypted bytes of a deleted card may remain.
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

import leak_scenarios
from server import KDF, MARK, Server, document, assert_not_stored, traces

PASSWORD, OTHER = "planted password " + MARK, "planted other " + MARK
CARD = {
    "title": "title " + MARK, "group": "personal", "type": "text", "fields": {"text": "value " + MARK},
    "tags": ["tag " + MARK],
    "extraFields": [{"label": "label " + MARK, "value": "concealed " + MARK, "concealed": True}],
}
# Errors may quote a template or a field name: neither is a value of a card.
NAMES = {"template", "field", "copyTemplates"}


def wrong_parameters(method):
    """Parameters with the mark wherever possible, each invalid in one way."""
    # Paths are not secret.
    names = [parameter["name"] for parameter in method["params"]
             if parameter["name"] not in NAMES and not parameter["name"].lower().endswith(("path", "folder"))]
    whole = {name: "secret " + MARK for name in names}
    yield whole
    yield {name: [MARK] for name in names}
    yield {name: {"value": MARK} for name in names}
    yield {}
    yield dict(whole, unknown=MARK)
    for name in names:
        yield {name: MARK}


def provoke_errors(server):
    """Calls every method with invalid parameters; no error may echo them."""
    count = 0
    for method in document()["methods"]:
        # Locking would end this scenario, and the lifecycle methods the connection.
        if "result" not in method or method["name"] in ("session/lock", "initialize", "shutdown"):
            continue
        for params in wrong_parameters(method):
            answer = server.ask(method["name"], **params)
            assert answer is not None, "the server is gone after %s" % method["name"]
            if "error" in answer:
                assert not traces(repr(answer).encode()), (method["name"], answer)
                count += 1
    return count


def provoke_validation_errors(server, identifier):
    """Sends cards that fail validation."""
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
    """Aborts an unlocked process with core files allowed, after checking that the system writes any."""
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
    # Without Swift's backtraces, which would wait for a process that they may not read.
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
    """The encrypted bytes of a card, read with SQLite."""
    with contextlib.closing(sqlite3.connect("file:%s?mode=ro" % vault, uri=True)) as file:
        (row,) = file.execute("SELECT sealed FROM card WHERE id = ?", (bytes.fromhex(identifier.replace("-", "")),))
        return row[0]


def conversation(program, directory, outside, error):
    vault = directory + "/vault.quickvault"
    helpers = leak_scenarios.recording_worker(program, directory)
    arguments = ["--verbose"] + (["--helpers", helpers] if helpers else [])
    places = {"env": {"TMPDIR": directory, "HOME": directory}, "state": directory + "/state"}
    server = Server(program, vault, arguments, stderr=error, **places)
    count = provoke_errors(server)
    with contextlib.suppress(FileNotFoundError):
        os.remove(vault)
    server.end()
    server = Server(program, vault, arguments, stderr=error, **places)
    server.must("vault/create", password=PASSWORD, kdf=KDF)
    kept = server.must("card/create", **CARD)["card"]["id"]
    gone = server.must("card/create", **CARD)["card"]["id"]
    server.must("card/search", query=MARK)
    server.must("card/copy", id=kept)
    bytes_of_gone = sealed(vault, gone)
    server.must("card/delete", id=gone)
    provoke_validation_errors(server, kept)
    for name in ("environ", "cmdline"):
        with open("/proc/%d/%s" % (server.process.pid, name), "rb") as file:
            assert not traces(file.read()), name
    assert_not_stored(directory)
    if helpers:
        leak_scenarios.attach(server, kept, directory, outside)
    leak_scenarios.move(server, PASSWORD, directory, outside)
    server.must("session/lock")
    server.must("vault/changePassword", oldPassword=PASSWORD, newPassword=OTHER, kdf=KDF)
    server.must("vault/changePassword", oldPassword=OTHER, newPassword=PASSWORD, kdf=KDF)
    server.end()
    with open(vault, "rb") as file:
        assert bytes_of_gone not in file.read(), "the encrypted bytes of a deleted card remain in the file"
    return count


def main():
    if not 2 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    kills = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.SystemRandom().randrange(10**9)
    program = os.path.abspath(sys.argv[1])
    # A hang ends after half an hour, of which a busy machine may need some.
    signal.alarm(1800)
    with tempfile.TemporaryDirectory(prefix="quickvault-leaks-") as directory:
        # The search itself must work.
        with open(directory + "/control", "wb") as file:
            file.write(b"..." + MARK.encode("utf-16-le"))
        try:
            assert_not_stored(directory)
        except AssertionError:
            os.remove(directory + "/control")
        else:
            sys.exit("leaks: the search does not find the mark")
        # Requested unencrypted files go to another directory.
        with tempfile.TemporaryDirectory(prefix="quickvault-leaks-") as parent, open(directory + "/error", "wb") as error:
            outside, demo = parent + "/outside", parent + "/demo"
            os.makedirs(outside)
            os.makedirs(demo)
            count = conversation(program, directory, outside, error)
            whole = leak_scenarios.kill_during_export(program, directory + "/vault.quickvault", PASSWORD, parent, kills, seed)
            leak_scenarios.check_demo(program, demo, error)
        assert os.path.getsize(directory + "/error") > 1000, "the log is not verbose"
        assert os.path.getsize(directory + "/state/quickvault/log") > 1000, "errors are not logged"
        core = provoke_core_file(program, directory)
        files = assert_not_stored(directory)
        worker = report_worker(directory)
    print("leaks: seed %d, %d errors provoked, %d files searched, %d kills left %d complete exports: nothing leaked; "
          "%s; %s" % (seed, count, files, kills, whole, worker, core))


def report_worker(directory):
    """Describes what was checked of the imaging worker."""
    if not os.path.exists(directory + "/helpers"):
        print("leaks: NOT RUN: no imaging worker beside the program, so nothing was attached", file=sys.stderr)
        return "nothing attached"
    with open(directory + "/worker-seen", "rb") as file:
        starts = file.read().count(b"started\n")
    assert starts > 3, "the worker was started too rarely"
    with open(directory + "/worker-errors", "rb") as file:
        errors = file.read()
    assert not errors, "the worker reported errors: %r" % errors[:200]
    return "%d workers leaked nothing" % starts


if __name__ == "__main__":
    main()
