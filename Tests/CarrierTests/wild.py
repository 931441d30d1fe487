"""What servers of other people do, as their bug reports say: functions for the faults of `hostile.Hostile`, and a proxy that ends
TLS before the server."""

import ssl
import urllib.parse

from dav import certificate
from hostile import document, member
from liar import Liar

BLOCKED = (b'<d:error xmlns:d="DAV:"><s:exception xmlns:s="http://ns.jianguoyun.com">BlockedTemporarily</s:exception></d:error>')
#: What explains an error to a person: more bytes than many files have
PAGE = b"<html>" + b"An explanation. " * 1_000 + b"</html>"


def answers(status, body=PAGE, when=lambda _handler, _path: True, **headers):
    """A fault that answers with a status."""
    return lambda handler, path: when(handler, path) and (handler.answer(status, body, **headers) or True)


def is_long(handler, _):
    """Whether a body is longer than nginx takes unless it is told otherwise."""
    return len(handler.body) > 1 << 20


def is_hidden(_, path):
    return "/." in path


class Quota:
    """Nutstore's limit: so many requests, and then 503 for the rest of half an hour."""

    def __init__(self, server, limit=600):
        self.limit, self.server = limit, server
        server.hold = self.hold

    def hold(self, handler, path):
        if len(self.server.requests) < self.limit:
            return False
        self.server.requests.append((handler.command, path, dict(handler.headers)))
        handler.rfile.read(int(handler.headers.get("Content-Length", "0")))
        handler.answer(503, BLOCKED)
        return True


class Pages:
    """Lists that come in pages. `link` makes the reference to the next of the path and the number of the first member there; None
    leaves members out and says nothing. `newest` lists the last members first."""

    def __init__(self, server, size=750, link=lambda path, mark: f"{path}?mk={mark}", newest=False):
        self.server, self.size, self.link, self.newest = server, size, link, newest
        server.faults["PROPFIND"] = self.answer

    def answer(self, handler, path):
        prefix = path + "/" if path else ""
        names = {}
        for name, content in self.server.files.items():
            if name.startswith(prefix):
                first, _, rest = name[len(prefix):].partition("/")
                names[first] = None if rest else len(content)
        members = sorted(names.items(), reverse=self.newest)
        url = urllib.parse.urlsplit(handler.path)
        mark = int(urllib.parse.parse_qs(url.query).get("mk", ["0"])[0])
        page = members[mark:mark + self.size]
        headers = {}
        if len(members) > mark + self.size and self.link:
            headers["Link"] = f'<{self.link(url.path, mark + self.size)}>; rel="next"'
        listed = [member("/" + path, None)] + [member("/" + prefix + name, size) for name, size in page]
        handler.answer(207, document("".join(listed)), **headers)
        return True


class Proxy(Liar):
    """A proxy with TLS in front of a server without it."""

    def __init__(self, server, directory):
        super().__init__(server.port)
        key, self.certificate = certificate(directory)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        path = urllib.parse.urlsplit(server.url).path
        self.url = f"https://localhost:{self.server.server_port}{path}"
