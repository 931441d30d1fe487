"""The pictures in the documents are up to date, and show nothing of the machine that drew them.

Each is drawn again with the program under test. Only times and identifiers may differ.
"""
import os
import pathlib
import re
import socket
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
PICTURES = ROOT / "clients/pictures"
SVG = "{http://www.w3.org/2000/svg}"


def shown(path):
    """Returns the texts of a picture, with times and identifiers replaced."""
    texts = ["".join(element.itertext()) for element in ElementTree.parse(path).iter()
             if element.tag in (f"{SVG}text", f"{SVG}title", f"{SVG}desc")]
    text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d", "TIME", "\n".join(texts))
    return re.sub(r"\b[0-9a-f]{8}(-([0-9a-f]{4}-){3}[0-9a-f]{12})?\b", "ID", text)


class Pictures(unittest.TestCase):
    maxDiff = None

    def test_each_shows_what_its_client_shows(self):
        with tempfile.TemporaryDirectory() as place:
            subprocess.run(
                ["/usr/bin/python3", PICTURES / "draw.py", os.environ["QUICKVAULT_PROGRAM"], place], check=True, timeout=600)
            drawn = sorted(path.name for path in pathlib.Path(place).glob("*.svg"))
            self.assertEqual(drawn, sorted(path.name for path in PICTURES.glob("*.svg")))
            for name in drawn:
                with self.subTest(picture=name):
                    self.assertEqual(shown(PICTURES / name), shown(pathlib.Path(place) / name), "make pictures")

    def test_each_is_small_and_tells_nothing_of_a_machine(self):
        for path in PICTURES.glob("*.svg"):
            with self.subTest(picture=path.name):
                text = path.read_text()
                self.assertLess(len(text.encode()), 60_000)
                for word in [socket.gethostname(), str(ROOT), "/home/", "/root", "/tmp", "http://", "@"]:
                    self.assertNotIn(word, re.sub(r'xmlns="[^"]*"|@(media|keyframes)', "", text))

    def test_readmes_show_them(self):
        for document, suffix in [("README.md", ""), ("README.zh-CN.md", ".zh-CN")]:
            text = (ROOT / document).read_text()
            for client in ["emacs", "vim", "shell"]:
                self.assertIn(f"](clients/pictures/{client}{suffix}.svg)", text)


if __name__ == "__main__":
    unittest.main()
