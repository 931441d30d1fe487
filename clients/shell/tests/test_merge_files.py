"""`quickvault merge`: two files into one, and as the merge driver of git in two real clones (R14)."""

import os
import shutil
import signal
import subprocess
import unittest

from terminal import Terminal
from world import DEADLINE, PASSWORD, World


class MergeFiles(unittest.TestCase):
    def setUp(self):
        self.world = World()
        self.addCleanup(self.world.close)
        self.world.environment["QUICKVAULT_ALONE"] = "1"
        self.world.create_vault()
        self.add(self.world.vault, "Both")
        self.ours = self.world.path("home", "ours.quickvault")
        self.theirs = self.world.path("home", "theirs.quickvault")
        for path, title in ((self.ours, "Ours"), (self.theirs, "Theirs")):
            shutil.copy(self.world.vault, path)
            self.add(path, title)

    def elsewhere(self, path):
        """The variables of another machine, which remembers other states."""
        state = self.world.path("data", "state-" + path.replace("/", "-"))
        return dict(self.world.environment, XDG_STATE_HOME=state, QUICKVAULT_VAULT=path)

    def add(self, path, title):
        own, self.world.vault = self.world.vault, path
        environment, self.world.environment = self.world.environment, self.elsewhere(path)
        self.world.add(title, "text")
        self.world.vault, self.world.environment = own, environment

    def titles(self, path):
        own, self.world.environment = self.world.environment, self.elsewhere(path)
        status, output, errors = self.world.qv("list", password=PASSWORD, vault=path)
        self.world.environment = own
        self.assertEqual(status, 0, errors)
        return sorted(line.split("\t")[1] for line in output.splitlines())

    def merge(self, *words, password=PASSWORD):
        reading, writing = os.pipe()
        os.write(writing, (password + "\n").encode())
        os.close(writing)
        with open(reading, "rb") as given:
            return subprocess.run(
                [os.environ["QUICKVAULT_PROGRAM"], "merge", *words, "--password-fd", str(given.fileno())],
                capture_output=True, env=self.world.environment, timeout=DEADLINE, pass_fds=(given.fileno(),),
                start_new_session=True, cwd=self.world.path("home"), check=False)

    def files(self):
        return sorted(os.listdir(self.world.path("home")))

    def test_one_file_is_merged_into_another_which_alone_changes(self):
        theirs, files = read(self.theirs), self.files()
        done = self.merge("ours.quickvault", "theirs.quickvault")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertIn(b"Merged. Added: 1", done.stdout)
        self.assertEqual(read(self.theirs), theirs)
        self.assertEqual(self.files(), files)
        self.assertEqual(os.stat(self.ours).st_mode & 0o777, 0o600)
        self.assertEqual(self.titles(self.ours), ["Both", "Ours", "Theirs"])

    def test_a_pinentry_asks_for_the_password_of_ours_by_its_name(self):
        terminal = Terminal(self.world, "bash")
        self.addCleanup(terminal.child.close, force=True)
        terminal.type("quickvault merge ours.quickvault theirs.quickvault --pinentry")
        terminal.child.expect_exact("ours.quickvault")

    def test_what_cannot_be_merged_leaves_ours_untouched(self):
        ours, files = read(self.ours), self.files()
        other = self.world.path("home", "other.quickvault")
        with open(other, "wb") as file:
            file.write(b"no vault at all")
        for words, password, plain, git in (
                (("ours.quickvault", "theirs.quickvault"), "not that one", 6, 129),
                (("ours.quickvault", "other.quickvault"), PASSWORD, 12, 1),
                (("ours.quickvault", "nowhere.quickvault"), PASSWORD, 15, 1),
                (("nowhere.quickvault", "theirs.quickvault"), PASSWORD, 8, 129)):
            self.assertEqual(self.merge(*words, password=password).returncode, plain, words)
            self.assertEqual(self.merge("--git", "base", *words, password=password).returncode, git, words)
            self.assertEqual(read(self.ours), ours)
        os.remove(other)
        self.assertEqual(self.files(), files)

    def test_a_file_that_is_open_is_not_replaced(self):
        with open(self.ours + "-wal", "wb") as log:
            log.write(b"x")
        ours = read(self.ours)
        for words, status in (([], 1), (["--git", "base"], 129)):
            done = self.merge(*words, "ours.quickvault", "theirs.quickvault")
            self.assertEqual(done.returncode, status)
            self.assertIn(b"is open in a program", done.stderr)
        self.assertEqual(read(self.ours), ours)

    def test_a_kill_at_any_moment_leaves_ours_whole(self):
        ours = read(self.ours)
        for pause in range(12):
            process = subprocess.Popen(
                [os.environ["QUICKVAULT_PROGRAM"], "merge", "ours.quickvault", "theirs.quickvault",
                 "--password-command", "echo '" + PASSWORD + "'"],
                env=self.world.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                start_new_session=True, cwd=self.world.path("home"))
            try:
                process.wait(timeout=pause * 0.04)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(timeout=DEADLINE)
            if read(self.ours) != ours:
                self.assertEqual(self.titles(self.ours), ["Both", "Ours", "Theirs"])
                with open(self.ours, "wb") as file:
                    file.write(ours)

    # Git

    def git(self, clone, *words, expected=0):
        environment = dict(
            self.world.environment, GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null",
            GIT_AUTHOR_NAME="Lin", GIT_AUTHOR_EMAIL="lin@example.org", GIT_COMMITTER_NAME="Lin",
            GIT_COMMITTER_EMAIL="lin@example.org", GIT_TERMINAL_PROMPT="0")
        done = subprocess.run(["git", *words], cwd=clone, env=environment, capture_output=True, timeout=DEADLINE,
                              start_new_session=True, check=False)
        text = (done.stdout + done.stderr).decode()
        if expected is None:
            self.assertNotEqual(done.returncode, 0, text)
        else:
            self.assertEqual(done.returncode, expected, text)
        return text

    def clone(self, name, driver_password=PASSWORD):
        clone = self.world.path("home", name)
        if not os.path.exists(clone):
            self.git(self.world.path("home"), "clone", "-q", "central", clone)
        self.git(clone, "config", "merge.quickvault.name", "QuickVault")
        self.git(clone, "config", "merge.quickvault.driver",
                 f"'{os.environ['QUICKVAULT_PROGRAM']}' merge --git %O %A %B"
                 f" --password-command 'printf %%s \"{driver_password}\"'")
        return clone

    def make_clones(self):
        home = self.world.path("home")
        self.git(home, "init", "-q", "--bare", "-b", "main", "central")
        first = self.clone("first")
        self.git(first, "checkout", "-q", "-b", "main")
        shutil.copy(self.world.vault, first + "/vault.quickvault")
        with open(first + "/.gitattributes", "w", encoding="utf-8") as file:
            file.write("*.quickvault binary merge=quickvault\n")
        self.git(first, "add", ".gitattributes", "vault.quickvault")
        self.git(first, "commit", "-q", "-m", "begin")
        self.git(first, "push", "-q", "origin", "main")
        return first, self.clone("second")

    def change(self, clone, title):
        self.add(clone + "/vault.quickvault", title)
        self.git(clone, "commit", "-q", "-a", "-m", title)

    def test_two_clones_that_both_changed_cards_merge_and_converge(self):
        first, second = self.make_clones()
        self.change(first, "First")
        self.change(second, "Second")
        self.git(first, "push", "-q", "origin", "main")
        self.git(second, "pull", "-q", "--no-rebase", "origin", "main")
        # To look into a vault does not change it.
        self.assertEqual(self.titles(second + "/vault.quickvault"), ["Both", "First", "Second"])
        self.assertEqual(self.git(second, "status", "--porcelain", "--untracked-files=all"), "")
        self.git(second, "push", "-q", "origin", "main")
        self.change(first, "Third")
        self.git(first, "pull", "-q", "--no-rebase", "origin", "main")
        self.git(first, "push", "-q", "origin", "main")
        self.git(second, "pull", "-q", "--no-rebase", "origin", "main")
        self.assertEqual(read(first + "/vault.quickvault"), read(second + "/vault.quickvault"))
        for clone in (first, second):
            self.assertEqual(self.titles(clone + "/vault.quickvault"), ["Both", "First", "Second", "Third"])
            self.assertEqual(self.git(clone, "status", "--porcelain", "--untracked-files=all"), "")

    def test_without_the_right_password_git_reports_it_and_ours_stays(self):
        first, second = self.make_clones()
        self.change(first, "First")
        self.change(second, "Second")
        self.git(first, "push", "-q", "origin", "main")
        self.clone("second", driver_password="not that one")
        ours = read(second + "/vault.quickvault")
        self.assertIn("Wrong password", self.git(second, "pull", "--no-rebase", "origin", "main", expected=None))
        self.assertEqual(read(second + "/vault.quickvault"), ours)
        # Before version 2.44, git takes any status for a conflict.
        if os.path.exists(second + "/.git/MERGE_HEAD"):
            self.git(second, "merge", "--abort")
        self.clone("second")
        self.git(second, "pull", "-q", "--no-rebase", "origin", "main")
        self.assertEqual(self.titles(second + "/vault.quickvault"), ["Both", "First", "Second"])


def read(path):
    with open(path, "rb") as file:
        return file.read()
