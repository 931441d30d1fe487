"""The Model Context Protocol: versions, messages, and the official Python SDK as a client."""

import json
import os
import subprocess
import sys
import time
import unittest

import jsonschema

from agents import DEADLINE, HERE, META, PLANTED, STATELESS, UNTIL_LOCK, VERSIONS, Agent, Conversation, World, program


class Protocol(World):
    answers = UNTIL_LOCK

    def test_m_the_python_sdk_uses_the_tools_in_each_version(self):
        for version in VERSIONS:
            with self.subTest(version):
                letter = self.file("To: {{qv:Tax office.text}}\nNo. {{qv:Tax office.Tax ID}}, {{qv:Home.text}}\n")
                log = self.path(f"{version}.log")
                calls = [
                    ["find_cards", {"query": "tax"}], ["fill_file", {"path": str(letter)}],
                    ["fill_file", {"path": "/etc/hostname"}], ["save_card", {"text": f"A note of {version}"}],
                    ["find_cards", {"query": f"note {version}"}], ["find_cards", {"words": "tax"}]]
                child = subprocess.run(
                    [os.environ["MCP_PYTHON"], str(HERE / "sdk_client.py"), version, str(self.root), sys.executable,
                     str(HERE / "tee.py"), log, program("quickvault"), "mcp"],
                    env=self.environment, input=json.dumps(calls), capture_output=True, text=True, timeout=DEADLINE)
                self.assertEqual(child.returncode, 0, child.stderr)
                given = json.loads(child.stdout)
                self.assertEqual((given["version"], given["server"]), (version, "quickvault"))
                self.assertEqual(given["tools"], ["find_cards", "fill_file", "copy_to_clipboard", "type_into_window",
                                                  "save_card", "lock"])
                found, filled, outside, saved, again, wrong = given["results"]
                (card,) = found["structured"]["cards"]
                self.assertEqual((card["title"], card["fields"]), ("Tax office", ["text", "Tax ID", "PIN"]))
                self.assertEqual(filled["structured"], {"filled": 3})
                self.assertEqual(letter.read_text("utf-8"), f"To: Main street 5\nNo. {PLANTED}, Garden lane 7\n")
                self.assertTrue(outside["error"] and wrong["error"])
                self.assertEqual([card["id"] for card in again["structured"]["cards"]], [saved["structured"]["id"]])
                self.assertTrue(any("person is asked" in (text or "") for text in given["progress"]), given["progress"])
                self.assertEqual(bool(given["elicited"]), version != STATELESS)
                self.check(log, version)
                self.assertNotIn(PLANTED, child.stdout + child.stderr)

    def check(self, log, version):
        """Checks all messages of both sides by the schema."""
        conversation = Conversation(version)
        lines = [line for line in open(log, encoding="utf-8")]
        for line in lines:
            conversation.check(json.loads(line[2:]), line.startswith("< "))
        self.assertGreater(len(lines), 12)
        self.assertNotIn(PLANTED, "".join(lines))

    def test_m_a_version_is_negotiated(self):
        for wanted, given in (("2025-06-18", "2025-06-18"), ("2025-11-25", "2025-11-25"), ("2024-11-05", "2025-11-25"),
                              ("2026-07-28", "2025-11-25"), ("x", "2025-11-25")):
            agent = Agent(self, STATELESS)
            agent.conversation = Conversation(given)
            result = agent.request("initialize", protocolVersion=wanted, capabilities={},
                                   clientInfo={"name": "a", "version": "1"})["result"]
            self.assertEqual(result["protocolVersion"], given)
            agent.close()

    def test_m_without_a_conversation_each_request_says_its_version(self):
        agent = self.agent(STATELESS)
        result = agent.request("server/discover")["result"]
        self.assertEqual(result["supportedVersions"], [STATELESS])
        self.assertEqual(result["_meta"][META + "serverInfo"]["name"], "quickvault")
        meta = {META + "protocolVersion": "1900-01-01", META + "clientCapabilities": {}}
        agent.send({"id": "a", "method": "tools/list", "params": {"_meta": meta}})
        error = agent.answer("a")
        agent.conversation.schema.check(error, "UnsupportedProtocolVersionError")
        self.assertEqual(error["error"]["data"]["requested"], "1900-01-01")
        agent.send({"id": "b", "method": "tools/list", "params": {"_meta": {META + "protocolVersion": STATELESS}}}, False)
        self.assertEqual(agent.answer("b")["error"]["code"], -32602)
        agent.send({"id": "c", "method": "tools/list"}, False)
        self.assertEqual(agent.answer("c")["error"]["code"], -32600)
        for method in ("ping", "resources/list", "initialize"):
            self.assertEqual(self.error(agent, method), -32601, method)

    def error(self, agent, method, **parameters):
        """The code of the error of a request that is not checked."""
        agent.number += 1
        if agent.conversation.stateless:
            parameters["_meta"] = {META + "protocolVersion": STATELESS, META + "clientCapabilities": {}}
        agent.send({"id": agent.number, "method": method, "params": parameters}, False)
        return agent.answer(agent.number)["error"]["code"]

    def test_m_what_is_no_valid_message_is_an_error(self):
        agent = self.agent()
        for text, code in (("{", -32700), ("[]", -32600), ('[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600),
                           ("1", -32600), ('{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
                           ('{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600), ('{"id":1,"method":"ping"}', -32600)):
            agent.write(text)
            message = agent.receive()
            self.assertEqual((message["error"]["code"], "id" in message), (code, False), text)
        for method, parameters, code in (
                ("initialize", {}, -32600), ("nothing", {}, -32601), ("logging/setLevel", {"level": "debug"}, -32601),
                ("tools/list", {"cursor": "x"}, -32602), ("tools/call", {}, -32602), ("tools/call", {"name": "x"}, -32602),
                ("tools/call", {"name": "lock", "arguments": []}, -32602), ("tools/call", {"name": "run_command"}, -32602),
                ("server/discover", {}, -32601),
                ("tools/list", {"_meta": {META + "protocolVersion": STATELESS, META + "clientCapabilities": {}}}, -32600)):
            self.assertEqual(self.error(agent, method, **parameters), code, method)
        self.assertEqual(agent.request("ping")["result"], {})

    def test_m_arguments_are_checked_by_the_schema(self):
        agent = self.agent()
        for tool, arguments in (
                ("find_cards", {}), ("find_cards", {"query": 1}), ("find_cards", {"query": "x" * 201}),
                ("find_cards", {"query": "x", "more": 1}), ("fill_file", {"path": ""}), ("fill_file", {"path": "a\0b"}),
                ("fill_file", {"path": "x", "cards": []}), ("copy_to_clipboard", {"field": "x"}),
                ("save_card", {"text": "x" * 10001}), ("lock", {"x": 1})):
            self.assertIn("argument", agent.refused(tool, **arguments))

    def test_m_tools_have_schemas_and_hints(self):
        self.setting(agentCommands="ask", agentReveals="ask")
        for version in VERSIONS:
            tools = self.agent(version).tools()
            for tool in tools.values():
                for schema in (tool["inputSchema"], tool["outputSchema"]):
                    jsonschema.Draft202012Validator.check_schema(schema)
            self.assertEqual({name for name, tool in tools.items() if tool["annotations"]["readOnlyHint"]},
                             {"find_cards", "reveal_field"})
            self.assertEqual({name for name, tool in tools.items() if tool["annotations"]["destructiveHint"]},
                             {"fill_file", "run_command"})

    def test_m_a_ping_is_answered_and_a_request_is_cancelled_while_a_person_is_asked(self):
        self.answers = None
        agent = self.agent()
        number = agent.begin("tools/call", name="find_cards", arguments={"query": ""}, _meta={"progressToken": 7})
        self.person.wait_for(lambda: self.person.questions)
        self.assertEqual(agent.request("ping")["result"], {})
        waiting = agent.begin("tools/list")
        agent.send({"method": "notifications/cancelled", "params": {"requestId": number}})
        self.assertEqual(agent.receive()["id"], waiting)
        self.person.wait_for(lambda: "withdrawn" in self.person.questions)
        self.assertFalse([message for message in agent.arrived if message.get("id") == number])

    def test_m_the_end_of_input_ends_the_server_and_the_question(self):
        self.answers = None
        agent = self.agent()
        agent.begin("tools/call", name="find_cards", arguments={"query": ""})
        self.person.wait_for(lambda: self.person.questions)
        agent.process.stdin.close()
        self.assertEqual(agent.process.wait(DEADLINE), 0)
        self.person.wait_for(lambda: "withdrawn" in self.person.questions)

    def test_m_the_help_and_the_lack_of_a_shared_service(self):
        shown = subprocess.run([program("quickvault"), "mcp", "--help"], env=self.environment, capture_output=True,
                               text=True, timeout=DEADLINE)
        self.assertIn("Model Context Protocol", shown.stdout)
        for words, more in ((["--alone"], {}), ([], {"QUICKVAULT_ALONE": "1"})):
            refused = subprocess.run([program("quickvault"), "mcp", *words], env={**self.environment, **more},
                                     capture_output=True, text=True, timeout=DEADLINE, stdin=subprocess.DEVNULL)
            self.assertIn("shared service", refused.stderr)


@unittest.skipUnless(os.environ.get("QUICKVAULT_FIGURES"), "prints a figure")
class Figures(World):
    answers = UNTIL_LOCK

    def test_m_find_cards_among_10000(self):
        cards = [{"title": f"Card {number} of the archive", "group": "personal", "type": "text",
                  "fields": {"text": f"text {number}"}} for number in range(10_000)]
        for start in range(0, len(cards), 500):
            for offset, card in enumerate(cards[start:start + 500]):
                self.person.send(id=f"c{start + offset}", method="card/create", params=card)
            self.person.wait_for(lambda: f"c{start + 499}" in self.person.answers)
        agent = self.agent()
        for query in ("archive", "9999", "card 77", "nothing", ""):
            agent.do("find_cards", query=query)
            times = []
            for _ in range(50):
                begin = time.perf_counter()
                agent.do("find_cards", query=query)
                times.append(time.perf_counter() - begin)
            print(f"\nfind_cards {query!r}: {sorted(times)[25] * 1000:.1f} ms (median of 50, least {min(times) * 1000:.1f})")


if __name__ == "__main__":
    unittest.main()
