"""Several accounts of one person: one for each vault (C)."""

import unittest

from dav import PASSWORD, USER, Server
from test_account import MASTER, Carried, segments
from server import KDF


class SeveralTests(Carried, unittest.TestCase):
    def start(self):
        self.other = Server("wsgidav")
        self.addCleanup(self.other.stop)
        return Server("rclone")

    def test_each_vault_has_its_own(self):
        """Beside each other, with one directory of state."""
        vaults = []
        for name, server in (("private", self.dav), ("work", self.other)):
            vault = self.vault("home", name + ".quickvault")
            vault.must("vault/create", password=MASTER, kdf=KDF)
            folder = self.top / "home" / name
            vault.must("sync/enable", folder=str(folder))
            vault.must("account/signIn", method="password", address=server.url, user=USER, password=PASSWORD)
            self.assertNotIn("failure", vault.must("sync/now", waitsForServer=True)["mirror"])
            self.assertEqual(*([path.name for path in top.iterdir()] for top in (server.root, folder)))
            vaults.append(vault)
        private, work = vaults
        self.assertEqual(
            [vault.must("account/status")["address"] for vault in vaults], [self.dav.url, self.other.url])
        # One leaves its server.
        private.must("account/deleteData", password=MASTER, confirm="private.quickvault")
        self.assertEqual(list(self.dav.root.iterdir()), [])
        there = segments(self.other.root)
        work.must("card/create", title="t", group="personal", type="text", fields={"text": "a"})
        self.assertNotIn("failure", work.must("sync/now", waitsForServer=True)["mirror"])
        self.assertGreater(segments(self.other.root), there)


if __name__ == "__main__":
    unittest.main()
