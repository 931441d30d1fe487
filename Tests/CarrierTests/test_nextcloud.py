"""Nextcloud's Login Flow v2. nextcloud.py says what stands for it (C)."""

import unittest

from hostile import document, member
from nextcloud import LOGIN, TOKEN, Nextcloud
from service import CarrierFailure, Service

PASSWORD = "an-app-password"
FOLDER = "/cloud/remote.php/dav/files/a%20user%2F1/QuickVault/"


class NextcloudTests(unittest.TestCase):
    def setUp(self):
        self.cloud = Nextcloud(identifier="a user/1", asks=2)
        self.addCleanup(self.cloud.stop)
        self.address, self.is_made = self.cloud.address, False
        self.cloud.answers["PROPFIND", FOLDER] = self.find
        self.cloud.answers["MKCOL", FOLDER] = self.make
        self.service = Service()
        self.addCleanup(lambda: self.assertEqual(self.service.stop(), (0, b"")))

    def answer(self, method, path, answer):
        self.cloud.answers[method, "/cloud" + path] = answer

    def find(self, handler, _):
        if not self.cloud.password(handler):
            return 401, b""
        return (207, document(member(FOLDER, None))) if self.is_made else (404, b"")

    def make(self, handler, _):
        self.is_made = bool(self.cloud.password(handler))
        return (201 if self.is_made else 401), b""

    def send(self, **parameters):
        return self.service.send("carrier/signIn", method="nextcloud", address=self.address, **parameters)

    def refuse(self, kind, request=None):
        with self.assertRaises(CarrierFailure) as caught:
            self.service.answer(request or self.send())
        self.assertEqual(caught.exception.kind, kind)
        for password in (PASSWORD, *self.cloud.given):
            self.assertNotIn(password, str(caught.exception))

    def test_an_app_password_is_given_used_and_forgotten(self):
        request = self.send()
        prompt = self.service.notification("carrier/prompt")
        self.assertEqual(prompt, {"url": self.address + "/index.php/login/v2/flow/x", "expiresInSeconds": 600})
        signed_in = self.service.answer(request)
        self.assertEqual(signed_in, {"address": self.cloud.url + FOLDER, "credentials": {
            "kind": "password", "user": LOGIN, "password": self.cloud.given[0]}})
        self.assertTrue(self.is_made)
        self.assertEqual(self.service.ask("carrier/refresh", credentials=signed_in["credentials"]),
                         {"credentials": signed_in["credentials"]})
        self.assertEqual(self.service.ask("carrier/revoke", **signed_in), {"revoked": True})
        self.assertEqual(self.cloud.passwords, set())
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
        good = self.cloud.begin()[1]
        for kind, change in (
                ("carrier.overwriteHost", {"login": "https://example.org/"}),
                ("carrier.overwriteHost", {"poll": {"token": TOKEN, "endpoint": "https://example.org/"}}),
                ("carrier.wrongServer", {"login": "javascript:alert(1)"}), ("carrier.wrongServer", {"login": 5}),
                ("carrier.wrongServer", {"poll": {"token": "a b"}}), ("carrier.wrongServer", {"poll": []})):
            self.answer("POST", "/index.php/login/v2", lambda *_, change=change: (200, {**good, **change}))
            self.refuse(kind)
        for status, kind in ((404, "carrier.wrongServer"), (403, "carrier.refused"), (500, "carrier.serverFailed")):
            self.answer("POST", "/index.php/login/v2", lambda *_, status=status: (status, {}))
            self.refuse(kind)

    def test_what_the_login_gives(self):
        for change in ({"loginName": "a\r\nb"}, {"appPassword": ""}, {"appPassword": 5}):
            self.answer("POST", "/index.php/login/v2/poll", lambda *_, change=change: (
                200, {"server": self.address, "loginName": "a", "appPassword": PASSWORD, **change}))
            self.refuse_after_prompt()
        self.cloud.asks = 1
        self.answer("POST", "/index.php/login/v2/poll", self.cloud.poll)
        for identifier in ("", "..", 5):
            self.answer("GET", "/ocs/v2.php/cloud/user", lambda *_, identifier=identifier: (
                200, {"ocs": {"data": {"id": identifier}}}))
            self.refuse_after_prompt()
            self.assertEqual(self.cloud.passwords, set())

    def refuse_after_prompt(self):
        request = self.send()
        self.service.notification("carrier/prompt")
        self.refuse("carrier.wrongServer", request)


if __name__ == "__main__":
    unittest.main()
