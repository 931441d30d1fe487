"""WebDAV servers on loopback, each with a temporary directory of its own."""

import base64
import hashlib
import json
import os
import pathlib
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))

from ports import free_port  # noqa: E402

USER, PASSWORD = "dav", "the app password of the tests"
# In seconds, long enough for a busy machine
DEADLINE = 120

APACHE = """
ServerRoot "{top}"
ServerName localhost
Listen 127.0.0.1:{port}
PidFile "{top}/pid"
ErrorLog "{top}/error.log"
Mutex file:{top} default
{modules}
{identity}
StartServers 1
ServerLimit 2
ThreadsPerChild 8
MaxRequestWorkers 16
DavLockDB "{top}/lock/db"
{tls}
<Directory />
  Require all denied
</Directory>
<Directory "{root}">
  Dav On
</Directory>
Alias /dav "{root}"
<Location /dav>
  AuthType Basic
  AuthName dav
  AuthBasicProvider file
  AuthUserFile "{top}/users"
  Require valid-user
</Location>
{more}
"""
# It asks the provider about a token again after a second.
OAUTH2 = """
LoadModule oauth2_module /usr/lib/apache2/modules/mod_oauth2.so
Alias /oauth2 "{root}"
<Location /oauth2>
  AuthType oauth2
  OAuth2TokenVerify introspect {endpoint} introspect.auth=client_secret_basic&client_id={user}&client_secret={secret}&expiry=1
  OAuth2TargetPass remote_user_claim=username
  Require valid-user
</Location>
"""
MODULES = "mpm_event authn_core authn_file authz_core authz_user auth_basic alias dav dav_fs".split()


def certificate(directory, *options):
    """Makes a key and a certificate of its own for localhost; returns their paths."""
    key, path = directory / "key.pem", directory / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key,
         "-out", path, "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", *options],
        check=True, capture_output=True, timeout=DEADLINE)
    return key, path


class Server:
    """A running server of a kind: apache, apache-tls, apache-oauth2 (with the tokens of a provider), rclone or wsgidav. `root`
    is the collection at `url`, which for rclone may have a path."""

    def __init__(self, kind, provider=None, path=""):
        self.provider, self.path = provider, path
        self.top = pathlib.Path(tempfile.mkdtemp(prefix="carrier-"))
        self.root, self.port = self.top / "root", free_port()
        self.root.mkdir()
        self.url = f"http://127.0.0.1:{self.port}/"
        words = getattr(self, "_" + kind.replace("-", "_"))()
        with open(self.top / "output", "wb") as output:
            self.process = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, cwd=self.top, stdout=output, stderr=subprocess.STDOUT)
        end = time.monotonic() + DEADLINE
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                if self.process.poll() is not None or time.monotonic() > end:
                    raise RuntimeError((self.top / "output").read_text()) from None
                time.sleep(0.02)

    def _apache(self, tls="", modules=(), more=""):
        (self.top / "lock").mkdir()
        digest = base64.b64encode(hashlib.sha1(PASSWORD.encode()).digest()).decode()
        (self.top / "users").write_text(f"{USER}:{{SHA}}{digest}\n")
        identity = ""
        if os.geteuid() == 0:
            identity = "User www-data\nGroup www-data"
            user = pwd.getpwnam("www-data")
            self.top.chmod(0o711)
            for directory in (self.root, self.top / "lock"):
                os.chown(directory, user.pw_uid, user.pw_gid)
        lines = [f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so" for name in (*MODULES, *modules)]
        (self.top / "apache.conf").write_text(APACHE.format(
            top=self.top, root=self.root, port=self.port, modules="\n".join(lines), identity=identity, tls=tls, more=more))
        self.url += "dav/"
        return ["apache2", "-d", self.top, "-f", self.top / "apache.conf", "-DFOREGROUND"]

    def _apache_tls(self):
        key, self.certificate = certificate(self.top)
        words = self._apache(
            f"SSLEngine on\nSSLCertificateFile {self.certificate}\nSSLCertificateKeyFile {key}", ["ssl"])
        self.url = f"https://localhost:{self.port}/dav/"
        return words

    def _apache_oauth2(self):
        words = self._apache(more=OAUTH2.format(
            root=self.root, endpoint=self.provider.endpoint("introspection_endpoint"), user=self.provider.resource,
            secret=self.provider.resource_secret))
        self.url = f"http://127.0.0.1:{self.port}/oauth2/"
        return words

    def _rclone(self):
        self.url += self.path
        # Its cache of directories would hide what a test does to the files.
        return ["rclone", "serve", "webdav", self.root, "--addr", f"127.0.0.1:{self.port}", "--user", USER, "--pass",
                PASSWORD, "--config", "/dev/null", "--cache-dir", self.top / "cache", "--dir-cache-time", "0",
                "--baseurl", "/" + self.path]

    def _wsgidav(self):
        path = self.top / "wsgidav.json"
        path.write_text(json.dumps({
            "host": "127.0.0.1", "port": self.port, "server": "cheroot", "provider_mapping": {"/": str(self.root)},
            "verbose": 1, "simple_dc": {"user_mapping": {"*": {USER: {"password": PASSWORD}}}},
            "http_authenticator": {"accept_basic": True, "accept_digest": False, "default_to_digest": False}}))
        return [os.environ["WSGIDAV"], "--config", path]

    def wait_until_refused(self, token):
        """Waits until a token is not taken, which apache-oauth2 remembers for a second."""
        request = urllib.request.Request(self.url, method="OPTIONS", headers={"Authorization": f"Bearer {token}"})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        end = time.monotonic() + DEADLINE
        while True:
            try:
                opener.open(request, timeout=DEADLINE).close()
            except urllib.error.HTTPError as error:
                with error:
                    assert error.code == 401, error.code
                return
            assert time.monotonic() < end, "the token is still taken"
            time.sleep(0.05)

    def stop(self):
        self.process.terminate()
        self.process.wait(DEADLINE)
        shutil.rmtree(self.top)
