"""A server whose answers a test sets: a provider that lies, Nextcloud, or what stands in front of a real server."""

import http.client
import http.server
import json
import sys
import threading
import urllib.parse

from dav import DEADLINE

HOP = ("connection", "keep-alive", "transfer-encoding", "expect")


class Liar:
    """`answers` maps a method and a path to a function of the handler and its form, which returns a status and a value for JSON,
    or bytes; or answers by itself and returns None. `requests` keeps what was asked. What has no answer is passed on to the
    server at the port `behind`, if there is one."""

    def __init__(self, behind=None):
        self.answers, self.requests, self.stopping, self.behind = {}, [], threading.Event(), behind
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def log_message(self, *_):
                pass

            def _handle(self):
                self.body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
                is_form = self.headers.get_content_type() == "application/x-www-form-urlencoded"
                form = dict(urllib.parse.parse_qsl(self.body.decode())) if is_form else {}
                owner.requests.append((self.command, self.path, form, dict(self.headers)))
                found = owner.answers.get((self.command, urllib.parse.urlsplit(self.path).path), owner.otherwise)
                answer = found(self, form)
                if answer is not None:
                    self.answer(*answer)

            do_GET = do_POST = do_DELETE = do_PROPFIND = do_MKCOL = do_PUT = do_MOVE = _handle

            def pass_on(self, before=lambda *_: None, **headers):
                """Has the server behind answer. `before` is called with the status and the bytes before they are passed back."""
                given = {name: text for name, text in self.headers.items() if name.lower() not in HOP}
                connection = http.client.HTTPConnection("127.0.0.1", owner.behind, timeout=DEADLINE)
                try:
                    connection.request(self.command, self.path, self.body, {**given, **headers})
                    answer = connection.getresponse()
                    content = answer.read()
                finally:
                    connection.close()
                before(answer.status, content)
                self.send_response_only(answer.status)
                for name, text in answer.getheaders():
                    if name.lower() not in (*HOP, "content-length"):
                        self.send_header(name, text)
                self.send_header("Content-Length", str(len(content)))
                self.finish_answer(content)

            def answer(self, status, value, **headers):
                value = value if isinstance(value, bytes) else json.dumps(value).encode()
                self.send_response(status)
                for name, text in {"Content-Length": str(len(value)), **headers}.items():
                    self.send_header(name, text)
                self.finish_answer(value)

            def finish_answer(self, content):
                try:
                    self.end_headers()
                    self.wfile.write(content)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *address):
                # A client may end at any moment.
                if not isinstance(sys.exc_info()[1], ConnectionError):
                    super().handle_error(*address)

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def otherwise(self, handler, _):
        """Answers what has no answer."""
        return (404, {}) if self.behind is None else handler.pass_on()

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
