"""The program itself: start, end, libraries, and what other processes can read of it."""

import json
import os
import re
import signal
import subprocess
import unittest

from cases import SECRET, Case
from desktop import DEADLINE, program, programs
from world import World


class Bare(unittest.TestCase):
    """Tests without D-Bus."""

    def setUp(self):
        self.world = World(system=False, session=False)
        self.world.__enter__()
        self.addCleanup(self.world.close)

    start = Case.start
    assert_refused = Case.assert_refused

    def test_t_every_part_says_what_is_missing(self):
        desktop = self.start()
        system, session = {"state": "busMissing", "package": "dbus"}, {
            "state": "busMissing", "package": "dbus-user-session"}
        self.assertEqual(
            desktop.request("desktop/status"), {"fingerprint": system, "keychain": session, "session": system})
        self.assertEqual(
            desktop.request("desktop/watch", lock=True, sleep=False),
            {"lock": {**system, "watching": False}, "sleep": {"watching": False}})
        refused = self.assert_refused("fingerprint.serviceMissing", desktop.request, "fingerprint/verify")
        self.assertEqual(refused.data["package"], "dbus")
        refused = self.assert_refused(
            "keychain.serviceMissing", desktop.request, "keychain/read", vault="v", device="d")
        self.assertEqual(refused.data["package"], "dbus-user-session")
        self.assertEqual(desktop.close(), (0, b""))

    def test_t_without_any_address(self):
        desktop = self.start(DBUS_SESSION_BUS_ADDRESS=None, XDG_RUNTIME_DIR=None)
        self.assertEqual(desktop.request("desktop/status")["keychain"]["state"], "busMissing")

    def test_t_it_is_spoken_to_in_headers_too(self):
        def frame(method, identifier):
            body = json.dumps({"jsonrpc": "2.0", "id": identifier, "method": method}).encode()
            return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)

        process = subprocess.Popen(
            [program()], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=self.world.environment())
        with process:
            process.stdin.write(frame("desktop/status", 1) + frame("initialize", 2))
            process.stdin.flush()
            answers = []
            for _ in range(2):
                length = int(re.fullmatch(rb"Content-Length: (\d+)\r\n", process.stdout.readline())[1])
                self.assertEqual(process.stdout.readline(), b"\r\n")
                answers.append(json.loads(process.stdout.read(length)))
            process.stdin.close()
            self.assertEqual(process.wait(DEADLINE), 0)
        self.assertEqual(answers[0]["error"]["code"], -32002)
        version = programs.version()
        self.assertEqual(
            answers[1]["result"], {"name": "quickvault-desktop", "version": version, "protocolVersion": 1})

    def test_t_faults_of_the_protocol(self):
        desktop = self.start()
        refused = self.assert_refused("rpc.methodNotFound", desktop.request, "desktop/dance")
        self.assertEqual(refused.code, -32601)
        for method in ("desktop/status", "desktop/allowSleep"):
            self.assert_refused("rpc.invalidParameters", desktop.request, method, finger="any")
        self.assert_refused("rpc.invalidParameters", desktop.request, "desktop/watch", lock="yes")

    def test_t_signals_end_it(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            desktop = self.start()
            desktop.request("desktop/status")
            desktop.process.send_signal(number)
            self.assertEqual(desktop.process.wait(DEADLINE), 0)

    def test_t_arguments_are_refused(self):
        result = subprocess.run([program(), "--help"], capture_output=True, check=False, stdin=subprocess.DEVNULL)
        self.assertEqual((result.returncode, result.stdout), (64, b""))
        self.assertTrue(result.stderr.startswith(b"quickvault-desktop: it takes no arguments"))

    def test_t_it_is_linked_with_libsystemd_and_the_system_alone(self):
        output = subprocess.run(["readelf", "-d", program()], capture_output=True, check=True, text=True).stdout
        needed = set(re.findall(r"\(NEEDED\).*\[([^]]+)\]", output))
        # A release links the Swift runtime statically; a debug build uses the libraries of the toolchain.
        system = re.compile(
            r"(libc|libm|libgcc_s|libstdc\+\+|ld-linux-[-a-z0-9]+|libswift\w+|libdispatch|libBlocksRuntime)\.so(\..*)?")
        self.assertEqual({name for name in needed if not system.fullmatch(name)}, {"libsystemd.so.0"})


class Secrets(Case):
    options = {"polkit": False}

    def test_t_its_memory_is_its_own(self):
        self.world.start_keyring()
        desktop = self.start()
        desktop.request("keychain/store", vault="v", device="d", secret=SECRET)
        directory = f"/proc/{desktop.process.pid}"
        with open(f"{directory}/limits", encoding="ascii") as limits:
            self.assertRegex(limits.read(), r"Max core file size +0 +0 ")
        # The /proc files of a process that cannot be dumped belong to root.
        self.assertEqual(os.stat(f"{directory}/mem").st_uid, 0)
        as_nobody = subprocess.Popen(
            [program()], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=self.world.environment(), **({"user": "nobody"} if os.getuid() == 0 else {}))
        with as_nobody:
            as_nobody.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"initialize"}\n')
            as_nobody.stdin.flush()
            as_nobody.stdout.readline()
            self.assertEqual(os.stat(f"/proc/{as_nobody.pid}/mem").st_uid, 0)
            as_nobody.stdin.close()


if __name__ == "__main__":
    unittest.main()
