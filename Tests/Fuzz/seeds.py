#!/usr/bin/python3
"""Writes the seeds of the fuzz targets.

    seeds.py DIRECTORY

Each target gets a directory of inputs: messages and whole conversations from the transcripts, changes to the golden vaults,
pictures from the tests of the imaging helper, the testkit's synchronised folders, lists of WebDAV servers, and exports of
other programs.
"""

import base64
import json
import os
import pathlib
import re
import struct
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "protocol"))
import read_sync  # noqa: E402
from read_vault import VaultError  # noqa: E402

PASSWORD = "三月的雨 and 42 umbrellas"


def conversations():
    """Yields the messages that the client sends in each transcript."""
    for path in sorted((TOP / "protocol" / "transcripts").glob("*.txt")):
        joined = re.sub(r"\n[ \t]+", " ", path.read_text(encoding="utf-8"))
        messages = []
        for line in joined.split("\n"):
            match = re.match(r"(->|=>)( \[[a-z]\])? ?(.*)", line)
            if not match:
                continue
            text = re.sub(r"<(\d+) times (.)>", lambda times: times[2] * min(int(times[1]), 1200), match[3])
            try:
                text = json.dumps(json.loads(text), ensure_ascii=False, separators=(",", ":"))
            except (ValueError, RecursionError):
                pass
            messages.append(text)
        yield path.stem, messages


def file_changes():
    """Yields changes of each kind to each of the vaults, six bytes each."""
    for vault in range(5):
        yield bytes([vault])
        for kind in range(9):
            for place in (0, 18, 24, 100, 4096, 8192 + 40, 12288 + 8, 20480, 30000):
                yield bytes([vault, kind]) + struct.pack(">I", place)[1:] + bytes([0x41, 3])


def records():
    """Yields a card of each type with all possible parts, in the layout of the vault format."""
    fields = {
        1: "name phone province city district address postalCode notes",
        2: "companyName taxId address phone bankName bankAccount notes", 3: "text",
    }
    # id, revision, PNG, marked, size, width, height, added at, seal, and a watermark.
    said = bytes(23) + b"\1" + b"\2\1\0\0" + struct.pack(">IIIq", 365, 96, 64, 1795243812345) + bytes(32)
    said += struct.pack(">HhHH", 50, -20, 60, 120) + "仅供办理".encode()
    for code, keys in fields.items():
        entries = [(1, 0, "", b"title"), (2, 0, "", "税务".encode()), (2, 0, "", b"door")]
        entries += [(3, 0, key, b"13800138000") for key in keys.split()]
        entries += [(4, 1, "PIN", b"4711"), (4, 0, "label", b"value")]
        for last in ([], [(5, 0, "a.png", said)]):
            head = bytes([1, code % 2, 1 + code % 2, code]) + bytes(4) + struct.pack(">qq", 1795243812345, 1795243812346)
            yield head + b"".join(
                struct.pack(">BBHI", role, flags, len(key), len(value)) + key.encode() + value
                for role, flags, key, value in entries + last)


def sync_files():
    """Yields the key files of the testkit's folders, and the segments that their readers open."""
    opened, read_segment = [], read_sync.read_segment

    def keep(data, number, what):
        opened.append(bytes(data))
        return read_segment(data, number, what)

    read_sync.read_segment = keep
    for path in sorted((TOP / "protocol" / "testkit" / "folders").glob("*.json")):
        kit = json.loads(path.read_text(encoding="utf-8"))
        with tempfile.TemporaryDirectory() as folder:
            for name, content in kit["files"].items():
                file = pathlib.Path(folder, name)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(base64.b64decode(content))
                if "/keys/" in name:
                    yield b"\0" + file.read_bytes()
            try:
                read_sync.read_folder(pathlib.Path(folder), kit["password"])
            except VaultError:
                pass
    read_sync.read_segment = read_segment
    for segment in opened:
        yield b"\1" + segment


def web_carrier():
    """Yields lists as WebDAV servers give them, and addresses."""
    name = "89e5f516-f99b-4c1d-b0e9-d5e7a7b6b658"
    member = ("<D:response><D:href>%s</D:href><D:propstat><D:prop><D:resourcetype>%s</D:resourcetype>"
              "<D:getcontentlength>1024</D:getcontentlength></D:prop>"
              "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>")
    for root in ("/files/alice/vault/", "https://cloud.example/files/alice/vault/", "/files/%61lice/vault/"):
        members = [member % (root, "<D:collection/>"), member % (root + name + "/", "<D:collection/>"),
                   member % (root + name, ""), member % (root + name + "-0000000000000001", "")]
        yield b"\0" + ('<?xml version="1.0"?><D:multistatus xmlns:D="DAV:">%s</D:multistatus>' % "".join(members)).encode()
    yield b'\0<!DOCTYPE a [<!ENTITY b "c">]><multistatus xmlns="DAV:">&b;</multistatus>'
    for address in ("https://cloud.example/remote.php/dav/files/alice", "http://[::1]:8080/dav/", "/a%20b/%E4%BF%9D",
                    "http://localhost", "https://user@host/#fragment", "https://cloud.example:443/?a=b", "/%+5/%zz"):
        yield b"\1" + address.encode()


