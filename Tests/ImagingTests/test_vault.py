"""Attachments end to end: quickvault with the imaging helper, with fakes that fail, and with hostile files."""

import array
import base64
import fcntl
import os
import random
import shutil
import signal
import stat
import subprocess
import tempfile
import termios
import time
import unittest
import zlib

import test_hostile
import vault_client
import worker
from vault_client import PASSWORD, Refused, Vault

LIMIT = 10 * 1024 * 1024


def png_of(count):
    """A PNG of exactly this size: incompressible pixels, padded with a chunk."""
    pixels = random.Random(7).randbytes(1000 * 301)
    rows = b"".join(b"\0" + pixels[at:at + 300] for at in range(0, 300000, 300))
    data = zlib.compress(rows, 0)
    head = b"\x89PNG\r\n\x1a\n" + test_hostile.chunk(b"IHDR", (300).to_bytes(4, "big") + (1000).to_bytes(4, "big") + b"\x08\0\0\0\0")
    image, end = test_hostile.chunk(b"IDAT", data), test_hostile.chunk(b"IEND", b"")
    padding = count - len(head) - len(image) - len(end)
    if padding:
        head += test_hostile.chunk(b"quVa", bytes(padding - 12))
    return head + image + end


class VaultTests(unittest.TestCase):
    """A test with a directory for a vault, and fake imaging helpers."""

    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="quickvault-imaging-")
        self.addCleanup(made.cleanup)
        self.directory = made.name

    def vault(self, **options):
        vault = Vault(self.directory, **options)
        self.addCleanup(vault.process.stdout.close)
        self.addCleanup(vault.process.wait)
        self.addCleanup(vault.process.kill)
        return vault

    def fake(self, script):
        """Makes a directory with a fake imaging helper, and with the programs that its script uses.

        The helper called `real` is the real one. The vault may execute nothing outside this directory.
        """
        helpers = os.path.join(self.directory, "helpers")
        programs = os.path.join(helpers, "programs")
        os.makedirs(programs, exist_ok=True)
        for name in ("sh", "cat", "dirname", "head", "sleep", "yes"):
            if not os.path.exists(os.path.join(programs, name)):
                shutil.copy(shutil.which(name), programs)
        if not os.path.exists(os.path.join(helpers, "real")):
            shutil.copy(worker.program(), os.path.join(helpers, "real"))
        path = os.path.join(helpers, "quickvault-imaging")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!{programs}/sh\nPATH={programs}\n" + script)
        os.chmod(path, 0o755)
        return helpers

    def assert_refused(self, kind, body, *args, **params):
        with self.assertRaises(Refused) as caught:
            body(*args, **params)
        self.assertEqual(caught.exception.kind, kind, caught.exception)
        return caught.exception


