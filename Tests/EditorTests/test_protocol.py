"""The methods of the Language Server Protocol, message by message (A)."""

import json
import pathlib
import sys
import unittest

from editors import Surroundings
from language_client import (
    DEADLINE, INVOICE, NOTE, PASSWORD, PIN, TAX_ID, VALUES, LanguageClient, Refused, capabilities, make_vault)

PROTOCOL = pathlib.Path(__file__).resolve().parents[2] / "protocol"
sys.path.append(str(PROTOCOL))

from check import check_entry  # noqa: E402
from openrpc_document import Document  # noqa: E402


class Case(unittest.TestCase):
    def start(self, *cards, unlocked=True, **initialize):
        client = LanguageClient(self, make_vault(self, *(cards or (INVOICE, NOTE))), **initialize)
        client.answers["workspace/applyEdit"] = client.apply
        if unlocked:
            client.request("session/unlock", password=PASSWORD)
        return client

    def begin_insertion(self, client, field, method):
        """Accepts an item, and returns the number of its request when the server waits for an answer that does not come."""
        client.unanswered = {method}
        client.open(";;gsfp")
        command = self.item(client, "公司发票 · " + field, 0, 6)["command"]
        number = client.begin("workspace/executeCommand", command=command["command"], arguments=command["arguments"])
        while not client.messages(method):
            client.receive()
        return number

    def kind(self, client, number):
        """The kind of the error in answer to a request."""
        while True:
            for message in client.received:
                if message.get("id") == number and "error" in message:
                    return message["error"]["data"]["kind"]
            client.receive()

    def item(self, client, label, line, character):
        (item,) = [item for item in client.complete(line, character)["items"] if item["label"] == label]
        return item


class Initialization(Case):
    def test_a_capabilities(self):
        client = self.start(capabilities=capabilities("utf-32", "utf-8"))
        answer = client.initialized
        self.assertEqual(set(answer), {"capabilities", "serverInfo"})
        self.assertEqual(answer["capabilities"]["positionEncoding"], "utf-32")
        self.assertEqual(answer["capabilities"]["textDocumentSync"], {"openClose": True, "change": 1})
        self.assertNotIn("resolveProvider", answer["capabilities"]["completionProvider"])

    def test_a_the_reference_describes_both_answers(self):
        document = Document.read(PROTOCOL / "openrpc.json")
        for declared in {}, capabilities("utf-8"), capabilities(actions=False):
            request = {"id": 1, "method": "initialize", "params": {"capabilities": declared}}
            answer = {"jsonrpc": "2.0", "id": 1, "result": self.start(capabilities=declared).initialized}
            self.assertEqual(check_entry(document, {"request": request, "response": answer}), [])

    def test_a_an_old_client_names_no_encoding(self):
        self.assertNotIn("positionEncoding", self.start().initialized["capabilities"])

    def test_a_other_clients_have_none_of_it(self):
        client = self.start(capabilities={})
        self.assertEqual(client.initialized["capabilities"], {})
        with self.assertRaises(Refused) as refused:
            client.complete(0, 0)
        self.assertEqual(refused.exception.kind, "rpc.methodNotFound")

    def test_a_null_is_no_value(self):
        declared = capabilities()
        declared["textDocument"]["codeAction"] = {"codeActionLiteralSupport": None}
        client = self.start(capabilities=declared)
        client.open("")
        client.notify(
            "textDocument/didChange", textDocument={"uri": client.uri, "version": 2},
            contentChanges=[{"text": ";;gsfp", "range": None}])
        self.assertEqual(client.actions(0, 6)[0]["command"], "quickvault.insert")
        client.execute({"command": "quickvault.lock"})
        with self.assertRaises(Refused):
            client.request("workspace/executeCommand", command="quickvault.unlock", workDoneToken=None)
        self.assertEqual(client.messages("$/progress"), [])

    def test_a_only_messages_of_the_protocol_are_sent(self):
        client = self.start()
        client.request("card/create", **NOTE)
        client.request("session/lock")
        self.assertEqual({message["method"] for message in client.received if "method" in message}, {"window/showMessage"})
        for message in client.messages("window/showMessage"):
            self.assertEqual(set(message), {"type", "message"})


