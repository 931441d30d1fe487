"""The server with pytest-lsp, a client that nobody here wrote, with the capabilities of editors that its authors recorded."""

import ast
import asyncio
import os
import pathlib
import sys
import unittest

import pytest
from lsprotocol import types
from pytest_lsp import client_capabilities, make_test_lsp_client

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from editors import Surroundings
from language_client import DEADLINE, PIN, PROGRAM, TAX_ID, VALUES

EDITORS = [
    "neovim@v0.7.0", "neovim@v0.8.0", "neovim@v0.9.1", "neovim@v0.10.0", "neovim@v0.11.0", "emacs@v29.1",
    "visual-studio-code@v1.65.2",
]
URI = "file:///letter.md"


@pytest.fixture(name="surroundings", scope="module")
def unlocked_vault():
    test = unittest.TestCase()
    yield Surroundings(test)
    test.doCleanups()


class Client:
    """A client of pytest-lsp that answers what the server asks."""

    def __init__(self, choice):
        self.edits, self.questions = [], []
        self.arrived = asyncio.Event()
        self.end = None
        self.client = make_test_lsp_client()

        @self.client.feature(types.WORKSPACE_APPLY_EDIT)
        def _(parameters: types.ApplyWorkspaceEditParams):
            self.edits.append(parameters)
            self.arrived.set()
            return types.ApplyWorkspaceEditResult(applied=True)

        @self.client.feature(types.WINDOW_SHOW_MESSAGE_REQUEST)
        def _(parameters: types.ShowMessageRequestParams):
            self.questions.append(parameters)
            return next(action for action in parameters.actions if action.title == choice)

    async def start(self, surroundings, editor, text):
        environment = {**surroundings.environment, "PATH": os.environ["PATH"]}
        # Visual Studio Code adds the option.
        await self.client.start_io(PROGRAM, "lsp", "--stdio", env=environment)
        name = {"neovim": "Neovim", "emacs": "Eglot", "visual-studio-code": "Visual Studio Code"}[editor.split("@")[0]]
        answer = await self.client.initialize_session(types.InitializeParams(
            capabilities=client_capabilities(editor), client_info=types.ClientInfo(name), root_uri="file:///"))
        # The end of the line, in the units that were agreed on.
        units = {"utf-8": ("utf-8", 1), "utf-32": ("utf-32-le", 4)}.get(answer.capabilities.position_encoding, ("utf-16-le", 2))
        self.end = types.Position(0, len(text.encode(units[0])) // units[1])
        self.client.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(URI, "markdown", 0, text)))

    async def complete(self):
        answer = await self.client.text_document_completion_async(
            types.CompletionParams(types.TextDocumentIdentifier(URI), self.end))
        return answer.items if answer else []

    async def actions(self):
        return await self.client.text_document_code_action_async(types.CodeActionParams(
            types.TextDocumentIdentifier(URI), types.Range(self.end, self.end), types.CodeActionContext([])))

    async def execute(self, command):
        if isinstance(command, str):
            # lsprotocol 2025.0.0 takes a code action for a command, and makes a text of the command in it.
            command = types.Command(**ast.literal_eval(command))
        await self.client.workspace_execute_command_async(
            types.ExecuteCommandParams(command.command, list(command.arguments)))

    async def edit(self):
        """The text that the server has inserted."""
        await asyncio.wait_for(self.arrived.wait(), DEADLINE)
        edit = self.edits[-1].edit
        if edit.document_changes:
            return edit.document_changes[0].edits[0].new_text
        return edit.changes[URI][0].new_text

    async def close(self):
        await self.client.shutdown_session()
        await self.client.stop()


@pytest.mark.parametrize("editor", EDITORS)
async def test_a_items_have_no_values_and_commands_insert_them(surroundings, editor):
    client = Client("Insert")
    await client.start(surroundings, editor, "甲😀 ;;gsfp.tax")
    items = await client.complete()
    actions = await client.actions()
    for offered in items, actions:
        assert not any(value in repr(offered) for value in VALUES)
    commands = [item.command for item in items if item.command] or [action.command for action in actions]
    assert commands
    assert not client.edits
    await client.execute(commands[0])
    assert await client.edit() == TAX_ID
    assert not client.questions
    await client.close()


@pytest.mark.parametrize("choice", ["Insert", "Cancel"])
async def test_a_a_concealed_field_is_asked_for(surroundings, choice):
    client = Client(choice)
    await client.start(surroundings, EDITORS[-1], ";;gsfp.pin")
    (item,) = await client.complete()
    await client.execute(item.command)
    assert len(client.questions) == 1
    assert PIN not in repr(client.questions)
    if choice == "Insert":
        assert await client.edit() == PIN
    else:
        assert not client.edits
    await client.close()
