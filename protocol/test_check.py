#!/usr/bin/python3
"""Tests of check.py: that each violation is found. Run with `/usr/bin/python3 -m unittest` in this directory."""
import copy
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import check
from openrpc_document import Document, Invalid, parse

RAW = parse(check.DOCUMENT.read_text(encoding="utf-8"))


def example(method, index=0):
    """Returns the parameters and the result of one of the document's examples."""
    found = next(m for m in RAW["methods"] if m["name"] == method)["examples"][index]
    params = {p["name"]: copy.deepcopy(p["value"]) for p in found["params"]}
    return params, copy.deepcopy(found.get("result", {}).get("value"))


def exchange(method, params, **answer):
    """Returns one line of a conversation."""
    return {"request": {"jsonrpc": "2.0", "id": 1, "method": method, "params": params},
            "response": {"jsonrpc": "2.0", "id": 1, **answer}}


def error(name):
    """Returns the example of an error in the document."""
    return copy.deepcopy(RAW["components"]["errors"][name])


class DocumentChecks(unittest.TestCase):
    """Each error that a test puts into the document is found."""

    def problems(self, change, meta_schema=None):
        """Returns the problems of the document after the change."""
        raw = copy.deepcopy(RAW)
        change(raw, {m["name"]: m for m in raw["methods"]})
        return list(Document(raw).check(meta_schema))

    def assert_found(self, change, *words):
        """Asserts that the change causes a problem whose text has all the words."""
        problems = self.problems(change)
        self.assertTrue(any(all(w in p for w in words) for p in problems), problems)

    def test_the_document_is_clean(self):
        self.assertEqual(check.check_document(tell=lambda text: None), [])

    def test_broken_reference(self):
        self.assert_found(lambda raw, m: m["card/get"]["result"].update(schema={"$ref": "#/components/schemas/Crad"}),
                          "#/components/schemas/Crad points to nothing")

    def test_circular_reference(self):
        self.assert_found(lambda raw, m: raw["components"]["schemas"].update(Tag={"$ref": "#/components/schemas/Tag"}),
                          "leads back to itself")

    def test_missing_summary_params_examples(self):
        for member in ("summary", "params", "examples", "x-activity", "x-needsUnlock"):
            with self.subTest(member):
                self.assert_found(lambda raw, m, member=member: m["tag/list"].pop(member), "tag/list", member)

    def test_request_without_errors_and_notification_with_result(self):
        self.assert_found(lambda raw, m: m["tag/list"].pop("errors"), "tag/list", "a request has a result and errors")
        self.assert_found(lambda raw, m: m["exit"].update(result={"name": "r", "schema": {}}), "exit", "a notification has no result")

    def test_example_with_wrong_parameter_and_result(self):
        self.assert_found(lambda raw, m: m["card/list"]["examples"][0]["params"][1].update(value=1001), "card/list", "1001")
        self.assert_found(lambda raw, m: m["card/list"]["examples"][0]["result"]["value"].pop("total"), "card/list", "total")
        self.assert_found(lambda raw, m: m["card/get"]["examples"][0].update(params=[]), "'id' is a required")

    def test_example_of_copy_with_field_and_style(self):
        self.assert_found(lambda raw, m: m["card/copy"]["examples"][0]["params"].append({"name": "style", "value": "json"}),
                          "card/copy", "params")

    def test_error_data_that_is_not_as_described(self):
        self.assert_found(lambda raw, m: raw["components"]["errors"]["authLockedOut"]["data"].pop("retryAfterSeconds"),
                          "error authLockedOut", "retryAfterSeconds")

    def test_invalid_schema(self):
        self.assert_found(lambda raw, m: m["tag/list"]["result"].update(schema={"type": "strnig"}), "not a JSON Schema")

    def test_unused_schema(self):
        self.assert_found(lambda raw, m: raw["components"]["schemas"].update(Old={"type": "null"}), "schemas/Old: used nowhere")

    def test_method_described_twice(self):
        self.assert_found(lambda raw, m: raw["methods"].append(m["exit"]), "exit: described twice")

    def test_required_parameter_behind_an_optional_one(self):
        self.assert_found(
            lambda raw, m: m["vault/delete"]["params"].reverse(), "vault/delete: a required parameter is behind an optional one")

    def test_schema_of_draft_7_alone(self):
        pair = {"type": "array", "items": [{"type": "integer"}, {"type": "integer"}]}
        self.assert_found(lambda raw, m: m["tag/list"]["result"].update(schema=pair), "not a JSON Schema")

    def test_meta_schema_is_applied(self):
        if not check.META_SCHEMA.is_file():
            self.skipTest(f"there is no OpenRPC meta-schema at {check.META_SCHEMA}")
        meta = parse(check.META_SCHEMA.read_text(encoding="utf-8"))
        self.assertEqual(self.problems(lambda raw, m: None, meta), [])
        self.assertTrue(self.problems(lambda raw, m: m["exit"].update(sumary="x"), meta))
        self.assertTrue(self.problems(lambda raw, m: raw.update(openrpc="9.9.9"), meta))

    def test_missing_meta_schema_is_told(self):
        said = []
        self.assertEqual(check.check_document(meta_schema="/nowhere/meta.json", tell=said.append), [])
        self.assertIn("no OpenRPC meta-schema at /nowhere/meta.json", said[0])

    def test_every_application_error_kind_is_listed(self):
        kinds = {e["data"]["kind"] for e in RAW["components"]["errors"].values() if e["code"] > 0}
        self.assertEqual(kinds, set(RAW["components"]["schemas"]["ApplicationErrorKind"]["enum"]))


