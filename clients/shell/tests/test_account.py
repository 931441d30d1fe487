"""`qv account` with the real carrier and a real WebDAV server that carries the folder of a vault (C)."""

import base64
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import sqlite3
import sys
import tempfile
import threading
import unittest

from terminal import PROMPT, Terminal
from world import PASSWORD, World, wait_for

# At the end: both directories have a test_program.
sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "Tests/CarrierTests"))

import dav  # noqa: E402
import liar  # noqa: E402
import provider  # noqa: E402
import unforgetting  # noqa: E402

#: What the server that carries the folder lets in
ALLOWED = "Basic " + base64.b64encode(f"{dav.USER}:{dav.PASSWORD}".encode()).decode()


class Account(unittest.TestCase):
    def setUp(self):
        folder = tempfile.mkdtemp(prefix="qv-test-folder.")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        self.server = dav.Server("rclone")
        self.addCleanup(self.server.stop)
        self.world = World()
        self.addCleanup(self.world.close)
        self.world.create_vault()
        self.done("sync", "enable", os.path.join(folder, "folder"))

    def done(self, *arguments, **more):
        """Runs qv and expects success; returns what it prints."""
        status, output, errors = self.world.qv(*arguments, **(more or {"password": PASSWORD}))
        self.assertEqual(status, 0, errors)
        return output

    def files(self):
        """The complete files on the server."""
        return {path for path in self.server.root.rglob("*") if path.is_file() and not path.name.startswith(".")}

    def recorded(self):
        """A server that keeps what it is asked, in front of the one that carries the folder."""
        cloud = liar.Liar(behind=self.server.port)
        self.addCleanup(cloud.stop)
        cloud.describe()
        cloud.answers["POST", "/token"] = lambda *_: (200, {"token_type": "bearer", "access_token": "a", "expires_in": 3_600})
        cloud.otherwise = lambda handler, _: handler.pass_on(
            **{"Authorization": ALLOWED} if handler.headers.get("Authorization") == "Bearer a" else {})
        return cloud

    def secrets(self, cloud):
        """What a server was sent to prove who asks: app passwords and client secrets, and whatever came in their place."""
        basic = (base64.b64decode(headers["Authorization"].removeprefix("Basic ")).decode().partition(":")[2]
                 for *_, headers in cloud.requests if headers.get("Authorization", "").startswith("Basic "))
        return {*basic, *(form["client_secret"] for _, _, form, _ in cloud.requests if "client_secret" in form)}

    def signs_in(self, cloud):
        """The two ways of signing in that need a secret: the words of the command."""
        return (f"qv account sign-in {cloud.url} --user {dav.USER}",
                f"qv account sign-in {cloud.url} --issuer {cloud.url} --client-id a --client-secret")

    def given(self, name, *lines):
        """A file with lines in the home directory."""
        with open(self.world.path("home", name), "w", encoding="utf-8") as file:
            file.write("".join(line + "\n" for line in lines))

    def test_c_signed_in_carried_and_signed_out(self):
        self.assertIn("not signed in", self.done("account"))
        terminal = Terminal(self.world, "bash")
        self.addCleanup(terminal.child.close, force=True)
        shown = terminal.run(f"qv account sign-in {self.server.url} --user {dav.USER}",
                             ("Master password: ", PASSWORD), ("App password of the server: ", dav.PASSWORD))
        self.assertEqual(terminal.status(), 0, shown)
        self.assertRegex(shown, "User: +" + dav.USER)
        self.assertIn("the server learns your user name", shown)
        self.assertIn("encrypted in the vault's file", shown)
        self.assertNotIn(dav.PASSWORD, shown)
        wait_for(lambda: "mirrored: " in self.done("account", "status"), "the folder on the server")
        self.assertTrue(any(self.server.root.rglob("keys/*")))
        self.assertIn("mirrored: ", self.done("sync", "status"))
        status = json.loads(self.done("account", "--json"))
        self.assertEqual((status["signedIn"], status["method"], status["address"]), (True, "password", self.server.url))
        question = f"Sign out from {self.server.url} ({dav.USER})? "
        self.assertIn(question, terminal.run("qv account sign-out", ("[y/N] ", "n")))
        self.assertEqual(terminal.status(), 13)
        self.assertEqual(self.world.qv("account", "sign-out", password=PASSWORD)[0], 2)
        self.assertIn("user: " + dav.USER, self.done("account"))
        self.assertIn("signed out", terminal.run("qv account sign-out", ("[y/N] ", "y")))
        self.assertIn("not signed in", self.done("account"))
        # Nothing is asked where there is nothing to do.
        self.assertIn("You are not signed in", terminal.run("qv account sign-out"))
        self.assertIn("not signed in", terminal.run("qv account delete-data vault.quickvault"))
        self.assertTrue(self.files())

    def test_c_the_same_two_lines_do_in_every_state_of_the_vault(self):
        """The master password is the first, whether it is needed or not, and never reaches a server."""
        self.done("settings", "sharedUnlock=always")
        self.given("lines", PASSWORD, dav.PASSWORD)
        cloud = self.recorded()
        for command in self.signs_in(cloud):
            # Locked; unlocked here just now; and unlocked elsewhere, so that the password is asked for again.
            for before in (["qv lock"], ["qv unlock --password-fd 3 3<lines"], []):
                with self.subTest(before=before, command=command):
                    terminal = Terminal(self.world, "bash", before=before)
                    self.addCleanup(terminal.child.close, force=True)
                    shown = terminal.run(command + " --password-fd 3 3<lines")
                    self.assertEqual(terminal.status(), 0, shown)
                    self.assertEqual(self.secrets(cloud), {dav.PASSWORD})
                self.world.qv("account", "sign-out", "--yes", password=PASSWORD)

    def test_c_a_line_that_is_missing_is_named(self):
        cloud = self.recorded()
        for command in self.signs_in(cloud):
            status, _, errors = self.world.qv(*command.split()[1:], password=PASSWORD)
            self.assertEqual(status, 2, errors)
            self.assertIn("the master password, then the app password or the client secret", errors)
        status, _, errors = self.world.qv(*self.signs_in(cloud)[0].split()[1:], password=dav.PASSWORD)
        self.assertEqual(status, 6, errors)
        self.assertEqual(cloud.requests, [])

    def test_c_a_command_and_a_pinentry_have_only_the_master_password(self):
        self.done("settings", "sharedUnlock=always")
        self.given("lines", PASSWORD)
        terminal = Terminal(self.world, "bash")
        self.addCleanup(terminal.child.close, force=True)
        for options in (["--password-command", "cat lines"], ["--pinentry"]):
            for number, prompt in enumerate(("App password of the server: ", "Client secret at the provider: ")):
                with self.subTest(options=options, prompt=prompt):
                    cloud = self.recorded()
                    command = self.signs_in(cloud)[number]
                    status, _, errors = self.world.qv(*command.split()[1:], *options)
                    self.assertEqual(status, 5, errors)
                    self.assertIn("use --password-fd", errors)
                    self.assertNotIn("--pinentry", errors)
                    self.assertEqual(cloud.requests, [])
                    terminal.run("qv unlock --password-fd 3 3<lines")
                    shown = terminal.run(f"{command} {shlex.join(options)}", (prompt, dav.PASSWORD))
                    self.assertEqual(terminal.status(), 0, shown)
                    self.assertEqual(self.secrets(cloud), {dav.PASSWORD})
                self.done("account", "sign-out", "--yes")

    def test_c_data_on_the_server_are_deleted(self):
        self.done("account", "sign-in", self.server.url, "--user", dav.USER, passwords=[PASSWORD, dav.PASSWORD])
        wait_for(lambda: "mirrored: " in self.done("account"), "the folder on the server")
        status, _, errors = self.world.qv("account", "delete-data", password=PASSWORD)
        self.assertEqual(status, 2, errors)
        status, _, errors = self.world.qv("account", "delete-data", "vault.quickvault", passwords=[PASSWORD, PASSWORD])
        self.assertNotEqual(status, 0)
        self.assertIn("name", errors)
        self.assertTrue(self.files())
        status, output, errors = self.world.qv("account", "delete-data", "work.quickvault", passwords=[PASSWORD, PASSWORD])
        self.assertEqual((status, output), (0, "signed out\n"), errors)
        self.assertIn("folder on the server was deleted", errors)
        self.assertIn("may still be valid at the server", errors)
        self.assertEqual(self.files(), set())
        self.assertIn("not signed in", self.done("account"))

    def test_c_sync_now_carries_and_says_what_fails(self):
        self.done("account", "sign-in", self.server.url, "--user", dav.USER, passwords=[PASSWORD, dav.PASSWORD])
        self.world.add("Carried", "x")
        status = json.loads(self.done("sync", "now", "--json"))
        last = f"changes/{status['replica']}/{status['published']:016x}"
        self.assertTrue(any(str(path).endswith(last) for path in self.files()))
        self.server.process.terminate()
        self.server.process.wait(dav.DEADLINE)
        status, output, _ = self.world.qv("sync", "now", password=PASSWORD)
        self.assertEqual(status, 12)
        self.assertIn("No server responds", output)

    def test_c_sync_now_says_that_it_did_not_wait_for_the_end(self):
        cloud = liar.Liar(behind=self.server.port)
        self.addCleanup(cloud.stop)
        released = threading.Event()
        self.addCleanup(released.set)
        self.done("account", "sign-in", cloud.url, "--user", dav.USER, passwords=[PASSWORD, dav.PASSWORD])
        wait_for(lambda: "mirrored: " in self.done("account"), "the folder on the server")
        cloud.otherwise = lambda handler, _: released.wait() and handler.pass_on()
        status, output, errors = self.world.qv("sync", "now", password=PASSWORD)
        self.assertEqual(status, 12)
        self.assertIn("mirroring now: 0 %", output)
        self.assertIn("not everything is on the server yet", errors)
        released.set()
        self.done("sync", "now")

    def test_c_others_work_while_sync_now_waits(self):
        cloud = liar.Liar(behind=self.server.port)
        self.addCleanup(cloud.stop)
        reached, released = threading.Event(), threading.Event()
        self.addCleanup(released.set)
        self.done("account", "sign-in", cloud.url, "--user", dav.USER, passwords=[PASSWORD, dav.PASSWORD])
        wait_for(lambda: "mirrored: " in self.done("account"), "the folder on the server")

        def hold(handler, _):
            reached.set()
            released.wait()
            return handler.pass_on()

        cloud.otherwise = hold
        waiting = threading.Thread(target=self.done, args=("sync", "now"))
        waiting.start()
        self.assertTrue(reached.wait(dav.DEADLINE))
        self.world.add("Meanwhile", "x")
        self.assertIn("Meanwhile", self.done("list"))
        self.assertTrue(waiting.is_alive())
        released.set()
        waiting.join(dav.DEADLINE)
        self.assertFalse(waiting.is_alive())

    def test_c_signing_in_and_out_wait_for_another_programs_write(self):
        """Each is asked of the server once, and what it answers is stored."""
        self.done("settings", "sharedUnlock=always")
        cloud = self.recorded()
        writer = sqlite3.connect(self.world.vault, isolation_level=None, check_same_thread=False)
        self.addCleanup(writer.close)
        asked = threading.Event()

        def begin(*answer):
            writer.execute("BEGIN IMMEDIATE")
            asked.set()
            return answer

        cloud.answers["POST", "/token"] = lambda *_: begin(
            200, {"token_type": "bearer", "access_token": "a", "refresh_token": "r", "expires_in": 3_600})
        cloud.answers["POST", "/revoke"] = lambda *_: (200, {}) if asked.is_set() else begin(200, {})
        for arguments, path in ((("sign-in", cloud.url, "--issuer", cloud.url, "--client-id", "a"), "/token"),
                                (("sign-out", "--yes"), "/revoke")):
            with self.subTest(arguments[0]), concurrent.futures.ThreadPoolExecutor() as threads:
                asked.clear()
                cloud.requests.clear()
                waiting = threads.submit(self.done, "account", *arguments)
                self.assertTrue(asked.wait(dav.DEADLINE))
                wait_for(lambda: not self.world.processes(lambda words: words[0].endswith("quickvault-carrier")),
                         "the carrier ends")
                # The service is to answer others while it waits.
                self.done("account")
                writer.execute("ROLLBACK")
                waiting.result(dav.DEADLINE)
                forms = [form for _, asked_path, form, _ in cloud.requests if asked_path == path]
                self.assertEqual(len({json.dumps(form) for form in forms}), len(forms), forms)
        self.assertIn("not signed in", self.done("account"))

    def test_c_sign_in_again_takes_one_command(self):
        """After the provider has ended the sign-in."""
        cloud = liar.Liar(behind=self.server.port)
        self.addCleanup(cloud.stop)
        cloud.describe()
        token = {"token_type": "bearer", "access_token": "a", "refresh_token": "r", "expires_in": 1}
        cloud.answers["POST", "/token"] = lambda _, form: (
            (200, token) if form["grant_type"] != "refresh_token" else (400, {"error": "invalid_grant"}))
        cloud.otherwise = lambda handler, _: handler.pass_on(Authorization=ALLOWED)
        arguments = ("account", "sign-in", cloud.url, "--issuer", cloud.url, "--client-id", "a")
        self.done(*arguments)
        wait_for(lambda: "sign in again" in self.done("account"), "the end of the sign-in")
        token["expires_in"] = 3_600
        self.done(*arguments)
        wait_for(lambda: "mirrored: " in self.done("account"), "the folder on the server")

    def test_c_nothing_is_carried_before_there_is_a_folder(self):
        self.done("sync", "disable")
        terminal = Terminal(self.world, "bash")
        self.addCleanup(terminal.child.close, force=True)
        shown = terminal.run(f"qv account sign-in {self.server.url} --user {dav.USER}",
                             ("Master password: ", PASSWORD), ("App password of the server: ", dav.PASSWORD))
        self.assertIn("qv sync enable FOLDER", shown)

    def test_c_page_is_shown_and_ctrl_c_gives_up(self):
        cloud = liar.Liar()
        self.addCleanup(cloud.stop)
        page = cloud.url + "/index.php/login/v2/flow/x"
        cloud.answers["POST", "/index.php/login/v2"] = lambda *_: (
            200, {"poll": {"token": "t", "endpoint": cloud.url + "/index.php/login/v2/poll"}, "login": page})
        cloud.answers["POST", "/index.php/login/v2/poll"] = lambda *_: (404, [])
        terminal = Terminal(self.world, "bash")
        self.addCleanup(terminal.child.close, force=True)
        terminal.run(f"qv account sign-in {cloud.url}", ("Master password: ", PASSWORD), (f"open {page} in your browser", "\x03"))
        self.assertNotEqual(terminal.status(), 0)
        self.assertIn("not signed in", self.done("account"))

    def test_c_qr_code_is_shown_where_it_fits(self):
        cloud = liar.Liar()
        self.addCleanup(cloud.stop)
        cloud.describe()
        cloud.answers["POST", "/device"] = lambda *_: (200, {
            "device_code": "d", "user_code": "ABCD", "verification_uri": cloud.url, "expires_in": 1, "interval": 1,
            "verification_uri_complete": cloud.url + "/a-page?code=ABCD"})
        cloud.answers["POST", "/token"] = lambda *_: (400, {"error": "authorization_pending"})
        for columns in (120, 30):
            terminal = Terminal(self.world, "bash")
            self.addCleanup(terminal.child.close, force=True)
            terminal.child.setwinsize(40, columns)
            shown = terminal.run(f"qv account sign-in {cloud.url} --issuer {cloud.url} --client-id a",
                                 ("Master password: ", PASSWORD))
            self.assertIn("type the code ABCD", shown.replace("\n", ""))
            self.assertEqual("▀" in shown, columns == 120, shown)

    def test_c_signed_in_with_a_provider(self):
        """With a code in any browser, and in one of this machine."""
        identity = provider.Provider()
        self.addCleanup(identity.stop)
        server = dav.Server("apache-oauth2", identity)
        self.addCleanup(server.stop)
        for options, pattern, let_in in (
                ("", "type the code ([^\\s]+)",
                 lambda code: identity.approve_device({"urlWithCode": f"{identity.issuer}/device?code={code}"})),
                (" --browser", "open\\s+(http[^\\s]+)\\s+in your browser", lambda url: identity.approve_code({"url": url}))):
            with self.subTest(options=options):
                terminal = Terminal(self.world, "bash")
                self.addCleanup(terminal.child.close, force=True)
                terminal.type(f"qv account sign-in {server.url} --issuer {identity.issuer} --client-id {provider.CLIENT} "
                              f"--scope '{provider.SCOPE}'{options}")
                terminal.child.expect_exact("Master password: ")
                terminal.child.send(PASSWORD + "\n")
                terminal.child.expect(pattern)
                let_in(terminal.child.match.group(1))
                terminal.child.expect(f"Server: +{re.escape(server.url)}")
                terminal.child.expect_exact(PROMPT)
                self.assertEqual(terminal.status(), 0)
                wait_for(lambda: "mirrored: " in self.done("account"), "the folder on the server")
                self.assertEqual(self.done("account", "sign-out", "--yes"), "signed out\n")

    def test_c_sign_out_tells_why_the_server_was_not_told(self):
        cloud = unforgetting.UnforgettingCloud()
        self.addCleanup(cloud.stop)
        self.assertIn("user: alice", self.done("account", "sign-in", cloud.url))
        status, output, errors = self.world.qv("account", "sign-out", "--yes", password=PASSWORD)
        self.assertEqual((status, output), (0, "signed out\n"), errors)
        self.assertIn("server failed", errors)
        self.assertIn("may still be valid at the server", errors)

    def test_c_machine_without_a_vault_joins_from_the_server(self):
        self.world.add("Carried away", "x")
        self.done("account", "sign-in", self.server.url, "--user", dav.USER, passwords=[PASSWORD, dav.PASSWORD])
        wait_for(lambda: "mirrored: " in self.done("account", "status"), "the folder on the server")
        self.done("lock", password=None)
        first, self.world = self.world, World()
        self.addCleanup(self.world.close)
        self.assertIn("not signed in", self.done("account", password=None))
        status, output, errors = self.world.qv("account", "sign-in", self.server.url, "--user", dav.USER, password=dav.PASSWORD)
        self.assertEqual(status, 0, errors)
        self.assertIn("server: " + self.server.url, self.done("account", password=None))
        folder = self.world.path("carried")
        # The process is replaced after a wrong password; the account is in the next one.
        status, _, errors = self.world.qv("sync", "join", folder, password="wrong")
        self.assertNotEqual(status, 0)
        self.assertTrue(any(pathlib.Path(folder).rglob("keys/*")), errors)
        self.done("sync", "join", folder)
        self.assertIn("Carried away", self.done("list"))
        self.done("lock", password=None)
        self.assertIn("user: " + dav.USER, self.done("account"))
        self.world.add("Sent back", "x")
        status = json.loads(self.done("sync", "now", "--json"))
        last = f"changes/{status['replica']}/{status['published']:016x}"
        wait_for(lambda: any(str(path).endswith(last) for path in self.files()), "the card on the server")
        second, self.world = self.world, first
        wait_for(lambda: "Sent back" in self.done("list"), "the card of the other machine")
        self.world = second
        self.assertEqual(self.done("account", "sign-out", "--yes"), "signed out\n")

    def test_c_account_without_a_vault_is_forgotten(self):
        self.world = World()
        self.addCleanup(self.world.close)
        self.done("account", "sign-in", self.server.url, "--user", dav.USER, password=dav.PASSWORD)
        status, _, errors = self.world.qv("account", "sign-in", self.server.url, "--user", dav.USER, password=dav.PASSWORD)
        self.assertNotEqual(status, 0)
        self.assertIn("already signed in", errors)
        self.assertEqual(self.done("account", "sign-out", "--yes", password=None), "signed out\n")
        self.assertIn("not signed in", self.done("account", password=None))
        status, _, errors = self.world.qv("sync", "join", self.world.path("none"))
        self.assertNotEqual(status, 0)

    def test_c_two_lines_do_without_a_vault_too(self):
        self.world = World()
        self.addCleanup(self.world.close)
        cloud = self.recorded()
        self.done("account", "sign-in", cloud.url, "--user", dav.USER, passwords=[PASSWORD, dav.PASSWORD])
        self.assertEqual(self.secrets(cloud), {dav.PASSWORD})

    def test_c_alone_without_a_vault_is_refused(self):
        """The sign-in would end with the process."""
        self.world = World()
        self.addCleanup(self.world.close)
        cloud = self.recorded()
        for option, environment in (["--alone"], {}), ([], {"QUICKVAULT_ALONE": "1"}):
            self.world.environment.update(environment)
            status, _, errors = self.world.qv(*self.signs_in(cloud)[0].split()[1:], *option, password=dav.PASSWORD)
            self.assertEqual(status, 8, errors)
            self.assertIn("without --alone", errors)
        self.assertEqual(cloud.requests, [])

    def test_c_signed_in_already_is_said_before_anything_is_asked(self):
        self.done("account", "sign-in", self.server.url, "--user", dav.USER, passwords=[PASSWORD, dav.PASSWORD])
        terminal = Terminal(self.world, "bash")
        self.addCleanup(terminal.child.close, force=True)
        shown = terminal.run(f"qv account sign-in {self.server.url} --user {dav.USER}", ("Master password: ", PASSWORD))
        self.assertIn("already signed in", shown)
        self.assertEqual(terminal.status(), 1)

    def test_c_providers_need_no_vault(self):
        self.world = World()
        self.addCleanup(self.world.close)
        shown = self.done("account", "providers", password=None)
        self.assertIn("Google <https://accounts.google.com>\n  For a WebDAV server", shown)
        self.assertIn("坚果云", shown)
        providers = json.loads(self.done("account", "providers", "--json", password=None))["items"]
        self.assertEqual([provider["id"] for provider in providers][:3], ["nextcloud", "nutstore", "webdav"])

    def test_c_help_says_what_leaves_the_machine(self):
        shown = self.done("help", "account", password=None)
        self.assertIn("It learns your user name", shown)

    def test_c_refusals(self):
        for arguments, text in (
                (("sign-in",), "which server"), (("sign-up",), "no sign-up"),
                (("sign-in", self.server.url, "--issuer", "https://localhost"), "belong together"),
                (("sign-in", self.server.url, "--issuer", "https://localhost", "--client-id", "a", "--user", "b"), "either"),
                (("sign-in", self.server.url, "--client-secret"), "needs --issuer"),
                (("sign-in", self.server.url, "--browser"), "--browser needs --issuer"),
                (("sign-in", self.server.url, "--scope", "openid"), "--scope needs --issuer")):
            status, _, errors = self.world.qv("account", *arguments, password=PASSWORD)
            self.assertEqual(status, 2, errors)
            self.assertIn(text, errors)
        for address, text in (("http://cloud.example.org", "must be a URL with https"),
                              (self.server.url.removeprefix("http://"), "Check the address")):
            status, _, errors = self.world.qv("account", "sign-in", address, "--user", dav.USER,
                                              passwords=[PASSWORD, dav.PASSWORD])
            self.assertNotEqual(status, 0)
            self.assertIn(text, errors)
        status, _, errors = self.world.qv("account", "sign-in", self.server.url, password=PASSWORD)
        self.assertNotEqual(status, 0)
        self.assertIn("Nextcloud", errors)
        status, _, errors = self.world.qv("account", "sign-out", "--yes", password=PASSWORD)
        self.assertNotEqual(status, 0)
        self.assertIn("sign", errors)


if __name__ == "__main__":
    unittest.main()
