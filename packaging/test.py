#!/usr/bin/python3
"""Installs the packages in a clean Debian and uses the program, the clients, the completions and the manual pages there.

    packaging/test.py DIRECTORY     DIRECTORY: contains the packages and the tar file
"""
import glob
import gzip
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import pexpect

PACKAGES = pathlib.Path(sys.argv.pop(1)).resolve()
PASSWORD = "correct horse battery"
USER_ID = 1000


def sources():
    """The suite and the apt sources of this machine."""
    release = dict(line.split("=", 1) for line in pathlib.Path("/etc/os-release").read_text().split("\n") if line)
    lists = [pathlib.Path("/etc/apt/sources.list"), *pathlib.Path("/etc/apt/sources.list.d").glob("*")]
    return [release["VERSION_CODENAME"].strip('"')], [str(path) for path in lists if path.is_file()]


def enter_clean_debian():
    """Makes a chroot with the packages installed."""
    global work, root
    if os.geteuid() != 0:
        sys.exit("run this as root: it creates and enters a chroot")
    work = pathlib.Path(tempfile.mkdtemp())
    root = work / "root"
    log = work / "log"
    packages = sorted(map(str, PACKAGES.glob("*.deb")))
    suite, lists = sources()
    with open(log, "w") as output:
        made = subprocess.run(
            ["mmdebstrap", "--variant=apt", "--include=bash-completion,emacs-nox,vim-nox,zsh",
             "--aptopt=APT::Install-Recommends \"false\"",
             "--customize-hook=mkdir \"$1/packages\"",
             "--customize-hook=copy-in " + " ".join(packages) + " /packages",
             "--customize-hook=chroot \"$1\" sh -c 'apt-get install -y --no-install-recommends /packages/*.deb'",
             f"--customize-hook=chroot \"$1\" useradd --create-home --uid {USER_ID} lin",
             *suite, str(root), *lists],
            stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, timeout=900)
    if made.returncode:
        sys.exit(log.read_text()[-4000:])
    subprocess.run(["mount", "--bind", "/proc", root / "proc"], check=True)
    subprocess.run(["mount", "--bind", "/dev", root / "dev"], check=True)


def leave_clean_debian():
    # Processes in the chroot may still be ending, so the mounts are detached lazily before rmtree.
    for place in ["proc", "dev"]:
        subprocess.run(["umount", "--lazy", root / place], check=True)
    shutil.rmtree(work)


def command(*arguments):
    """A command line that runs in the chroot as an ordinary user."""
    return ["chroot", str(root), "setpriv", f"--reuid={USER_ID}", f"--regid={USER_ID}", "--clear-groups",
            "env", "-i", "HOME=/home/lin", "PATH=/usr/bin:/bin", "LANG=C.UTF-8", "TERM=xterm", *arguments]