class Contents(VaultTests):
    """R5: attachments are returned byte for byte."""

    def test_every_kind_of_picture_comes_back_byte_for_byte(self):
        vault = self.vault()
        card = vault.card()
        kept = {}
        names = ["pillow/flower.jpg", "pillow/hopper_gray.jpg", "pillow/pil_sample_cmyk.jpg", "pillow/icc_profile.png",
                 "pillow/i_trns.png", "libheif/example.heic", "libvips/ISO_12233-reschart.pdf", "piexif/r_canon.jpg"]
        names += [f"pillow/hopper_orientation_{n}.jpg" for n in range(2, 9)]
        for name in names:
            path = str(worker.FILES / name)
            added = vault.call("attachment/add", cardId=card, path=path)["attachment"]
            self.assertEqual((added["name"], added["size"]), (os.path.basename(name), os.path.getsize(path)))
            kept[added["id"]] = worker.read(name)
            vault.call("attachment/thumbnail", id=added["id"], size=64)
        vault.call("session/lock")
        vault.call("session/unlock", password=PASSWORD)
        for identifier, data in kept.items():
            self.assertEqual(vault.content(identifier), data)
        self.assertEqual(vault.call("vault/verify"), {"cards": 1, "attachments": len(kept), "damaged": [], "findings": [], "integrity": "intact"})
        vault.end()

    def test_r5_a_pdf_behind_what_is_no_part_of_it_is_attached(self):
        """R5 What precedes the header of a PDF stays."""
        vault = self.vault()
        card = vault.card()
        document = worker.read("libvips/ISO_12233-reschart.pdf")
        for start in (b"\xef\xbb\xbf", b"\r\n\r\n", b" " * 1024):
            self.assertEqual(vault.content(vault.attach(card, start + document)), start + document)
        self.assert_refused("imaging.notAnImage", vault.attach, card, b" " * 1025 + document)
        vault.end()

    def test_ten_mebibytes_and_not_a_byte_more(self):
        vault = self.vault()
        card = vault.card()
        most = png_of(LIMIT)
        path = os.path.join(self.directory, "a b 身份证.png")
        with open(path, "wb") as file:
            file.write(most)
        by_path = vault.call("attachment/add", cardId=card, path="~/a b 身份证.png")["attachment"]["id"]
        self.assertEqual(vault.content(by_path), most)
        self.assertEqual(vault.content(vault.attach(card, most)), most)
        with open(path, "ab") as file:
            file.write(b"\0")
        self.assert_refused("attachment.tooLarge", vault.call, "attachment/add", cardId=card, path=path)
        self.assert_refused("attachment.tooLarge", vault.attach, card, most + b"\0")
        vault.end()

    def test_memory_goes_back(self):
        vault = self.vault()
        card = vault.card()
        most = png_of(LIMIT)

        def resident():
            with open(f"/proc/{vault.process.pid}/statm", encoding="ascii") as statm:
                return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        vault.content(vault.attach(card, worker.read("pillow/hopper.png")))
        before = resident()
        for _ in range(3):
            vault.content(vault.attach(card, most))
        # An answer is freed after its last byte was written, and so perhaps after it was read.
        deadline = time.monotonic() + worker.DEADLINE
        while (more := resident() - before) >= 4 << 20:
            self.assertLess(time.monotonic(), deadline, f"{more >> 20} MiB more than before")
        vault.end()

    def test_exports(self):
        vault = self.vault()
        card = vault.card()
        data = worker.read("pillow/flower.jpg")
        identifier = vault.attach(card, data, name="花.jpg")
        path = os.path.join(self.directory, "导出 1.jpg")
        vault.call("attachment/export", id=identifier, path=path)
        with open(path, "rb") as file:
            self.assertEqual(file.read(), data)
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
        self.assert_refused("file.exists", vault.call, "attachment/export", id=identifier, path=path)
        fifo = os.path.join(self.directory, "fifo")
        os.mkfifo(fifo)
        for other in (fifo, self.directory, "/dev/null"):
            self.assert_refused("file.notRegular", vault.call, "attachment/export", id=identifier, path=other, overwrite=True)
            self.assert_refused("file.notRegular", vault.call, "attachment/add", cardId=card, path=other)
        self.assertEqual(sorted(os.listdir(self.directory)),
                         [".local", "fifo", "vault.quickvault", "vault.quickvault-shm", "vault.quickvault-wal", "导出 1.jpg"])
        vault.end()

    @unittest.skipUnless(os.getuid() == 0, "becoming another user takes root")
    def test_what_this_user_may_not_read_or_write(self):
        os.chown(self.directory, 65534, 65534)
        closed = os.path.join(self.directory, "closed")
        os.mkdir(closed, 0o700)
        secret = os.path.join(self.directory, "secret.jpg")
        with open(secret, "wb") as file:
            file.write(worker.read("pillow/flower.jpg"))
        os.chmod(secret, 0o600)
        vault = self.vault(command=["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--"])
        card = vault.card()
        identifier = vault.attach(card, worker.read("pillow/hopper.jpg"))
        for path in (secret, closed + "/a.jpg"):
            self.assert_refused("file.unreadable", vault.call, "attachment/add", cardId=card, path=path)
        error = self.assert_refused("file.notWritable", vault.call, "attachment/export", id=identifier, path=closed + "/a.jpg")
        self.assertEqual(error.data["reason"], "permissionDenied")
        vault.end()