class ConversationChecks(unittest.TestCase):
    """Invalid messages are found, and valid ones pass."""

    @classmethod
    def setUpClass(cls):
        cls.document = Document(copy.deepcopy(RAW))

    def found(self, *entries):
        """Returns the violations in the lines."""
        return list(check.check_conversation([json.dumps(e) for e in entries], self.document))

    def assert_found(self, entry, *words):
        """Asserts that the line has a violation whose text has all the words."""
        found = self.found(entry)
        self.assertTrue(any(all(w in f for w in words) for f in found), found)

    def test_every_example_passes_as_a_conversation(self):
        for method in RAW["methods"]:
            for index, pairing in enumerate(method["examples"]):
                params, result = example(method["name"], index)
                if "result" in pairing:
                    entry = exchange(method["name"], params, result=result)
                else:
                    entry = {"notification": {"jsonrpc": "2.0", "method": method["name"], "params": params}}
                self.assertEqual(self.found(entry), [], method["name"])

    def test_every_declared_error_passes(self):
        for method in RAW["methods"]:
            for reference in method.get("errors", []):
                answer = error(reference["$ref"].rsplit("/", 1)[1])
                self.assertEqual(self.found(exchange(method["name"], {}, error=answer)), [])

    def test_wrong_result(self):
        params, result = example("card/get")
        for change in ({"revision": "1"}, {"createdAt": "2026-11-21 06:53:05"}, {"id": "7C20"}, {"type": "address"}, {"secret": 1}):
            with self.subTest(change):
                self.assert_found(exchange("card/get", params, result={"card": {**result["card"], **change}}), "card/get, result")

    def test_missing_member(self):
        params, result = example("card/get")
        del result["card"]["pinned"]
        self.assert_found(exchange("card/get", params, result=result), "card/get, result.card", "'pinned' is a required")

    def test_null_results(self):
        self.assert_found(exchange("session/lock", {}, result={}), "session/lock, result")
        self.assert_found(exchange("tag/list", {}, result=None), "tag/list, result")

    def test_undeclared_and_unknown_error(self):
        self.assert_found(exchange("tag/list", {}, error=error("cardConflict")), "does not declare the error 1203")
        self.assert_found(exchange("tag/list", {}, error={**error("vaultLocked"), "code": 1999}), "1999", "not described")

    def test_error_data_and_message(self):
        answer = error("authLockedOut")
        answer["data"]["retryAfterSeconds"] = 0
        self.assert_found(exchange("session/unlock", {}, error=answer), "auth.lockedOut, data.retryAfterSeconds")
        self.assert_found(exchange("tag/list", {}, error={**error("vaultLocked"), "message": "?"}), "neither of its two messages")
        self.assert_found(exchange("tag/list", {}, error={**error("vaultLocked"), "hint": "?"}), "unknown member 'hint'")

    def test_unknown_method(self):
        self.assert_found(exchange("card/frobnicate", {}, result=None), "card/frobnicate", "no such method")
        self.assertEqual(self.found(exchange("card/frobnicate", {}, error=error("methodNotFound"))), [])
        self.assert_found({"notification": {"jsonrpc": "2.0", "method": "card/didFrobnicate"}}, "no such notification")

    def test_wrong_parameters_pass_only_on_purpose(self):
        entry = exchange("card/list", {"limit": 0}, result=example("card/list")[1])
        self.assert_found(entry, "card/list, params.limit")
        self.assertEqual(self.found({**entry, "expectInvalid": True}), [])
        self.assertEqual(self.found(exchange("card/list", {"limit": 0}, error=error("invalidParameters"))), [])
        for none in (None, [], {}):
            self.assertEqual(self.found(exchange("session/lock", none, result=None)), [])
        self.assert_found(exchange("session/lock", [1], result=None), "session/lock, params")
        self.assert_found(exchange("tag/list", {"all": True}, result=example("tag/list")[1]), "'all' was unexpected")

    def test_initialize_accepts_unknown_members(self):
        params, result = example("initialize")
        self.assertEqual(self.found(exchange("initialize", {**params, "rootUri": None}, result=result)), [])

    def test_envelope(self):
        entry = exchange("shutdown", {}, result=None)
        for change in ({"id": 2}, {"id": None}, {"id": True}, {"jsonrpc": "1.0"}, {"error": error("cancelled")}, {"x": 1}):
            with self.subTest(change):
                self.assertTrue(self.found({**entry, "response": {**entry["response"], **change}}))

    def test_answer_to_an_unreadable_request(self):
        self.assertEqual(self.found({"response": {"jsonrpc": "2.0", "id": None, "error": error("parseError")}}), [])
        self.assertTrue(self.found({"response": {"jsonrpc": "2.0", "id": None, "error": error("vaultLocked")}}))

    def test_batch(self):
        requests = [{"jsonrpc": "2.0", "id": n, "method": "shutdown"} for n in (1, 2)]
        answers = [{"jsonrpc": "2.0", "id": n, "result": None} for n in (2, 1)]
        self.assertEqual(self.found({"request": requests, "response": answers}), [])
        self.assert_found({"request": requests, "response": answers[:1]}, "no answer to")
        self.assert_found({"request": requests[:1], "response": answers}, "of no request")

    def test_notification_with_wrong_parameters(self):
        self.assert_found({"notification": {"jsonrpc": "2.0", "method": "session/didLock", "params": {"reason": "whim"}}}, "whim")
        self.assert_found({"notification": {"jsonrpc": "2.0", "method": "card/didChange", "params": {}}}, "card/didChange, params")

    def test_invalid_lines(self):
        for line in ("{", "[]", "{\"request\": {}}", "{\"response\": {}, \"response\": {}}", "{\"response\": NaN}"):
            with self.subTest(line):
                self.assertTrue(list(check.check_conversation([line], self.document)))