def run(*arguments, text=""):
    """Runs a command in the chroot and returns its output."""
    done = subprocess.run(command(*arguments), input=text, text=True, capture_output=True, timeout=60)
    if done.returncode:
        raise AssertionError(f"{arguments}: {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


class CleanDebian(unittest.TestCase):
    """The packages in a Debian without anything else."""

    @classmethod
    def setUpClass(cls):
        enter_clean_debian()
        cls.addClassCleanup(leave_clean_debian)
        run("qv", "init", "--password-fd", "0", text=PASSWORD + "\n")
        run("bash", "-c", "exec 3<<<\"$0\"; exec qv new text --title Door --group personal text=1984# --password-fd 3",
            PASSWORD)

    def test_the_program(self):
        self.assertRegex(run("quickvault", "--version"), r"^quickvault \d+\.\d+\.\d+\n$")
        status = run("quickvault", text='{"jsonrpc":"2.0","id":1,"method":"vault/status"}\n')
        self.assertIn('"exists":true', status)

    def test_the_helper_programs_find_their_libraries(self):
        found = sorted(path.name for path in (root / "usr/libexec/quickvault").iterdir())
        self.assertEqual(found, sorted(p.name.split("_")[0] for p in PACKAGES.glob("quickvault-*.deb")))
        for name in found:
            self.assertNotIn("not found", run("ldd", f"/usr/libexec/quickvault/{name}"))

    def test_the_shell(self):
        self.assertIn("Door", run("qv", "list", "--password-fd", "0", text=PASSWORD + "\n"))
        session = "exec 3<<<\"$0\"; qv show door -f text --alone --password-fd 3"
        for shell in ["bash", "zsh"]:
            self.assertIn("1984#", run(shell, "-c", session, PASSWORD), shell)

    def test_completion(self):
        complete = """
            . /usr/share/bash-completion/bash_completion
            _comp_load qv 2>/dev/null || _completion_loader qv; _completion_loader quickvault
            COMP_LINE='qv se' COMP_POINT=5 COMP_WORDS=(qv se) COMP_CWORD=1; _qv_complete; printf '%s\\n' "${COMPREPLY[@]}"
            COMP_WORDS=(quickvault --va) COMP_CWORD=1; _quickvault; printf '%s\\n' "${COMPREPLY[@]}"
        """
        self.assertEqual(run("bash", "-c", complete).split(), ["search", "settings", "--vault"])
        for name in ["_qv", "_quickvault"]:
            found = run("zsh", "-c", f"autoload -U compinit; compinit -D; print -r -- $_comps[{name[1:]}]; "
                        f"zsh -n /usr/share/zsh/vendor-completions/{name}")
            self.assertEqual(found.strip(), name)

    def test_emacs(self):
        # In batch mode, Emacs reads the password from standard input.
        shown = run("emacs", "--batch", "--eval", "(progn (quickvault-unlock) (quickvault) (princ (buffer-string)))",
                    text=PASSWORD + "\n")
        self.assertIn("Door", shown)

    def test_vim(self):
        arguments = command("vim", "-c", "QuickVault")
        screen = pexpect.spawn(arguments[0], arguments[1:], encoding="utf-8", dimensions=(24, 80), timeout=30)
        screen.expect("assword")
        screen.send(PASSWORD + "\r")
        screen.expect("Door")
        screen.send(":help quickvault\r")
        screen.expect("QuickVault")
        screen.send(":qall!\r")
        screen.expect(pexpect.EOF)
        screen.close()

    def test_manual_pages_know_every_option(self):
        help_text = run("quickvault", "--help")
        with gzip.open(root / "usr/share/man/man1/quickvault.1.gz", "rt") as page:
            text = page.read()
        for option in set(re.findall(r"--([a-z]+)", help_text)):
            self.assertIn(f"Fl -{option}" if f"Fl -{option}" in text else f", -{option}", text)
        self.assertTrue((root / "usr/share/man/man1/qv.1.gz").is_file())
        self.assertTrue((root / "usr/share/info/quickvault.info.gz").is_file())

    def test_removal_leaves_nothing(self):
        # Tests run in any order, so this one installs the packages again.
        before = list(root.glob("usr/**/*quickvault*"))
        names = [path.name.split("_")[0] for path in PACKAGES.glob("*.deb")]
        purge = subprocess.run(["chroot", str(root), "dpkg", "--purge", *names], capture_output=True, text=True, timeout=60)
        self.assertEqual(purge.returncode, 0, purge.stderr)
        try:
            self.assertEqual([path for path in before if path.exists()], [])
            self.assertTrue((root / "home/lin/.local/share/quickvault/vault.quickvault").exists())
        finally:
            again = ["chroot", str(root), "sh", "-c", "dpkg --install /packages/*.deb"]
            subprocess.run(again, check=True, capture_output=True, timeout=60)


class Format(unittest.TestCase):
    """The packages and the tar file as files."""

    def test_lintian_finds_nothing(self):
        # The maintainer's address is that of whoever runs the test.
        found = subprocess.run(
            ["lintian", "--allow-root", "--suppress-tags", "bogus-mail-host,bogus-mail-host-in-debian-changelog",
             *sorted(map(str, PACKAGES.glob("*.deb")))], capture_output=True, text=True, timeout=120)
        self.assertEqual(found.stdout, "")
        self.assertEqual(found.returncode, 0, found.stderr)

    def test_bills_of_materials_are_valid(self):
        with tempfile.TemporaryDirectory() as place:
            subprocess.run([sys.executable, "-m", "venv", f"{place}/venv"], check=True)
            subprocess.run([f"{place}/venv/bin/pip", "install", "--quiet", "spdx-tools"], check=True, timeout=300)
            for package in sorted(PACKAGES.glob("*.deb")):
                name = package.name.split("_")[0]
                subprocess.run(["dpkg-deb", "--extract", package, f"{place}/{name}"], check=True)
                path = pathlib.Path(place, name, f"usr/share/doc/{name}/{name}.spdx.json")
                subprocess.run([f"{place}/venv/bin/pyspdxtools", "--infile", path], check=True, timeout=60)
                bill = json.loads(path.read_text())
                depends = subprocess.run(["dpkg-deb", "--field", package, "Depends"], check=True, capture_output=True,
                                         text=True).stdout
                loaded = {found["name"] for found in bill["packages"] if found["SPDXID"].startswith("SPDXRef-Library-")}
                self.assertLessEqual(loaded, {field.split()[0] for field in depends.split(", ")})
                directory = "bin" if name == "quickvault" else "libexec/quickvault"
                program = pathlib.Path(place, name, "usr", directory, name)
                self.assertEqual(bill["packages"][0]["checksums"][0]["checksumValue"],
                                 hashlib.sha256(program.read_bytes()).hexdigest())

    def test_the_vault_needs_no_library_of_the_helpers(self):
        package = next(PACKAGES.glob("quickvault_*.deb"))
        depends = subprocess.run(["dpkg-deb", "--field", package, "Depends"], check=True, capture_output=True, text=True)
        names = {dependency.split()[0] for dependency in depends.stdout.split(", ")}
        self.assertEqual(names, {"libc6", "libgcc-s1", "libgcrypt20", "libsqlite3-0", "libstdc++6"})

    def test_the_tar_file_runs_where_it_is_unpacked(self):
        with tempfile.TemporaryDirectory() as place:
            archive, = glob.glob(str(PACKAGES / "quickvault-*.tar.gz"))
            subprocess.run(["tar", "--extract", "--file", archive, "--strip-components=1"], cwd=place, check=True)
            for arguments in [["bin/quickvault", "--version"], ["bin/qv", "version"]]:
                done = subprocess.run(
                    arguments, cwd=place, check=True, capture_output=True, text=True, timeout=30,
                    env={"PATH": f"{place}/bin:/usr/bin:/bin", "HOME": place})
                self.assertIn("0.", done.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
