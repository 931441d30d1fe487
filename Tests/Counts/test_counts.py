#!/usr/bin/env python3
"""What each method costs, in counts that do not depend on the mood of the machine: system calls, allocations and their bytes,
writes to files at a place, and syncs, with a vault of 5,000 cards.

The costs are in counts.json. A method that has become dearer fails with its name and by how much: find out why, or record
the new costs and say the reason in the commit.

    QUICKVAULT_PROGRAM=… test_counts.py > counts.json     prints the costs of a program
"""

import json
import mmap
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "Soak")]

from programs import program  # noqa: E402
from server import KDF, Server  # noqa: E402

PASSWORD = "five thousand cards"
CARDS = 5000
#: Calls of a method between two readings, and readings, of which the least counts: a timer can be due in one.
CALLS, READINGS = 10, 10
KINDS = ("system calls", "allocations", "bytes allocated", "writes", "syncs")
#: What a count may be above its record: buffers grow at other places where identifiers and times have other values.
ALLOWED = {"system calls": (0.1, 1), "allocations": (0.1, 3), "bytes allocated": (0.2, 256), "writes": (0.1, 0.5), "syncs": (0, 0)}
#: Methods that look at their input now and then while they work: how often is a matter of time.
LOOKING = ("card/search", "tag/list", "session/")


class Costs:
    """Counts what the methods of a running program cost."""

    def __init__(self, directory):
        library, numbers = directory + "/counts.so", directory + "/numbers"
        subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-Wall", "-Werror", "-o", library, HERE / "counts.c", "-ldl"], check=True)
        pathlib.Path(numbers).write_bytes(bytes(8 * len(KINDS)))
        self.numbers = mmap.mmap(os.open(numbers, os.O_RDONLY), 8 * len(KINDS), prot=mmap.PROT_READ)
        # Swift's dictionaries have another order in each run otherwise.
        environment = {**os.environ, "LD_PRELOAD": library, "COUNTS_FILE": numbers, "SWIFT_DETERMINISTIC_HASHING": "1"}
        self.server = Server(program("quickvault"), directory + "/cards.quickvault", env=environment)
        self.must = self.server.must
        self.made = 0

    def fill(self):
        self.must("vault/create", password=PASSWORD, kdf=KDF)
        for begin in range(0, CARDS, 100):
            for number in range(begin, begin + 100):
                self.server.send("card/create", self.card_of(number))
            self.server.flush()
            assert all("result" in self.server.answer() for _ in range(100))

    @staticmethod
    def card_of(number):
        kind = ("text", "address", "invoice")[number % 3]
        fields = {
            "text": {"text": f"Floor {number % 50}, left of the lift 电梯"},
            "address": {"name": "王芳", "phone": "13800138000", "province": "广东省", "city": "深圳市", "district": "南山区",
                        "address": f"科技园{number}号"},
            "invoice": {"companyName": f"深圳第{number}信息有限公司", "taxId": "91440300MA5FA6HQ2E", "address": "南山区88号",
                        "phone": "0755-26543210", "bankName": "招商银行", "bankAccount": f"7559{number:08}"},
        }[kind]
        return {"title": f"Card {number} 会议室", "group": "company", "type": kind, "fields": fields,
                "tags": ["work", f"tag{number % 20}"]}

    def unlock(self):
        self.must("session/lock")
        self.must("session/unlock", password=PASSWORD)

    def edit(self):
        self.made += 1
        self.must("card/update", id=self.card, title=f"Edited {self.made:09}")

    def create_and_delete(self):
        self.must("card/delete", id=self.must("card/create", **self.card_of(CARDS))["card"]["id"])

    def of(self, call):
        """The least costs of a call in several readings."""
        for _ in range(CALLS):
            call()
        readings = []
        for _ in range(READINGS):
            before = self.read()
            for _ in range(CALLS):
                call()
            readings.append([(after - earlier) / CALLS for after, earlier in zip(self.read(), before)])
        return dict(zip(KINDS, (round(min(column), 2) for column in zip(*readings))))

    def read(self):
        return struct.unpack(f"{len(KINDS)}q", self.numbers[:])

    def all(self):
        """The costs of each method."""
        self.fill()
        self.card = self.must("card/list", limit=1)["items"][0]["id"]
        methods = {
            "vault/status": lambda: self.must("vault/status"),
            "an unknown method": lambda: self.server.kind("no/such"),
            "card/get": lambda: self.must("card/get", id=self.card),
            "card/copy": lambda: self.must("card/copy", id=self.card),
            "card/list, a page of 50": lambda: self.must("card/list", limit=50),
            "card/search without a hit": lambda: self.must("card/search", query="zzq"),
            "card/search, many hits": lambda: self.must("card/search", query="floor 7"),
            "tag/list": lambda: self.must("tag/list"),
            "card/update": self.edit,
            "card/create and card/delete": self.create_and_delete,
            "session/lock and session/unlock": self.unlock,
        }
        found = {name: self.of(call) for name, call in methods.items()}
        for name, costs in found.items():
            if name.startswith(LOOKING):
                del costs["system calls"]
        return found


def measured():
    with tempfile.TemporaryDirectory() as directory:
        costs = Costs(directory)
        found = costs.all()
        costs.server.end()
        return found


class Counts(unittest.TestCase):
    def test_no_method_is_dearer_than_its_record(self):
        recorded, found = json.loads((HERE / "counts.json").read_text()), measured()
        self.assertEqual(recorded.keys(), found.keys())
        dearer = []
        for method, costs in recorded.items():
            for kind, cost in costs.items():
                share, number = ALLOWED[kind]
                if found[method][kind] > cost * (1 + share) + number:
                    dearer.append(f"{method}: {found[method][kind]:g} {kind} instead of {cost:g}")
        if dearer:
            self.fail("\n".join(["dearer than recorded:", *dearer]))

        # Costs that the library does not see would be no guard.
        self.assertTrue(all(found["card/update"][kind] > 0 for kind in KINDS), found["card/update"])

    def test_a_program_exports_only_what_libraries_call(self):
        # Names of functions were a tenth of the file, and the loader reads them at each start.
        for name, expected in {"quickvault": {"free", "realloc"}, "qv": set()}.items():
            symbols = subprocess.run(["readelf", "--dyn-syms", "--wide", program(name)], capture_output=True, check=True, text=True)
            rows = [line.split() for line in symbols.stdout.splitlines()]
            found = {row[7] for row in rows if len(row) > 7 and row[6].isdigit()}
            self.assertEqual(found, expected, name)


if __name__ == "__main__":
    print("{\n" + ",\n".join(f" {json.dumps(name)}: {json.dumps(costs)}" for name, costs in measured().items()) + "\n}")
