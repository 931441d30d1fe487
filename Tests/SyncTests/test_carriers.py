"""One vault on two and three machines, over real carriers (S). SYNC_CHANGES makes the runs longer; SYNC_SEED repeats one."""

import os
import random
import tempfile
import unittest

import carriers
from exercise import Exercise
from suite import more

PROGRAM = os.environ["QUICKVAULT_PROGRAM"]
CHANGES = int(os.environ.get("SYNC_CHANGES", "40"))
SEED = int(os.environ.get("SYNC_SEED", random.SystemRandom().randrange(10**9)))


class CarrierTests(unittest.TestCase):
    def run_over(self, carrier, machines, does_misdeeds=True):
        with tempfile.TemporaryDirectory(prefix="quickvault-sync-") as directory:
            exercise = Exercise(PROGRAM, directory, carrier, machines, random.Random(SEED))
            with exercise, self.subTest(seed=SEED):
                exercise.begin()
                exercise.change(CHANGES)
                exercise.check()
                exercise.full_disk()
                self.move_folder(exercise)
                if does_misdeeds:
                    exercise.misdeeds()
                exercise.change(5)
                exercise.check()
                print("%s, %d machines: %d changes, 0 lost, 0 diverged, %d cards; %s" % (
                    carrier.__name__, machines, exercise.history.answered, len(exercise.machines[0].cards()),
                    ", ".join("%s %d" % act for act in sorted(exercise.acts.items()))), flush=True)

    def move_folder(self, exercise):
        """Renames the folder of the last machine."""
        machine = exercise.machines[-1]
        machine.move_folder()
        exercise.carrier.moved(machine)
        exercise.history.change(machine)
        exercise.converge()

    def test_rsync(self):
        self.run_over(carriers.Rsync, 3)

    @more
    def test_git(self):
        self.run_over(carriers.Git, 3)

    @more
    def test_bisync(self):
        self.run_over(carriers.Bisync, 3)

    @more
    def test_webdav(self):
        self.run_over(carriers.WebDAV, 3)

    @more
    def test_quickvault_carrier_with_apache(self):
        self.run_over(carriers.Apache, 3)

    @more
    def test_quickvault_carrier_with_rclone(self):
        self.run_over(carriers.Rclone, 3)

    @more
    def test_quickvault_carrier_with_wsgidav(self):
        self.run_over(carriers.Wsgidav, 3)

    def test_the_service_itself_with_apache(self):
        # A misdeed would be undone by the next pass, whenever that is.
        self.run_over(carriers.Service, 3, does_misdeeds=False)

    def test_two_syncthings(self):
        self.run_over(carriers.Syncthing, 2)

    @more
    def test_three_syncthings(self):
        self.run_over(carriers.Syncthing, 3)


if __name__ == "__main__":
    unittest.main()
