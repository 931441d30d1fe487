"""The command line, TLS, and what the machine itself can get wrong (C)."""

import datetime
import errno
import fcntl
import os
import pathlib
import pty
import subprocess
import termios
import unittest

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from dav import DEADLINE, Server
from hostile import Hostile
from machine import Machine, programs
from ports import free_port


def run(*words, **environment):
    return subprocess.run(
        [programs.program("quickvault-carrier"), *words], capture_output=True, text=True, timeout=DEADLINE,
        stdin=subprocess.DEVNULL, start_new_session=True, env={"PATH": os.environ["PATH"], **environment})


class ProgramTests(unittest.TestCase):
    def machine(self, url):
        machine = Machine(url)
        self.addCleanup(machine.holder.cleanup)
        return machine

    def refuse(self, machine, kind, status, *options, **more):
        found, outcome = machine.carry(*options, **more)
        self.assertEqual((found, outcome.get("error", {}).get("kind")), (status, kind), outcome)
        return outcome["error"]

    def test_command_line(self):
        self.assertEqual(run("--version").stdout, f"quickvault-carrier {programs.version()}\n")
        self.assertIn("usage", run("--help").stdout)
        self.assertIn("用法", run("--help", LANG="zh_CN.UTF-8").stdout)
        for words in ([], ["mirror"], ["mirror", "/tmp"], ["mirror", "/tmp", "http://example.org/"],
                      ["mirror", "/tmp", "https://user:word@example.org/"], ["mirror", "/tmp", "https://example.org/?a"],
                      ["mirror", "/tmp", "ftp://127.0.0.1/"], ["mirror", "/tmp", "https://example.org/", "--password-fd", "0"],
                      ["mirror", "/tmp", "https://example.org/", "--timeout", "0"], ["mirror", "/tmp", "https://a\nb/"]):
            found = run(*words)
            self.assertEqual((found.returncode, found.stdout), (64, ""), words)
            self.assertIn("must begin with https://" if len(words) == 3 else "usage", found.stderr)

    def test_messages_in_both_languages(self):
        url = f"http://127.0.0.1:{free_port()}/"
        folder = self.machine(url)
        for language, text in (("C", "No server responds"), ("zh_CN.UTF-8", "该地址没有响应")):
            found = run("mirror", str(folder.folder), url, HOME=str(folder.top), LC_ALL=language)
            self.assertEqual((found.returncode, found.stdout), (75, ""))
            self.assertIn(text, found.stderr)

    def test_a_server_that_is_not_there(self):
        self.refuse(self.machine(f"http://127.0.0.1:{free_port()}/"), "carrier.unreachable", 75)
        status, outcome = self.machine("https://server.invalid/").carry()
        self.assertEqual(status, 75)
        self.assertIn(outcome["error"]["kind"], ("carrier.nameNotFound", "carrier.offline"))

    def test_the_folder(self):
        server = Hostile()
        self.addCleanup(server.stop)
        machine = self.machine(server.url)
        descriptor = os.open(machine.folder, os.O_RDONLY)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        self.refuse(machine, "carrier.folderInUse", 75)
        os.close(descriptor)
        self.assertEqual(machine.carry()[0], 0)
        machine.folder.rmdir()
        error = self.refuse(machine, "carrier.folder", 74)
        self.assertIn("The folder cannot be used", error["messages"]["en"])

    def test_a_folder_with_two_lines_in_its_name(self):
        server = Hostile()
        self.addCleanup(server.stop)
        machine = self.machine(server.url)
        machine.folder = machine.folder.rename(machine.top / "two\nlines")
        machine.publish()
        machine.carry()
        machine.snapshot()
        _, outcome = machine.carry()
        self.assertEqual((outcome["received"], outcome["removedThere"]), (0, 1))

    def test_a_damaged_file_is_not_sent(self):
        server = Hostile()
        self.addCleanup(server.stop)
        machine = self.machine(server.url)
        machine.write_key(1)
        (key,) = machine.files()
        content = machine.add_content()
        segment = machine.publish()
        for name, length in ((key, 30), (content, 15), (segment, 0)):
            os.truncate(machine.folder / name, length)
        status, outcome = machine.carry()
        self.assertEqual((status, outcome["sent"], server.files), (65, 0, {}))
        self.assertEqual((sorted(outcome["damaged"]), outcome["damagedThere"]), (sorted([key, content, segment]), []))

    def test_a_password_that_is_not_there(self):
        server = Hostile()
        self.addCleanup(server.stop)
        self.refuse(self.machine(server.url), "carrier.refused", 77, password="")
        self.assertEqual(server.requests, [])

    def test_ctrl_c_at_the_prompt(self):
        server = Hostile()
        self.addCleanup(server.stop)
        machine = self.machine(server.url)
        words = [programs.program("quickvault-carrier"), "mirror", str(machine.folder), server.url, "--user", "a"]
        for key in b"\x03", b"\x1c":
            with self.subTest(key=key):
                process, terminal = pty.fork()
                if process == 0:
                    os.execve(words[0], words, {"HOME": str(machine.top)})
                shown = b""
                while not shown.endswith(b": "):
                    shown += os.read(terminal, 1_000)
                os.write(terminal, key + b"\n")
                self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), 130)
                self.assertTrue(termios.tcgetattr(terminal)[3] & termios.ECHO)
                os.close(terminal)
        self.assertEqual(server.requests, [])

    def test_a_token(self):
        server = Hostile()
        self.addCleanup(server.stop)
        machine = self.machine(server.url)
        found = subprocess.run(
            [programs.program("quickvault-carrier"), "mirror", machine.folder, server.url, "--token-fd", "0"],
            input=b"a-token", capture_output=True, timeout=DEADLINE, env={"HOME": str(machine.top)})
        self.assertEqual((found.returncode, found.stderr), (0, b""))
        self.assertEqual(server.requests[0][2]["Authorization"], "Bearer a-token")

    def test_what_is_not_encrypted_takes_no_proxy(self):
        server, proxy = Hostile(), Hostile()
        self.addCleanup(server.stop)
        self.addCleanup(proxy.stop)
        names = ("http_proxy", "https_proxy", "all_proxy", "ALL_PROXY")
        status, _ = self.machine(server.url).carry(environment={name: proxy.url for name in names})
        self.assertEqual((status, proxy.requests), (0, []))

    def test_certificates(self):
        server = Server("apache-tls")
        self.addCleanup(server.stop)
        machine = self.machine(server.url)
        machine.publish()
        self.assertIn("another name", self.refuse(machine, "carrier.certificate", 76)["messages"]["en"])
        status, outcome = machine.carry("--ca-file", str(server.certificate))
        self.assertEqual((status, outcome["sent"]), (0, 1))
        # The certificate is for localhost.
        by_address = server.url.replace("localhost", "127.0.0.1")
        self.refuse(machine, "carrier.certificate", 76, "--ca-file", str(server.certificate), url=by_address)
        text = machine.top / "text"
        text.write_text("no certificate")
        for file, number in ((machine.top / "missing", errno.ENOENT), (text, errno.EINVAL), (machine.top, errno.EINVAL)):
            error = self.refuse(machine, "carrier.certificateFile", 74, "--ca-file", str(file))
            self.assertEqual(error["errno"], number)
            self.assertIn("The file of certificates cannot be used", error["messages"]["en"])
        # The password is wrong.
        self.refuse(machine, "carrier.refused", 77, "--ca-file", str(server.certificate), password="wrong")

    def test_a_clock_that_is_wrong(self):
        machine = self.machine("https://localhost/")
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
        begin = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=2)
        certificate = (
            x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
            .serial_number(1).not_valid_before(begin).not_valid_after(begin + datetime.timedelta(days=2))
            .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), False)
            .sign(key, hashes.SHA256()))
        path = pathlib.Path(machine.top / "server.pem")
        path.write_bytes(
            certificate.public_bytes(serialization.Encoding.PEM) + key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
        port = free_port()
        with subprocess.Popen(
                ["openssl", "s_server", "-accept", str(port), "-cert", path, "-key", path, "-quiet"],
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
            self.addCleanup(server.kill)
            wait_for(port)
            self.refuse(machine, "carrier.clockWrong", 76, "--ca-file", str(path), url=f"https://localhost:{port}/")
            server.kill()


def wait_for(port):
    """Waits until a port is listening, which /proc shows without connecting."""
    end = datetime.datetime.now() + datetime.timedelta(seconds=DEADLINE)
    tables = [pathlib.Path("/proc/net/tcp"), pathlib.Path("/proc/net/tcp6")]
    while not any(f":{port:04X} " in table.read_text() for table in tables if table.exists()):
        assert datetime.datetime.now() < end, "the server does not listen"
