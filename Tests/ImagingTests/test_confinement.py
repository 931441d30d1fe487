"""The imaging helper is sandboxed while it reads a picture, and reads none if it cannot be."""

import ctypes
import errno
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import measuring
import worker

SOURCES = worker.programs.TOP / "Sources" / "CImaging"
REFUSED, ENDED = 1, -signal.SIGSYS
# Fonts need them, and neither Landlock nor seccomp can limit the path.
METADATA = ("stat", "stat-flag", "readlink")
ALWAYS_ALLOWED = ("nothing", "thread", "allocate")
NEVER_ALLOWED = {
    "read-secret": REFUSED, "read-home": REFUSED, "read-process": REFUSED, "write": REFUSED, "write-font": REFUSED,
    "unlink": REFUSED, "execute": ENDED, "fork": REFUSED, "socket": ENDED, "connect": ENDED, "trace": ENDED,
    "kill-parent": ENDED, "code": REFUSED, "dumpable": REFUSED, "limit": REFUSED,
}


def refuse_calls(names, number):
    """Makes system calls fail in this process and its children, with libseccomp."""
    library = ctypes.CDLL("libseccomp.so.2")
    library.seccomp_init.restype = ctypes.c_void_p
    library.seccomp_rule_add_array.argtypes = (
        ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint, ctypes.c_void_p)
    library.seccomp_load.argtypes = (ctypes.c_void_p,)
    allow, fail = 0x7FFF0000, 0x00050000 | number

    def prepare():
        made = library.seccomp_init(allow)
        for name in names:
            call = library.seccomp_syscall_resolve_name(name.encode())
            if library.seccomp_rule_add_array(made, fail, call, 0, None) != 0:
                os._exit(99)
        if library.seccomp_load(made) != 0:
            os._exit(99)

    return prepare


