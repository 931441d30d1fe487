"""glewlwyd, an OpenID provider on loopback, and a person with a browser who signs in there."""

import base64
import http.cookiejar
import json
import pathlib
import secrets
import shutil
import sqlite3
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

from dav import DEADLINE
from liar import Liar
from ports import free_port

CLIENT, SCOPE, EMAIL = "quickvault-tests", "openid dav", "alice@example.test"

# Without use_secure_connection: 2.7.5 refuses even "=false" unless a key and a certificate are set too.
CONFIGURATION = """
port={port}
bind_address="127.0.0.1"
external_url="{base}"
login_url="login.html"
api_prefix="api"
log_mode="file"
log_level="INFO"
log_file="{top}/log"
cookie_secure=0
session_expiration=2419200
session_key="GLEWLWYD2_SESSION_ID"
admin_session_authentication="cookie"
profile_session_authentication="cookie"
login_api_enabled=true
admin_scope="g_admin"
profile_scope="g_profile"
user_module_path="/usr/lib/glewlwyd/user"
client_module_path="/usr/lib/glewlwyd/client"
user_auth_scheme_module_path="/usr/lib/glewlwyd/scheme"
plugin_module_path="/usr/lib/glewlwyd/plugin"
hash_algorithm="SHA512"
database = {{ type = "sqlite3" path = "{top}/database" }};
"""


class StayHere(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Browser:
    """Requests with cookies, which follow no redirect."""

    def __init__(self):
        self.opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), StayHere, urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def open(self, url, method="GET", body=None):
        """The status, the headers and the text of an answer."""
        request = urllib.request.Request(
            url, method=method, data=None if body is None else json.dumps(body).encode(),
            headers={} if body is None else {"Content-Type": "application/json"})
        try:
            with self.opener.open(request, timeout=DEADLINE) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers, error.read().decode()


