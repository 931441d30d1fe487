"""Sign-in with glewlwyd, and Apache with mod_oauth2, which takes its tokens (C)."""

import unittest
import urllib.parse

from dav import Server
from machine import Machine, files
from provider import CLIENT, EMAIL, SCOPE, Browser, Provider
from service import CarrierFailure, Service


class SignIn:
    life = 3_600

    def setUp(self):
        self.provider = Provider(life=self.life)
        self.addCleanup(self.provider.stop)
        self.server = Server("apache-oauth2", self.provider)
        self.addCleanup(self.server.stop)
        self.service = Service()
        self.addCleanup(lambda: self.assertEqual(self.service.stop(), (0, b"")))
        self.machine = Machine(self.server.url)
        self.addCleanup(self.machine.holder.cleanup)

    def begin(self, method, **parameters):
        """Sends the request; returns its id and the prompt."""
        request = self.service.send(
            "carrier/signIn", **{"method": method, "address": self.server.url, "issuer": self.provider.issuer,
                                 "clientId": CLIENT, "scope": SCOPE, **parameters})
        return request, self.service.notification("carrier/prompt")

    def sign_in(self):
        request, prompt = self.begin("device")
        self.provider.approve_device(prompt)
        return self.service.answer(request)

    def carry(self, signed_in):
        return self.service.ask("carrier/mirror", folder=str(self.machine.folder), **signed_in)

    def refuse(self, kind, *request, **parameters):
        with self.assertRaises(CarrierFailure) as caught:
            self.service.ask(*request, **parameters) if parameters else self.service.answer(*request)
        self.assertEqual(caught.exception.kind, kind, caught.exception)
        return caught.exception

    def check_tokens(self, signed_in):
        """The tokens carry, are refreshed and are revoked."""
        credentials = signed_in["credentials"]
        self.assertEqual(signed_in["address"], self.server.url)
        self.assertEqual(
            [credentials[name] for name in ("kind", "issuer", "clientId")], ["token", self.provider.issuer, CLIENT])
        self.assertEqual(credentials["user"], EMAIL)
        self.machine.publish()
        self.assertEqual(self.carry(signed_in)["sent"], 1)
        self.assertEqual(files(self.server.root), self.machine.files())

        fresh = self.service.ask("carrier/refresh", credentials=credentials)["credentials"]
        self.assertEqual(fresh["user"], EMAIL)
        self.assertNotEqual(fresh["accessToken"], credentials["accessToken"])
        self.assertGreaterEqual(fresh["expiresAt"], credentials["expiresAt"])
        self.assertEqual(self.carry({**signed_in, "credentials": fresh})["sent"], 0)

        revoked = self.service.ask("carrier/revoke", address=self.server.url, credentials=fresh)
        self.assertEqual(revoked, {"revoked": True})
        self.assertFalse(self.provider.is_active(fresh["accessToken"]))
        self.refuse("carrier.signInAgain", "carrier/refresh", credentials=fresh)

    def pause_in_mid_transfer(self, signed_in):
        """Starts a pass and stops the process while it is at work. Returns the request."""
        while True:
            request = self.service.send("carrier/mirror", folder=str(self.machine.folder), progressToken=1, **signed_in)
            self.service.notification("$/progress")
            self.service.pause()
            if len(self.machine.files()) - len(files(self.server.root)) > 10:
                return request
            # It was done before it was stopped.
            self.service.resume()
            self.service.answer(request)
            self.publish()

    def publish(self):
        for _ in range(300):
            self.machine.publish(500)

    def go_on_without(self, signed_in, request):
        """Lets a pass go on when the server takes the token no more. Returns the number of files that are still to be sent."""
        self.server.wait_until_refused(signed_in["credentials"]["accessToken"])
        self.service.resume()
        self.refuse("carrier.refused", request)
        return len(self.machine.files()) - len(files(self.server.root))

    def check_rest(self, rest, signed_in):
        self.assertGreater(rest, 0)
        self.assertEqual(self.carry(signed_in)["sent"], rest)
        self.assertEqual(files(self.server.root), self.machine.files())

    def service_of_its_own(self, *request, **parameters):
        service = Service()
        self.addCleanup(service.stop)
        return service.ask(*request, **parameters)


