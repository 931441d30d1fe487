"""A provider that lies, and one that is poor at words (C)."""

import unittest
import urllib.parse

from hostile import Hostile
from liar import Liar
from provider import Browser
from service import CarrierFailure, Service

PENDING = (400, {"error": "authorization_pending"})
TOKENS = {"access_token": "an-access-token", "token_type": "Bearer", "expires_in": 60}


class LiarTests(unittest.TestCase):
    def setUp(self):
        self.provider = Liar()
        self.addCleanup(self.provider.stop)
        self.provider.describe()
        self.server = Hostile()
        self.addCleanup(self.server.stop)
        self.service = Service()
        self.addCleanup(lambda: self.assertEqual(self.service.stop(), (0, b"")))
        self.credentials = {
            "kind": "token", "issuer": self.provider.url, "clientId": "c", "accessToken": "old-access",
            "refreshToken": "old-refresh"}

    def send(self, method="device", **parameters):
        return self.service.send("carrier/signIn", **{
            "method": method, "address": self.server.url, "issuer": self.provider.url, "clientId": "c", **parameters})

    def refuse(self, kind, request=None, method="device", **parameters):
        with self.assertRaises(CarrierFailure) as caught:
            self.service.answer(request or self.send(method, **parameters))
        self.assertEqual(caught.exception.kind, kind, caught.exception)
        return caught.exception

    def refuse_answer(self, kind, path, status, value, method="device"):
        """A request to the path is answered so."""
        self.provider.answers["GET" if "." in path else "POST", path] = lambda *_: (status, value)
        error = self.refuse(kind, method=method)
        self.provider.describe()
        return error

    def test_descriptions(self):
        path = "/.well-known/openid-configuration"
        for value in (b"", b"<html>", b"[]", b"null", b"[" * 60_000, b'{"issuer": 1}', b'{"issuer":"a","issuer":"b"}',
                      b'{"a":"' + b"x" * 70_000 + b'"}', {**self.provider.metadata, "issuer": "https://other.example"},
                      {"issuer": self.provider.url}):
            self.refuse_answer("carrier.wrongServer", path, 200, value)
        self.refuse_answer("carrier.refused", path, 403, {})
        self.refuse_answer("carrier.wrongServer", path, 404, {})

    def test_a_huge_answer_is_cut_off(self):
        def flood(handler, _):
            handler.send_response(200)
            handler.send_header("Content-Length", str(1 << 40))
            handler.end_headers()
            try:
                while not self.provider.stopping.is_set():
                    handler.wfile.write(b" " * 65_536)
            except OSError:
                handler.close_connection = True
        self.provider.answers["GET", "/.well-known/openid-configuration"] = flood
        self.refuse("carrier.wrongServer")

    def test_endpoints_elsewhere(self):
        for url in ("http://example.org/token", "ftp://127.0.0.1/", "file:///etc/passwd", "javascript:alert(1)", "/token", "",
                    "https://user@example.org/", "https://example.org/#x", "https://example.org/ x", "https://e.org/\u202e"):
            self.provider.describe(device_authorization_endpoint=url)
            self.refuse("carrier.wrongServer")
            self.provider.describe(authorization_endpoint=url)
            self.refuse("carrier.wrongServer", method="code")

    def test_pages_elsewhere(self):
        for page in ("http://example.org/code", "javascript:alert(1)", "https://example.org/\n", 7, None):
            value = {"device_code": "d", "user_code": "A", "verification_uri": page}
            self.refuse_answer("carrier.wrongServer", "/device", 200, value)

    def test_redirects(self):
        other = Liar()
        self.addCleanup(other.stop)
        other.describe()
        for method, path in (("GET", "/.well-known/openid-configuration"), ("POST", "/device")):
            self.provider.answers[method, path] = lambda handler, _, path=path: handler.answer(
                307, {}, Location=other.url + path)
            self.refuse("carrier.redirected")
            self.provider.describe()
        self.assertEqual(other.requests, [])

    def test_an_answer_without_the_name_that_was_promised(self):
        """RFC 9207, section 2.4: another provider, to which this one sends the browser, may leave it out."""
        self.provider.describe(authorization_response_iss_parameter_supported=True)
        self.provider.answers["POST", "/token"] = lambda *_: (200, TOKENS)
        for name, kind in [("", "carrier.wrongServer"), ("&iss=https://other.example", "carrier.wrongServer"),
                           ("&iss=" + self.provider.url, None)]:
            request = self.send("code")
            query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.service.notification("carrier/prompt")["url"]).query)
            Browser().open(f"{query['redirect_uri'][0]}?code=x&state={query['state'][0]}{name}")
            asked = len(self.provider.requests)
            if kind:
                self.refuse(kind, request)
                self.assertEqual(len(self.provider.requests), asked)
            else:
                self.assertEqual(self.service.answer(request)["credentials"]["accessToken"], TOKENS["access_token"])

    def test_codes_for_devices(self):
        good = {"device_code": "d", "user_code": "ABCD", "verification_uri": self.provider.url + "/code"}
        for change in ({"device_code": ""}, {"device_code": "a b"}, {"device_code": 5}, {"user_code": ""},
                       {"user_code": "x" * 65}, {"verification_uri_complete": "http://example.org/"}):
            self.refuse_answer("carrier.wrongServer", "/device", 200, {**good, **change})

    def test_an_endless_wait(self):
        self.provider.answers["POST", "/device"] = lambda *_: (200, {
            "device_code": "d", "user_code": "A\u001b[31mB", "verification_uri": self.provider.url, "expires_in": 1 << 60,
            "interval": -5})
        self.provider.answers["POST", "/token"] = lambda *_: PENDING
        request = self.send(timeoutSeconds=2)
        prompt = self.service.notification("carrier/prompt")
        self.assertEqual((prompt["code"], prompt["expiresInSeconds"]), ("A [31mB", 2))
        self.refuse("carrier.signInExpired", request)

    def test_it_slows_down(self):
        answers = [(400, {"error": "slow_down"}), (200, TOKENS)]
        self.provider.answers["POST", "/token"] = lambda *_: answers.pop(0)
        request = self.send()
        self.service.notification("carrier/prompt")
        self.assertEqual(self.service.answer(request)["credentials"]["accessToken"], "an-access-token")

    def test_a_server_that_goes_away_is_asked_until_the_end(self):
        for method in ("device", "nextcloud"):
            with self.subTest(method=method):
                provider = Liar()
                self.addCleanup(provider.stop)
                provider.describe()
                flow = provider.url + "/index.php/login/v2"
                provider.answers["POST", "/index.php/login/v2"] = lambda *_, flow=flow: (
                    200, {"poll": {"token": "t", "endpoint": flow + "/poll"}, "login": flow + "/flow"})
                request = self.send(method, address=provider.url, issuer=provider.url, timeoutSeconds=3)
                self.service.notification("carrier/prompt")
                provider.stop()
                self.refuse("carrier.signInExpired", request)

    def test_errors_in_words(self):
        for answer, kind in (({"error": "access_denied"}, "carrier.signInRefused"),
                             ({"error": "expired_token"}, "carrier.signInExpired"),
                             ({"error": 5}, "carrier.wrongServer"), (b"", "carrier.wrongServer")):
            self.refuse_after_prompt(kind, 400, answer)
        error = self.refuse_after_prompt(
            "carrier.providerError", 400, {"error": "x", "error_description": "a\r\n\u001b[2Jb" + "c" * 5_000})
        self.assertEqual(error.data["text"], ("a [2Jb" + "c" * 5_000)[:200])

    def refuse_after_prompt(self, kind, status, value):
        self.provider.answers["POST", "/token"] = lambda *_: (status, value)
        request = self.send()
        self.service.notification("carrier/prompt")
        return self.refuse(kind, request)

    def test_tokens(self):
        for change in ({"access_token": "a\r\nX-Other: b"}, {"access_token": ""}, {"access_token": 5}, {"token_type": "mac"},
                       {"refresh_token": "\u00e4"}, {"access_token": "x" * 20_000}):
            self.refuse_after_prompt("carrier.wrongServer", 200, {**TOKENS, **change})
        self.assertEqual(self.server.requests, [])

    def test_a_token_that_the_server_does_not_take(self):
        self.server.faults["PROPFIND"] = lambda handler, _: handler.answer(401) or True
        self.refuse_after_prompt("carrier.refused", 200, TOKENS)
        revoked = [form["token"] for _, path, form, _ in self.provider.requests if path == "/revoke"]
        self.assertEqual(revoked[0], "an-access-token")

    def refresh(self):
        return self.service.ask("carrier/refresh", credentials=self.credentials)["credentials"]

    def test_refresh(self):
        self.provider.answers["POST", "/token"] = lambda *_: (200, TOKENS)
        fresh = self.refresh()
        self.assertEqual((fresh["accessToken"], fresh["refreshToken"]), ("an-access-token", "old-refresh"))
        self.assertEqual(self.provider.requests[-1][2], {
            "grant_type": "refresh_token", "refresh_token": "old-refresh", "client_id": "c"})
        self.credentials["clientSecret"] = "no-secret"
        self.assertEqual(self.refresh()["clientSecret"], "no-secret")
        self.assertEqual(self.provider.requests[-1][2]["client_secret"], "no-secret")
        for answer, kind in (((400, b""), "carrier.signInAgain"), ((401, {}), "carrier.signInAgain"),
                             ((400, {"error": "invalid_grant"}), "carrier.signInAgain"),
                             ((400, {"error": "invalid_client"}), "carrier.providerError"),
                             # The service's tests look for the token in each error.
                             ((400, {"error": "x", "error_description": "not old-refresh"}), "carrier.providerError"),
                             ((400, {"error": "no old-refresh"}), "carrier.signInAgain"),
                             ((503, b""), "carrier.serverFailed"), ((429, b""), "carrier.rateLimited")):
            self.provider.answers["POST", "/token"] = lambda *_, answer=answer: answer
            with self.assertRaises(CarrierFailure) as caught:
                self.refresh()
            self.assertEqual(caught.exception.kind, kind)
        del self.credentials["refreshToken"]
        with self.assertRaises(CarrierFailure) as caught:
            self.refresh()
        self.assertEqual(caught.exception.kind, "carrier.signInAgain")

    def test_a_refresh_is_not_repeated(self):
        self.provider.answers["POST", "/token"] = lambda *_: (500, b"")
        self.provider.requests.clear()
        with self.assertRaises(CarrierFailure):
            self.refresh()
        self.assertEqual([request[1] for request in self.provider.requests].count("/token"), 1)

    def revoke(self):
        return self.service.ask("carrier/revoke", address=self.server.url, credentials=self.credentials)["revoked"]

    def test_revocation(self):
        self.provider.answers["POST", "/revoke"] = lambda *_: (200, b"")
        self.provider.requests.clear()
        self.assertTrue(self.revoke())
        revoked = [form["token"] for _, path, form, _ in self.provider.requests if path == "/revoke"]
        self.assertEqual(revoked, ["old-refresh", "old-access"])
        self.provider.answers["POST", "/token"] = lambda *_: (400, b"")
        for status in (400, 401):
            self.provider.answers["POST", "/revoke"] = lambda *_, status=status: (status, {})
            self.assertFalse(self.revoke())
        self.provider.describe(revocation_endpoint=None)
        self.assertFalse(self.revoke())


if __name__ == "__main__":
    unittest.main()
