"""A vault, its exports, its backups and its synchronised folder on file systems without hard links (C)."""

import os
import pathlib
import tempfile
import unittest

from dav import DEADLINE, Server
from machine import Machine, programs
from mounts import Mount, refusal
from server import KDF, MARK
from server import Server as Vault

MASTER = "password of the mount tests " + MARK


class Mounts:
    kind = None

    @classmethod
    def setUpClass(cls):
        if refusal():
            raise unittest.SkipTest(refusal())
        cls.mount = Mount(cls.kind)

    @classmethod
    def tearDownClass(cls):
        cls.mount.stop()

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="mounts-", ignore_cleanup_errors=True)
        self.addCleanup(holder.cleanup)
        self.top = pathlib.Path(holder.name)
        self.place = pathlib.Path(tempfile.mkdtemp(dir=self.mount.path))

    def open(self, path):
        vault = Vault(programs.program("quickvault"), str(path), state=str(self.top / "state"),
                      env={**os.environ, "HOME": str(self.top)}, bufsize=0)
        self.addCleanup(self.finish, vault.process)
        return vault

    @staticmethod
    def finish(process):
        process.kill()
        process.wait(DEADLINE)
        for pipe in (process.stdin, process.stdout):
            if not pipe.closed:
                pipe.close()

    def created(self, path):
        vault = self.open(path)
        vault.must("vault/create", password=MASTER, kdf=KDF)
        vault.must("card/create", title="Door", group="personal", type="text", fields={"text": "1984"})
        return vault

    def names(self):
        return sorted(path.name for path in self.place.iterdir())

    def test_it_has_no_hard_links(self):
        """Else these tests show nothing."""
        (self.place / "a").write_text("a")
        with self.assertRaises(OSError):
            os.link(self.place / "a", self.place / "b")

    def test_a_vault_is_created_there_and_opened_again(self):
        path = self.place / "vault.quickvault"
        self.created(path).end()
        self.assertEqual(self.names(), ["vault.quickvault"])
        vault = self.open(path)
        self.assertEqual(vault.kind("vault/create", password=MASTER, kdf=KDF), "vault.exists")
        self.assertEqual(vault.must("session/unlock", password=MASTER)["integrity"], "intact")
        self.assertEqual([card["title"] for card in vault.must("card/list")["items"]], ["Door"])
        vault.end()

    def test_exports_and_backups_go_there(self):
        vault = self.created(self.top / "vault.quickvault")
        path = self.place / "cards.json"
        vault.must("vault/export", path=str(path), format="json", password=MASTER)
        content = path.read_bytes()
        self.assertIn(b"Door", content)
        # A name in use is kept.
        self.assertIn(vault.kind("vault/export", path=str(path), format="json", password=MASTER), ("file.exists", "file.notWritable"))
        self.assertEqual(path.read_bytes(), content)
        made = vault.must("vault/backup", path=str(self.place), keep=2)
        vault.end()
        self.assertEqual(len(self.names()), 2, self.names())
        copy = self.open(made["path"])
        copy.must("session/unlock", password=MASTER)
        self.assertEqual([card["title"] for card in copy.must("card/list")["items"]], ["Door"])
        copy.end()

    def test_the_synchronised_folder_is_there(self):
        vault = self.created(self.top / "vault.quickvault")
        vault.must("sync/enable", folder=str(self.place / "folder"))
        other = self.open(self.top / "other.quickvault")
        other.must("sync/join", folder=str(self.place / "folder"), password=MASTER)
        self.assertEqual([card["title"] for card in other.must("card/list")["items"]], ["Door"])
        for each in (vault, other):
            each.end()

    def test_a_folder_there_is_carried(self):
        server = Server("rclone")
        self.addCleanup(server.stop)
        first, second = Machine(server.url), Machine(server.url)
        for machine in (first, second):
            self.addCleanup(machine.holder.cleanup)
        second.folder = self.place / "carried"
        second.folder.mkdir()
        for machine in (first, second):
            machine.write_key(1)
            machine.publish()
            machine.add_content()
        for machine in (first, second, first):
            status, outcome = machine.carry()
            self.assertEqual(status, 0, outcome)
        self.assertEqual(first.files(), second.files())
        self.assertEqual(len(first.files()), 6)


class ExfatTests(Mounts, unittest.TestCase):
    kind = "exfat"


class RcloneTests(Mounts, unittest.TestCase):
    kind = "rclone"


if __name__ == "__main__":
    unittest.main()
