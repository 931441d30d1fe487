"""The check of messages against the model of LSP 3.17 finds what it is there for (A)."""

import unittest

from lsp_model import Mismatch, check_params, check_result

PLACE = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 2}}
ITEM = {"label": "a", "kind": 1, "textEdit": {"range": PLACE, "newText": "a"}}


class Model(unittest.TestCase):
    def test_a_right_messages(self):
        check_result("textDocument/completion", {"isIncomplete": True, "items": [ITEM]})
        check_result("textDocument/completion", None)
        check_result("vault/status", {"anything": 1})
        check_params("window/showMessageRequest", {"type": 3, "message": "a", "actions": [{"title": "b"}]})

    def test_a_wrong_messages(self):
        for result in [{"items": [ITEM]}, {"isIncomplete": 1, "items": []},
                       {"isIncomplete": True, "items": [{**ITEM, "kind": 99}]},
                       {"isIncomplete": True, "items": [{**ITEM, "value": "x"}]},
                       {"isIncomplete": True, "items": [{**ITEM, "textEdit": {"range": PLACE}}]}]:
            with self.assertRaises(Mismatch):
                check_result("textDocument/completion", result)
        for method, params in [("window/showMessage", {"type": 3, "message": "a", "kind": "b"}),
                               ("card/didChange", {}), ("$/progress", {"token": 1, "value": {"kind": "begin"}})]:
            with self.assertRaises(Mismatch):
                check_params(method, params)


if __name__ == "__main__":
    unittest.main()
