"""Nextcloud's Login Flow v2. Debian has no package of Nextcloud, and it needs PHP, a database and a gigabyte: a server of our own
stands for it, which answers as its manual says (Client APIs: Login Flow, OCS, WebDAV)."""

import base64
import unittest

from hostile import document, member
from liar import Liar
from service import CarrierFailure, Service

TOKEN, PASSWORD = "a-poll-token", "an-app-password"
FOLDER = "/cloud/remote.php/dav/files/a%20user%2F1/QuickVault/"


class NextcloudTests(unittest.TestCase):
    def setUp(self):
        self.cloud = Liar()
        self.addCleanup(self.cloud.stop)
        self.address = self.cloud.url + "/cloud"
        self.service = Service()
        self.addCleanup(lambda: self.assertEqual(self.service.stop(), (0, b"")))
        self.polls, self.is_made, self.passwords = 0, False, {PASSWORD}
        self.answer("POST", "/index.php/login/v2", self.begin)
        self.answer("POST", "/index.php/login/v2/poll", self.poll)
        self.answer("GET", "/ocs/v2.php/cloud/user", self.user)
        self.answer("DELETE", "/ocs/v2.php/core/apppassword", self.forget)
        self.cloud.answers["PROPFIND", FOLDER] = self.find
        self.cloud.answers["MKCOL", FOLDER] = self.make

    def answer(self, method, path, answer):
        self.cloud.answers[method, "/cloud" + path] = answer

    def begin(self, *_):
        return 200, {"poll": {"token": TOKEN, "endpoint": self.address + "/index.php/login/v2/poll"},
                     "login": self.address + "/index.php/login/v2/flow/x"}

    def poll(self, _, form):
        self.polls += 1
        if form != {"token": TOKEN} or self.polls < 2:
            return 404, []
        return 200, {"server": self.address, "loginName": "alice@example.org", "appPassword": PASSWORD}

    def is_allowed(self, handler):
        user, _, password = base64.b64decode(handler.headers["Authorization"].split()[1]).decode().partition(":")
        return user == "alice@example.org" and password in self.passwords

    def user(self, handler, _):
        if handler.headers["OCS-APIRequest"] != "true" or not self.is_allowed(handler):
            return 401, {}
        return 200, {"ocs": {"meta": {"status": "ok"}, "data": {"id": "a user/1"}}}

    def find(self, handler, _):
        if not self.is_allowed(handler):
            return 401, b""
        return (207, document(member(FOLDER, None))) if self.is_made else (404, b"")

    def make(self, handler, _):
        self.is_made = self.is_allowed(handler)
        return (201 if self.is_made else 401), b""

    def forget(self, handler, _):
        if not self.is_allowed(handler):
            return 401, {}
        self.passwords.clear()
        return 200, {"ocs": {"meta": {"status": "ok"}, "data": []}}

    def send(self, **parameters):
        return self.service.send("carrier/signIn", method="nextcloud", address=self.address, **parameters)

    def refuse(self, kind, request=None):
        with self.assertRaises(CarrierFailure) as caught:
            self.service.answer(request or self.send())
        self.assertEqual(caught.exception.kind, kind)
        self.assertNotIn(PASSWORD, str(caught.exception))

    def test_an_app_password_is_given_used_and_forgotten(self):
        request = self.send()
        prompt = self.service.notification("carrier/prompt")
        self.assertEqual(prompt, {"url": self.address + "/index.php/login/v2/flow/x", "expiresInSeconds": 600})
        signed_in = self.service.answer(request)
        self.assertEqual(signed_in, {"address": self.cloud.url + FOLDER, "credentials": {
            "kind": "password", "user": "alice@example.org", "password": PASSWORD}})
        self.assertTrue(self.is_made)
        self.assertEqual(self.service.ask("carrier/refresh", credentials=signed_in["credentials"]),
                         {"credentials": signed_in["credentials"]})
        self.assertEqual(self.service.ask("carrier/revoke", **signed_in), {"revoked": True})
        self.assertEqual(self.passwords, set())
        self.assertEqual(self.service.ask("carrier/revoke", **signed_in), {"revoked": True})

    def test_a_password_of_another_server_is_not_revoked(self):
        credentials = {"kind": "password", "user": "alice", "password": PASSWORD}
        found = self.service.ask("carrier/revoke", address=self.cloud.url + "/dav", credentials=credentials)
        self.assertEqual((found, self.cloud.requests), ({"revoked": False}, []))

    def test_nobody_signs_in(self):
        self.answer("POST", "/index.php/login/v2/poll", lambda *_: (404, []))
        request = self.send(timeoutSeconds=1)
        self.assertEqual(self.service.notification("carrier/prompt")["expiresInSeconds"], 1)
        self.refuse("carrier.signInExpired", request)

    def test_pages_elsewhere(self):
        good = self.begin()[1]
        for change in ({"login": "https://example.org/"}, {"login": "javascript:alert(1)"}, {"login": 5},
                       {"poll": {"token": TOKEN, "endpoint": "https://example.org/"}}, {"poll": {"token": "a b"}}, {"poll": []}):
            self.answer("POST", "/index.php/login/v2", lambda *_, change=change: (200, {**good, **change}))
            self.refuse("carrier.wrongServer")
        for status, kind in ((404, "carrier.wrongServer"), (403, "carrier.refused"), (500, "carrier.serverFailed")):
            self.answer("POST", "/index.php/login/v2", lambda *_, status=status: (status, {}))
            self.refuse(kind)

    def test_what_the_login_gives(self):
        for change in ({"loginName": "a\r\nb"}, {"appPassword": ""}, {"appPassword": 5}):
            self.answer("POST", "/index.php/login/v2/poll", lambda *_, change=change: (
                200, {"server": self.address, "loginName": "a", "appPassword": PASSWORD, **change}))
            self.refuse_after_prompt()
        self.answer("POST", "/index.php/login/v2/poll", self.poll)
        for identifier in ("", "..", 5):
            self.answer("GET", "/ocs/v2.php/cloud/user", lambda *_, identifier=identifier: (
                200, {"ocs": {"data": {"id": identifier}}}))
            self.passwords = {PASSWORD}
            self.refuse_after_prompt()
            self.assertEqual(self.passwords, set())

    def refuse_after_prompt(self):
        request = self.send()
        self.service.notification("carrier/prompt")
        self.refuse("carrier.wrongServer", request)


if __name__ == "__main__":
    unittest.main()
