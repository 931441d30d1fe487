"""Servers as people have them: limits, locks, forbidden names and short lists (C)."""

import email.utils
import time
import unittest

from hostile import Hostile
from machine import VAULT, Machine
from wild import BLOCKED, PAGE, Pages, Quota, answers, is_hidden, is_long


class Wild(unittest.TestCase):
    def setUp(self):
        self.server = Hostile()
        self.addCleanup(self.server.stop)
        self.machine, self.other = self.new_machine(), self.new_machine()

    def new_machine(self):
        machine = Machine(self.server.url)
        self.addCleanup(machine.holder.cleanup)
        return machine

    def carried(self):
        return self.server.carried()

    def carry(self, machine=None, *options):
        status, outcome = (machine or self.machine).carry(*options)
        self.assertEqual(status, 0, outcome)
        self.assertEqual(outcome["failed"], [])
        return outcome

    def refuse(self, kind, *options, machine=None):
        """A pass that fails as a whole, or for some files: what it tells."""
        status, outcome = (machine or self.machine).carry(*options)
        self.assertEqual((status != 0, outcome.get("error", {}).get("kind")), (True, kind), outcome)
        return outcome

    def methods(self):
        return [method for method, _, _ in self.server.requests]


class OneFileTests(Wild):
    """One file's error is that file's."""

    def test_a_file_that_is_too_large(self):
        self.machine.write_key(1)
        large = self.machine.add_content(1_500_000)
        for _ in range(3):
            self.machine.publish()
        expected = {name: content for name, content in self.machine.files().items() if name != large}
        self.server.faults["PUT"] = answers(413, when=is_long)
        for _ in range(2):
            self.server.requests.clear()
            outcome = self.refuse("carrier.tooLarge")
            self.assertEqual([failure["file"] for failure in outcome["failed"]], [large])
            self.assertEqual(outcome["error"]["size"], 1_500_000)
            self.assertIn("1.5 MB is too large for the server", outcome["error"]["messages"]["en"])
            self.assertEqual(self.carried(), expected)
        # It is sent once, and the others need not list all because of it.
        self.assertEqual(self.methods().count("PUT"), 1)
        self.server.faults.clear()
        self.assertEqual(self.carry()["sent"], 1)
        self.assertEqual(self.carried(), self.machine.files())

    def test_an_answer_before_the_end_of_the_upload(self):
        """As nginx gives it, which closes the connection then."""
        large = self.machine.add_content(8_000_000)
        self.machine.publish()

        def hold(handler, _):
            if handler.command != "PUT" or int(handler.headers["Content-Length"]) <= 1 << 20:
                return False
            handler.answer(413, PAGE, Connection="close")
            handler.close_connection = True
            return True

        self.server.hold = hold
        outcome = self.refuse("carrier.tooLarge")
        self.assertEqual(([failure["file"] for failure in outcome["failed"]], outcome["sent"]), ([large], 1))

    def test_an_attachment_that_is_too_large_keeps_nothing_from_being_removed(self):
        for _ in range(3):
            self.machine.publish()
        self.machine.add_content(1_500_000)
        self.server.faults["PUT"] = answers(413, when=is_long)
        self.refuse("carrier.tooLarge")
        self.machine.snapshot()
        self.assertEqual(self.refuse("carrier.tooLarge")["removedThere"], 3)

    def test_a_disk_that_has_room_for_small_files_only(self):
        large = [self.machine.add_content(size) for size in (2_000_000, 3_000_000, 4_000_000)]
        small = [self.machine.add_content(1_000), self.machine.publish()]
        self.server.faults["PUT"] = answers(507, when=is_long)
        outcome = self.refuse("carrier.noQuota")
        self.assertEqual(sorted(failure["file"] for failure in outcome["failed"]), sorted(large))
        self.assertEqual(sorted(self.carried()), sorted(small))

    def test_a_segment_holds_up_those_after_it_and_no_others(self):
        self.machine.publish()
        stuck = self.machine.publish(1_500_000)
        self.machine.publish()
        for _ in range(3):
            self.other.publish()
        for name, content in self.other.files().items():
            path = self.machine.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        self.server.faults["PUT"] = answers(413, when=is_long)
        outcome = self.refuse("carrier.tooLarge")
        self.assertEqual(([failure["file"] for failure in outcome["failed"]], outcome["sent"]), ([stuck], 4))

    def test_names_that_the_server_forbids(self):
        """One that is not of the format gets another name."""
        for number, status in enumerate((403, 404, 405, 400)):
            with self.subTest(status=status):
                for method in ("PUT", "GET", "MOVE", "DELETE"):
                    self.server.faults[method] = answers(status, when=is_hidden)
                machine = self.new_machine()
                machine.publish()
                machine.add_content()
                self.carry(machine)
                self.assertLessEqual(machine.files().items(), self.carried().items())
                self.assertEqual([name for name in self.server.files if "/." in name], [], number)

    def test_a_folder_that_may_not_be_written(self):
        """The password is right."""
        self.machine.publish()
        self.server.faults["PUT"] = answers(403)
        error = self.refuse("carrier.forbidden")["error"]
        self.assertNotIn("password", error["messages"]["en"])

    def test_one_file_that_may_not_be_written(self):
        self.machine.publish()
        content = self.machine.add_content()
        for method in ("PUT", "MOVE"):
            self.server.faults[method] = answers(403, when=lambda handler, path: "/contents/" in path)
        outcome = self.refuse("carrier.forbidden")
        self.assertEqual(([failure["file"] for failure in outcome["failed"]], outcome["sent"]), ([content], 1))

    def test_an_upload_that_was_cut_off_leaves_a_lock(self):
        locked, cut = set(), []

        def put(handler, path):
            if path in locked:
                return handler.answer(423) or True
            if cut:
                return False
            cut.append(path)
            locked.add(path)
            handler.close_connection = True
            return True

        self.server.faults["PUT"] = put
        self.server.faults["DELETE"] = lambda handler, path: path in locked and (handler.answer(423) or True)
        self.machine.publish()
        self.machine.publish()
        self.carry()
        self.server.files[cut[0]] = b"half"
        self.carry(None, "--list-all")
        self.assertEqual({name: content for name, content in self.carried().items() if name != cut[0]}, self.machine.files())

    def test_one_file_that_cannot_be_read(self):
        for _ in range(2):
            self.other.publish()
        self.other.write_key(1)
        content = self.other.add_content()
        self.server.files = self.other.files()
        for status, kind in ((500, "carrier.serverFailed"), (403, "carrier.forbidden"), (423, "carrier.locked")):
            with self.subTest(status=status):
                self.server.faults["GET"] = answers(status, when=lambda _, path: path == content)
                machine = self.new_machine()
                outcome = self.refuse(kind, machine=machine)
                self.assertEqual((outcome["failed"][0]["file"], outcome["received"]), (content, 3))
        self.server.faults.clear()
        self.assertEqual(self.carry(machine)["received"], 1)

    def test_an_explanation_that_is_longer_than_the_file(self):
        """It is no damage."""
        self.other.publish(100)
        self.server.files = self.other.files()
        self.server.faults["GET"] = answers(404)
        status, outcome = self.machine.carry()
        self.assertEqual((status, outcome["damaged"], outcome["received"]), (0, [], 0))
        self.server.faults.clear()
        self.assertEqual(self.carry()["received"], 1)

    def test_a_server_that_fails_for_all_files_is_left_alone(self):
        for _ in range(40):
            self.machine.add_content()
        self.server.faults["PUT"] = answers(500)
        self.refuse("carrier.serverFailed")
        self.assertLess(self.methods().count("PUT"), 20)

    def test_a_file_that_may_not_be_removed(self):
        for _ in range(3):
            self.machine.publish()
        self.carry()
        self.machine.snapshot()
        first = f"{VAULT}/changes/{self.machine.replica}/{1:016x}"
        self.server.faults["DELETE"] = answers(403, when=lambda _, path: path == first)
        outcome = self.refuse("carrier.forbidden")
        self.assertEqual((outcome["failed"][0]["file"], outcome["removedThere"], outcome["sent"]), (first, 2, 1))
        self.server.faults.clear()
        self.assertEqual(self.carry()["removedThere"], 1)
        self.assertEqual(self.carried(), self.machine.files())


