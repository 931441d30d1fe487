"""protocol/LIMITS.md has the rows of the methods in protocol/interface, and one for every method."""
import json
import re
import sys
import unittest

from documents import ROOT

sys.path.insert(0, str(ROOT / "protocol"))
import interface  # noqa: E402


class Limits(unittest.TestCase):
    def test_r17_every_method_has_one_row(self):
        methods = json.loads((ROOT / "protocol/openrpc.json").read_text())["methods"]
        wanted = sorted(method["name"] for method in methods
                        if "result" in method and method.get("x-direction") != "serverToClient")
        self.assertGreater(len(wanted), 30)
        text = (ROOT / "protocol/LIMITS.md").read_text()
        table = text.split("\n| method |")[1].split("\n\n")[0]
        first_cells = [line.split("|")[1] for line in table.split("\n")[2:]]
        self.assertEqual(sorted(name for cell in first_cells for name in re.findall(r"`([^`]+)`", cell)), wanted)

    def test_the_rows_are_those_of_the_methods(self):
        text = (ROOT / "protocol/LIMITS.md").read_text()
        self.assertEqual(text, interface.limits(), "run make interface")
        for line in text.split("\n| method |")[1].split("\n\n")[0].split("\n")[2:]:
            cells = [cell.strip() for cell in line.split("|")[1:-1]]
            self.assertEqual(len(cells), 4, line)
            self.assertTrue(cells[0] and cells[2] and cells[3], line)
            self.assertLessEqual(len(line), 120)


if __name__ == "__main__":
    unittest.main()