class Completion(Case):
    def test_a_r7_a_title_comes_before_tags_and_values_though_others_are_pinned(self):
        others = [{**NOTE, "title": f"Door {number}", "tags": ["home"], "pinned": True} for number in range(60)]
        client = self.start({**NOTE, "title": "家 Home"}, *others)
        client.open(";;home")
        items = client.complete(0, 6)["items"]
        self.assertEqual(items[0]["label"], "家 Home")
        self.assertEqual(len(items), 50)

    def test_a_item_has_no_value(self):
        client = self.start()
        client.open("抬头：;;gsfp")
        answer = client.complete(0, 9)
        self.assertTrue(answer["isIncomplete"])
        item = answer["items"][0]
        self.assertEqual(item["label"], "公司发票")
        self.assertEqual(item["filterText"], "gsfp ;;gsfp")
        self.assertEqual(
            item["textEdit"],
            {"range": {"start": {"line": 0, "character": 3}, "end": {"line": 0, "character": 9}}, "newText": ";;gsfp"})
        self.assertIn("公司发票 · PIN", [item["label"] for item in answer["items"]])
        for value in VALUES:
            self.assertNotIn(value, json.dumps(client.received, ensure_ascii=False))

    def test_a_nothing_without_a_trigger(self):
        client = self.start()
        client.open("gsfp ;;gs fp\n;;")
        self.assertEqual(client.labels(0, 4), [])
        self.assertEqual(client.labels(0, 12), [])
        self.assertEqual(sorted(client.labels(1, 2)), sorted(["公司发票", "Meeting. Room 5"]))
        self.assertEqual(client.labels(7, 0), [])

    def test_a_full_width_trigger_and_another_one(self):
        client = self.start()
        client.open("；；gsfp")
        self.assertIn("公司发票", client.labels(0, 6))
        other = self.start(initializationOptions={"quickvault": {"trigger": "@@"}})
        other.open("@@gsfp ;;gsfp")
        self.assertIn("公司发票", other.labels(0, 6))
        self.assertEqual(other.labels(0, 13), [])

    def test_a_two_triggers_in_a_line(self):
        client = self.start()
        client.open(";;meet ;;gsfp")
        self.assertEqual(client.labels(0, 6)[0], "Meeting. Room 5")
        self.assertEqual(client.labels(0, 13)[0], "公司发票")

    def test_a_fields(self):
        client = self.start()
        client.open(";;gsfp.tax ;;gsfp.税")
        self.assertEqual(client.labels(0, 10), ["公司发票 · Tax ID"])
        self.assertEqual(client.labels(0, 19), ["公司发票 · Tax ID"])

    def test_a_equal_titles_can_be_told_apart(self):
        home = {**NOTE, "title": "Wifi", "tags": ["home"]}
        client = self.start(home, {**home, "tags": ["office", "floor 2"]}, {**home, "group": "company"}, {**home, "tags": []}, NOTE)
        client.open(";;wifi ;;")
        self.assertEqual(sorted(label for label in client.labels(0, 6) if " · " not in label), [
            "Wifi (Company, home)", "Wifi (Personal)", "Wifi (Personal, home)", "Wifi (Personal, office, floor 2)"])
        self.assertIn("Meeting. Room 5", client.labels(0, 9))

    def test_a_cards_that_differ_in_no_name_have_their_ids(self):
        client = self.start(NOTE, NOTE)
        ids = [card["id"] for card in client.request("card/list")["items"]]
        client.open(";;meet")
        labels = client.labels(0, 6)
        self.assertEqual(len(labels), len(set(labels)))
        for card in ids:
            self.assertIn(f"Meeting. Room 5 (Personal, {card[:8]})", labels)

    def test_a_command_inserts_the_value(self):
        for encoding, start in (("utf-8", 11), ("utf-16", 5), ("utf-32", 4)):
            with self.subTest(encoding):
                client = self.start(capabilities=capabilities(encoding))
                client.open("税号 😀;;gsfp")
                end = start + 6
                item = self.item(client, "公司发票 · Tax ID", 0, end)
                client.answers["workspace/applyEdit"] = {"applied": True}
                self.assertIsNone(client.execute(item["command"]))
                (edit,) = client.messages("workspace/applyEdit")
                # Neovim prints a label after the question, and may then wait for Enter.
                self.assertEqual(list(edit), ["edit"])
                (change,) = edit["edit"]["documentChanges"]
                self.assertEqual(change["textDocument"], {"uri": client.uri, "version": 1})
                self.assertEqual(change["edits"], [{"newText": TAX_ID, "range": {
                    "start": {"line": 0, "character": start}, "end": {"line": 0, "character": end}}}])

    def test_a_several_lines(self):
        client = self.start()
        client.open("a ;;meet b\r\nc")
        client.execute(self.item(client, "Meeting. Room 5", 0, 8)["command"])
        self.assertEqual(client.text, "a first line\nsecond line b\r\nc")

    def test_a_a_concealed_field_is_asked_for(self):
        client = self.start()
        client.open(";;gsfp.pin")
        command = self.item(client, "公司发票 · PIN", 0, 10)["command"]
        client.execute(command)
        self.assertEqual(client.text, ";;gsfp.pin")
        self.assertEqual(client.messages("workspace/applyEdit"), [])
        (question,) = client.messages("window/showMessageRequest")
        self.assertEqual(question["message"], "Insert 公司发票 · PIN into this document?")
        self.assertEqual(question["actions"], [{"title": "Cancel"}, {"title": "Insert"}])
        client.answers["window/showMessageRequest"] = {"title": "Cancel"}
        client.execute(command)
        self.assertEqual(client.text, ";;gsfp.pin")
        client.answers["window/showMessageRequest"] = {"title": "Insert"}
        client.execute(command)
        self.assertEqual(client.text, PIN)

    def test_a_the_whole_card_lacks_concealed_fields(self):
        client = self.start()
        client.open(";;gsfp")
        client.execute(self.item(client, "公司发票", 0, 6)["command"])
        self.assertIn(TAX_ID, client.text)
        self.assertNotIn(PIN, client.text)

    def test_a_a_changed_text_gets_nothing(self):
        client = self.start()
        client.open(";;gsfp")
        command = self.item(client, "公司发票 · Tax ID", 0, 6)["command"]
        client.change("x;;gsfp")
        with self.assertRaises(Refused) as refused:
            client.execute(command)
        self.assertEqual(refused.exception.kind, "edit.changed")
        self.assertEqual(client.messages("workspace/applyEdit"), [])

    def test_a_the_second_time_there_is_nothing_to_replace(self):
        client = self.start()
        client.open(";;gsfp")
        command = self.item(client, "公司发票 · Tax ID", 0, 6)["command"]
        client.execute(command)
        with self.assertRaises(Refused):
            client.execute(command)
        self.assertEqual(client.text, TAX_ID)

    def test_a_the_editor_refuses(self):
        client = self.start()
        client.open(";;gsfp")
        command = self.item(client, "公司发票", 0, 6)["command"]
        client.answers["workspace/applyEdit"] = {"applied": False}
        with self.assertRaises(Refused) as refused:
            client.execute(command)
        self.assertEqual(refused.exception.kind, "edit.refused")

    def test_a_an_error_is_shown_once(self):
        for name, count in (("Test", 0), ("helix", 1), ("Kate", 1)):
            client = self.start(clientInfo={"name": name})
            client.open(";;gsfp")
            command = self.item(client, "公司发票", 0, 6)["command"]
            client.change("x")
            with self.assertRaises(Refused):
                client.execute(command)
            client.request("vault/status")
            self.assertEqual(len(client.messages("window/showMessage")), count, name)

    def test_a_a_document_that_is_closed_or_too_long_is_not_kept(self):
        client = self.start()
        client.open(";;gsfp")
        client.notify("textDocument/didClose", textDocument={"uri": client.uri})
        self.assertEqual(client.labels(0, 6), [])
        client.open(";;gsfp" + "x" * (1 << 20))
        self.assertEqual(client.labels(0, 6), [])

    def test_a_each_use_is_in_the_event_log(self):
        client = self.start()
        client.open(";;gsfp")
        client.execute(self.item(client, "公司发票", 0, 6)["command"])
        event = client.request("log/list")["items"][0]
        self.assertEqual((event["event"], event["method"], event["reason"]), ("inserted", "quickvault.insert", "Test"))