class ShortListTests(Wild):
    """Lists that come in pages, and lists that are cut."""

    def fill(self, count):
        for _ in range(count):
            self.machine.publish()
        self.machine.write_key(1)
        self.carry()

    def test_pages(self):
        host = self.server.url.rstrip("/")
        for link in (lambda path, mark: f"{host}{path}?mk={mark}", lambda path, mark: f"{path}?mk={mark}",
                     lambda _, mark: f"?mk={mark}",
                     # What a server behind a proxy takes for its address
                     lambda path, mark: f"http://backend.internal:8080{path}?mk={mark}"):
            with self.subTest(link=link("/x/", 1)):
                self.server.files, self.server.faults = {}, {}
                self.machine = self.new_machine()
                self.fill(24)
                Pages(self.server, 10, link)
                other = self.new_machine()
                self.assertEqual(self.carry(other)["received"], 25)
                self.assertEqual(other.files(), self.machine.files())
                for machine in (self.machine, other):
                    outcome = self.carry(machine, "--list-all")
                    self.assertEqual((outcome["sent"], outcome["removedHere"], outcome["removedThere"]), (0, 0, 0))

    def test_pages_without_end(self):
        self.fill(24)
        Pages(self.server, 10, lambda path, _: f"{path}?mk=10")
        self.refuse("carrier.listIncomplete", "--list-all")

    def test_a_list_that_leaves_files_out_is_noticed(self):
        """Nothing is removed because of it, and nothing is sent again."""
        for newest in (False, True):
            with self.subTest(newest=newest):
                self.server.files, self.server.faults = {}, {}
                self.machine, other = self.new_machine(), self.new_machine()
                self.fill(24)
                self.carry(other)
                before = self.machine.files()
                Pages(self.server, 10, link=None, newest=newest)
                for machine in (self.machine, other):
                    self.server.requests.clear()
                    outcome = self.refuse("carrier.listIncomplete", "--list-all", machine=machine)
                    self.assertIn("leaves out files that are there", outcome["error"]["messages"]["en"])
                    self.assertEqual((machine.files(), self.carried()), (before, before))
                    puts = [path for method, path, _ in self.server.requests if method == "PUT" and "/changes/" in path]
                    self.assertEqual(puts, [])

    def test_a_new_machine_notices_it_too(self):
        """When it sends what it has from elsewhere."""
        self.fill(24)
        Pages(self.server, 10, link=None)
        other = self.new_machine()
        for name, content in self.machine.files().items():
            path = other.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        self.refuse("carrier.listIncomplete", machine=other)
        self.assertEqual(self.carried(), self.machine.files())

    def test_a_snapshot_in_a_list_that_is_cut(self):
        """What it replaces is removed only where it is gone."""
        self.fill(24)
        other = self.new_machine()
        self.carry(other)
        Pages(self.server, 10, link=None, newest=True)
        everything = dict(self.server.files)
        before = other.files()
        self.refuse("carrier.listIncomplete", "--list-all", machine=other)
        self.assertEqual(other.files(), before)
        self.assertEqual(self.server.files.items() & everything.items(), everything.items())

    def test_a_server_that_says_that_its_list_is_cut(self):
        self.fill(3)
        cut = b"<D:response><D:href>/</D:href><D:status>HTTP/1.1 507 Insufficient Storage</D:status></D:response>"

        def short(handler, path):
            return handler.answer(207, self.server.listing(path).replace(b"</D:multistatus>", cut + b"</D:multistatus>")) or True

        self.server.faults["PROPFIND"] = short
        self.refuse("carrier.listIncomplete", "--list-all")

    def test_a_folder_that_is_listed_and_not_there(self):
        self.fill(3)
        self.server.faults["PROPFIND"] = answers(404, when=lambda _, path: "/changes/" in path)
        self.refuse("carrier.listIncomplete", "--list-all")
        self.assertEqual(len(self.machine.files()), 4)


