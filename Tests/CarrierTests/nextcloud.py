"""A stand-in for Nextcloud: Debian has no package of it, and it needs PHP, a database and a gigabyte. It answers as its manual
says (Client APIs: Login Flow, OCS). The files of its user are those of a real WebDAV server."""

import base64
import secrets

from dav import PASSWORD, USER
from liar import Liar

LOGIN, TOKEN = "alice@example.org", "a-poll-token"


class Nextcloud(Liar):
    """`passwords` are the app passwords that are accepted, `given` those that were given. The person is done when
    somebody has asked as often as `asks` says."""

    def __init__(self, identifier, behind=None, asks=1):
        super().__init__(behind)
        self.address = self.url + "/cloud"
        self.identifier, self.asks, self.polls, self.passwords, self.given = identifier, asks, 0, set(), []
        for method, path, answer in (
                ("POST", "index.php/login/v2", self.begin), ("POST", "index.php/login/v2/poll", self.poll),
                ("GET", "ocs/v2.php/cloud/user", self.user), ("DELETE", "ocs/v2.php/core/apppassword", self.forget)):
            self.answers[method, "/cloud/" + path] = answer

    def begin(self, *_):
        flow = self.address + "/index.php/login/v2"
        return 200, {"poll": {"token": TOKEN, "endpoint": flow + "/poll"}, "login": flow + "/flow/x"}

    def poll(self, _, form):
        self.polls += 1
        if form != {"token": TOKEN} or self.polls < self.asks:
            return 404, []
        self.polls = 0
        self.given.append(secrets.token_hex(16))
        self.passwords.add(self.given[-1])
        return 200, {"server": self.address, "loginName": LOGIN, "appPassword": self.given[-1]}

    def password(self, handler):
        """The app password of a request; None if it is not accepted."""
        scheme, _, word = handler.headers.get("Authorization", "").partition(" ")
        user, _, password = base64.b64decode(word).decode().partition(":")
        return password if (scheme, user) == ("Basic", LOGIN) and password in self.passwords else None

    def user(self, handler, _):
        if handler.headers["OCS-APIRequest"] != "true" or not self.password(handler):
            return 401, {}
        return 200, {"ocs": {"meta": {"status": "ok"}, "data": {"id": self.identifier}}}

    def forget(self, handler, _):
        password = self.password(handler)
        if not password:
            return 401, {}
        self.passwords.remove(password)
        return 200, {"ocs": {"meta": {"status": "ok"}, "data": []}}

    def otherwise(self, handler, _):
        if not self.password(handler):
            return 401, {}
        if self.behind is None:
            return 404, {}
        word = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        return handler.pass_on(Authorization="Basic " + word)