class Provider:
    """A running provider with one user, one client and one resource server.

    `life` is that of access tokens in seconds, `codes` that of codes for devices. The client is public, or has a secret.
    A refresh token can be used once if it `rotates`. `issued` are the tokens that it has given, each with what was given with it."""

    def __init__(self, life=3_600, codes=600, secret=None, rotates=False):
        self.top = pathlib.Path(tempfile.mkdtemp(prefix="provider-"))
        port = free_port()
        self.front = Liar(behind=port)
        self.front.answers["POST", "/api/oidc/token"] = lambda handler, _: handler.pass_on(self._note)
        self.base, self.issued, self.secret = self.front.url, [], secret
        self.issuer = f"{self.base}/api/oidc"
        self.user, self.password = "alice", secrets.token_hex(8)
        self.resource, self.resource_secret = "dav-server", secrets.token_hex(12)
        schema = pathlib.Path("/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3").read_text()
        database = sqlite3.connect(self.top / "database")
        database.executescript(f"PRAGMA journal_mode=MEMORY; BEGIN; {schema}; COMMIT;")
        database.close()
        path = self.top / "configuration"
        path.write_text(CONFIGURATION.format(port=port, base=self.base, top=self.top))
        with open(self.top / "output", "wb") as output:
            self.process = subprocess.Popen(
                ["glewlwyd", "-c", path], stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
        self.admin = Browser()
        end = time.monotonic() + DEADLINE
        while True:
            try:
                self.admin.open(f"http://127.0.0.1:{port}/config")
                break
            except OSError:
                if self.process.poll() is not None or time.monotonic() > end:
                    raise RuntimeError((self.top / "output").read_text()) from None
                time.sleep(0.02)
        self._fill(life, codes, rotates)

    def _note(self, status, content):
        if status == 200:
            self.issued.append(json.loads(content))

    def _must(self, browser, method, path, body):
        status, _, text = browser.open(f"{self.base}/api{path}", method, body)
        if status != 200:
            raise RuntimeError(f"{method} {path}: {status} {text}")

    def _fill(self, life, codes, rotates):
        def add(path, body):
            self._must(self.admin, "POST", path, body)
        add("/auth", {"username": "admin", "password": "password"})
        add("/scope", {"name": "dav", "display_name": "dav", "password_required": True, "password_max_age": 0, "scheme": {}})
        private = subprocess.run(["openssl", "genrsa", "2048"], check=True, capture_output=True, timeout=DEADLINE).stdout
        public = subprocess.run(
            ["openssl", "rsa", "-pubout"], input=private, check=True, capture_output=True, timeout=DEADLINE).stdout
        add("/mod/plugin", {"module": "oidc", "name": "oidc", "display_name": "oidc", "parameters": {
            "iss": self.issuer, "jwt-type": "rsa", "jwt-key-size": "256", "key": private.decode(), "cert": public.decode(),
            "access-token-duration": life, "refresh-token-duration": 1_209_600, "code-duration": 600,
            "refresh-token-rolling": True, "refresh-token-one-use": "always" if rotates else "never", "allow-non-oidc": True,
            "auth-type-code-enabled": True, "auth-type-code-revoke-replayed": True, "auth-type-token-enabled": False,
            "auth-type-id-token-enabled": True, "auth-type-none-enabled": False, "auth-type-password-enabled": False,
            "auth-type-client-enabled": True, "auth-type-device-enabled": True, "auth-type-refresh-enabled": True,
            "jwks-show": True, "device-authorization-expiration": codes, "device-authorization-interval": 1,
            "pkce-allowed": True, "pkce-method-plain-allowed": False, "pkce-required": False,
            "pkce-required-public-client": True, "introspection-revocation-allowed": True,
            "introspection-revocation-allow-target-client": True, "introspection-revocation-auth-scope": ["dav"],
            "email-claim": "mandatory", "subject-type": "public", "request-parameter-allow": False, "session-management-allowed": False}})
        add("/user", {"username": self.user, "password": self.password, "name": "Alice", "email": EMAIL,
                      "enabled": True, "scope": ["g_profile", "openid", "dav"]})
        self.client = {
            "client_id": CLIENT, "name": "QuickVault", "enabled": True, "confidential": bool(self.secret),
            "redirect_uri": ["http://127.0.0.1:1/"], "scope": [],
            "authorization_type": ["code", "refresh_token", "device_authorization", "delete_token"],
            "token_endpoint_auth_method": ["client_secret_post" if self.secret else "none"], "client_secret": self.secret or ""}
        add("/client", self.client)
        add("/client", {
            "client_id": self.resource, "name": "resource server", "enabled": True, "confidential": True,
            "password": self.resource_secret, "client_secret": self.resource_secret, "scope": ["dav"], "redirect_uri": [],
            "authorization_type": ["client_credentials"], "token_endpoint_auth_method": ["client_secret_basic"]})

    def endpoint(self, name):
        return json.loads(self.admin.open(f"{self.issuer}/.well-known/openid-configuration")[2])[name]

    def _ask(self, endpoint, token):
        """What a resource server is answered about a token."""
        request = urllib.request.Request(self.endpoint(endpoint), urllib.parse.urlencode({"token": token}).encode())
        word = base64.b64encode(f"{self.resource}:{self.resource_secret}".encode()).decode()
        request.add_header("Authorization", f"Basic {word}")
        with self.admin.opener.open(request, timeout=DEADLINE) as answer:
            return answer.read()

    def is_active(self, token):
        return json.loads(self._ask("introspection_endpoint", token))["active"]

    def revoke(self, token):
        self._ask("revocation_endpoint", token)

    # What the person does

    def _signed_in(self):
        """A browser in which the person is signed in and has agreed, as the page's script would do."""
        browser = Browser()
        self._must(browser, "POST", "/auth", {"username": self.user, "password": self.password})
        self._must(browser, "PUT", f"/auth/grant/{CLIENT}", {"scope": SCOPE})
        return browser

    def end_sessions(self):
        """Ends all sign-ins of programs, as the person can on the page of the profile."""
        browser = self._signed_in()
        for session in json.loads(browser.open(f"{self.issuer}/token")[2]):
            if session["enabled"]:
                self._must(browser, "DELETE", f"/oidc/token/{urllib.parse.quote(session['token_hash'], safe='')}", None)

    def approve_device(self, prompt):
        status, headers, _ = self._signed_in().open(prompt["urlWithCode"] + "&g_continue")
        assert status == 302 and "deviceComplete" in headers["Location"], (status, headers["Location"])

    def approve_code(self, prompt):
        """Lets the browser come back. Returns the page that it shows then."""
        return Browser().open(self.way_back(prompt))

    def way_back(self, prompt):
        """The URL to which the provider sends the browser."""
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(prompt["url"]).query)
        # Against RFC 8252, section 7.3, the port must be known to it.
        self._must(self.admin, "PUT", f"/client/{CLIENT}", {**self.client, "redirect_uri": query["redirect_uri"]})
        status, headers, _ = self._signed_in().open(prompt["url"] + "&g_continue")
        assert status == 302, status
        return headers["Location"]

    def stop(self):
        self.process.terminate()
        self.process.wait(DEADLINE)
        self.front.stop()
        shutil.rmtree(self.top)
