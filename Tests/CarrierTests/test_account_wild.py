"""A vault that is carried to servers with limits (C)."""

import os
import struct
import unittest
import zlib

from dav import PASSWORD, USER
from hostile import Hostile
from test_account import MASTER, Carried
from wild import Quota, answers


def noise(side):
    """A picture that cannot be compressed."""
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    rows = b"".join(b"\0" + os.urandom(3 * side) for _ in range(side))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows, 0)) + chunk(b"IEND", b""))


class WildAccountTests(Carried, unittest.TestCase):
    def start(self):
        return Hostile()

    def sign_in(self, vault):
        vault.must("account/signIn", method="password", address=self.dav.url, user=USER, password=PASSWORD)

    def now(self, vault):
        return vault.must("sync/now", waitsForServer=True)["mirror"]

    def add(self, vault, text="a"):
        return vault.must("card/create", title="Door", group="personal", type="text", fields={"text": text})

    def requests(self, vault):
        """The requests of `sync/now`, and its result."""
        self.dav.requests.clear()
        mirror = self.now(vault)
        return len(self.dav.requests), mirror

    def test_a_server_that_limits_requests_is_left_alone(self):
        vault = self.carried_vault()
        Quota(self.dav, 0)
        count, mirror = self.requests(vault)
        self.assertEqual((count, mirror["failure"]["kind"]), (1, "carrier.rateLimited"))
        self.assertIn("refuses more requests", mirror["failure"]["message"])
        self.assertGreater(mirror["nextTry"], mirror["failure"]["since"])
        self.dav.hold = None
        self.assertNotIn("failure", self.now(vault))

    def test_nobody_asks_before_the_time_that_the_server_names(self):
        vault = self.carried_vault()
        self.dav.faults["PROPFIND"] = answers(429, Retry_After=3_600)
        count, mirror = self.requests(vault)
        self.assertEqual((count, mirror["failure"]["kind"]), (1, "carrier.rateLimited"))
        self.add(vault)
        count, mirror = self.requests(vault)
        self.assertEqual((count, mirror["failure"]["kind"]), (0, "carrier.rateLimited"))

    def test_a_server_that_cannot_rename_is_named(self):
        vault = self.carried_vault()
        self.dav.faults["MOVE"] = answers(502)
        self.add(vault)
        mirror = self.now(vault)
        self.assertNotIn("failure", mirror)
        self.assertIn("cannot rename files (HTTP 502)", mirror["notice"]["message"])
        self.dav.faults.clear()
        self.add(vault)
        self.assertNotIn("notice", self.now(vault))

    def test_an_attachment_that_is_too_large_holds_nothing_up(self):
        vault = self.carried_vault()
        card = self.add(vault)["card"]
        path = self.top / "noise.png"
        path.write_bytes(noise(500))
        vault.must("attachment/add", cardId=card["id"], path=str(path))
        self.dav.faults["PUT"] = answers(413, when=lambda handler, _: len(handler.body) > 200_000)
        mirror = self.now(vault)
        self.assertEqual(mirror["failure"]["kind"], "carrier.tooLarge")
        self.assertIn(" MB is too large", mirror["failure"]["message"])
        self.assertIn("/changes/", "".join(self.dav.carried()))
        # What comes later is carried at once.
        before = len(self.dav.carried())
        self.add(vault)
        self.now(vault)
        self.assertGreater(len(self.dav.carried()), before)

    def test_segments_become_as_small_as_the_server_wants(self):
        vault = self.carried_vault()
        self.dav.faults["PUT"] = answers(413, when=lambda handler, _: len(handler.body) > 200_000)
        for number in range(40):
            self.add(vault, f"{number} " + "x" * 9_000)
        vault.must("sync/now")

        def carried():
            return [content for name, content in self.dav.carried().items() if "/changes/" in name]
        # A pass without a failure may only have taken away what was too large.
        self.until(vault, lambda status: len(carried()) > 2
                   and vault.must("sync/now", waitsForServer=True)["mirror"].get("failure") is None)
        segments = carried()
        self.assertGreater(len(segments), 2)
        self.assertLessEqual(max(map(len, segments)), 200_000)
        other = self.vault("other")
        self.sign_in(other)
        other.must("sync/join", folder=str(self.top / "other/folder"), password=MASTER)
        self.assertEqual(len(other.must("card/list")["items"]), 40)


if __name__ == "__main__":
    unittest.main()
