"""A server that lies, stalls, truncates, redirects and fills up (C)."""

import os
import signal
import threading
import unittest
import uuid

from dav import DEADLINE, PASSWORD
from hostile import Hostile, document, member
from machine import VAULT, Machine


class HostileTests(unittest.TestCase):
    def setUp(self):
        self.server = Hostile()
        self.addCleanup(self.server.stop)
        self.machine = Machine(self.server.url)
        self.addCleanup(self.machine.holder.cleanup)
        self.other = Machine(self.server.url)
        self.addCleanup(self.other.holder.cleanup)

    def fill(self, count=3):
        """What another machine has carried to the server."""
        for _ in range(count):
            self.other.publish()
        self.other.write_key(1)
        self.other.add_content()
        self.server.files = self.other.files()

    def refuse(self, kind, status, *options, **more):
        found, outcome = self.machine.carry(*options, **more)
        self.assertEqual((found, outcome.get("error", {}).get("kind")), (status, kind), outcome)
        self.assertTrue(all(outcome["error"]["messages"][language] for language in ("en", "zh-Hans")))
        return outcome["error"]

    def test_entities_are_not_expanded(self):
        entities = '<!ENTITY a "aaaaaaaaaa">' + "".join(
            f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi"))
        body = document("&i;", f"<!DOCTYPE x [{entities}]>")
        self.server.faults["PROPFIND"] = lambda handler, _: handler.answer(207, body) or True
        self.refuse("carrier.wrongServer", 76)

    def test_a_list_that_takes_work_without_end_is_refused(self):
        """Names that the parser would copy for each element, or look at again with each piece, or keep."""
        space = f'<x xmlns:a="{"u" * 1_000_000}">'
        for name, body in (("namespace", space + "<a:b/>" * 1_000_000 + "</x>"),
                           ("attributes", "<x" + "".join(f" a{number}='b'" for number in range(1_000_000)) + "/>"),
                           ("name", f"<{'a' * 1_000_000}/>"), ("comment", f"<!--{'a' * 1_000_000}-->"),
                           ("names", "".join(f"<a{number}/>" for number in range(1_000_000))),
                           ("prefixes", "".join(f'<a xmlns:b{number}="c"/>' for number in range(1_000_000)))):
            with self.subTest(name=name):
                body = document(body)
                self.server.faults["PROPFIND"] = lambda handler, _, body=body: handler.answer(207, body) or True
                self.refuse("carrier.wrongServer", 76)

    def test_a_server_that_lists_names_without_end_is_refused(self):
        self.fill(1)
        vault = VAULT.split("/", maxsplit=1)[0]
        epochs = document("".join(member(f"/{vault}/{uuid.UUID(int=number)}", None) for number in range(3)))
        members = document("".join(
            f"<D:response><D:href>/x/{number}</D:href></D:response>" for number in range(110_000)))

        def lie(handler, path):
            return path.startswith(vault) and (handler.answer(207, epochs if path == vault else members) or True)

        self.server.faults["PROPFIND"] = lie
        self.refuse("carrier.wrongServer", 76)
        self.assertEqual(len(self.server.requests), 5)

    def test_few_of_many_damaged_files_are_named(self):
        self.fill(1)
        top = f"{VAULT}/contents/{self.other.replica}"
        members = document("".join(member(f"/{top}/{number:032x}", 10**8) for number in range(2_000)))
        self.server.faults["PROPFIND"] = lambda handler, path: path == top and (handler.answer(207, members) or True)
        status, outcome = self.machine.carry()
        self.assertEqual((status, len(outcome["damaged"]), outcome["received"]), (65, 1_000, 2))

    def test_what_is_no_multistatus_is_refused(self):
        for body in (b"", b"<html></html>", b"<D:multistatus xmlns:D='DAV:'>", b"\xff\xfe", document("<a>" * 100 + "</a>" * 100),
                     document(f"<D:response><D:href>{'a' * 10_000}</D:href></D:response>")):
            self.server.faults["PROPFIND"] = lambda handler, _, body=body: handler.answer(207, body) or True
            self.refuse("carrier.wrongServer", 76)
        self.server.faults["PROPFIND"] = lambda handler, _: handler.answer(404) or True
        self.refuse("carrier.wrongServer", 76)

    def test_only_names_of_the_format_are_taken(self):
        self.fill()
        names = ["../../escape", "/etc/passwd", "..%2f..%2fescape", "0" * 16, "G" * 16, "1" * 15, "f" * 16, "%00" + "1" * 15]
        body = document("".join(f"<D:response><D:href>{name}</D:href></D:response>" for name in names)
                        + member("/x/../../../" + "2" * 16, 5))

        def lie(handler, path):
            return path.startswith(f"{VAULT}/changes/") and (handler.answer(207, body) or True)

        self.server.faults["PROPFIND"] = lie
        _, outcome = self.machine.carry()
        self.assertEqual(outcome["received"], 2)
        self.assertEqual(sorted(path.name for path in self.machine.top.iterdir()), ["folder", "state"])
        self.assertEqual(len(self.machine.files()), 2)

    def test_a_file_of_another_length_is_not_kept(self):
        self.fill()
        segment = f"{VAULT}/changes/{self.other.replica}/{2:016x}"
        directory = os.path.dirname(segment)
        for size in (1_000, 3_000, 10**30, -5, 83_886_081):
            with self.subTest(size=size):
                def lie(handler, path, size=size):
                    return path == directory and (
                        handler.answer(207, self.server.listing(path, {os.path.basename(segment): size})) or True)

                self.server.faults["PROPFIND"] = lie
                machine = Machine(self.server.url)
                self.addCleanup(machine.holder.cleanup)
                status, outcome = machine.carry()
                if size in (10**30, -5):  # no number: as if the server said nothing
                    self.assertEqual((status, outcome["received"]), (0, 5))
                else:
                    # The one before it comes, and none after it.
                    self.assertEqual((status, outcome["damaged"], outcome["received"]), (65, [segment], 3))
        self.server.faults.clear()
        status, outcome = machine.carry()
        self.assertEqual((status, outcome["received"]), (0, 2))

    def test_a_file_in_anothers_place_is_not_kept(self):
        self.fill(1)
        for name in list(self.server.files):
            if "/changes/" not in name:
                self.server.files[name] = os.urandom(len(self.server.files[name]))
        status, outcome = self.machine.carry()
        self.assertEqual((status, outcome["received"], len(outcome["damaged"])), (65, 1, 2))

    def test_nothing_is_removed_before_what_replaces_it_arrives(self):
        self.fill()
        self.machine.carry()
        before = self.machine.files()
        self.other.carry()
        self.other.snapshot()
        self.assertEqual(self.other.carry()[1]["removedThere"], 3)
        snapshot = f"{VAULT}/changes/{self.other.replica}/{4:016x}"
        self.server.faults["GET"] = lambda handler, path: path == snapshot and (handler.answer(200, b"short") or True)
        for _ in range(2):
            status, outcome = self.machine.carry()
            self.assertEqual((status, outcome["damaged"], outcome["sent"]), (65, [snapshot], 0))
            self.assertEqual(self.machine.files(), before)
        self.server.faults.clear()
        status, outcome = self.machine.carry()
        self.assertEqual((status, outcome["received"], outcome["removedHere"]), (0, 1, 3))
        self.assertEqual(self.machine.files(), self.server.carried())

    def test_nothing_is_removed_there_while_what_replaces_it_is_damaged(self):
        for _ in range(3):
            self.machine.publish()
        self.machine.carry()
        before = self.server.carried()
        self.machine.snapshot()
        snapshot = f"{VAULT}/changes/{self.machine.replica}/{4:016x}"
        self.server.files[snapshot] = b"short"
        for _ in range(2):
            status, outcome = self.machine.carry()
            self.assertEqual((status, outcome["damaged"], outcome["received"]), (65, [snapshot], 0))
            self.assertEqual(self.server.carried(), {**before, snapshot: b"short"})
        del self.server.files[snapshot]
        status, outcome = self.machine.carry()
        self.assertEqual((status, outcome["sent"], outcome["removedThere"]), (0, 1, 3))
        self.assertEqual(self.machine.files(), self.server.carried())

    def test_a_server_that_empties_itself_gets_everything_again(self):
        self.fill()
        self.machine.publish()
        self.machine.carry()
        before = self.machine.files()
        self.server.files = {}
        self.assertEqual(self.machine.carry()[0], 0)
        self.assertEqual((self.machine.files(), self.server.carried()), (before, before))

    def test_a_redirect_stays_in_the_origin(self):
        elsewhere = Hostile()
        self.addCleanup(elsewhere.stop)
        self.server.faults["PROPFIND"] = lambda handler, _: handler.answer(307, Location=elsewhere.url) or True
        self.refuse("carrier.redirected", 76)
        self.assertEqual(elsewhere.requests, [])
        self.server.faults["PROPFIND"] = lambda handler, _: handler.answer(301, Location=self.server.url) or True
        self.refuse("carrier.redirected", 76)
        self.server.faults["PROPFIND"] = lambda handler, path: path == "old" and (
            handler.answer(308, Location=self.server.url) or True)
        status, _ = self.machine.carry(url=self.server.url + "old/")
        self.assertEqual(status, 0)

    def test_an_upload_that_is_cut_off_gets_no_name(self):
        self.machine.publish()

        def truncate(handler, path):
            self.server.files[path] = handler.body[:-1]
            handler.answer(201)
            return True

        self.server.faults["PUT"] = truncate
        self.refuse("carrier.interrupted", 75)
        self.assertEqual([name for name in self.server.files if "/.carrier-" not in name], [])
        self.server.faults.clear()
        self.assertEqual(self.machine.carry()[0], 0)
        self.assertEqual(self.server.carried(), self.machine.files())

    def test_a_lost_answer_to_a_move_is_no_failure(self):
        self.machine.publish()

        def lose(handler, path):
            to = handler.headers["Destination"].removeprefix(self.server.url)
            if path in self.server.files:
                self.server.files[to] = self.server.files.pop(path)
                handler.close_connection = True
                return True
            return handler.answer(404) or True

        self.server.faults["MOVE"] = lose
        status, outcome = self.machine.carry()
        self.assertEqual((status, outcome["sent"], outcome["damaged"]), (0, 1, []))

    def test_a_file_of_the_same_name_is_not_replaced(self):
        name = self.machine.publish()

        def race(_handler, _path):
            self.server.files[name] = b"another"
            return False

        self.server.faults["MOVE"] = race
        status, outcome = self.machine.carry()
        self.assertEqual((status, outcome["damaged"], self.server.carried()), (65, [name], {name: b"another"}))

    def test_refusals(self):
        self.machine.publish()
        for method, status, kind, exit_status in (
                ("PROPFIND", 401, "carrier.refused", 77), ("PUT", 403, "carrier.forbidden", 77),
                ("PUT", 507, "carrier.noQuota", 73), ("PUT", 413, "carrier.tooLarge", 73),
                ("PROPFIND", 405, "carrier.wrongServer", 76), ("PROPFIND", 200, "carrier.wrongServer", 76)):
            with self.subTest(method=method, status=status):
                self.server.faults = {method: lambda handler, _, status=status: handler.answer(status) or True}
                self.refuse(kind, exit_status)

    def test_a_server_that_wants_fewer_requests(self):
        self.server.faults["PROPFIND"] = lambda handler, _: handler.answer(429, Retry_After=3_600) or True
        self.refuse("carrier.rateLimited", 75)
        self.assertEqual(len(self.server.requests), 1)
        self.server.faults["PROPFIND"] = lambda handler, _: handler.answer(429, Retry_After=10**11) or True
        self.assertNotIn("0", self.refuse("carrier.rateLimited", 75)["messages"]["en"])
        self.assertEqual(len(self.server.requests), 2)
        self.server.faults["PROPFIND"] = lambda handler, _: len(self.server.requests) == 3 and (
            handler.answer(503, Retry_After=1) or True)
        self.assertEqual(self.machine.carry()[0], 0)

    def test_a_server_that_stalls(self):
        self.server.faults["PROPFIND"] = lambda handler, _: handler.stall() or True
        self.refuse("carrier.timedOut", 75, "--timeout", "1")
        self.assertEqual(len(self.server.requests), 4)

    def test_transfers_that_stall(self):
        """All at once, since each takes as long as four attempts."""
        runs = []
        for fault in (self.stalling_download, self.trickling_download, self.trickling_list, self.stalling_upload):
            with self.subTest(fault=fault.__name__):
                server = Hostile()
                self.addCleanup(server.stop)
                here, there = Machine(server.url), Machine(server.url)
                for machine in (here, there):
                    self.addCleanup(machine.holder.cleanup)
                fault(server, here, there)
                runs.append((fault.__name__, server, here, there, here.start("--timeout", "1")))
        for name, server, here, there, process in runs:
            with self.subTest(fault=name):
                status, outcome = here.finish(process)
                self.assertEqual((status, outcome["error"]["kind"]), (75, "carrier.timedOut"), outcome)
                # The next pass carries everything, and no half file has a name.
                server.faults, server.hold = {}, None
                self.assertEqual(here.carry()[0], 0)
                expected = {**here.files(), **there.files()}
                self.assertEqual((here.files(), server.carried()), (expected, expected))

    @staticmethod
    def begin_answer(handler, status, content):
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()

    def stalling_download(self, server, _, there):
        there.publish()
        server.files = there.files()

        def stall(handler, path):
            self.begin_answer(handler, 200, server.files[path])
            handler.wfile.write(server.files[path][:1_000])
            handler.stall()
            return True

        server.faults["GET"] = stall

    def trickling_download(self, server, _, there):
        there.publish()
        server.files = there.files()
        server.faults["GET"] = lambda handler, path: self.trickle(handler, 200, server.files[path], server)

    def trickling_list(self, server, _, there):
        there.publish()
        server.files = there.files()
        server.faults["PROPFIND"] = lambda handler, _: self.trickle(handler, 207, document(" " * 100_000), server)

    def trickle(self, handler, status, content, server):
        self.begin_answer(handler, status, content)
        for byte in content:
            try:
                handler.wfile.write(bytes([byte]))
            except OSError:
                break
            if server.stopping.wait(0.05):
                break
        handler.close_connection = True
        return True

    @staticmethod
    def stalling_upload(server, here, _):
        # More than the buffers between the two take.
        here.publish(8 << 20)

        def stall(handler, _):
            if handler.command != "PUT":
                return False
            handler.rfile.read(1_000)
            handler.stall()
            return True

        server.hold = stall

    def test_a_machine_that_is_offline(self):
        """In a network of its own, without an interface that is up."""
        self.machine.publish()
        for url, kind in (("http://127.0.0.1:1/", "carrier.offline"), ("https://cloud.example.org/", "carrier.offline")):
            with self.subTest(url=url):
                status, outcome = self.machine.carry(url=url, prefix=["unshare", "--map-root-user", "--net"])
                self.assertEqual((status, outcome["error"]["kind"]), (75, kind), outcome)
                self.assertTrue(all(outcome["error"]["messages"][language] for language in ("en", "zh-Hans")))
        self.assertEqual(self.machine.carry()[0], 0)

    def test_a_signal_cancels(self):
        reached = threading.Event()
        self.server.faults["PROPFIND"] = lambda handler, _: (reached.set(), handler.stall()) and True
        process = self.machine.start()
        self.assertTrue(reached.wait(DEADLINE))
        # Meanwhile it is confined, and shows no secret.
        with open(f"/proc/{process.pid}/status", encoding="utf-8") as status:
            lines = dict(line.split(":\t", 1) for line in status.read().splitlines() if ":\t" in line)
        self.assertEqual((lines["NoNewPrivs"], lines["Seccomp"]), ("1", "2"))
        for name in ("cmdline", "environ"):
            try:
                with open(f"/proc/{process.pid}/{name}", "rb") as file:
                    self.assertNotIn(PASSWORD.encode(), file.read())
            except PermissionError:
                pass
        process.send_signal(signal.SIGTERM)
        status, outcome = self.machine.finish(process)
        self.assertEqual((status, outcome["error"]["kind"]), (130, "carrier.cancelled"))
