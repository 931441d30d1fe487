"""A server that loses a part of what a machine has written, which then deletes its own files: another one has all cards (C)."""

import os
import shutil
import unittest
import uuid

from dav import PASSWORD, USER, Server
from machine import files
from test_account import MASTER, Carried, segments


class LossTests(Carried, unittest.TestCase):
    def start(self):
        return Server("rclone")

    def sign_in(self, vault):
        vault.must("account/signIn", method="password", address=self.dav.url, user=USER, password=PASSWORD)

    def add(self, vault, title):
        vault.must("card/create", title=title, group="personal", type="text", fields={"text": "a"})
        vault.must("sync/now", waitsForServer=True)

    def check(self, lose):
        first = self.carried_vault()
        titles = {f"card {number}" for number in range(4)}
        for title in sorted(titles):
            self.add(first, title)
        lose(sorted(segments(self.dav.root)))
        for _ in range(2):
            self.assertNotIn("failure", first.must("sync/now", waitsForServer=True)["mirror"])
        second = self.vault("second")
        self.sign_in(second)
        second.must("sync/join", folder=str(self.top / "second/folder"), password=MASTER)
        self.assertEqual({card["title"] for card in second.must("card/list")["items"]}, titles)
        self.add(first, "later")
        second.must("sync/now", waitsForServer=True)
        self.assertEqual({card["title"] for card in second.must("card/list")["items"]}, titles | {"later"})

    def test_a_damaged_file_is_told_until_it_is_deleted(self):
        vault = self.carried_vault()
        (path,) = self.dav.root.rglob("keys/*")
        whole = path.read_bytes()
        path.write_bytes(whole[:-1])
        told = vault.must("sync/now", waitsForServer=True)["mirror"]["failure"]
        self.assertEqual(told["kind"], "account.damaged")
        for message in told["messages"].values():
            self.assertIn(str(path.relative_to(self.dav.root)), message)
        # The rest is carried.
        there = segments(self.dav.root)
        self.add(vault, "another card")
        self.assertEqual(len(segments(self.dav.root) - there), 1)
        path.unlink()
        self.assertNotIn("failure", vault.must("sync/now", waitsForServer=True)["mirror"])
        self.assertEqual(path.read_bytes(), whole)

    def joined(self):
        """A second machine, with a card of its own, and its folder."""
        second = self.vault("second")
        self.sign_in(second)
        folder = self.top / "second/folder"
        second.must("sync/join", folder=str(folder), password=MASTER)
        self.add(second, "of the second")
        return second, folder

    def test_a_file_that_was_cut_off_here_is_not_blamed_on_the_server(self):
        first = self.carried_vault()
        there = sorted(segments(self.dav.root))[-1]
        whole = there.read_bytes()
        second, folder = self.joined()
        first.end()
        here = folder / there.relative_to(self.dav.root)
        os.truncate(here, 100)
        told = second.must("sync/now", waitsForServer=True)["mirror"]["failure"]
        self.assertEqual(told["kind"], "account.damaged")
        for language, side in (("en", "on this machine or on the server"), ("zh-Hans", "在本机或服务器上")):
            self.assertIn(side, told["messages"][language])
        here.unlink()
        self.assertNotIn("failure", second.must("sync/now", waitsForServer=True)["mirror"])
        self.assertEqual((here.read_bytes(), there.read_bytes()), (whole, whole))

    def test_an_emptied_folder_gets_everything_again(self):
        first = self.carried_vault()
        self.add(first, "of a machine that is gone")
        there = segments(self.dav.root)
        second, folder = self.joined()
        first.end()
        for path in folder.iterdir():
            shutil.rmtree(path)
        self.add(second, "later")
        self.assertLessEqual(there, segments(self.dav.root))
        self.assertEqual(files(folder), files(self.dav.root))
        # Another replica, for which the folder is new
        second.must("sync/disable")
        shutil.rmtree(folder)
        second.must("sync/enable", folder=str(folder))
        second.must("sync/now", waitsForServer=True)
        self.assertLessEqual(there, segments(self.dav.root))
        self.assertEqual(files(folder), files(self.dav.root))

    def test_a_machine_that_was_forgotten(self):
        first = self.carried_vault()
        replica = next(iter(segments(self.dav.root))).parent.name
        second, _ = self.joined()
        first.end()
        second.must("sync/forget", replica=replica)
        second.must("sync/now", waitsForServer=True)
        self.assertEqual([path for path in files(self.dav.root) if replica in path], [])

    def test_the_first_segments(self):
        self.check(lambda there: [path.unlink() for path in there[:2]])

    def test_all_segments_but_those_of_another_machine(self):
        def lose(there):
            other = there[0].parent.with_name(str(uuid.uuid4()))
            other.mkdir()
            (other / f"{1:016x}").write_bytes(os.urandom(300))
            for path in there:
                path.unlink()
        self.check(lose)


if __name__ == "__main__":
    unittest.main()
