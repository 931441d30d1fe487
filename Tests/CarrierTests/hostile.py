"""A WebDAV server in memory that lies, stalls, truncates, redirects and fills up, as a test tells it to."""

import http.server
import threading
import urllib.parse


class Hostile:
    """`files` maps paths without the first slash to bytes. `faults` maps a method to a function of the handler and the path,
    which answers in place of the server and returns True, or returns False. `hold` is such a function
    for all methods, called before the body of a request is read. `received` is set with the first request."""

    def __init__(self):
        self.files, self.faults, self.requests, self.hold = {}, {}, [], None
        self.stopping, self.received = threading.Event(), threading.Event()
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def answer(self, status, body=b"", **headers):
                self.send_response(status)
                for name, value in {"Content-Length": len(body), **headers}.items():
                    self.send_header(name.replace("_", "-"), str(value))
                self.end_headers()
                self.wfile.write(body)

            def stall(self):
                """Answers nothing, until the test ends."""
                owner.stopping.wait()
                self.close_connection = True

            def _handle(self):
                path = urllib.parse.unquote(urllib.parse.urlsplit(self.path).path).strip("/")
                if owner.hold is not None and owner.hold(self, path):
                    return
                self.body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
                owner.requests.append((self.command, path, dict(self.headers)))
                owner.received.set()
                fault = owner.faults.get(self.command)
                if fault is None or not fault(self, path):
                    getattr(self, "_" + self.command.lower())(path)

            do_PROPFIND = do_GET = do_PUT = do_MOVE = do_MKCOL = do_DELETE = _handle

            def _propfind(self, path):
                self.answer(207, owner.listing(path))

            def _get(self, path):
                self.answer(200, owner.files[path]) if path in owner.files else self.answer(404)

            def _put(self, path):
                owner.files[path] = self.body
                self.answer(201)

            def _move(self, path):
                to = urllib.parse.urlsplit(self.headers["Destination"]).path.strip("/")
                if to in owner.files:
                    return self.answer(412)
                owner.files[to] = owner.files.pop(path)
                return self.answer(201)

            def _mkcol(self, _path):
                self.answer(201)

            def _delete(self, path):
                self.answer(204 if owner.files.pop(path, None) is not None else 404)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def carried(self):
        """The files but those that only carriers use."""
        return {name: content for name, content in self.files.items() if "carrier-" not in name}

    def listing(self, path, sizes=None):
        """The answer to PROPFIND."""
        prefix = path + "/" if path else ""
        names = {}
        for name, content in self.files.items():
            if name.startswith(prefix):
                first, _, rest = name[len(prefix):].partition("/")
                names[first] = None if rest else len(content)
        members = [member("/" + path, None)]
        members += [member("/" + prefix + name, (sizes or {}).get(name, size)) for name, size in names.items()]
        return document("".join(members))

    def stop(self):
        self.stopping.set()
        self.server.shutdown()
        self.server.server_close()


def member(path, size):
    kind = "<D:resourcetype><D:collection/></D:resourcetype>" if size is None else f"<D:getcontentlength>{size}</D:getcontentlength>"
    return (f"<D:response><D:href>{urllib.parse.quote(path)}</D:href><D:propstat><D:prop>{kind}</D:prop>"
            "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>")


def document(members, before=""):
    return f'<?xml version="1.0"?>{before}<D:multistatus xmlns:D="DAV:">{members}</D:multistatus>'.encode()
