"""Tests that run in bash and again in zsh."""

import unittest

from terminal import Terminal
from world import PASSWORD, World


class InBothShells:
    """Mixed into test cases by `both`; `shell` is bash or zsh."""

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
    """Makes two test cases of one, and puts them where the loader finds them."""
    import sys
    module = sys.modules[case.__module__]
    for shell in ("bash", "zsh"):
        name = f"{case.__name__}In{shell.capitalize()}"
        made = type(name, (case, InBothShells, unittest.TestCase), {"shell": shell, "__module__": case.__module__})
        setattr(module, name, made)
    return case
