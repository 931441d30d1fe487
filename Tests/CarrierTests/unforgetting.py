"""A server that signs in with Nextcloud's Login Flow at once, and fails to forget the sign-in.

Debian has no package of Nextcloud: see test_nextcloud.
"""

from hostile import document, member
from liar import Liar


class UnforgettingCloud(Liar):
    def __init__(self):
        super().__init__()
        folder = "/remote.php/dav/files/alice/QuickVault/"
        flow = self.url + "/index.php/login/v2"
        self.answer("POST", "/index.php/login/v2", 200, {"poll": {"token": "t", "endpoint": flow + "/poll"}, "login": flow + "/flow/x"})
        self.answer("POST", "/index.php/login/v2/poll", 200, {"server": self.url, "loginName": "alice", "appPassword": "word"})
        self.answer("GET", "/ocs/v2.php/cloud/user", 200, {"ocs": {"meta": {"status": "ok"}, "data": {"id": "alice"}}})
        self.answer("PROPFIND", folder, 207, document(member(folder, None)))
        self.answer("DELETE", "/ocs/v2.php/core/apppassword", 500, {})

    def answer(self, method, path, status, value):
        self.answers[method, path] = lambda *_: (status, value)