class SignInTests(SignIn, unittest.TestCase):
    def test_a_device(self):
        request, prompt = self.begin("device")
        self.assertIn(prompt["code"], prompt["urlWithCode"])
        self.assertLessEqual(prompt["expiresInSeconds"], 600)
        self.provider.approve_device(prompt)
        self.check_tokens(self.service.answer(request))

    def test_a_browser_of_this_machine(self):
        request, prompt = self.begin("code")
        self.assertNotIn("code", prompt)
        status, headers, page = self.provider.approve_code(prompt)
        self.assertEqual((status, headers["Cache-Control"]), (200, "no-store"))
        self.assertIn("You can close this page", page)
        self.assertIn("您可以关闭此页面", page)
        self.check_tokens(self.service.answer(request))

    def test_what_others_send_to_the_listener(self):
        request, prompt = self.begin("code")
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(prompt["url"]).query)
        self.assertEqual((query["code_challenge_method"], query["response_type"]), (["S256"], ["code"]))
        (listener,), (state,) = query["redirect_uri"], query["state"]
        # Nothing without the state ends the wait.
        for rest in ("", "?code=forged", "?code=forged&state=", f"?code=forged&state={state}&state=x", f"/x?state={state}",
                     f"?code=%zz&state={state}"):
            self.assertEqual(Browser().open(listener + rest)[0], 404, rest)
        self.assertEqual(Browser().open(listener + f"?code=x&state={state}", "POST", {})[0], 404)
        self.assertEqual(self.provider.approve_code(prompt)[0], 200)
        self.assertEqual(self.service.answer(request)["credentials"]["kind"], "token")

    def test_an_answer_of_another_provider(self):
        """RFC 9207: what names another one is not used, even with the right state."""
        request, prompt = self.begin("code")
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(prompt["url"]).query)
        self.assertEqual(Browser().open(
            f"{query['redirect_uri'][0]}?code=x&state={query['state'][0]}&iss=https%3A%2F%2Fother.example")[0], 200)
        self.refuse("carrier.wrongServer", request)

    def test_a_code_of_another_sign_in(self):
        _, stolen = self.begin("code")
        way_back = self.provider.way_back(stolen)
        code = urllib.parse.parse_qs(urllib.parse.urlsplit(way_back).query)["code"][0]
        other = Service()
        self.addCleanup(other.stop)
        request = other.send("carrier/signIn", method="code", address=self.server.url, issuer=self.provider.issuer,
                             clientId=CLIENT, scope=SCOPE)
        prompt = other.notification("carrier/prompt")
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(prompt["url"]).query)
        state, listener = query["state"][0], query["redirect_uri"][0]
        self.assertEqual(Browser().open(f"{listener}?code={urllib.parse.quote(code)}&state={state}")[0], 200)
        with self.assertRaises(CarrierFailure):
            other.answer(request)

    def test_the_person_refuses(self):
        request, prompt = self.begin("code")
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(prompt["url"]).query)
        Browser().open(f"{query['redirect_uri'][0]}?error=access_denied&state={query['state'][0]}")
        self.refuse("carrier.signInRefused", request)

    def test_nobody_signs_in(self):
        for method in ("device", "code"):
            request, prompt = self.begin(method, timeoutSeconds=1)
            self.assertLessEqual(prompt["expiresInSeconds"], 1)
            self.refuse("carrier.signInExpired", request)

    def test_cancellation(self):
        for method in ("device", "code"):
            request, _ = self.begin(method)
            self.service.cancel(request)
            self.refuse("carrier.cancelled", request)

    def test_a_client_that_the_provider_does_not_know(self):
        error = self.refuse(
            "carrier.providerError", "carrier/signIn", method="device", address=self.server.url,
            issuer=self.provider.issuer, clientId="unknown", scope=SCOPE)
        self.assertTrue(error.data["text"])

    def test_a_token_that_is_revoked_in_mid_transfer(self):
        signed_in = self.sign_in()
        self.publish()
        request = self.pause_in_mid_transfer(signed_in)
        self.assertEqual(
            self.service_of_its_own("carrier/revoke", address=self.server.url, credentials=signed_in["credentials"]),
            {"revoked": True})
        rest = self.go_on_without(signed_in, request)
        self.refuse("carrier.signInAgain", "carrier/refresh", credentials=signed_in["credentials"])
        # A new sign-in goes on where it ended.
        self.check_rest(rest, self.sign_in())


class ExpiryTests(SignIn, unittest.TestCase):
    # Long enough for a slow machine to send a file, and short enough to wait for
    life = 20

    def refresh(self, signed_in):
        return {**signed_in, **self.service.ask("carrier/refresh", credentials=signed_in["credentials"])}

    def test_a_token_that_expires_in_mid_transfer(self):
        signed_in = self.sign_in()
        self.publish()
        signed_in = self.refresh(signed_in)
        rest = self.go_on_without(signed_in, self.pause_in_mid_transfer(signed_in))
        # It is refreshed, and goes on where it ended.
        self.check_rest(rest, self.refresh(signed_in))


if __name__ == "__main__":
    unittest.main()
