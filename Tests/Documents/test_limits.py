"""protocol/LIMITS.md has one row for every method."""
import json
import re
import unittest

from documents import ROOT


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

    def test_every_row_is_filled(self):
        text = (ROOT / "protocol/LIMITS.md").read_text()
        for line in text.split("\n| method |")[1].split("\n\n")[0].split("\n")[2:]:
            cells = [cell.strip() for cell in line.split("|")[1:-1]]
            self.assertEqual(len(cells), 4, line)
            self.assertTrue(cells[0] and cells[2] and cells[3], line)
            self.assertLessEqual(len(line), 120)


if __name__ == "__main__":
    unittest.main()