class IdleTests(Wild):
    """What it costs when nothing changes."""

    def settle(self, *machines):
        for _ in range(3):
            for machine in machines:
                self.carry(machine)
        self.server.requests.clear()

    def test_an_idle_folder_costs_one_request(self):
        machines = [self.new_machine() for _ in range(4)]
        for machine in machines:
            machine.write_key(1)
            machine.publish()
            machine.add_content()
        self.settle(*machines)
        for machine in machines:
            self.carry(machine)
        self.assertEqual(self.methods(), ["PROPFIND"] * 4)

    def test_a_change_is_noticed_at_once(self):
        for machine in (self.machine, self.other):
            machine.publish()
        self.settle(self.machine, self.other)
        self.machine.publish()
        self.assertEqual(self.carry()["sent"], 1)
        self.assertEqual(self.carry(self.other)["received"], 1)
        self.other.snapshot()
        self.assertEqual(self.carry(self.other)["sent"], 1)
        self.assertEqual(self.carry()["received"], 1)
        self.settle(self.machine, self.other)
        self.carry()
        self.assertEqual(self.methods(), ["PROPFIND"])

    def test_what_a_pass_left_unmarked_is_marked_by_the_next(self):
        for machine in (self.machine, self.other):
            machine.publish()
        self.settle(self.machine, self.other)
        self.machine.publish()
        marked = []

        def cut(handler, path):
            if "carrier-" in path and "." in path.rsplit("/", 1)[1].lstrip("."):
                marked.append(path)
                handler.close_connection = True
                return True
            return False

        self.server.faults["PUT"] = cut
        self.carry()
        self.assertTrue(marked)
        self.server.faults.clear()
        self.carry()
        self.assertEqual(self.carry(self.other)["received"], 1)

    def test_all_is_listed_when_it_is_asked_for(self):
        """Other programs leave no mark."""
        for _ in range(2):
            self.machine.publish()
        self.settle(self.machine)
        del self.server.files[f"{VAULT}/changes/{self.machine.replica}/{2:016x}"]
        self.assertEqual(self.carry()["sent"], 0)
        self.assertEqual(self.carry(None, "--list-all")["sent"], 1)

    def test_a_vault_that_is_gone_from_the_server_is_sent_again(self):
        self.machine.publish()
        self.settle(self.machine)
        self.server.files.clear()
        self.server.faults["PROPFIND"] = answers(404, when=lambda _, path: path != "" and not self.server.files)
        self.assertEqual(self.carry()["sent"], 1)

    def test_marks_that_a_server_refuses(self):
        self.machine.publish()
        self.server.faults["PUT"] = answers(403, when=lambda _, path: path.count("/") == 1)
        self.carry()
        self.assertEqual(self.carried(), self.machine.files())

    def test_a_limit_of_requests(self):
        """Nothing is repeated, and the cause is named."""
        self.machine.publish()
        Quota(self.server, 3)
        error = self.refuse("carrier.rateLimited")["error"]
        self.assertIn("refuses more requests", error["messages"]["en"])
        self.assertEqual(len(self.server.requests), 4)

    def test_when_a_server_takes_requests_again(self):
        now = time.time()
        ahead = {"Date": email.utils.formatdate(now + 86_400, usegmt=True)}
        for status, body, headers, expected in (
                (503, b"", {"Retry-After": email.utils.formatdate(now + 600, usegmt=True)}, 600),
                (429, PAGE, {"Retry-After": email.utils.formatdate(now + 600, usegmt=True)}, 600),
                # By the clock of the server
                (429, b"", {"Retry-After": email.utils.formatdate(now + 86_400 + 600, usegmt=True), **ahead}, 600),
                (429, b"", {"Retry-After": "600"}, 600), (429, b"", {"Retry-After": "soon"}, None), (429, b"", {}, None),
                (503, BLOCKED, {}, None)):
            with self.subTest(status=status, headers=headers):
                def limited(handler, _, status=status, body=body, headers=headers):
                    handler.send_response_only(status)
                    for name, value in {"Content-Length": str(len(body)), **headers}.items():
                        handler.send_header(name, value)
                    handler.end_headers()
                    handler.wfile.write(body)
                    return True

                self.server.faults["PROPFIND"] = limited
                self.server.requests.clear()
                seconds = self.refuse("carrier.rateLimited")["error"].get("retryAfterSeconds")
                self.assertEqual(len(self.server.requests), 1)
                self.assertEqual(seconds is None, expected is None, seconds)
                if expected:
                    self.assertAlmostEqual(seconds, expected, delta=60)


class SignInTests(Wild):
    def test_a_server_that_takes_only_digest(self):
        self.server.faults["PROPFIND"] = answers(401, WWW_Authenticate='Digest realm="dav", nonce="a", qop="auth"')
        error = self.refuse("carrier.digestOnly")["error"]
        self.assertIn("Digest", error["messages"]["en"])
        for challenge in ('Basic realm="dav"', 'Digest realm="dav", nonce="a", Basic realm="dav"', "Bearer"):
            with self.subTest(challenge=challenge):
                self.server.faults["PROPFIND"] = answers(401, WWW_Authenticate=challenge)
                self.refuse("carrier.refused")


if __name__ == "__main__":
    unittest.main()
