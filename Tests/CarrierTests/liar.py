"""A server for sign-in whose answers a test sets: a provider that lies, or Nextcloud."""

import http.server
import json
import threading
import urllib.parse


class Liar:
    """`answers` maps a method and a path to a function of the handler and its form, which returns a status and a value for JSON,
    or bytes; or answers by itself and returns None. `requests` keeps what was asked."""

    def __init__(self):
        self.answers, self.requests, self.stopping = {}, [], threading.Event()
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def _handle(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
                form = dict(urllib.parse.parse_qsl(body.decode()))
                owner.requests.append((self.command, self.path, form, dict(self.headers)))
                found = owner.answers.get((self.command, urllib.parse.urlsplit(self.path).path))
                answer = found(self, form) if found else (404, {})
                if answer is not None:
                    self.answer(*answer)

            do_GET = do_POST = do_DELETE = do_PROPFIND = do_MKCOL = _handle

            def answer(self, status, value, **headers):
                value = value if isinstance(value, bytes) else json.dumps(value).encode()
                self.send_response(status)
                for name, text in {"Content-Length": str(len(value)), **headers}.items():
                    self.send_header(name, text)
                self.end_headers()
                try:
                    self.wfile.write(value)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def describe(self, **changes):
        """Answers as an OpenID provider that describes itself."""
        self.metadata = {
            "issuer": self.url, "authorization_endpoint": self.url + "/authorize", "token_endpoint": self.url + "/token",
            "device_authorization_endpoint": self.url + "/device", "revocation_endpoint": self.url + "/revoke", **changes}
        self.answers["GET", "/.well-known/openid-configuration"] = lambda *_: (200, self.metadata)
        self.answers["POST", "/device"] = lambda *_: (200, {
            "device_code": "device", "user_code": "ABCD", "verification_uri": self.url + "/code", "expires_in": 600,
            "interval": 1})

    def stop(self):
        self.stopping.set()
        self.server.shutdown()
        self.server.server_close()