class Probes(unittest.TestCase):
    """Runs the helper's sandbox.c around a program that tries what a hostile decoder would."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.probe = str(pathlib.Path(cls.folder.name) / "probe")
        subprocess.run(
            ["clang", "-Wall", "-Werror", f"-I{SOURCES}/include", str(worker.HERE / "probe.c"),
             str(SOURCES / "sandbox.c"), "-lseccomp", "-lpthread", "-o", cls.probe], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def attempt(self, kind, what):
        return subprocess.run(
            [self.probe, kind, what], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60).returncode

    def test_what_is_left(self):
        for kind in ("image", "pdf"):
            for what in ALWAYS_ALLOWED:
                with self.subTest(kind=kind, what=what):
                    self.assertEqual(self.attempt(kind, what), 0)
        for what in ("read-font", *METADATA):
            with self.subTest(what):
                self.assertEqual(self.attempt("pdf", what), 0)

    def test_what_is_gone(self):
        for kind in ("image", "pdf"):
            for what, expected in NEVER_ALLOWED.items():
                with self.subTest(kind=kind, what=what):
                    self.assertEqual(self.attempt(kind, what), expected)
        for what in ("read-font", *METADATA):
            with self.subTest(what):
                self.assertEqual(self.attempt("image", what), REFUSED)
        self.assertFalse(os.path.exists("/tmp/quickvault-probe"))

    def test_the_probe_can_do_it_unconfined(self):
        """Without the sandbox the calls must succeed, or the tests above would prove nothing."""
        for what in ("read-secret", "execute", "fork", "socket", "trace", "code", "dumpable", "limit", "read-font",
                     *METADATA):
            with self.subTest(what):
                self.assertEqual(self.attempt("free", what), 0)


class Confinement(unittest.TestCase):
    def waiting_worker(self, name):
        """A helper that has read the first 4 KiB of a picture and waits for the rest."""
        data = worker.read(name)
        process = worker.start()
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        line = json.dumps({"job": "check", "bytes": len(data)}).encode() + b"\n"
        process.stdin.write(line + data[:4096])
        process.stdin.flush()
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            status = dict(
                row.split(":\t", 1) for row in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines()
                if ":\t" in row)
            if status.get("Seccomp") == "2":
                return process, status, data[4096:]
            os.sched_yield()
        self.fail("the worker was not confined while it waited")

    def test_confined_before_the_picture_is_read(self):
        for name in ("pillow/flower.jpg", "libheif/example.heic", "libvips/ISO_12233-reschart.pdf"):
            with self.subTest(name):
                process, status, rest = self.waiting_worker(name)
                self.assertEqual(status["NoNewPrivs"], "1")
                self.assertEqual(status["Threads"], "1")
                limits = pathlib.Path(f"/proc/{process.pid}/limits").read_text()
                rows = {row[:26].strip(): row[26:].split()[:2] for row in limits.splitlines()[1:]}
                self.assertEqual(rows["Max file size"], ["0", "0"])
                self.assertEqual(rows["Max core file size"], ["0", "0"])
                self.assertEqual(rows["Max address space"], [str(3 << 30)] * 2)
                self.assertEqual(rows["Max cpu time"], ["60", "60"])
                self.assertLessEqual(int(rows["Max open files"][0]), 64)
                output, errors = process.communicate(rest, timeout=60)
                self.assertIn(b'"sandbox":"landlock+seccomp"', output)
                self.assertEqual(errors, b"")

    def test_not_dumpable(self):
        """The /proc files of a process that cannot be dumped belong to root (proc(5))."""
        def drop():
            if os.getuid() == 0:
                os.setgroups([])
                os.setresgid(65534, 65534, 65534)
                os.setresuid(65534, 65534, 65534)

        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            copy = shutil.copy(worker.program(), folder)
            process = subprocess.Popen([copy], stdin=subprocess.PIPE, stdout=subprocess.PIPE, preexec_fn=drop)
            self.addCleanup(process.communicate)
            self.addCleanup(process.kill)
            data = worker.read("pillow/flower.jpg")
            line = json.dumps({"job": "check", "bytes": len(data)}).encode() + b"\n"
            process.stdin.write(line + data[:4096])
            process.stdin.flush()
            deadline = time.monotonic() + 60
            while "Seccomp:\t2" not in pathlib.Path(f"/proc/{process.pid}/status").read_text():
                self.assertLess(time.monotonic(), deadline)
                os.sched_yield()
            self.assertEqual(os.stat(f"/proc/{process.pid}/status").st_uid, 0)
            self.assertIn("Uid:\t65534" if os.getuid() == 0 else f"Uid:\t{os.getuid()}",
                          pathlib.Path(f"/proc/{process.pid}/status").read_text())

    def test_without_landlock(self):
        """On kernels without Landlock, only seccomp applies, and the answer says so."""
        data = worker.read("pillow/flower.jpg")
        for number in (errno.ENOSYS, errno.EOPNOTSUPP):
            answer = worker.run("check", data, refuse_calls(["landlock_create_ruleset"], number))
            self.assertEqual(answer.result["sandbox"], "seccomp")

    def test_without_a_sandbox_nothing_is_read(self):
        data = worker.read("pillow/flower.jpg")
        for names, number in (
                (["landlock_create_ruleset"], errno.EPERM), (["landlock_restrict_self"], errno.EPERM),
                (["landlock_add_rule", "landlock_restrict_self"], errno.ENOSYS)):
            with self.subTest(names):
                self.assertEqual(worker.run("check", data, refuse_calls(names, number)).kind, "sandboxUnavailable")

    def test_without_seccomp_nothing_is_read(self):
        """Makes seccomp(2) and its older form in prctl(2) fail; this filter is loaded last."""
        answer = worker.run(
            "check", worker.read("pillow/flower.jpg"), refuse_calls(["seccomp", "prctl"], errno.EPERM))
        self.assertEqual(answer.kind, "sandboxUnavailable")

    def test_too_little_memory_is_an_error(self):
        """With a lower limit, pictures once came out blank with status 0."""
        data = worker.read("libheif/example.heic")
        kinds = set()
        for megabytes in range(150, 1100, 50):
            limit = megabytes << 20
            answer = worker.run(
                "thumbnail", data, lambda limit=limit: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
                output="png")
            kinds.add(answer.kind)
            if answer.kind is None:
                values = measuring.pixels(answer.bytes)
                self.assertGreater(values.max() - values.min(), 100, f"blank at {megabytes} MB")
        self.assertIn(None, kinds)
        self.assertGreater(len(kinds), 1)

    def test_arguments_are_refused(self):
        done = subprocess.run([worker.program(), "check"], input=b"", capture_output=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (64, b""))

    def test_a_worker_that_is_killed_gives_no_answer(self):
        process, _, _ = self.waiting_worker("pillow/flower.jpg")
        process.kill()
        output, _ = process.communicate(timeout=60)
        self.assertEqual((process.returncode, output), (-signal.SIGKILL, b""))


if __name__ == "__main__":
    unittest.main()