class Locked(Case):
    def test_a_one_item_unlocks(self):
        client = self.start(unlocked=False)
        client.open(";;gsfp")
        (item,) = client.complete(0, 6)["items"]
        self.assertEqual((item["label"], item["command"]["command"]), ("Unlock QuickVault…", "quickvault.unlock"))
        self.assertTrue(item["filterText"].startswith("gsfp"))
        with self.assertRaises(Refused) as refused:
            client.execute(item["command"])
        self.assertEqual(refused.exception.kind, "pinentry.noTerminal")

    def test_a_the_item_has_the_shape_of_others(self):
        client = self.start(unlocked=False, initializationOptions={"quickvault": {"completion": "bareCommand"}})
        client.open(";;gsfp")
        (item,) = client.complete(0, 6)["items"]
        self.assertNotIn("filterText", item)

    def test_a_progress_is_shown_while_the_user_is_asked(self):
        for options, parameters in [({"capabilities": capabilities(progress=True)}, {}), ({}, {"workDoneToken": 7})]:
            client = self.start(unlocked=False, **options)
            with self.assertRaises(Refused):
                client.request("workspace/executeCommand", command="quickvault.unlock", **parameters)
            tokens = [made["token"] for made in client.messages("window/workDoneProgress/create")] or [7]
            progress = client.messages("$/progress")
            self.assertEqual([(shown["token"], shown["value"]["kind"]) for shown in progress],
                             [(tokens[0], "begin"), (tokens[0], "end")])
            self.assertEqual(progress[0]["value"]["title"], "Unlocking QuickVault")

    def test_a_a_lock_in_between(self):
        client = self.start()
        client.open(";;gsfp")
        command = self.item(client, "公司发票", 0, 6)["command"]
        client.execute({"command": "quickvault.lock"})
        with self.assertRaises(Refused) as refused:
            client.execute(command)
        self.assertEqual(refused.exception.kind, "vault.locked")
        self.assertEqual(client.labels(0, 6), ["Unlock QuickVault…"])
        client.request("session/unlock", password=PASSWORD)
        client.execute(self.item(client, "公司发票 · Tax ID", 0, 6)["command"])
        self.assertEqual(client.text, TAX_ID)

    def test_a_what_can_be_inserted_is_known_after_a_lock(self):
        client = self.start()
        lines = ["税号 😀;;gsfp.tax, and {{qv:公司发票.taxId}}", "nothing", "；；gsfp后面没有空格"]
        client.open("\n".join(lines))
        ends = [(0, 0), (0, len("税号 😀;;gsfp.tax,".encode("utf-16-le")) // 2 - 1), (2, 6)]
        client.execute({"command": "quickvault.lock"})
        for place in ends:
            self.assertEqual([action["title"] for action in client.actions(*place)], ["Unlock QuickVault…"])
        client.request("session/unlock", password=PASSWORD)
        self.assertEqual(client.actions(1, 0, 7), [], "a selection whose text is not known is not offered")
        for place in reversed(ends[1:]):
            client.execute(client.actions(*place)[1 if place[0] == 0 else 0]["command"])
            self.assertIn(TAX_ID, client.text)
        self.assertTrue(client.text.startswith(f"税号 😀{TAX_ID}, and {{{{qv"), client.text)

    def test_a_a_placeholder_is_filled_in_after_two_locks(self):
        client = self.start()
        client.open("a\n  {{qv:公司发票.taxId}}\n")
        for _ in range(2):
            client.execute({"command": "quickvault.lock"})
        client.request("session/unlock", password=PASSWORD)
        (action,) = client.actions(1, 0)
        client.execute(action["command"])
        self.assertEqual(client.text, f"a\n  {TAX_ID}\n")

    def test_a_a_document_that_is_closed_before_a_lock_is_not_known_after_it(self):
        client = self.start()
        client.open("{{qv:公司发票.taxId}}")
        client.notify("textDocument/didClose", textDocument={"uri": client.uri})
        client.execute({"command": "quickvault.lock"})
        self.assertEqual(client.actions(0, 0), [])

    def test_a_nothing_is_kept_of_a_document_into_which_a_trigger_was_inserted(self):
        client = self.start({**NOTE, "fields": {"text": "for (;;secret) {{qv:secret}}"}})
        client.open(";;meet")
        client.execute(self.item(client, "Meeting. Room 5", 0, 6)["command"])
        self.assertEqual(client.text, "for (;;secret) {{qv:secret}}")
        client.execute({"command": "quickvault.lock"})
        self.assertEqual(client.actions(0, 13), [])


WAITS = [("Tax ID", "workspace/applyEdit"), ("PIN", "window/showMessageRequest")]


class Unanswered(Case):
    """An editor that does not answer, because it asks its user or has died."""

    def test_a_the_end_of_the_input_ends_the_program(self):
        for wait in WAITS:
            with self.subTest(wait):
                client = self.start()
                self.begin_insertion(client, *wait)
                client.process.stdin.close()
                # Without a shutdown, LSP has 1.
                self.assertEqual(client.process.wait(DEADLINE), 1)

    def test_a_a_key_for_the_lock_works(self):
        for wait in WAITS:
            with self.subTest(wait):
                client = self.start()
                number = self.begin_insertion(client, *wait)
                client.execute({"command": "quickvault.lock"})
                self.assertEqual(self.kind(client, number), "vault.locked")

    def test_a_a_cancelled_insertion_is_cancelled(self):
        for wait in WAITS:
            with self.subTest(wait):
                client = self.start()
                number = self.begin_insertion(client, *wait)
                client.notify("$/cancelRequest", id=number)
                self.assertEqual(self.kind(client, number), "rpc.cancelled")

    def test_a_a_later_command_ends_an_insertion_that_waits(self):
        for wait in WAITS:
            with self.subTest(wait):
                client = self.start()
                number = self.begin_insertion(client, *wait)
                client.unanswered = set()
                client.execute(self.item(client, "公司发票 · Tax ID", 0, 6)["command"])
                self.assertEqual(self.kind(client, number), "rpc.cancelled")
                self.assertEqual(client.text, TAX_ID)

    def answer(self, client, *before, title="Insert", method="window/showMessageRequest"):
        """Answers the question in one write with messages before."""
        (question,) = [message for message in client.received if message.get("method") == method]
        client.send_together(*before, {"id": question["id"], "result": {"title": title}})

    def change(self, client, text):
        client.version += 1
        return {"method": "textDocument/didChange", "params": {
            "textDocument": {"uri": client.uri, "version": client.version}, "contentChanges": [{"text": text}]}}

    def test_a_an_answer_does_not_overtake_a_change(self):
        for versions in False, True:
            client = self.start(capabilities=capabilities(versions=versions))
            for _ in range(5):
                number = self.begin_insertion(client, *WAITS[1])
                self.answer(client, self.change(client, "x;;gsfp"))
                self.assertEqual(self.kind(client, number), "edit.changed")
                self.assertEqual(client.messages("workspace/applyEdit"), [])
                client.received.clear()
                client.notify("textDocument/didClose", textDocument={"uri": client.uri})

    def test_a_an_answer_does_not_overtake_a_change_behind_other_messages(self):
        client = self.start(capabilities=capabilities(versions=False))
        client.methods.update(a="textDocument/completion", b="unknown")
        number = self.begin_insertion(client, *WAITS[1])
        position = {"textDocument": {"uri": client.uri}, "position": {"line": 0, "character": 6}}
        self.answer(
            client, {"id": "a", "method": "textDocument/completion", "params": position},
            {"method": "textDocument/didSave", "params": {"textDocument": {"uri": client.uri}}},
            {"id": "b", "method": "unknown"}, self.change(client, "x;;gsfp"))
        self.assertEqual(self.kind(client, number), "edit.changed")
        self.assertEqual(client.messages("workspace/applyEdit"), [])
        ((completion,), (unknown,)) = [[one for one in client.received if one.get("id") == name] for name in "ab"]
        self.assertGreater(len(completion["result"]["items"]), 1)
        self.assertEqual(unknown["error"]["code"], -32601)

    def test_a_a_change_behind_the_command_comes_before_the_answer(self):
        client = self.start(capabilities=capabilities(versions=False))
        client.unanswered = {"window/showMessageRequest"}
        client.open(";;gsfp")
        command = self.item(client, "公司发票 · PIN", 0, 6)["command"]
        client.methods["c"] = "workspace/executeCommand"
        client.send_together(
            {"id": "c", "method": "workspace/executeCommand", "params": command}, self.change(client, "x;;gsfp"))
        while not client.messages("window/showMessageRequest"):
            client.receive()
        self.answer(client)
        self.assertEqual(self.kind(client, "c"), "edit.changed")
        self.assertEqual(client.messages("workspace/applyEdit"), [])

    def test_a_a_closed_document_gets_nothing(self):
        for together in False, True:
            client = self.start()
            number = self.begin_insertion(client, *WAITS[1])
            closed = {"method": "textDocument/didClose", "params": {"textDocument": {"uri": client.uri}}}
            if not together:
                client.send_together(closed)
                client.request("vault/status")
            self.answer(client, *([closed] if together else []))
            self.assertEqual(self.kind(client, number), "edit.unknownText")
            self.assertEqual(client.messages("workspace/applyEdit"), [])

    def test_a_another_request_ends_an_insertion_that_waits(self):
        client = self.start()
        number = self.begin_insertion(client, *WAITS[1])
        client.methods["l"] = "card/list"
        self.answer(client, {"id": "l", "method": "card/list"})
        self.assertEqual(self.kind(client, number), "rpc.cancelled")
        while not [message for message in client.received if message.get("id") == "l"]:
            client.receive()
        self.assertEqual(client.messages("workspace/applyEdit"), [])

    def test_a_the_last_answer_before_the_end_of_the_input_counts(self):
        client = self.start()
        number = self.begin_insertion(client, *WAITS[1])
        self.answer(client, title="Cancel")
        client.process.stdin.close()
        while not [message for message in client.received if message.get("id") == number]:
            client.receive()

    def test_a_requests_are_answered_between_the_question_and_the_end_of_the_edit(self):
        client = self.start()
        client.answers["window/showMessageRequest"] = {"title": "Insert"}
        self.begin_insertion(client, "PIN", "workspace/applyEdit")
        self.assertIn("公司发票", client.labels(0, 6))

    def test_a_an_editor_that_cannot_ask_inserts_nothing(self):
        client = self.start()
        number = self.begin_insertion(client, *WAITS[1])
        (question,) = [message for message in client.received if message.get("method") == WAITS[1][1]]
        client._send(id=question["id"], error={"code": -32601, "message": "no such method"})
        self.assertEqual(self.kind(client, number), "edit.refused")
        self.assertEqual(client.messages("workspace/applyEdit"), [])


class Shared(Case):
    """An editor that does not answer, beside another program."""

    def start_both(self, wait):
        surroundings = Surroundings(self)
        client = LanguageClient(self, surroundings.vault, surroundings.environment)
        return surroundings, client, self.begin_insertion(client, *wait)

    def test_a_others_change_the_password_and_lock(self):
        for wait in WAITS:
            with self.subTest(wait):
                others, client, number = self.start_both(wait)
                others.call("vault/changePassword", '{"oldPassword":"%s","newPassword":"%s"}' % (PASSWORD, PASSWORD))
                others.call("session/lock")
                self.assertEqual(self.kind(client, number), "vault.locked")

    def test_a_a_password_of_others_ends_no_wait(self):
        others, client, number = self.start_both(WAITS[1])
        others.call("session/unlock", '{"password":"%s"}' % PASSWORD)
        client.request("vault/status")
        self.assertEqual([message for message in client.received if message.get("id") == number], [])

    def test_a_where_nobody_can_be_asked_the_password_is(self):
        surroundings = Surroundings(self)
        # A shell in between, which was not admitted
        shell = ["/bin/sh", "-c", '"$@"; exit', "sh"]
        client = LanguageClient(self, surroundings.vault, surroundings.environment, shell)
        surroundings.call("settings/update", '{"sharedUnlock":"ask"}')
        client.open(";;gsfp {{qv:公司发票}}")
        self.assertEqual([item["command"]["command"] for item in client.complete(0, 6)["items"]], ["quickvault.unlock"])
        self.assertEqual([action["command"]["command"] for action in client.actions(0, 0)], ["quickvault.unlock"])
        with self.assertRaises(Refused) as refused:
            client.request("workspace/executeCommand", command="quickvault.unlock")
        self.assertEqual(refused.exception.kind, "pinentry.noTerminal")
        LanguageClient(self, surroundings.vault, surroundings.environment, capabilities={"sessionAdmit": True})
        self.assertEqual(
            [item["command"]["command"] for item in client.complete(0, 6)["items"]],
            ["quickvault.requestConsent", "quickvault.unlock"])

    def test_a_a_revoked_editor_gets_nothing(self):
        others, client, number = self.start_both(WAITS[1])
        others.call("settings/update", '{"sharedUnlock":"ask"}')
        others.call("client/revoke", '{"id":2}')
        (question,) = [message for message in client.received if message.get("method") == WAITS[1][1]]
        client._send(id=question["id"], result={"title": "Insert"})
        self.assertEqual(self.kind(client, number), "vault.locked")
        self.assertEqual(client.messages("workspace/applyEdit"), [])


class Marker(Case):
    """Bare Neovim, whose omnifunc runs no command."""

    options = {"clientInfo": {"name": "Neovim"}, "capabilities": capabilities(snippets=False)}

    def accept(self, client):
        client.open("a ;;gsfp b")
        item = self.item(client, "公司发票 · Tax ID", 0, 8)
        self.assertNotIn("command", item)
        self.assertNotIn("filterText", item)
        self.assertRegex(item["textEdit"]["newText"], "^;;gsfp公司发票 · Tax ID⟨[0-9]+⟩$")
        client.change("a " + item["textEdit"]["newText"] + " b")
        while not client.messages("window/showMessageRequest"):
            client.receive()
        while not client.messages("workspace/applyEdit"):
            client.receive()

    def test_a_consent_inserts(self):
        client = self.start(**self.options)
        client.answers["window/showMessageRequest"] = {"title": "Insert"}
        self.accept(client)
        self.assertEqual(client.text, f"a {TAX_ID} b")

    def test_a_refusal_restores_what_was_typed(self):
        client = self.start(**self.options)
        client.answers["window/showMessageRequest"] = {"title": "Cancel"}
        self.accept(client)
        self.assertEqual(client.text, "a ;;gsfp b")


class CodeActions(Case):
    def titles(self, client, *place, **context):
        return [action["title"] for action in client.actions(*place, **context)]

    def test_a_typed_word(self):
        client = self.start()
        client.open("a ;;gsfp")
        self.assertIn("Insert 公司发票 · Tax ID", self.titles(client, 0, 8))
        (action,) = [action for action in client.actions(0, 8) if action["title"] == "Insert 公司发票 · Tax ID"]
        client.execute(action["command"])
        self.assertEqual(client.text, "a " + TAX_ID)

    def test_a_placeholders(self):
        client = self.start()
        client.open("{{qv:公司发票.taxId}}, {{qv: 公司发票 . 税号 }} {{qv:MEETING. room 5}} {{qv:Meeting}} {{qv:}}")
        titles = self.titles(client, 0, 0)
        self.assertEqual(len(titles), 4)
        for number in (0, 0, 0):
            client.execute(client.actions(0, 0)[number]["command"])
        self.assertEqual(client.text, f"{TAX_ID}, {TAX_ID} first line\nsecond line {{{{qv:Meeting}}}} {{{{qv:}}}}")
        with self.assertRaises(Refused) as refused:
            client.execute(client.actions(1, 0)[0]["command"])
        self.assertEqual(refused.exception.kind, "card.notFound")

    def test_u_a_of_many_placeholders_the_nearest_are_offered(self):
        client = self.start()
        one = "{{qv:公司发票.taxId}} "
        client.open(one * 40_000)
        place = len(one) * 30_000
        actions = client.actions(0, place)
        self.assertEqual(len(actions), 30)
        starts = [action["command"]["arguments"][0]["place"]["range"]["start"]["character"] for action in actions]
        self.assertIn(place, starts)
        self.assertEqual(starts, sorted(starts))

    def test_a_titles_that_look_like_a_search(self):
        titles = ["Phone: Mum", "tag:home wifi", "Type: C cable", 'say "hi"', "group:x"]
        client = self.start(*({**NOTE, "title": title, "fields": {"text": f"<{title}>"}} for title in titles))
        client.open(" ".join("{{qv:%s}}" % title for title in titles))
        for _ in titles:
            client.execute(client.actions(0, 0)[0]["command"])
        self.assertEqual(client.text, " ".join(f"<{title}>" for title in titles))

    def test_a_an_empty_field_replaces_nothing(self):
        client = self.start({**NOTE, "extraFields": [{"label": "Remark", "value": "", "concealed": False}]})
        text = "{{qv:Meeting. Room 5.Remark}} ;;meet.remark"
        client.open(text)
        (action,) = client.actions(0, len(text))
        with self.assertRaises(Refused) as refused:
            client.execute(action["command"])
        self.assertEqual(refused.exception.kind, "card.fieldNotFound")
        self.assertEqual(client.text, text)

    def test_a_selection_is_saved(self):
        client = self.start()
        client.open("\n  Door code \n4711\n")
        place = {"start": {"line": 0, "character": 0}, "end": {"line": 2, "character": 4}}
        (action,) = client.request(
            "textDocument/codeAction", textDocument={"uri": client.uri}, range=place, context={"diagnostics": []})
        card = client.execute(action["command"])["card"]
        self.assertEqual(card["title"].strip(), "Door code")
        self.assertEqual(card["fields"][0]["value"], "\n  Door code \n4711")

    def test_a_a_selection_that_has_changed_since_is_not_saved(self):
        client = self.start()
        client.open("Door code")
        place = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 9}}
        (action,) = client.request(
            "textDocument/codeAction", textDocument={"uri": client.uri}, range=place, context={"diagnostics": []})
        client.change("New: Door code")
        with self.assertRaises(Refused) as refused:
            client.execute(action["command"])
        self.assertEqual(refused.exception.kind, "edit.changed")

    def test_a_no_selection_is_offered_that_cannot_be_saved(self):
        client = self.start()
        client.open(" \n\t\nDoor code")
        place = {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 1}}
        blank = client.request(
            "textDocument/codeAction", textDocument={"uri": client.uri}, range=place, context={"diagnostics": []})
        self.assertEqual(blank, [])
        client.open("x" * ((1 << 20) + 1))
        self.assertEqual(client.actions(0, 0, 4), [])

    def insert(self, text, *place):
        """Returns the text of a document after its first action."""
        client = self.start()
        client.open(text)
        start, end = place if len(place) == 2 else place * 2
        actions = client.request(
            "textDocument/codeAction", textDocument={"uri": client.uri}, context={"diagnostics": []},
            range={"start": dict(zip(("line", "character"), start)), "end": dict(zip(("line", "character"), end))})
        if actions:
            client.execute(actions[0]["command"])
        return client.text

    def test_a_a_cursor_in_a_word_takes_all_of_it(self):
        # In Neovim's normal mode, the cursor stands on the last character that was typed.
        for rest in "", "\n", "\r\n", " and\n":
            for character in 2, 6, 11, 12:
                with self.subTest(rest=rest, character=character):
                    self.assertEqual(self.insert("a ;;gsfp.tax" + rest, (0, character)), f"a {TAX_ID}{rest}")

    def test_a_a_cursor_behind_a_word_takes_it_without_what_follows(self):
        self.assertEqual(self.insert("税号：;;gsfp.tax，电话", (0, 13)), f"税号：{TAX_ID}，电话")
        self.assertEqual(self.insert("a ;;gsfp.tax ;;meet", (0, 12)), f"a {TAX_ID} ;;meet")

    def test_a_a_cursor_before_a_word_takes_nothing(self):
        for text in "abc ;;gsfp.tax", "abc;;gsfp.tax":
            self.assertEqual(self.insert(text, (0, 2)), text)

    def test_a_a_selection_of_the_end_of_a_line_is_taken_for_it(self):
        # Helix selects the end of the line in which the cursor stands behind the last character.
        self.assertEqual(self.insert("a ;;gsfp.tax\nb", (0, 12), (1, 0)), f"a {TAX_ID}\nb")

    def test_a_a_whole_line_is_taken_for_its_end(self):
        # Kate 22.12 sends the line in which the cursor is.
        client = self.start()
        client.open("Dear all\nour tax id: ;;gsfp.tax\nYours")
        place = {"start": {"line": 1, "character": 0}, "end": {"line": 2, "character": 0}}
        actions = client.request(
            "textDocument/codeAction", textDocument={"uri": client.uri}, range=place, context={"diagnostics": []})
        client.execute(actions[0]["command"])
        self.assertEqual(client.text, f"Dear all\nour tax id: {TAX_ID}\nYours")

    def test_a_nothing_is_offered_by_itself_for_a_selection(self):
        client = self.start()
        client.open("Door code")
        self.assertEqual(client.actions(0, 0, 4, triggerKind=2), [])
        self.assertEqual(client.actions(0, 0, 4, only=["quickfix"]), [])
        self.assertEqual(len(client.actions(0, 0, 4, only=["refactor"])), 1)

    def test_a_commands_for_a_client_without_actions(self):
        client = self.start(capabilities=capabilities(actions=False))
        client.open(";;gsfp")
        self.assertEqual(client.actions(0, 6)[0]["command"], "quickvault.insert")

    def test_a_locked(self):
        client = self.start(unlocked=False)
        client.open(";;gsfp")
        self.assertEqual(self.titles(client, 0, 6), ["Unlock QuickVault…"])


if __name__ == "__main__":
    unittest.main()