def write(directory, name, content):
    directory.mkdir(parents=True, exist_ok=True)
    (directory / name).write_bytes(content)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    seeds = pathlib.Path(sys.argv[1])
    for name, messages in conversations():
        # Every run begins with an unlocked vault with this password.
        write(seeds / "FuzzConversation", name, "\n".join(messages).encode(errors="replace"))
        for number, message in enumerate(messages):
            write(seeds / "FuzzJSON", "%s-%d" % (name, number), message.encode(errors="replace"))
            framed = message.encode(errors="replace")
            if number % 2:
                framed = b"Content-Length: %d\r\n\r\n%s" % (len(framed), framed)
            write(seeds / "FuzzFraming", "%s-%d" % (name, number), b"\x03\x01" + framed + b"\n" + framed)
            for text in re.findall(r'"query":"((?:[^"\\]|\\.)*)"', message):
                write(seeds / "FuzzQuery", "%s-%d" % (name, number), (text + "\n" + text).encode(errors="replace"))
            for text in re.findall(r'"template":"((?:[^"\\]|\\.)*)"', message):
                write(seeds / "FuzzTemplate", "%s-%d" % (name, number), text.encode(errors="replace"))
    write(seeds / "FuzzQuery", "widths", 'tag:税务 "a b" ＡＢ\nＡB 税务 a b'.encode())
    page = (TOP / "protocol/FORMS.md").read_text(encoding="utf-8")
    for number, text in enumerate(re.findall(r"^```\n(.*?)^```", page, flags=re.M | re.S)):
        write(seeds / "FuzzForm", "form-%d" % number, text.encode())
    write(seeds / "FuzzTemplate", "braces", b"{name} {{x}} {postalCode}")
    write(seeds / "FuzzAddresses", "fields", "广东省\n深圳市\n南山区\n科技路88号".encode())
    write(seeds / "FuzzAddresses", "street", "\n\n\n廣東深圳南山区高新区科技路1号".encode())
    greeting = {"quickvault": 1, "vault": "/home/lin/保险库", "locale": "zh_CN.UTF-8", "environment": {
        "DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0", "XAUTHORITY": "/home/lin/.Xauthority", "TERM": "xterm",
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/user/1000/bus", "tty": "/dev/pts/3"}}
    for number, message in enumerate([
            greeting, {"quickvault": 1, "vault": "/v"}, {"quickvault": 1, "version": "0.2.0", "process": 4711},
            {"quickvault": 1, "error": "otherVault", "version": "0.2.0"}]):
        line = json.dumps(message, ensure_ascii=False).encode() + b"\n"
        for size in (0, 9, 255):
            write(seeds / "FuzzGreeting", "%d-%d" % (number, size), bytes([size]) + line + b'{"jsonrpc":"2.0"}\n')
    for number, change in enumerate(file_changes()):
        write(seeds / "FuzzVaultFile", str(number), change)
    for path in sorted((TOP / "Tests" / "ImagingTests" / "files").rglob("*")):
        if path.is_file() and path.stat().st_size <= 65536 and path.suffix != ".md":
            write(seeds / "FuzzImaging", path.name, path.read_bytes())
    for path in sorted((TOP / "Tests" / "VaultExchangeTests" / "files").rglob("*")):
        if path.is_file() and path.suffix != ".md":
            for target in ("FuzzTables", "FuzzVCards", "FuzzKeePass", "FuzzImportJSON"):
                write(seeds / target, path.name, path.read_bytes())
    job = {"job": "watermark", "bytes": 5, "watermark": {"text": "仅供 copy"}, "stripMetadata": True}
    write(seeds / "FuzzImaging", "job", json.dumps(job, ensure_ascii=False).encode())
    for number, record in enumerate(records()):
        write(seeds / "FuzzRecord", str(number), record)
    for number, file in enumerate(sync_files()):
        write(seeds / "FuzzSyncFile", str(number), file)
    for number, answer in enumerate(web_carrier()):
        write(seeds / "FuzzWebCarrier", str(number), answer)
    regressions = TOP / "Tests" / "Fuzz" / "regressions"
    for path in sorted(regressions.glob("*-*")) if regressions.is_dir() else []:
        target = path.name.split("-")[0]
        write(seeds / target, path.name, path.read_bytes())
    print("seeds: " + ", ".join("%s %d" % (name, len(os.listdir(seeds / name))) for name in sorted(os.listdir(seeds))))


if __name__ == "__main__":
    main()