class GuideChecks(unittest.TestCase):
    """The conversation and the frame in the documents are valid."""

    def test_the_guide_conversation(self):
        guide = (check.HERE / "README.md").read_text(encoding="utf-8")
        blocks = [block.split("```")[0] for block in guide.split("```conversation\n")[1:]]
        waiting, entries = {}, []
        for line in re.sub(r"\n +", "", "".join(blocks)).splitlines():
            message = parse(line[2:])
            if line.startswith("→"):
                waiting[message["id"]] = message
            elif "id" in message:
                entries.append({"request": waiting.pop(message["id"]), "response": message})
            else:
                entries.append({"notification": message})
        self.assertGreater(len(entries), 10)
        self.assertEqual(waiting, {})
        self.assertEqual(list(check.check_conversation(map(json.dumps, entries), Document(copy.deepcopy(RAW)))), [])

    def test_the_frame_has_the_right_length(self):
        page = (check.HERE / "MESSAGES.md").read_text(encoding="utf-8")
        length, body = re.split(r"^Content-Length: ", page, flags=re.M)[1].split("```")[0].strip().split("\n\n")
        self.assertEqual(int(length), len(body.encode("utf-8")))

    def test_linked_files_exist(self):
        for name in ("openrpc.json", "VAULT-FORMAT.md", "check.py"):
            self.assertTrue((check.HERE / name).is_file())


class CommandLine(unittest.TestCase):
    """Exit statuses of the program."""

    def run_check(self, *arguments, text=""):
        """Runs the program and returns its exit status and output."""
        done = subprocess.run([sys.executable, check.HERE / "check.py", *arguments], input=text, text=True,
                              capture_output=True, timeout=60, check=False)
        return done.returncode, done.stdout

    def test_clean_violation_and_usage(self):
        self.assertEqual(self.run_check("conversation", text=json.dumps(exchange("shutdown", {}, result=None)) + "\n"), (0, ""))
        status, output = self.run_check("conversation", text=json.dumps(exchange("shutdown", {}, result=1)) + "\n")
        self.assertEqual(status, 1)
        self.assertIn("line 1: shutdown, result", output)
        self.assertEqual(self.run_check("everything")[0], 2)
        self.assertEqual(self.run_check("document", "--document", "/nowhere/openrpc.json")[0], 2)

    def test_damaged_document(self):
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory) / "openrpc.json"
            path.write_text(json.dumps(RAW).replace("schemas/CardResult", "schemas/CardRseult"), encoding="utf-8")
            for what in ("document", "conversation"):
                status, output = self.run_check(what, "--document", str(path))
                self.assertEqual(status, 1)
                self.assertIn("CardRseult points to nothing", output)

    def test_main_reads_standard_input(self):
        with mock.patch("sys.stdin", io.StringIO("\n")), mock.patch("builtins.print") as printed:
            self.assertEqual(check.main(["conversation"]), 0)
            printed.assert_not_called()

    def test_a_repeated_member_is_refused(self):
        with self.assertRaises(Invalid):
            parse('{"a": 1, "a": 2}')


if __name__ == "__main__":
    unittest.main()
