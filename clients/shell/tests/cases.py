"""Test cases that run in both bash and zsh."""

import unittest

from terminal import Terminal
from world import PASSWORD, World


class InBothShells:
    """A mixin that `both` adds to test cases; `shell` is bash or zsh."""

    shell = ""
    with_vault = True

    def setUp(self):
        self.world = World()
        self.addCleanup(self.world.close)
        if self.with_vault:
            self.world.create_vault()

    def terminal(self, **more):
        terminal = Terminal(self.world, self.shell, **more)
        self.addCleanup(terminal.child.close, force=True)
        return terminal

    def unlocked(self, **more):
        terminal = self.terminal(**more)
        terminal.run("qv unlock", ("password: ", PASSWORD))
        self.assertEqual(terminal.status(), 0)
        return terminal


def both(case):
    """Creates two test cases from one, in the module where the loader finds them."""
    import sys
    module = sys.modules[case.__module__]
    for shell in ("bash", "zsh"):
        name = f"{case.__name__}In{shell.capitalize()}"
        made = type(name, (case, InBothShells, unittest.TestCase), {"shell": shell, "__module__": case.__module__})
        setattr(module, name, made)
    return case
