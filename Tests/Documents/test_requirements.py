"""Every requirement has tests, and every test that it lists exists."""

import unittest

from documents import ROOT

import requirements


class Requirements(unittest.TestCase):
    def setUp(self):
        self.page = (ROOT / "protocol/REQUIREMENTS.md").read_text()
        self.found = requirements.tagged()

    def problems(self, page=None, found=None):
        return list(requirements.problems(page or self.page, found or self.found))

    def test_the_page_is_up_to_date(self):
        self.assertEqual(self.problems(), [])

    def test_all_ids_are_read(self):
        ids = {one for _, ids in requirements.requirements(self.page) for one in ids}
        self.assertGreaterEqual(ids, {f"R{number}" for number in range(1, 24)} | set("BFLT"))

    def test_a_requirement_without_a_test(self):
        del self.found["R3"]
        self.assertIn("no test carries the ID of: R3 Invoice card", self.problems())

    def test_every_sentence_is_asked_for(self):
        listed = requirements.SENTENCES.read_text()
        number, sentence = "R3.4", "Lower case is accepted and stored in capitals."
        self.assertEqual(requirements.sentences(self.page)[number], sentence)
        tests = requirements.tests_of_sentences(listed)[number][1]
        self.assertGreaterEqual(len(requirements.tests_of_sentences(listed)), 120)

        def problems(page, listed):
            return list(requirements.problems_of_sentences(page, listed))

        entry = "\n".join([f"{number} {sentence}"] + ["  " + test for test in tests]) + "\n"
        self.assertIn(entry, listed)
        self.assertEqual(problems(self.page, listed), [])
        self.assertEqual(problems(self.page, listed.replace(entry, f"{number} {sentence}\n")),
                         [f"{number}: no test shows '{sentence}'"])
        self.assertIn(f"{number}: requirements.txt has None", problems(self.page, listed.replace(entry, ""))[0])
        self.assertIn("Lower case is refused.", problems(self.page.replace(sentence, "Lower case is refused."), listed)[0])
        self.assertEqual(problems(self.page, listed.replace(tests[0], "transcripts/r03-gone.txt")),
                         [f"{number}: there is no transcripts/r03-gone.txt"])

    def test_a_test_that_is_gone(self):
        page = self.page.replace("transcripts/r03-tax-id.txt", "transcripts/r03-gone.txt")
        self.assertIn("R3 Invoice card: there is no transcripts/r03-gone.txt", self.problems(page))

    def test_a_test_that_is_not_listed(self):
        self.found["R3"].append("Tests/VaultModelTests/NewTests.swift")
        self.assertEqual(self.problems(), ["the lists of tests are out of date: run protocol/requirements.py --write"])

    def test_an_id_without_a_requirement(self):
        self.found["R99"] = ["transcripts/r99-nothing.txt"]
        self.assertEqual(self.problems(), ["R99 is no requirement: transcripts/r99-nothing.txt"])

    def test_each_kind_of_test_is_found(self):
        paths = {path for paths in self.found.values() for path in paths}
        for glob in requirements.TESTS:
            self.assertTrue(paths & {path.relative_to(ROOT).as_posix() for path in ROOT.glob(glob)}, glob)


if __name__ == "__main__":
    unittest.main()
