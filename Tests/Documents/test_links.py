"""Every link has a target, and the two READMEs agree."""

import re
import unittest

from documents import DOCUMENTS, ROOT, blocks, headings, links, spans


def slug(title):
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


class Links(unittest.TestCase):
    def test_links_lead_somewhere(self):
        count = 0
        for document in DOCUMENTS:
            for target in links(document):
                if target.startswith(("http:", "https:")):
                    continue
                path, _, anchor = target.partition("#")
                with self.subTest(document=document.name, link=target):
                    found = (document.parent / path) if path else document
                    self.assertTrue(found.exists())
                    if anchor:
                        self.assertIn(anchor, {slug(title) for _, title in headings(found)})
                count += 1
        self.assertGreater(count, 10)


class Languages(unittest.TestCase):
    """README.md and README.zh-CN.md have the same parts, commands, numbers and links."""

    maxDiff = None

    def setUp(self):
        self.pair = [ROOT / "README.md", ROOT / "README.zh-CN.md"]

    def same(self, look):
        one, other = map(look, self.pair)
        self.assertEqual(one, other)
        self.assertTrue(one)

    def test_the_same_headings(self):
        self.same(lambda document: [depth for depth, _ in headings(document)])

    def test_the_same_commands(self):
        # Comments after a command are translated.
        self.same(lambda document: [re.sub(r" +# .*", "", block) for block in blocks(document, "sh")])

    def test_the_same_names(self):
        self.same(lambda document: sorted(spans(document)))

    def test_the_same_links(self):
        def targets(document):
            text = [re.sub(r"\.zh-CN(?=\.(md|svg)$)", "", target) for target in links(document)]
            return sorted(text)
        self.same(targets)

    def test_the_same_figures(self):
        def rows(document):
            table = re.findall(r"^\|(.*)\|$", document.read_text(), flags=re.M)
            return [re.findall(r"\d[\d.,]*\d|\d", row) for row in table]
        self.same(rows)


if __name__ == "__main__":
    unittest.main()