class Failing(VaultTests):
    """R5: if the helper fails, there is a specific error, the attachment is unchanged, and the next request works."""

    def test_no_worker(self):
        vault = self.vault()
        card = vault.card()
        kept = vault.attach(card, worker.read("pillow/flower.jpg"))
        vault.end()
        vault = self.vault(helpers=os.path.join(self.directory, "nowhere"))
        for body in ((vault.attach, card, worker.read("pillow/hopper.jpg")), (vault.call, "attachment/thumbnail"),
                     (vault.call, "attachment/setWatermark")):
            params = {} if body[0] == vault.attach else {"id": kept}
            params.update({"text": "x"} if "attachment/setWatermark" in body else {})
            error = self.assert_refused("imaging.missingWorker", *body, **params)
            self.assertEqual(error.data["program"], "quickvault-imaging")
        self.assertEqual(vault.content(kept), worker.read("pillow/flower.jpg"))
        vault.end()

    def test_workers_that_fail(self):
        answer = r"""printf '%s\n' '{"error":{"kind":"KIND","message":""},"bytes":0}'"""
        ends = {
            "imaging.crashed": ["kill -SEGV $$", "exit 1", "true", "echo nonsense", "printf '{\"result\":{},\"bytes\":9}\\n12345'",
                                "printf '{\"result\":{},\"bytes\":1}\\n12'", "printf '{\"result\":{},\"bytes\":-1}\\n'",
                                "printf '{\"bytes\":0}\\n'", "head -c 100000 /dev/zero", "yes"],
            "imaging.timedOut": ["kill -XCPU $$", "kill -ALRM $$"],
            "imaging.failed": ["printf '{\"result\":{\"mediaType\":\"image/gif\",\"width\":1,\"height\":1},\"bytes\":0}\\n'",
                               "printf '{\"result\":{\"mediaType\":\"image/png\",\"width\":1,\"height\":1},\"bytes\":0}\\n'",
                               "printf '{\"result\":{\"mediaType\":\"image/jpeg\",\"width\":0,\"height\":1},\"bytes\":0}\\n'",
                               answer.replace("KIND", "internal"), answer.replace("KIND", "unheardOf")]}
        for kind in ("outOfMemory", "sandboxUnavailable", "encryptedDocument", "tooManyPixels", "truncated", "damaged",
                     "missingFont", "unsupportedType", "stripUnsupported", "watermarkUnsupported", "notAnImage"):
            ends["imaging." + kind] = [answer.replace("KIND", kind)]
        helpers = self.fake("true")
        vault = self.vault(helpers=helpers)
        card = vault.card()
        for kind, scripts in ends.items():
            for script in scripts:
                for prefix in ("", "cat >/dev/null; "):
                    with self.subTest(kind=kind, script=prefix + script):
                        self.fake(prefix + script + "\n")
                        self.assert_refused(kind, vault.attach, card, worker.read("pillow/flower.jpg"))
                        self.assertEqual(vault.call("attachment/list", cardId=card), {"items": []})
        vault.end()

    def test_a_font_is_missing(self):
        configuration = os.path.join(self.directory, "fonts.conf")
        with open(configuration, "w", encoding="utf-8") as file:
            file.write("<fontconfig><dir>/usr/share/fonts/truetype/dejavu</dir>"
                       f"<cachedir>{self.directory}/cache</cachedir></fontconfig>")
        vault = self.vault(environment={"FONTCONFIG_FILE": configuration})
        card = vault.card()
        kept = vault.attach(card, worker.read("pillow/flower.jpg"))
        error = self.assert_refused("imaging.missingFont", vault.call, "attachment/setWatermark", id=kept, text="仅供")
        self.assertIn(error.data["package"], str(error))
        self.assertIsNone(vault.call("attachment/list", cardId=card)["items"][0]["watermark"])
        vault.end()

    def waiting(self):
        """A vault whose helper has read everything and does not answer."""
        vault = self.vault(helpers=self.fake("cat >/dev/null; exec sleep 1000\n"))
        card = vault.card()
        request = vault.send("attachment/add", cardId=card,
                             data=base64.b64encode(worker.read("pillow/flower.jpg")).decode())
        deadline = time.monotonic() + worker.DEADLINE
        while not vault.children():
            self.assertLess(time.monotonic(), deadline)
        return vault, card, request, vault.children()[0]

    def assert_gone(self, process):
        self.assertFalse(os.path.exists(f"/proc/{process}"))

    def test_cancelled(self):
        vault, card, request, process = self.waiting()
        vault.write({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": request}})
        self.assert_refused("rpc.cancelled", vault.answer, request)
        self.assert_gone(process)
        self.assertEqual(vault.call("attachment/list", cardId=card), {"items": []})
        vault.end()

    def test_locked(self):
        vault, _, request, process = self.waiting()
        locking = vault.send("session/lock")
        self.assert_refused("vault.locked", vault.answer, request)
        vault.answer(locking)
        self.assertTrue(vault.call("vault/status")["locked"])
        self.assert_gone(process)
        vault.call("session/unlock", password=PASSWORD)
        self.assertEqual(vault.call("vault/verify")["attachments"], 0)
        vault.end()

    def test_killed(self):
        vault, _, _, process = self.waiting()
        vault.process.kill()
        vault.process.wait()
        deadline = time.monotonic() + worker.DEADLINE
        while True:
            try:
                with open(f"/proc/{process}/stat", encoding="ascii") as stat_file:
                    state = stat_file.read().rpartition(")")[2].split()[0]
            except (FileNotFoundError, ProcessLookupError):
                break
            # If the test runs as PID 1 of a container, nobody reaps the zombie.
            if state == "Z":
                break
            self.assertLess(time.monotonic(), deadline)


class Hostile(VaultTests):
    """Hostile files get an error from the vault and leave nothing behind."""

    def test_a_selection(self):
        flower, marked = worker.read("pillow/flower.jpg"), worker.read("pillow/hopper.png")
        mutated = []
        chance = random.Random(20261121)
        for _ in range(12):
            data = bytearray(flower)
            for _ in range(8):
                data[chance.randrange(2, len(data))] = chance.randrange(256)
            mutated.append(bytes(data))
        refused = [test_hostile.png_bomb(60000, 60000), test_hostile.jpeg_bomb(), test_hostile.heic_bomb(),
                   test_hostile.archive(marked), worker.read("libvips/logo.svg"), b"text named .jpg",
                   worker.read("pillow/truncated_jpeg.jpg"), worker.read("libvips/truncated.jpg")]
        refused += [flower[:at] for at in range(1024, len(flower), 4096)]
        vault = self.vault()
        card = vault.card()
        before = set(os.listdir("/tmp"))
        for data in refused:
            with self.subTest(data[:20]), self.assertRaises(Refused) as caught:
                vault.attach(card, data, name="a.jpg")
            self.assertTrue(caught.exception.kind.startswith("imaging."), caught.exception.kind)
            self.assertNotIn(caught.exception.kind, ("imaging.crashed", "imaging.missingWorker"))
        taken = 0
        for data in mutated:
            try:
                vault.attach(card, data)
                taken += 1
            except Refused as error:
                self.assertTrue(error.kind.startswith("imaging."), error.kind)
        self.assertEqual(len(vault.call("attachment/list", cardId=card)["items"]), taken)
        ours = {name for name in set(os.listdir("/tmp")) - before if name.startswith(("vips", "magick", "heif"))}
        self.assertEqual(ours, set())
        self.assertEqual(vault.call("vault/verify")["integrity"], "intact")
        vault.end()


@unittest.skipUnless(os.geteuid() == 0, "reading another process's memory takes root")
class Memory(VaultTests):
    """R10: which process and which file holds data of a picture or of the vault."""

    NAME = "护照NAME4f1c9e77.jpg"
    TEXT = "仅供TEXT8b2d6a10"

    def look(self, process, *needles):
        """Those of the needles that are in the memory of a process."""
        found = set()
        with open(f"/proc/{process}/maps", encoding="ascii") as maps, open(f"/proc/{process}/mem", "rb", 0) as memory:
            for line in maps:
                start, end = (int(part, 16) for part in line.split()[0].split("-"))
                if line.split()[1].startswith("r") and end < 1 << 63 and "[v" not in line:
                    memory.seek(start)
                    try:
                        data = memory.read(end - start)
                    except OSError:
                        continue
                    found |= {needle for needle in needles if needle in data}
        return found

    def test_nothing_after_lock(self):
        picture = png_of(1 << 20)
        pixels = picture[-100000:-99968]
        name, text = self.NAME.encode(), self.TEXT.encode()
        vault = self.vault()
        card = vault.card()
        identifier = vault.attach(card, picture, name=self.NAME)
        path = os.path.join(self.directory, "source.png")
        with open(path, "wb") as file:
            file.write(picture)
        vault.call("attachment/add", cardId=card, path=path, name=self.NAME)
        vault.content(identifier)
        vault.call("attachment/setWatermark", id=identifier, text=self.TEXT)
        vault.content(identifier)
        vault.content(identifier, original=True, password=PASSWORD)
        encoded = base64.b64encode(picture)[-100000:-99960]
        key = self.key(vault)
        vault.call("vault/status")
        shown = [pixels, encoded, name, text, PASSWORD.encode()]
        self.assertEqual(self.look(vault.process.pid, key, *shown), {key}, "the key is there, and nothing that was shown")
        vault.call("session/lock")
        vault.call("vault/status")
        self.assertEqual(self.look(vault.process.pid, key, *shown), set())
        vault.end()

    def test_a_worker_that_begins_has_no_secret_of_the_vault(self):
        """Checks the memory, environment and open files of the helper before its first instruction."""
        # It stops before the helper begins, so that the test can inspect it from the first instruction on.
        helpers = self.fake('echo $$ > "$HOME/worker"\nkill -STOP $$\nexec "$(dirname "$0")/real"\n')
        vault = self.vault(helpers=helpers)
        card = vault.card(title="TITLE5d3e1b42")
        secrets = [b"TITLE5d3e1b42", self.key(vault), PASSWORD.encode(), self.NAME.encode()]
        self.assertIn(secrets[1], self.look(vault.process.pid, secrets[1]), "the look finds the vault's")
        vault.send("attachment/add", cardId=card, data=base64.b64encode(worker.read("pillow/flower.jpg")).decode(), name=self.NAME)
        process = self.stopped()
        self.assertEqual(self.look(process, *secrets), set())
        for name in ("environ", "cmdline"):
            with open(f"/proc/{process}/{name}", "rb") as file:
                content = file.read()
            self.assertFalse([secret for secret in secrets if secret in content])
        # The fake is a shell, which also has its script open.
        open_files = {os.readlink(f"/proc/{process}/fd/{name}") for name in os.listdir(f"/proc/{process}/fd")}
        self.assertFalse([name for name in open_files if not name.startswith("pipe:") and "quickvault-imaging" not in name])
        os.kill(process, signal.SIGCONT)
        os.kill(process, signal.SIGSEGV)
        self.assert_refused("imaging.crashed", vault.answer, vault.identifier)
        self.assertEqual(vault.call("attachment/list", cardId=card), {"items": []})
        vault.end()

    def test_the_core_of_a_worker_that_crashes_holds_no_secret_of_the_vault(self):
        """Crashes the real helper while it reads a picture with the vault unlocked, and searches its core file."""
        os.mkfifo(os.path.join(self.directory, "feed"))
        # The rest of the picture is sent after the test; the fake exits with its helper.
        helpers = self.fake('"$(dirname "$0")/real" < "$HOME/feed" &\necho $! > "$HOME/worker"\n'
                      '{ head -c 8192; : > "$HOME/sent"; read -r _ < "$HOME/end"; cat; } > "$HOME/feed"\nwait $!\nkill -SEGV $$\n')
        os.mkfifo(os.path.join(self.directory, "end"))
        vault = self.vault(helpers=helpers)
        card = vault.card(title="TITLE5d3e1b42")
        secrets = [b"TITLE5d3e1b42", self.key(vault), PASSWORD.encode(), self.NAME.encode()]
        picture = worker.read("pillow/flower.jpg")
        vault.send("attachment/add", cardId=card, data=base64.b64encode(picture).decode(), name=self.NAME)
        process = self.confined()
        core = os.path.join(self.directory, "core")
        dumped = subprocess.run(
            ["gdb", "--batch", "-p", str(process), "-ex", f"gcore {core}"], capture_output=True, text=True, check=False)
        self.assertTrue(os.path.exists(core), f"gdb left no core: {dumped.stderr}")
        with open(core, "rb") as file:
            content = file.read()
        self.assertIn(picture[1000:1064], content, "the core holds what the worker was given")
        self.assertEqual([secret for secret in secrets if secret in content], [])
        # It left no core file itself, because RLIMIT_CORE is 0.
        os.kill(process, signal.SIGSEGV)
        with open(os.path.join(self.directory, "end"), "w", encoding="ascii") as end:
            end.write("\n")
        self.assert_refused("imaging.crashed", vault.answer, vault.identifier)
        self.assertEqual(vault.call("attachment/list", cardId=card), {"items": []})
        self.assertEqual([name for name in os.listdir(self.directory) if name.startswith("core")], ["core"])
        vault.end()

    def confined(self):
        """Waits until the helper behind the fake is sandboxed and has read its part of the picture; returns its PID."""
        deadline = time.monotonic() + worker.DEADLINE
        path = os.path.join(self.directory, "worker")
        feed = os.open(os.path.join(self.directory, "feed"), os.O_RDONLY | os.O_NONBLOCK)
        try:
            while True:
                self.assertLess(time.monotonic(), deadline)
                if not os.path.exists(path):
                    continue
                with open(path, encoding="ascii") as file:
                    text = file.read()
                if text.endswith("\n"):
                    with open(f"/proc/{text.strip()}/status", encoding="ascii") as status:
                        is_confined = "Seccomp:\t2" in status.read()
                    # Before its part was sent, too, nothing is waiting.
                    is_sent = os.path.exists(os.path.join(self.directory, "sent"))
                    waiting = array.array("i", [0])
                    fcntl.ioctl(feed, termios.FIONREAD, waiting)
                    if is_confined and is_sent and waiting[0] == 0:
                        return int(text)
        finally:
            os.close(feed)

    def stopped(self):
        """Waits until the helper has stopped itself; returns its PID."""
        deadline = time.monotonic() + worker.DEADLINE
        path = os.path.join(self.directory, "worker")
        while True:
            self.assertLess(time.monotonic(), deadline)
            if not os.path.exists(path):
                continue
            with open(path, encoding="ascii") as file:
                text = file.read()
            if text.endswith("\n"):
                with open(f"/proc/{text.strip()}/stat", encoding="ascii") as stat_file:
                    if stat_file.read().rpartition(")")[2].split()[0] == "T":
                        return int(text)

    def key(self, vault):
        """The vault key, found by the independent reader."""
        script = ("import sqlite3, sys; sys.path.insert(0, sys.argv[1]); import vault_records\n"
                  "file = sqlite3.connect('file:' + sys.argv[2] + '?mode=ro', uri=True)\n"
                  "vault, = file.execute('SELECT vault_id FROM vault').fetchone()\n"
                  "slot = file.execute('SELECT id, kind, algorithm, iterations, memory_kib, salt, sealed FROM slot').fetchone()\n"
                  "sys.stdout.buffer.write(vault_records.open_slot(sys.argv[3], vault, *slot))")
        return subprocess.run(["/usr/bin/python3", "-c", script, str(worker.programs.TOP / "protocol"), vault.path, PASSWORD],
                              capture_output=True, check=True).stdout


if __name__ == "__main__":
    vault_client.program()
    unittest.main()
